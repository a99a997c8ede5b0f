"""T28, R18: pledges."""

from __future__ import annotations

from functools import partial

import pytest

from tests.conftest import Position
from tests.timeline.conftest import LAID_OUT
from timeline_env.timeline import GAME
from timeline_env.timeline.text import notation

PLEDGES = ["pledge orange", "pledge blue"]
TEXT = "3p turn:y y:0/hand=sup o:0 b:0 0:org/+"


def test_t28_in_ones_own_turn_one_may_pledge_to_name_any_rival_for_nothing(position):
    p = position(TEXT)
    assert p.legal("pledge") == PLEDGES
    au = int(p.s.au)
    p.play("pledge blue")
    assert (int(p.s.au), int(p.s.energy[0])) == (au, 0)
    assert "/pledge=b " in p.text


def test_t28_a_pledge_is_made_once_a_turn(position):
    p = position(TEXT.replace("y:0", "y:0/energy=9")).play("pledge blue")
    assert p.legal("pledge") == []


def test_t28_without_an_action_unit_nobody_pledges(position):
    p = position(TEXT.replace("turn:y", "turn:y au:0").replace("y:0", "y:0/artifacts=wings"))
    assert p.legal() == ["pass", "use wings"]


def test_t28_whoever_has_used_the_supporting_event_may_pledge_too(position):
    assert position(TEXT.replace("/hand=sup", "")).legal("pledge") == PLEDGES


def test_t28_a_pledge_stands_until_the_own_next_turn_begins(position):
    p = position(TEXT).play("pledge blue")
    shown = []
    for _ in range(3):
        shown.append((p.turn, p.s.pledge[:3].tolist()))
        p.play("pass")
    # With a pledge made, nothing is left to yellow but to pass (T9a). A new round has begun with orange.
    assert shown == [("orange", [2, -1, -1]), ("blue", [2, -1, -1]), ("orange", [2, -1, -1])]
    assert (p.turn, p.s.pledge[:3].tolist()) == ("blue", [2, -1, -1])
    p.play("pass")
    assert (p.turn, p.s.pledge[:3].tolist()) == ("yellow", [-1, -1, -1])
    assert p.legal("pledge") == PLEDGES


def test_t28_everybody_sees_a_pledge(position):
    p = position(TEXT).play("pledge blue")
    for viewer in range(3):
        assert "/pledge=b " in notation.to_text(p.rules, p.s, viewer)


def test_t28_nothing_binds_whoever_has_pledged(position):
    text = "3p phase:1.0 turn:y y:1.0/energy=30/hand=sup o:4.0 b:4.0 0:org/occurred"
    p = position(text).play("pledge blue", "organize sup turn 3 yes")
    assert "arc yes orange" in p.legal()


def test_t28_r18_a_variant_has_no_pledges():
    without = partial(Position, rules=LAID_OUT | {"agreements": {"pledges": 0}})
    assert without(TEXT.replace("y:0", "y:0/energy=9")).legal("pledge") == []
    with pytest.raises(ValueError, match=r"agreements\.pledges 2 must be an integer from 0 to 1"):
        GAME.load_rules(3, {"agreements": {"pledges": 2}})


def test_t28_r18_two_players_do_not_pledge(position):
    p = position("2p turn:y y:0/energy=2 o:0 0:org/+")
    assert (len(p.legal("move")), p.legal("pledge")) == (6, [])
    assert p.play("move N").turn == "orange", "yellow can only pass, and is not asked (T9a)"
