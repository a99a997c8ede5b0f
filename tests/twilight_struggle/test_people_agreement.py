"""What people chose, put to players: scripted ones agree always or never, order does not count, nothing hidden is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.commands import ROOT, python_in, run_here
from tests.twilight_struggle.recorded_logs import GAME as LOG
from tests.twilight_struggle.recorded_logs import discards_but
from timeline_env.arena.estimates import share
from timeline_env.arena.twilight_struggle import agreement as measured
from timeline_env.arena.twilight_struggle.agreement import KINDS, agreement, courses, is_unordered, split
from timeline_env.arena.twilight_struggle.people import PeopleGame, read_games, told_cards
from timeline_env.arena.twilight_struggle.ratio import ratio
from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.loops import hide_games
from timeline_env.engine.questions import asked_seats, top_of_all
from timeline_env.engine.setting import Setting
from timeline_env.players.interface import Decisions, FunctionPlayer
from timeline_env.twilight_struggle import GAME, frames, state
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.notation import action_from_text, from_text

GAMES = Path(__file__).parent / "games"
RULES = {"setup": {"ussr_bonus": 0, "us_bonus": 0}, "deck": {"optional_cards": True}}
POSITION = "t5.r3 us defcon:3 Panama:0/2 Iran:0/1 Italy:0/1 Turkey:0/1 Angola:1/0 hand.us:25,26 hand.ussr:7,9"
PLACING = ("card 25", "operations", "influence", "Panama", "Iran", "Italy")


@pytest.fixture(scope="module")
def recorded() -> PeopleGame:
    (game,) = read_games([GAMES / "game_57.json"])
    return game


def test_the_manuals_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = python_in("docs/people.md")
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    exec(example, names)
    assert 0 < names["chance"].by_kind["headline"].mean < 1 and names["found"].player == "heuristic"


def hidden(game: PeopleGame) -> np.recarray:
    """The positions without what the seats to act do not know."""
    states, setting = game.states.copy(), Setting(GAME, 2, game.rules)
    hide_games(setting.rules, states, asked_seats(states))
    return states


def played(position: str, *moves: str) -> PeopleGame:
    """A game of one's own: these moves from a position."""
    batch = Batch(Setting(GAME, 2, RULES), 1)
    batch.states[:] = from_text(batch.rules, position)
    batch.refresh()
    states, actions = record.new(GAME.state, len(moves)), []
    for number, move in enumerate(moves):
        states[number] = batch.states[0]
        actions.append(action_from_text(batch.rules, batch.states[0], move))
        batch.step([actions[-1]], restart=False)
    chosen = np.array(actions)
    return PeopleGame("own", RULES, states, chosen, batch.states, told_cards(states, chosen, batch.states))


class Scripted:
    """Answers each position that it knows, by the bytes that it is shown, as a person did; or otherwise."""

    def __init__(self, game: PeopleGame, otherwise: bool = False) -> None:
        self.known = {state.tobytes(): action for state, action in zip(hidden(game), game.actions, strict=True)}
        self.otherwise = otherwise

    def act(self, decisions: Decisions) -> np.ndarray:
        chosen = np.array([self.known[state.tobytes()] for state in decisions.batch.states[decisions.games]])
        if self.otherwise:
            mask = decisions.action_mask.copy()
            mask[np.arange(len(chosen)), chosen] = 0
            chosen = mask.argmax(axis=1)
        return chosen


class InOrder:
    """Names countries or cards in an order of its own."""

    def __init__(self, *moves: str) -> None:
        self.moves = moves

    def act(self, decisions: Decisions) -> np.ndarray:
        rules, states = decisions.batch.rules, decisions.batch.states[decisions.games]
        words = {action_from_text(rules, states[0], move): move for move in self.moves}
        (first, *_) = (action for action, move in sorted(words.items(), key=lambda item: self.moves.index(item[1])))
        self.moves = tuple(move for move in self.moves if move != words[first])
        return np.array([first])


@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        (RULES, {}),
        ({}, {}),
        ({"deck": {}}, {}),
        ({"setup": {"us_bonus": 2}}, {}),
        ({"setup": {"us_bonus": 2}, "deck": {"optional_cards": False}}, {"deck": {"optional_cards": False}}),
    ],
)
def test_players_are_told_of_the_cards_and_not_of_the_handicap(rules: dict, asked: dict, recorded: PeopleGame) -> None:
    """Whoever wrote a converted game may have left out what is as usual."""
    assert measured.asking_setting(replace(recorded, rules=rules)).changes == asked


def test_who_answers_as_people_did_agrees_always(recorded: PeopleGame) -> None:
    counts, (chance, found) = agreement([recorded], [Scripted(recorded)])
    assert sum(counts.values()) == len(recorded.actions)
    assert {share.mean for share in found.by_kind.values()} == {1.0}
    assert found.overall.mean == found.by_play.mean == 1.0
    assert 0.15 < chance.overall.mean < 0.3


def test_who_always_answers_otherwise_agrees_never(recorded: PeopleGame) -> None:
    single = ~is_unordered(recorded.states)
    game = PeopleGame(
        "single",
        recorded.rules,
        recorded.states[single],
        recorded.actions[single],
        recorded.last,
        recorded.told[single],
    )
    _, (_, found) = agreement([game], [Scripted(game, otherwise=True)])
    assert found.overall.mean == 0.0
    assert {share.mean for share in found.by_kind.values()} == {0.0}


def test_chance_is_what_random_players_reach(recorded: PeopleGame) -> None:
    _, (chance, found) = agreement([recorded], ["random"])
    assert abs(chance.overall.mean - found.overall.mean) < 4 * np.sqrt(0.25 / len(recorded.actions))


@pytest.mark.parametrize(
    ("course", "agreed"),
    [
        (("Panama", "Iran", "Italy"), 3),
        (("Italy", "Panama", "Iran"), 3),
        (("Italy", "Turkey", "Iran"), 2),
        (("Turkey", "Pakistan", "Costa_Rica"), 0),
    ],
)
def test_influence_agrees_in_any_order(course: tuple[str, ...], agreed: int) -> None:
    game = played(POSITION, *PLACING)
    plays, starts = split(game, 0)
    assert plays.decisions.tolist() == [1, 1, 1, 3] and starts.tolist() == [0, 1, 2, 3]
    assert measured.count_agreed(game, starts[3:], InOrder(*course)).tolist() == [agreed]


ASK_NOT = ("t5.r3 us defcon:3 hand.us:77,25,26,4 hand.ussr:7,9", "card 77", "event", "card 25", "card 4", "stop")
TEHRAN = (
    f"t5.r3 us defcon:3 Iran:0/2 hand.us:108,26 hand.ussr:7,9 discards:{discards_but(4, 7, 9, 25, 26, 30, 31, 33, 108)}",
    "card 108", "event", "card 25", "card 4", "stop",
)  # fmt: skip
"""108 looks at 4, 25, 30, 31 and 33, the whole draw pile."""


@pytest.mark.parametrize(("position", "moves"), [(ASK_NOT[0], ASK_NOT[1:]), (TEHRAN[0], TEHRAN[1:])], ids=["77", "108"])
@pytest.mark.parametrize(
    ("course", "agreed"),
    [
        (("card 25", "card 4", "stop"), 3),
        (("card 4", "card 25", "stop"), 3),
        (("card 4", "stop"), 2),
        (("stop",), 1),
    ],
)
def test_discards_agree_in_any_order(
    position: str, moves: tuple[str, ...], course: tuple[str, ...], agreed: int
) -> None:
    """77 and 108 let any number be discarded."""
    game = played(position, *moves)
    plays, starts = split(game, 0)
    assert plays.decisions.tolist() == [1, 1, 3] and starts.tolist() == [0, 1, 2]
    assert measured.count_agreed(game, starts[2:], InOrder(*course)).tolist() == [agreed]


@pytest.mark.parametrize(
    ("wanted", "chosen", "agreed"),
    [("IIP", "PIT", 2), ("s", "abs", 1 / 3), ("abs", "bas", 3), ("abs", "bacs", 3 * 3 / 4), ("abs", "s", 1)],
)
def test_who_takes_more_than_the_person_agrees_in_proportion_less(wanted: str, chosen: str, agreed: float) -> None:
    assert measured.count_alike(list(map(ord, wanted)), list(map(ord, chosen))) == pytest.approx(agreed)


def test_two_operations_of_one_side_are_two_plays(recorded: PeopleGame) -> None:
    plays, starts = split(recorded, 0)
    kinds = top_of_all(recorded.states, frames.KIND)
    for start, length in zip(starts, plays.decisions, strict=True):
        part = slice(start, start + length)
        assert len(set(kinds[part])) == len(set(asked_seats(recorded.states)[part])) == 1
        assert length == 1 or is_unordered(recorded.states[part]).all()
    assert plays.decisions.sum() == len(kinds) and plays.decisions.max() > 3


def test_every_question_is_of_one_kind() -> None:
    listed = [question for questions in KINDS.values() for question in questions]
    assert sorted(listed) == list(frames.QUESTIONS)


def test_no_hidden_hand_reaches_the_player() -> None:
    """Two games that differ in the other's hand, the deck and the generator put the same question."""
    seen = []

    def note(decisions: Decisions) -> np.ndarray:
        batch = decisions.batch
        seen[-1] += [
            batch.states.tobytes(),
            batch.observation.tobytes(),
            batch.action_mask.tobytes(),
            batch.seat.tobytes(),
        ]
        return decisions.action_mask.argmax(axis=1)

    for position in (POSITION, POSITION.replace("7,9", "11,39") + " rng:77 seed:5"):
        game = played(position, *PLACING)
        assert game.states.rng[0] == (77 if "rng" in position else 0)
        seen.append([])
        courses(game, split(game, 0)[1], FunctionPlayer(note))
    assert seen[0] == seen[1] and len(seen[0]) > 4


def test_what_is_shown_is_what_the_seat_sees_in_the_game(recorded: PeopleGame) -> None:
    setting = Setting(GAME, 2, recorded.rules)
    real, shown = Batch(setting, len(recorded.actions)), Batch(setting, len(recorded.actions))
    real.states[:], shown.states[:] = recorded.states, hidden(recorded)
    real.refresh()
    shown.refresh()
    assert (real.observation == shown.observation).all()
    assert (real.action_mask == shown.action_mask).all() and (real.seat == shown.seat).all()


def test_bad_input_to_the_comparison_is_refused(recorded: PeopleGame, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="seed -1 must be an integer from 0 to 4,294,967,295"):
        agreement([recorded], ["random"], -1)
    done = run_here("-m", "timeline_env.commands.main", "people", "agree", "random", "random", "--logs", tmp_path)
    assert (
        done.returncode == 2 and done.stderr == "error: players 'random random' must be at least one, each named once\n"
    )


def test_a_game_that_breaks_off_is_used_up_to_there(tmp_path: Path) -> None:
    lines = LOG.splitlines()
    whole, half = tmp_path / "whole.txt", tmp_path / "half.txt"
    whole.write_text(LOG, encoding="utf-8")
    kept_lines = lines[: lines.index("Turn 1, US AR1: Five Year Plan: Event: Five Year Plan")]
    half.write_text("\n".join([*kept_lines, ""]), "utf-8")
    said: list[str] = []
    (long,), (short,) = read_games([whole], said.append), read_games([half], said.append)
    count = len(short.actions)
    assert 0 < count < len(long.actions) and said == []
    assert (long.actions[:count] == short.actions).all()
    (kept,) = read_games([tmp_path], said.append)
    assert kept.name == "whole" and said == [f"half.txt: left out: all its decisions are in {str(whole)!r}"]


def test_a_file_that_breaks_off_within_a_line_is_used_up_to_that_line(tmp_path: Path) -> None:
    path, end = tmp_path / "cut.txt", LOG.index("Turn 1, US AR1")
    said: list[str] = []
    path.write_text(LOG[:end], encoding="utf-8")
    (whole,) = read_games([str(path)], said.append)
    for more in (LOG[end:][:9], "USSR Headlines Che"):  # perhaps Chernobyl
        path.write_text(LOG[:end] + more, encoding="utf-8")
        (cut,) = read_games([path], said.append)
        assert (cut.actions == whole.actions).all() and len(cut.actions) and said == []
    path.write_text(LOG[: end + 9] + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no recorded game"):
        read_games([path], said.append)
    assert "'Turn 1, U'" in said[0]


def test_a_game_without_a_decision_is_left_out_and_says_so(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "blank.txt").write_text("SETUP: : Player A bids 2 Influence for USSR\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no recorded game"):
        read_games([tmp_path], said.append)
    assert said == ["blank.txt: left out: it has no decision"]


def test_a_game_that_differs_is_used_up_to_the_phase_before(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(LOG.replace("USSR +2 in Egypt [0][2]", "USSR +1 in Egypt [0][1]"), encoding="utf-8")
    said: list[str] = []
    (game,) = read_games([path], said.append)
    assert len(said) == 1 and said[0].startswith("game.txt: used up to turn 1, round 2 of the USSR: game.txt:")
    assert (int(game.states[-1].turn), int(game.states[-1].action_round)) == (1, 1)


def test_what_is_no_game_is_left_out_and_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("not a game", encoding="utf-8")
    (tmp_path / "bad.txt").write_text("not a game", encoding="utf-8")
    said: list[str] = []
    with pytest.raises(ValueError, match=r"no recorded game can be read in '.*'$"):
        read_games([tmp_path], said.append)
    assert len(said) == 1 and said[0].startswith("bad.txt: left out: ")
    with pytest.raises(ValueError, match=r"there is no file and no folder '.*none'"):
        read_games([tmp_path / "none"])


def test_cards_that_the_log_shows_are_told(recorded: PeopleGame) -> None:
    held = recorded.states.place == 8 + asked_seats(recorded.states)[:, None]
    assert (recorded.told <= held).all()
    is_card = np.isin(top_of_all(recorded.states, frames.KIND), (frames.HEADLINE, frames.PLAY, frames.TRAP))
    is_card &= recorded.actions < 110
    for row in np.flatnonzero(is_card):
        card = recorded.actions[row] + 1
        assert recorded.told[row, card] or not held[row, card], "what was chosen was there"
    assert 0.6 < recorded.told.sum() / held.sum() < 1


def told_if_held(game: PeopleGame, card: int, *rows: int) -> list[bool]:
    """Whether a card is told in these decisions, were it filled into the deciding hands there."""
    states = game.states.copy()
    for row in rows:
        states.place[row, card] = state.HANDS + asked_seats(states)[row]
    return told_cards(states, game.actions, game.last)[list(rows), card].tolist()


def test_what_comes_after_a_draw_of_77_is_not_told_before_it() -> None:
    game = played(*ASK_NOT, "card 9", "event", "card 26", "event", "stop")
    assert {int(game.states.place[row, 26]) for row in (0, 5)} == {state.HANDS + US}
    us = (0, 1, 2, 3, 4)
    assert told_if_held(game, 25, *us[:3]) == [True] * 3, "discarded"
    assert told_if_held(game, 26, *us) == [False] * 5, "perhaps drawn"
    assert told_if_held(game, 26, 7) == [True]
    keeps = played(*ASK_NOT[:3], "stop", "card 9", "event", "card 26", "event", "stop")
    assert told_if_held(keeps, 26, 0, 1, 2) == [True] * 3, "nothing discarded, nothing drawn"


def test_a_single_card_that_77_discards_is_told_and_what_is_drawn_for_it_is_not() -> None:
    game = played("t5.r3 us defcon:3 hand.us:77,25 hand.ussr:7,9", "card 77", "event", "card 25", "card 9", "event")
    (drawn,) = np.flatnonzero(game.last.place[0] == state.HANDS + US)
    assert told_if_held(game, 25, 0, 1, 2) == [True] * 3
    game.last.place[0, drawn] = state.DISCARDS
    assert told_if_held(game, int(drawn), 0, 1, 2) == [False] * 3


def test_what_108_discards_from_the_draw_pile_is_not_told() -> None:
    game = played(*TEHRAN)
    assert game.last.place[0, 25] == state.DISCARDS
    assert told_if_held(game, 25, 0, 1) == [False] * 2


def test_a_card_that_is_chosen_is_told_though_the_record_breaks_off() -> None:
    assert told_if_held(played(POSITION, "card 25"), 25, 0) == [True]


def test_an_interval_is_over_games() -> None:
    game = np.repeat(np.arange(10), 100)
    same = np.repeat(np.arange(10) % 2, 100)  # all decisions of a game alike: ten samples, not a thousand
    mixed = np.random.default_rng(0).permutation(same)
    wide, narrow = (ratio(10, game, part, np.ones(1000)) for part in (same, mixed))
    assert wide.mean == narrow.mean == 0.5
    assert wide.high - wide.low > 0.4 and narrow.high - narrow.low < 0.1
    never = ratio(10, game, np.zeros(1000), np.ones(1000))  # nobody knows whether all decisions of a game are alike
    assert never.high == share(np.zeros(10)).high > 0.2
    alike = ratio(49, np.arange(49), np.ones(49), np.full(49, 49))  # a mean that is rounded
    assert alike.high - alike.low == pytest.approx(share(np.full(49, 1 / 49)).high - share(np.full(49, 1 / 49)).low)
    assert ratio(1, np.zeros(5, int), np.ones(5), np.ones(5)).low == 0.0
