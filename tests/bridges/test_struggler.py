"""The bridge to an independent engine: names, the table and questions in its words, its player, and both engines side by side.

struggler itself is not needed: `fake_struggler.py` speaks its protocol.
"""

from __future__ import annotations

import copy
import csv
import itertools
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.commands import ends_beside_a_fork
from tests.twilight_struggle.table import Table
from timeline_env.arena.evaluation import evaluate
from timeline_env.bridges import struggler
from timeline_env.bridges.struggler import Greedy, Peer, question_for, table_of
from timeline_env.players import load_player
from timeline_env.players.interface import Decisions
from timeline_env.twilight_struggle import GAME, actions
from timeline_env.twilight_struggle.board import COUNTRY_NAMES, ID, US, USSR
from timeline_env.twilight_struggle.cards import NORAD
from timeline_env.twilight_struggle.frames import ADD, ESCAPE, KIND, LEAVE_HAND, VALUE
from tools import cross_check

FAKE = [sys.executable, str(Path(__file__).with_name("fake_struggler.py"))]


@pytest.fixture
def peer():
    return Peer(FAKE)


def question(peer, table):
    legal = np.flatnonzero(table.batch.action_mask[0]).tolist()
    return question_for(peer, table.s, int(table.batch.seat[0]), legal)


def values(asked):
    return [next(iter(option.values())) for option in asked["options"]]


def test_the_table_says_what_lies_there_in_the_others_words(peer):
    table = Table(
        {"Laos/Cambodia": (2, 1)}, us=[4, 21], phasing="us", turn=5, defcon=3, vp=-4, milops=(2, 0), space=(2, 0),
        lasting={21: 1, 31: 2, 94: 3, 23: 1}, discards=[7],
    )  # fmt: skip
    told = table_of(peer, table.s)
    assert told["influence"]["Laos_Cambodia"] == {"USSR": 2, "US": 1}
    assert (told["defcon"], told["vp"], told["turn"]) == (3, -4, 5)
    assert told["military_ops"] == {"USSR": 2, "US": 0}
    assert told["turn_effects"] == {"red_scare": "US", "chernobyl": "MIDDLE_EAST"}
    assert told["game_effects"] == {
        "nato": True, "marshall_or_warsaw": True, "space_race_double_attempt_holder": "USSR",
    }  # fmt: skip
    assert {"Duck_and_Cover", "NATO"} <= set(told["hands"]["US"])
    assert told["discard_pile"] == ["Socialist_Governments"]
    everywhere = [*told["hands"]["US"], *told["hands"]["USSR"], *told["draw_pile"], *told["discard_pile"]]
    assert len(everywhere) == len(set(everywhere))


def test_operations_are_asked_with_their_value(peer):
    table = Table({"Iran": (1, 1), "Cuba": (1, 0)}, us=[23], phasing="us").play("card 23", "operations")
    asked = question(peer, table)
    assert (asked["kind"], asked["side"]) == ("ops_type", "US")
    assert values(asked) == ["influence", "coup", "realignment"]
    assert asked["context"]["ops"] == 4
    coup = question(peer, table.play("coup"))
    assert (coup["kind"], values(coup), coup["context"]["ops"]) == ("coup_target", ["Iran", "Cuba"], 4)


def test_a_use_is_asked_as_ops_event_space_and_the_opponents_event_is_an_order(peer):
    own = question(peer, Table(us=[25], phasing="us").play("card 25"))
    assert (own["kind"], values(own)) == ("play_mode", ["ops", "event", "space_race"])
    others = question(peer, Table(us=[14], phasing="us").play("card 14"))
    assert values(others) == ["ops", "space_race"]


def test_it_lets_the_opponents_event_come_first(peer):
    table = Table(us=[16], phasing="us", space=(0, 8)).play("card 16")
    assert "event" in table.legal()
    (action,) = Greedy(0, peer).act(Decisions.of(table.batch, np.array([0])))
    assert table.move(int(action)) == "event"


def test_free_operations_are_first_declined(peer):
    table = Table({"Cuba": (0, 1), "Haiti": (1, 1)}, ussr=[47], turn=5).play("card 47", "event", "Haiti")
    asked = question(peer, table)
    assert asked["kind"] == "event_choice"
    assert values(asked)[0] == "none"


def test_levels_have_its_order_and_names(peer):
    table = Table(us=[94], phasing="us", turn=8).play("card 94", "event")
    assert values(question(peer, table))[:3] == ["EUROPE", "ASIA", "MIDDLE_EAST"]
    assert struggler.option_words(struggler.frames.LEVEL, struggler.cards.SUMMIT, 1) == ["raise"]


def test_its_player_finishes_games_with_legal_moves(peer, monkeypatch):
    monkeypatch.setattr(Peer, "at", classmethod(lambda cls, *_: cls(FAKE)))
    result = evaluate(GAME, "timeline_env.bridges.struggler:Greedy", ["random"], 4)
    assert (result.games, len(result.by_seat)) == (4, 2)


def test_a_place_without_the_engine_is_refused_in_one_line(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"^--struggler .* must be a checkout of github\.com/alekpinel/struggler"):
        Peer.at(tmp_path, "--struggler")
    monkeypatch.delenv("STRUGGLER", raising=False)
    with pytest.raises(ValueError, match=r"^the environment's STRUGGLER '' must be a checkout"):
        Greedy()


def test_a_copy_of_its_player_has_a_process_of_its_own(peer):
    player = Greedy(peer=peer)
    for copied in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert copied.peer.child.pid != peer.child.pid and copied.peer.cards == peer.cards


def test_a_process_that_ends_is_told():
    with pytest.raises(ValueError, match="struggler's process ended"):
        Peer([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_process_that_was_forked_keeps_none_of_its_processes() -> None:
    kept = [Peer(FAKE)]
    assert ends_beside_a_fork(kept.clear)


def test_after_an_interrupt_no_answer_is_taken_for_another(peer, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    with monkeypatch.context() as here, pytest.raises(KeyboardInterrupt):
        here.setattr(peer.child, "stdout", type("Pipe", (), {"readline": staticmethod(interrupted)}))
        peer.ask("choose", options=[1, 2, 3])
    with pytest.raises(ValueError, match="struggler's process ended"):
        peer.ask("choose", options=[1, 2])


# ---- side by side


def test_whatever_differs_is_noted_and_set_right(peer):
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    mirror.view["defcon"] = 2
    assert not mirror.compare_tables(cross_check.ALWAYS)
    assert list(found.causes) == ["defcon after the deal"]
    assert not mirror.looks_alike()
    mirror.view["defcon"] = 5
    assert mirror.compare_tables(cross_check.ALWAYS)


def test_the_rest_of_a_card_is_left_out_after_a_difference(peer):
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    mirror.view["vp"] = 3
    mirror.compare(0)
    assert mirror.lost and list(found.causes) == ["vp after the deal"]


def test_an_error_there_loses_it_until_the_next_card(peer):
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    assert not mirror.ask("step", value="Poland")
    assert mirror.lost
    assert list(found.causes) == ["struggler stops: LookupError: no such option after the deal"]


def test_choices_that_differ_are_noted(peer):
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    asked = {"event": None, "card": None, "ops": None, "setup": True, "purpose": None}
    mirror.view["pending"] = {
        "actor": "USSR",
        "kind": "place_influence",
        "context": asked,
        "options": ["Poland", "Atlantis"],
    }
    mirror.compare(0)
    assert [cause.split(":")[0] for cause in found.causes] == ["place_influence"] * 2
    assert "place_influence: only there Atlantis" in found.causes


@pytest.mark.parametrize(
    ("gone", "named"),
    [
        (["Five_Year_Plan", "Fidel"], "Five Year Plan with a USSR card"),
        (["NATO"], "Five Year Plan with a US card"),
        (["Summit"], "Five Year Plan with a neutral card"),
        (["Five_Year_Plan"], "Five Year Plan"),
    ],
)
def test_after_card_5_a_cause_says_whose_card_it_discarded(peer, gone, named):
    mirror = cross_check.Mirror(peer, 0, cross_check.Found())
    mirror.gone, mirror.headlines = {"USSR": gone, "US": []}, ["Five Year Plan", "Junta"]
    context = {"event": None, "card": None, "ops": None, "setup": False, "purpose": "five_year_plan"}
    assert mirror.answer({"actor": "CHANCE", "kind": "random", "context": context, "options": [0]}) == 0
    assert mirror.last == named and mirror.headlines == [named, "Junta"]


@pytest.mark.parametrize(
    ("gone", "named"),
    [
        ({"USSR": ["Missile_Envy"], "US": ["Fidel"]}, "Missile Envy with a card that acts at once"),
        ({"USSR": ["Missile_Envy"], "US": ["Summit"]}, "Missile Envy with a card that acts at once"),
        ({"USSR": ["Missile_Envy"], "US": ["NATO"]}, "Missile Envy"),
        ({"USSR": ["Missile_Envy"], "US": []}, "Missile Envy"),
    ],
)
def test_after_card_49_a_cause_says_whether_the_card_that_was_handed_over_acts_at_once(peer, gone, named):
    mirror = cross_check.Mirror(peer, 0, cross_check.Found())
    mirror.gone, mirror.last = gone, "Missile Envy"
    mirror.name_handed()
    assert mirror.last == named


def test_a_realignment_with_the_op_of_a_region_is_told_as_such(peer):
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    table = Table({"India": (0, 40), "Chile": (0, 40)}, phasing="ussr").play("card 6", "operations", "realign")
    table.play(*["India"] * 4)
    mirror.batch.states[:] = table.batch.states
    mirror.batch.refresh()
    context = {"event": None, "card": None, "ops": 5, "setup": False, "purpose": None}
    options = ["Chile", "India", "none"]
    mirror.view["pending"] = {"actor": "USSR", "kind": "realignment_target", "context": context, "options": options}
    assert mirror.compare_choices(USSR, *mirror.asked)
    assert list(found.causes) == ["realignment_target: only there where the last Op may not go after The China Card"]


def test_a_target_of_a_realignment_that_differs_is_told_with_its_card(peer):
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    table = Table({"Cuba": (1, 1), "Haiti": (1, 0), "Iran": (1, 0)}, us=[47], phasing="us", turn=5)
    table.play("card 47", "operations", "realign")
    mirror.batch.states[:] = table.batch.states
    mirror.batch.refresh()
    context = {"event": None, "card": None, "ops": 2, "setup": False, "purpose": None}
    mirror.view["pending"] = {
        "actor": "US",
        "kind": "realignment_target",
        "context": context,
        "options": ["Cuba", "Iran"],
    }
    assert mirror.compare_choices(US, *mirror.asked)
    assert list(found.causes) == ["realignment_target: only here Haiti after Junta"]


def test_only_decisions_that_are_compared_count_as_such(peer):
    """Not those that struggler asks at another time: 106 at a round's end, 40 before a round, the discard of box 6."""
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    context = {"event": None, "card": None, "ops": None, "setup": True, "purpose": None}
    places = [name.replace(" ", "_") for name in mirror.named(mirror.batch.action_mask[0], 0, set())]
    mirror.view["pending"] = {"actor": "USSR", "kind": "place_influence", "context": context, "options": places}
    assert mirror.compare(0) is True and not found.causes
    for kind, card in ((ADD, NORAD), (ESCAPE, 0), (LEAVE_HAND, 0)):
        mirror.s.question[mirror.s.depth - 1, [KIND, VALUE]] = kind, card
        assert mirror.compare(0) is False
    assert not mirror.lost


def test_a_game_counts_what_was_compared(peer, monkeypatch):
    found, told = cross_check.Found(), itertools.cycle([True, False, False])
    monkeypatch.setattr(cross_check.Mirror, "compare", lambda self, seat: next(told))
    monkeypatch.setattr(
        cross_check.Mirror, "follow", lambda self, seat, action: self.batch.step([action], restart=False)
    )
    monkeypatch.setattr(cross_check.Mirror, "compare_end", lambda self: None)
    cross_check.Mirror(peer, 0, found).play([load_player("random", GAME, seat) for seat in range(2)], found)
    assert found.followed == -(-found.decisions // 3) > 0


def test_a_reach_of_the_operations_first_point_is_told_apart_from_any_other(peer):
    found = cross_check.Found()
    mirror = cross_check.Mirror(peer, 0, found)
    table = Table({"Iran": (0, 1)}, us=[25], phasing="us").play("card 25", "operations")
    table.s.influence[US, ID["Angola"]] = 1  # by an event after the round began
    mirror.batch.states[:] = table.batch.states
    mirror.batch.refresh()
    later = mirror.places_there(US, 0)
    new = {COUNTRY_NAMES[a - actions.COUNTRY] for a in np.flatnonzero(later & ~mirror.batch.action_mask[0])}
    assert new == {"Angola", "Zaire", "Botswana", "South Africa"}
    context = {"event": None, "card": None, "ops": 1, "setup": False, "purpose": None}
    places = [name.replace(" ", "_") for name in (COUNTRY_NAMES[a - actions.COUNTRY] for a in np.flatnonzero(later))]
    pending = {"actor": "US", "kind": "place_influence", "context": context, "options": [*places, "Chinese_Civil_War"]}
    mirror.view["pending"] = pending
    mirror.compare_choices(US, *mirror.asked)
    rules = cross_check.read_explanations()
    assert [cross_check.explain(cause, rules).rule for cause in found.causes] == ["R6.1", "trap 31"]
    mirror.view["pending"] = pending | {"options": places[1:]}
    mirror.compare_choices(US, *mirror.asked)
    assert cross_check.explain([*found.causes][-1], rules) is None
    mirror.batch.step([actions.COUNTRY + ID["Iran"]], restart=False)
    mirror.s.influence[US, ID["Angola"]] = 0
    assert mirror.places_there(US, 0)[actions.COUNTRY + ID["Zaire"]]


def test_differences_are_told_by_part():
    assert cross_check.differences("vp", 3, 3) == []
    assert cross_check.differences("vp", 3, 4) == [("vp", "3 there 4")]
    (influence,) = cross_check.differences(
        "influence", {"Iran": {"USSR": 0, "US": 1}}, {"Iran": {"USSR": 2, "US": 1}, "Chinese_Civil_War": {}}
    )
    assert influence[0] == "influence in Iran" and influence[1].startswith("Iran")
    above = cross_check.differences("military_ops", {"USSR": 5, "US": 0}, {"USSR": 7, "US": 0})
    assert above[0][0] == "military_ops above 5"
    assert cross_check.differences("discard_pile", ["A", "B"], ["B"]) == [("discard_pile: here A", "here A")]


@pytest.mark.parametrize(
    "cause",
    ["vp", "vp after Duck_and_Cover", "defcon", "influence in Iran", "discard_pile: here A", "turn", "the moon is blue",
     "place_influence: only there Atlantis", "place_influence: only there several", "action_round_play: only there Fidel", "only struggler asks: coup_target",
     "realignment_target: only here France", "realignment_target: only here France after Brush War",
     "only struggler asks: realignment_target after Brush War", "vp after Missile Envy", "influence in Iran after Missile Envy",
     "influence in Iran after Five Year Plan", "influence in Iran after Five Year Plan with a neutral card",
     "only struggler asks: Missile_Envy after Five Year Plan", "turn after Five Year Plan with a US card"],
)  # fmt: skip
def test_no_explanation_is_so_wide_that_it_covers_any_difference(cause):
    assert cross_check.explain(cause, cross_check.read_explanations()) is None


@pytest.mark.parametrize(
    ("cause", "rule"),
    [
        ("realignment_target: only there France after Junta", "trap 11 and rulings"),
        ("only struggler asks: realignment_target after Tear Down this Wall", "trap 11 and rulings"),
        ("realignment_target: only here none after Brush War", "R6.2 and rulings"),
        ("Missile_Envy_pick: only here NATO", "trap 6"),
        ("hand of US: here NATO after Missile Envy", "trap 6"),
        ("vp after Missile Envy with a card that acts at once", "trap 6"),
        ("realignment_target: only there where the last Op may not go after The China Card", "trap 3"),
        ("influence in Iran after Five Year Plan with a USSR card", "trap 9"),
        ("no answer to: East_European_Unrest after Five Year Plan with a US card, Fidel", "trap 9"),
    ],
)
def test_what_a_row_is_about_it_still_covers(cause, rule):
    covered = cross_check.explain(cause, cross_check.read_explanations())
    assert covered is not None and covered.rule == rule


def test_what_is_explained_is_counted_and_the_rest_is_printed():
    rows = cross_check.read_explanations()
    found = cross_check.Found()
    found.add("military_ops above 5", "seed 1")
    found.add("the moon is blue", "seed 2")
    known, unknown = cross_check.report(found, rows)
    assert len(known) == 3 and "| 1 | here | trap 16 |" in known[2]
    assert unknown[2:] == ["| 1 | the moon is blue | seed 2 |"]
    assert cross_check.report(cross_check.Found(), rows)[1] == []


def test_what_shows_after_both_headlines_is_explained_by_either():
    rows = cross_check.read_explanations()
    counted = cross_check.explain("military_ops USSR after Che", rows)
    assert counted is not None and counted.rule == "trap 1 and trap 11"
    assert cross_check.explain("military_ops USSR after Che, Decolonization", rows) is counted
    assert cross_check.explain("military_ops USSR after Decolonization", rows) is None


@pytest.mark.parametrize(
    ("row", "says"),
    [("x,nobody,R1,why", "right 'nobody' must be here, there or both"), ("x,here,,why", "must have the columns")],
)
def test_a_wrong_row_of_the_list_is_refused(tmp_path, row, says):
    path = tmp_path / "list.csv"
    path.write_text(f"cause,right,rule,why\n{row}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=says):
        cross_check.read_explanations(path)


def test_the_list_is_on_the_page():
    page = (Path(__file__).resolve().parents[2] / "docs" / "results" / "outside.md").read_text(encoding="utf-8")
    with cross_check.EXPLANATIONS.open(encoding="utf-8", newline="") as file:
        missing = [row["why"] for row in csv.DictReader(file) if row["why"] not in page]
    assert missing == []
