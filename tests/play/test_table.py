"""A table without a browser: who may decide what, what is hidden, what is taken back, how it goes on later."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.games import ENVIRONMENTS
from tests.play.games import SHORT
from tests.twilight_struggle.table import Table as Laid
from timeline_env import play
from timeline_env.engine.batch import Batch
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.failures import PlayerFailed
from timeline_env.files import partial_of
from timeline_env.play import keeping
from timeline_env.play.analysis import analysis_in, analysis_of
from timeline_env.play.keeping import Kept
from timeline_env.play.replays import replay_saved, thoughts_of
from timeline_env.play.session import open_analysis, resume, usual_seats
from timeline_env.play.steps import copy_position
from timeline_env.play.table import PERSON, Refused, Table
from timeline_env.play.thoughts import names, think
from timeline_env.play.twilight_struggle.panels import learned
from timeline_env.players.interface import Decisions
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE
from timeline_env.twilight_struggle import frames, state
from timeline_env.twilight_struggle.board import US

GAMES = [v0.GAME for v0 in ENVIRONMENTS]
name_of = lambda value: getattr(value, "name", value)  # noqa: E731


def played(game: Game, players: int, decisions: int, seed: int = 918273645) -> Table:
    """A table of persons at which so many random decisions were taken."""
    table = Table(game, [PERSON] * players, seed)
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        table.commit(int(rng.choice(np.flatnonzero(table.batch.action_mask[0]))))
    return table


def as_text(view: dict[str, Any]) -> str:
    """A view as it is sent, but whether a decision can be taken back: that is asked of the real world's past."""
    return json.dumps(view | {"undo": False})


def first_move(table: Table) -> str:
    """The first legal move."""
    action = int(np.flatnonzero(table.batch.action_mask[0])[0])
    return table.game.notation.action_to_text(table.rules, table.now, action)


@pytest.mark.parametrize("game, decisions", [(game, count) for game in GAMES for count in (2, 20)], ids=name_of)
def test_a_seat_is_shown_the_same_in_worlds_that_it_cannot_tell_apart(game: Game, decisions: int) -> None:
    table = played(game, game.usual_players, decisions)
    table.view(None)
    for viewer in (*range(len(table.seats)), None):
        shown = as_text(table.view(viewer))
        if viewer is None:
            continue
        other = Table(game, table.seats, table.seed)
        other.log = [*table.log]
        other.version = table.version
        states = table.batch.states.copy()
        determinize_games(table.rules, states, np.array([viewer]), np.array([7], np.uint64))
        assert states.tobytes() != table.batch.states.tobytes()
        same = (
            copy_for_viewer(table.rules, states[0], viewer).tobytes()
            == copy_for_viewer(table.rules, table.now, viewer).tobytes()
        )
        np.asarray(other.batch.states)[:] = np.asarray(states)
        other.batch.refresh()
        assert same and as_text(other.view(viewer)) == shown
        assert str(int(table.seed)) not in shown


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_what_happened_is_told_by_what_a_viewer_knows(game: Game) -> None:
    """The same decision in two worlds: where the viewer knows the same before and after, the same is told."""
    rng = np.random.default_rng(3)
    table = played(game, game.usual_players, 20)
    compared = 0
    for _ in range(18):
        viewer = int(rng.integers(len(table.seats)))
        legal = np.flatnonzero(table.batch.action_mask[0])
        states = table.batch.states.copy()
        determinize_games(table.rules, states, np.array([viewer]), np.array([rng.integers(99)], np.uint64))
        action = int(rng.choice(legal))
        worlds = [table.now, states[0]]
        if not worlds[1].legal[action]:
            table.commit(action)
            continue
        steps = [list(table.page.steps(table.rules, world, action)) for world in worlds]
        known = [[copy_for_viewer(table.rules, after, viewer).tobytes() for _, after, _ in found] for found in steps]
        if known[0] == known[1]:
            compared += 1
            assert _told(table, steps[0], viewer) == _told(table, steps[1], viewer)
        table.commit(action)
    assert compared > 6


def test_r4_5_a_headline_is_not_named_to_who_knew_some_of_the_hand() -> None:
    table = Table(TWILIGHT_STRUGGLE, [PERSON] * 2, 5)
    while table.now.stage != state.FIRST_HEADLINE:
        table.commit(int(np.flatnonzero(table.batch.action_mask[0])[0]))
    cards = np.flatnonzero(table.batch.action_mask[0])
    now = table.batch.states[0]
    now.known[1, 1 + cards[:4]] = 1
    told = [_told(table, list(table.page.steps(table.rules, now, int(card))), 1) for card in cards]
    assert len(told) > 5 and all(sentences == told[0] for sentences in told)
    assert told[0] == ["The USSR lays down a card as headline."]


def _told(table: Table, steps: list, viewer: int) -> list[str]:
    told = []
    for before, after, action in steps:
        told += table.page.tell(
            table.rules,
            (copy_for_viewer(table.rules, before, viewer), copy_for_viewer(table.rules, after, viewer), action),
            viewer,
        )
    return told


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_only_the_seat_that_is_asked_decides_and_only_for_the_position_it_saw(game: Game) -> None:
    table = Table(game, [PERSON] * game.usual_players, 5)
    asked, other = table.to_act, 1 - table.to_act
    move, before = first_move(table), table.version
    for seat, cookie, wanted, why in (
        (other, table.cookie, move, "not for you to decide"),
        (None, table.cookie, move, "watching"),
        (asked, "0.1", move, "changed in the meantime"),
        (asked, table.cookie, "castle", "not a legal move"),
        (asked, table.cookie, "x" * 500, "at most 200 characters"),
    ):
        with pytest.raises(Refused, match=why):
            table.act(seat, cookie, wanted)
    assert table.version == before
    table.act(asked, table.cookie, move)
    assert table.version == before + 1 and [entry.move for entry in table.played] == [move]


def test_a_decision_is_taken_back_until_something_came_to_light() -> None:
    table = Table(TIMELINE, [PERSON] * 3, 5)
    before = table.now.tobytes()
    with pytest.raises(Refused, match="the last decision was not yours"):
        table.undo(0, table.cookie)
    table.act(0, table.cookie, "move N")
    with pytest.raises(Refused, match="the last decision was not yours"):
        table.undo(1, table.cookie)
    with pytest.raises(Refused, match="the position has changed"):
        table.undo(0, "0.0")
    table.undo(0, table.cookie)
    assert table.now.tobytes() == before
    assert [entry["undone"] for entry in table.view(0)["log"]] == [True]
    table.act(0, table.cookie, "pass")
    with pytest.raises(Refused, match="somebody else is asked"):
        table.undo(0, table.cookie)


def test_no_two_decisions_have_the_same_cookie(tmp_path: Path) -> None:
    """Also after a restart, which forgets what was taken back: a page that slept may still show another decision."""
    table = Table(TIMELINE, [PERSON] * 3, 5)
    table.act(0, table.cookie, "move N")
    asleep = table.cookie
    table.undo(0, asleep)
    table.act(0, table.cookie, "move S")
    time.sleep(0.01)
    keeping.write(tmp_path / "game.json", Kept(table.as_saved(), table.seats, ("a",) * 4, 8421))
    again = keeping.read(tmp_path / "game.json").table()
    with pytest.raises(Refused, match="the position has changed"):
        again.act(0, asleep, "pass")
    again.act(0, again.cookie, "pass")


def test_of_decisions_that_were_taken_back_the_log_keeps_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("timeline_env.play.table.MOST_UNDONE", 2)
    table = Table(TIMELINE, [PERSON] * 3, 5)
    for move in ("move N", "move NE", "move SE", "move S"):
        table.act(0, table.cookie, move)
        table.undo(0, table.cookie)
    table.act(0, table.cookie, "pass")
    assert [entry.undone for entry in table.log] == [True, True, False]


def test_dice_are_told_and_not_taken_back() -> None:
    table = played(TWILIGHT_STRUGGLE, 2, 0)
    rng = np.random.default_rng(1)
    seen_both = set()
    for _ in range(90):
        seat = table.to_act
        before = table.now
        table.commit(int(rng.choice(np.flatnonzero(table.batch.action_mask[0]))))
        if table.to_act == seat:
            rolled = bool(table.now.rng != before.rng)
            seen_both.add(rolled)
            assert not rolled or table.why_no_undo(seat) == "dice, a card or a token came to light"
        if table.now.rolled:
            assert "rolled" in " ".join(table.sentences(table.log[-1], None))
    assert seen_both == {True, False}


def test_trap_5_that_a_trapped_side_has_nothing_to_discard_is_not_taken_back() -> None:
    t = Laid({"Canada": (0, 2)}, ussr=[12, 15], us=[26, 25], phasing="us", fillers=0, lasting={44: 1})
    t.play("card 26", "operations")
    assert t.asked == "place" and t.turn == "us"
    before = copy_position(t.s)
    t.play("Canada")
    assert t.turn == "us" and t.s.rng == before.rng  # the USSR's round passed without a question
    assert learned(before, t.s, US)
    free, passed = copy_position(before), copy_position(before)
    free.lasting[44] = passed.lasting[44] = 0
    passed.action_round += 1
    assert not learned(free, passed, US)  # all know why a free side has no round, as at the end of the headlines


def test_a_card_that_came_to_light_is_not_taken_back() -> None:
    """Above all the other side's headline, which may be opened and gone before the seat is asked again."""
    told, taken_back = 0, 0
    for seed in range(1, 5):
        table = Table(TWILIGHT_STRUGGLE, [PERSON] * 2, seed)
        rng = np.random.default_rng(seed)
        while table.to_act >= 0 and len(table.log) < 400:
            seat, before = table.to_act, table.now
            table.commit(int(rng.choice(np.flatnonzero(table.batch.action_mask[0]))))
            if table.to_act != seat:
                continue
            hidden, shown = (copy_for_viewer(table.rules, s, seat) for s in (before, table.now))
            news = ((hidden.place == state.DRAW_PILE) & (shown.place != state.DRAW_PILE)).any()
            assert not news or table.why_no_undo(seat)
            told += bool(news)
            taken_back += not table.why_no_undo(seat)
    assert told > 3 and taken_back > 100


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_whoever_is_not_asked_can_try_things_out(game: Game) -> None:
    for decisions in (1, 7, 20, 33):
        table = played(game, game.usual_players, decisions)
        for viewer in range(len(table.seats)):
            copy = analysis_of(table, viewer, None)
            assert copy.batch.action_mask.any() and copy.view()["targets"]
            copy.act(None, copy.cookie, first_move(copy))


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_a_kept_game_goes_on(game: Game, tmp_path: Path) -> None:
    table = played(game, game.usual_players, 8)
    path = tmp_path / "game.json"
    seats = len(table.seats)
    keeping.write(path, Kept(table.as_saved(), table.seats, ("a",) * (seats + 1), 8421))
    assert path.stat().st_mode & 0o077 == 0
    again = keeping.read(path).table()
    assert again.batch.states.tobytes() == table.batch.states.tobytes()
    new = {"version": 0, "cookie": ""}
    assert again.view(0) | new == table.view(0) | new


def test_a_saved_game_keeps_its_number_of_seats() -> None:
    saved = played(TIMELINE, 2, 2).as_saved()
    with pytest.raises(ValueError, match=r"^3 seats: the saved game is one of 2$"):
        Table(TIMELINE, [PERSON] * 3, saved=saved)


def test_a_saved_game_is_replayed_once_whoever_asks_first() -> None:
    saved = played(TIMELINE, 2, 20).as_saved()
    table = Table(TIMELINE, [PERSON] * 2, saved=saved)
    asking = [threading.Thread(target=lambda: table.batch) for _ in range(4)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert [entry.move for entry in table.log] == saved.moves


def test_a_kept_file_is_its_owners_alone_at_every_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, modes = played(TIMELINE, 2, 3), []
    put = os.replace

    def watch(partial: Path, path: Path) -> None:
        modes.append(partial.stat().st_mode & 0o077)
        put(partial, path)

    monkeypatch.setattr(os, "replace", watch)
    keeping.write(tmp_path / "game.json", Kept(table.as_saved(), table.seats, ("a", "b", "c"), 8421))
    assert modes == [0] and (tmp_path / "game.json").stat().st_mode & 0o077 == 0


def test_a_game_is_held_by_whatever_name(tmp_path: Path) -> None:
    path, link = tmp_path / "game.json", tmp_path / "link.json"
    link.symlink_to(path)
    half_written = partial_of(path)
    half_written.touch()
    with keeping.hold(path), pytest.raises(ValueError, match="is being played in another program"), keeping.hold(link):
        pass
    assert not half_written.exists()


def test_a_click_decides_nothing_else_though_others_decide_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    table = played(TIMELINE, 2, 2)
    other = int(table.batch.action_mask[0].argmax())
    check, decides = table._check_cookie, threading.Thread(target=table.commit, args=(other,))

    def check_slowly(cookie: str) -> None:
        check(cookie)
        decides.start()
        decides.join(0.3)

    monkeypatch.setattr(table, "_check_cookie", check_slowly)
    before, move = table.now, first_move(table)
    table.act(table.to_act, table.cookie, move)
    decides.join()
    assert table.log[2].move == move and table.log[2].before.tobytes() == before.tobytes()


def test_a_file_alone_does_not_run_code() -> None:
    table = played(TIMELINE, 2, 3)
    own = "tests.arena.watching:Watching"
    kept = Kept(table.as_saved(), (PERSON, own), ("a", "b", "c"), 8421)
    with pytest.raises(ValueError, match=f"player '{own}' is code of a module: name it again, as in --seat SEAT={own}"):
        kept.table()
    assert kept.table([own]).seats == (PERSON, own)
    with pytest.raises(ValueError, match="player 'other:Class' plays in no seat of the kept game"):
        kept.table([own, "other:Class"])
    with pytest.raises(ValueError, match="would run a command"):
        Kept(table.as_saved(), (PERSON, "process:true"), ("a", "b", "c"), 8421).table(["process:true"])


def test_a_game_of_other_rules_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    table, path = played(TIMELINE, 2, 3), tmp_path / "game.json"
    old = replace(table.as_saved(), rules_version=99)
    keeping.write(path, Kept(old, table.seats, ("a", "b", "c"), 8421))
    with pytest.raises(ValueError, match="rules_version 99 of the saved game: only version"):
        resume(str(path), port=0, browser=False)


@pytest.mark.parametrize("game", GAMES, ids=name_of)
def test_a_new_program_goes_on_with_a_game_that_it_has_not_loaded(game: Game, tmp_path: Path) -> None:
    table, path = played(game, 2, 3), tmp_path / "game.json"
    keeping.write(path, Kept(table.as_saved(), table.seats, ("a", "b", "c"), 8421))
    code = (
        "import sys; from pathlib import Path; from timeline_env.play import keeping;"
        "print(keeping.read(Path(sys.argv[1])).table().game.name)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == game.name, done.stderr


def test_a_game_cannot_be_kept_where_there_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^path '.*game.json': there is no folder '.*nowhere'$"):
        play.open(TIMELINE.name, path=tmp_path / "nowhere" / "game.json", port=0, browser=False)


def test_a_game_without_a_home_asks_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", no_home)
    with pytest.raises(ValueError, match="there is no home folder to keep the game in; --save names a file"):
        keeping.new_path("timeline")


def test_a_seat_thinks_about_its_own_decision_while_others_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision between the look at whose turn it is and the copy would show a seat what another one may do."""
    table = played(TWILIGHT_STRUGGLE, 2, 4)
    before, seat, check = table.now, table.to_act, table._check_turn
    decides = threading.Thread(target=table.commit, args=(int(table.batch.action_mask[0].argmax()),))

    def check_slowly(seat: int | None) -> None:
        check(seat)
        decides.start()
        decides.join(0.3)

    monkeypatch.setattr(table, "_check_turn", check_slowly)
    assert table.pending(seat)[1].tobytes() == before.tobytes()
    decides.join()
    assert len(table.log) == 5


ASIA = "defcon:5 china:ussr {} hand.ussr:7,9 hand.us:25,26"
PLACED = ASIA.format("West_Germany:0/4 Thailand:3/0 Vietnam:2/0 Pakistan:3/0 Burma:2/0")
REALIGNED = ASIA.format("Thailand:3/4 Vietnam:2/4 Pakistan:3/4 Burma:2/4 India:0/4")


@pytest.mark.parametrize(
    ("position", "operation", "asked", "told"),
    [
        (PLACED, "influence", "The China Card: place influence, {}.", "places influence: {} (The China Card)"),
        (
            REALIGNED,
            "realign",
            "The China Card: where do you realign? {}; a roll takes one.",
            "chooses a target to realign: {} (The China Card)",
        ),
    ],
)
def test_trap_3_ops_that_a_region_adds_are_told(position: str, operation: str, asked: str, told: str) -> None:
    table = open_analysis(TWILIGHT_STRUGGLE, f"t5.r3 ussr {position}", None)
    for move in ("card 6", "operations", operation):
        table.act(None, table.cookie, move)
    for used, left, of in (
        (0, "4 Ops left, 5 where a region adds to them", "0 of 4 Ops used, of 5 where a region adds to them"),
        (4, "0 Ops left, 1 where a region adds to them", "4 of 4 Ops used, of 5 where a region adds to them"),
    ):
        while int(table.now.question[table.now.depth - 1, frames.SPENT]) < used:
            table.act(None, table.cookie, "Thailand")
        view = table.view()
        assert view["prompt"].endswith(asked.format(left))
        assert told.format(of) in " ".join(view["text"].split())


def test_trap_32_who_controls_europe_is_told_to_win() -> None:
    table = played(TWILIGHT_STRUGGLE, 2, 0)
    battlegrounds = "France:0/3 Italy:0/2 West_Germany:0/4 East_Germany:0/3 Poland:0/3 UK:0/5"
    states = TWILIGHT_STRUGGLE.notation.from_text(table.rules, f"t8.r3 us {battlegrounds}")
    rows = {row[0]: row[1:] for row in table.page.panels(table.rules, states[0], 0)[0].rows}
    assert rows["Europe"] == ("nothing", "control", "the US wins the game")
    assert rows["at the end of the game, by this board"] == ("", "", "the US wins the game")


def test_trap_12_a_boycott_that_loses_the_game_is_told() -> None:
    for defcon, told in ((3, "DEFCON falls by 1"), (2, "DEFCON falls to 1: the USSR would lose the game")):
        table = open_analysis(TWILIGHT_STRUGGLE, f"t1.r1 ussr defcon:{defcon} hand.ussr:20", None)
        for move in ("card 20", "event"):
            table.act(None, table.cookie, move)
        boycott = next(target for target in table.view()["targets"] if target["text"] == "boycott")
        assert boycott["detail"].startswith(told)


def test_a_game_that_is_over_is_not_scored_again() -> None:
    table = played(TWILIGHT_STRUGGLE, 2, 0)
    rows = [
        [row[0] for row in table.page.panels(table.rules, states[0], 0)[0].rows]
        for states in (
            TWILIGHT_STRUGGLE.notation.from_text(table.rules, text)
            for text in ("t5.r3 us vp:us18 Japan:0/4", "t10.r7 us over:us.final-scoring vp:us18 Japan:0/4")
        )
    ]
    assert rows[0] == [*rows[1], "at the end of the game, by this board"]


@pytest.mark.parametrize("game", GAMES, ids=name_of)
@pytest.mark.parametrize("decisions", [6, 21])
def test_what_a_seat_sees_is_set_up_with_its_own_hand_whoever_decides(game: Game, decisions: int) -> None:
    table = played(game, game.usual_players, decisions)
    for seat in range(len(table.seats)):
        text = game.notation.to_text(table.rules, table.now, seat)
        assert "?" in text
        copy = analysis_of(table, 0, None)
        copy.edit(text)
        assert "?" not in game.notation.to_text(copy.rules, copy.now)
        assert game.notation.to_text(copy.rules, copy.now, seat) == text


def test_a_view_in_which_nothing_is_unknown_but_what_the_other_side_may_do_is_set_up() -> None:
    copy = open_analysis(TWILIGHT_STRUGGLE, "t5.r3 ussr hand.us:25,26 hand.ussr:11 Iran:0/2 Cuba:0/1", None)
    for move in ("card 11", "operations", "coup"):
        copy.act(None, copy.cookie, move)
    text = TWILIGHT_STRUGGLE.notation.to_text(copy.rules, copy.now, 1)
    assert "seen:us" in text and "?" not in text
    copy.edit(text)
    assert TWILIGHT_STRUGGLE.notation.to_text(copy.rules, copy.now, 1) == text and copy.batch.action_mask.any()


def test_what_nobody_sees_is_not_set_up() -> None:
    table = played(TIMELINE, 2, 6)
    text = TIMELINE.notation.to_text(table.rules, copy_for_viewer(table.rules, table.now, None))
    with pytest.raises(Refused, match=r"what is unknown \(\?\) must be all that one seat does not know"):
        analysis_of(table, 0, None).edit(text)


@pytest.mark.parametrize("rules", [5, {"cards": "."}])
def test_a_variant_is_checked_before_it_is_read(rules: Any) -> None:
    with pytest.raises(ValueError, match=r"rules|cards"):
        Table(TIMELINE, [PERSON] * 2, 1, rules)
    with pytest.raises(ValueError, match=r"rules|cards"):
        usual_seats(TIMELINE, 2, rules)


def test_everybody_is_told_that_a_trapped_side_discards() -> None:
    text = "t5.r3 us hand.us:7,25,26 hand.ussr:9 lasting:42"
    copy = open_analysis(TWILIGHT_STRUGGLE, text, None)
    copy.act(None, copy.cookie, "card 7")
    for viewer in (0, 1, None):
        told = " ".join(copy.sentences(copy.log[-1], viewer))
        assert "discards Socialist Governments (7) to get out of the trap" in told and "plays" not in told


def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    table = played(TIMELINE, 2, 3)
    whole = Kept(table.as_saved(), table.seats, ("a", "b", "c"), 8421)
    keeping.write(path, whole)
    content = json.loads(path.read_text())
    for change, why in (
        ({"seats": ["person"]}, "1 seats for 2 players"),
        ({"seats": "person"}, "must be a list of texts"),
        ({"port": 0}, "port 0 must be"),
        ({"game": {}}, "must be an object with the keys"),
        ({"more": 1}, "must be an object with the keys"),
    ):
        path.write_text(json.dumps(content | change))
        with pytest.raises(ValueError, match=why):
            keeping.read(path)


def test_players_decide_and_persons_are_waited_for() -> None:
    table = Table(TIMELINE, [PERSON, "greedy"], 1)
    assert not table.waits_for_player and table.view(0)["status"] == "yours"
    table.act(0, table.cookie, "pass")
    assert table.waits_for_player and table.view(0)["status"] == "thinking"
    assert table.batch.action_mask[0, table.think()] == 1
    with pytest.raises(Refused, match="this seat is not yours"):
        table.act(1, table.cookie, "pass")


def test_a_table_that_cannot_be_is_refused() -> None:
    for seats, why in ((["person"] * 7, "7 seats"), (["person"], "1 seats"), (["person", "nobody"], "player 'nobody'")):
        with pytest.raises(ValueError, match=why):
            Table(TIMELINE, seats)


def test_a_click_in_one_copy_decides_nothing_in_another() -> None:
    table = Table(TIMELINE, [PERSON] * 2, 5)
    first, second = (analysis_of(table, 0, None) for _ in range(2))
    with pytest.raises(Refused, match="changed in the meantime"):
        second.act(0, first.cookie, "pass")


def test_a_view_looks_back_and_offers_nothing_there() -> None:
    table = played(TIMELINE, 3, 12)
    back = table.view(0, 4)
    assert (back["status"], back["targets"], back["look"], back["decisions"]) == ("past", [], 4, 12)
    with pytest.raises(Refused, match="12 decisions"):
        table.view(0, 13)


def test_shipped_agents_play_the_game_as_it_is_alone() -> None:
    best = [*TIMELINE.baselines][-1]
    assert usual_seats(TIMELINE, 2, None) == usual_seats(TIMELINE, 2, {}) == [PERSON, "shipped"]
    assert usual_seats(TIMELINE, 2, SHORT) == [PERSON, best]
    assert names(TIMELINE, 2, (), {})[0] == "shipped"
    assert "shipped" in Table(TIMELINE, [PERSON, "greedy"], 1).minds
    table = Table(TIMELINE, usual_seats(TIMELINE, 2, SHORT), 1, SHORT)
    for asked in (table, analysis_of(table, 0, None)):
        assert asked.minds[0] == best and "shipped" not in asked.minds
        for name in asked.minds:
            asked.mind(name)  # what is offered is there


def test_a_game_that_a_batch_does_not_have_is_named() -> None:
    batch = Batch(Setting(TIMELINE, 2), 2, seed=3)
    for number in (2, -1, 0.5, "0"):
        with pytest.raises(ValueError, match=rf"^number '?{number}'? must be an integer from 0 to 1$"):
            analysis_in(batch, number)  # type: ignore[arg-type]


def test_a_copy_is_of_the_same_variant() -> None:
    batch = Batch(Setting(TIMELINE, 2, SHORT), 1, seed=3)
    text = TIMELINE.notation.to_text(batch.rules, batch.states[0])
    table = Table(TIMELINE, [PERSON] * 2, 3, SHORT)
    for copy in (analysis_in(batch), analysis_of(table, 0, None), open_analysis(TIMELINE, text, SHORT)):
        assert copy.given == copy.setting.changes == copy.as_saved().rules == SHORT
        assert copy.rules.tobytes() == batch.rules.tobytes() and copy.batch.setting is copy.setting
        assert sum(row["share"] for row in copy.thoughts(None, "greedy")["rows"]) == pytest.approx(1, abs=0.01)


def test_a_mind_is_asked_in_the_variant() -> None:
    """By a setting whose numbers are those that it was made of: a player may play on in it."""
    asked: list[Setting] = []

    class Watching:
        def act(self, decisions: Decisions) -> Any:
            asked.append(decisions.batch.setting)
            return decisions.action_mask.argmax(1)

    table = Table(TIMELINE, [PERSON] * 2, 3, SHORT)
    think(Watching(), table.setting, table.now)
    assert asked[0].changes == SHORT and asked[0].rules.tobytes() == table.rules.tobytes()
    table.act(0, table.cookie, "pass")
    assert [thought["kind"] for thought in thoughts_of(replay_saved(table.as_saved()), [0], "greedy")] == ["values"]


def test_what_a_guard_forbids_has_no_share_of_a_policy() -> None:
    class First:
        def allow(self, decisions: Decisions) -> Any:
            return (decisions.action_mask.cumsum(axis=1) == 1) * decisions.action_mask

    class Guarded:
        guard = First()

        def logits(self, decisions: Decisions) -> Any:
            return np.arange(decisions.action_mask.shape[1], dtype=np.float32)[None]

    table = Table(TIMELINE, [PERSON] * 2, 3)
    thoughts = think(Guarded(), table.setting, table.now)  # type: ignore[arg-type]
    assert thoughts.share.tolist() == [1.0] + [0.0] * (len(thoughts.share) - 1) and len(thoughts.share) > 1
    assert thoughts.actions[0] == thoughts.actions.min()


def test_a_player_decides_in_a_copy_only_where_it_was_asked() -> None:
    """It takes its time, in which the copy can be changed: what it answers then is for a position that has passed."""
    copy = analysis_of(Table(TIMELINE, [PERSON] * 2, 5), 0, None)

    class Slow:
        changes = False

        def act(self, decisions: Decisions) -> Any:
            if self.changes:
                changing = threading.Thread(target=copy.redeal)
                changing.start()
                changing.join(60)
                assert not changing.is_alive()
            return decisions.action_mask.argmax(1)

    slow = Slow()
    copy.decide(slow)
    assert len(copy.log) == 1
    slow.changes = True
    with pytest.raises(Refused, match="changed in the meantime"):
        copy.decide(slow)
    assert copy.log == []


def test_a_copy_is_changed_by_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    copy = analysis_of(Table(TIMELINE, [PERSON] * 2, 5), 0, None)
    commit, cookie, told = copy.commit, copy.cookie, []

    def slowly(action: int) -> None:
        time.sleep(0.3)  # long enough for the other to look at the same position
        commit(action)

    def act() -> None:
        try:
            copy.act(None, cookie, "pass")
            told.append("")
        except Refused as error:
            told.append(str(error))

    monkeypatch.setattr(copy, "commit", slowly)
    acting = [threading.Thread(target=act) for _ in range(2)]
    for thread in acting:
        thread.start()
    for thread in acting:
        thread.join()
    assert sorted(map(bool, told)) == [False, True] and [entry.move for entry in copy.log] == ["pass"]


def test_a_player_that_answers_wrongly_in_a_copy_is_named() -> None:
    copy = analysis_of(Table(TIMELINE, [PERSON] * 2, 5), 0, None)

    class Wrong:
        def act(self, decisions: Decisions) -> Any:
            return decisions.action_mask.argmin(1)

    with pytest.raises(PlayerFailed, match="which is not legal"):
        copy.decide(Wrong())
    assert copy.log == []
