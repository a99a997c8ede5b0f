"""Dominated decisions, on positions written for them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twilight_struggle.test_people_agreement import RULES, played
from timeline_env.arena.twilight_struggle.dominated import (
    CRITERIA,
    LOSES,
    LOST,
    MISSES,
    RISKS,
    SPACE,
    TRAP,
    Judge,
    people_counts,
    player_counts,
)
from timeline_env.engine.setting import Setting
from timeline_env.players.twilight_struggle.fates import DOUBTFUL, LOSS, OPEN, WIN, find_fates
from timeline_env.twilight_struggle import GAME, cards
from timeline_env.twilight_struggle.notation import action_from_text, from_text


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(Setting(GAME, 2, RULES))


def judged(judge: Judge, position: str, move: str, told: tuple[int, ...] | None = None) -> dict[int, bool]:
    """Of each criterion that could be met here: whether the move meets it."""
    states = from_text(judge.rules, position)
    action = action_from_text(judge.rules, states[0], move)
    certain = np.zeros((1, cards.CARDS), np.bool_)
    certain[:, list(range(cards.CARDS) if told is None else told)] = True
    chances, done = judge.judge(states, np.array([action]), certain)
    return {which: bool(done[0, which]) for which in np.flatnonzero(chances[0])}


def fate(judge: Judge, position: str, move: str) -> int:
    states = from_text(judge.rules, position)
    action = action_from_text(judge.rules, states[0], move)
    return int(find_fates(judge.rules, states, states.legal)[0, action])


SUICIDE = "t5.r3 ussr defcon:2 attempts:1/0 Iran:2/0 Angola:0/1 Panama:0/2 hand.ussr:4,7 hand.us:25,26"
"""The USSR holds Duck and Cover, which lowers DEFCON however it is played, and Socialist Governments; it has been to space."""


def test_duck_and_cover_of_the_ussr_at_defcon_2_loses_by_every_use(judge: Judge) -> None:
    assert fate(judge, SUICIDE, "card 4") == LOSS
    assert fate(judge, SUICIDE, "card 7") == OPEN
    assert judged(judge, SUICIDE, "card 4") == {LOSES: True, RISKS: True}
    assert judged(judge, SUICIDE, "card 7") == {LOSES: False, RISKS: False}


def test_at_defcon_3_it_does_not(judge: Judge) -> None:
    assert fate(judge, SUICIDE.replace("defcon:2", "defcon:3"), "card 4") == OPEN
    assert judged(judge, SUICIDE.replace("defcon:2", "defcon:3"), "card 4") == {}


def test_it_loses_too_where_realignment_has_one_target_and_rolls_at_once(judge: Judge) -> None:
    position = SUICIDE.replace("Angola:0/1 ", "")
    assert fate(judge, position, "card 4") == LOSS
    operations = (
        "t8.r6 ussr stage:end-round defcon:2 Mexico:0/1 Egypt:0/1 hand.ussr:99,105 hand.us:39,74 card:89 "
        + before_event(89)
    )
    assert [fate(judge, operations, move) for move in ("influence", "coup", "realign")] == [LOSS] * 3


@pytest.mark.parametrize("generator", range(1, 9))
def test_a_card_that_an_event_after_influence_draws_is_open(judge: Judge, generator: int) -> None:
    """5: the card that the USSR loses is drawn; 4 would lower DEFCON from 2."""
    position = (
        "t5.r6 ussr stage:end-round defcon:2 Iran:2/0 Angola:0/1 Cameroon:0/1 hand.ussr:4,52,103 hand.us:39,60,74,80 card:5 "
        f"attempts:1/0 {before_event(5)} rng:{generator}"
    )
    assert [fate(judge, position, move) for move in ("influence", "coup", "realign")] == [OPEN] * 3


def test_a_card_that_can_go_to_space_need_not_lose(judge: Judge) -> None:
    position = SUICIDE.replace("attempts:1/0", "attempts:0/0")
    assert fate(judge, position, "card 4") == OPEN
    use = position + " ask:use.ussr.4 card:4"
    assert fate(judge, use, "space") == OPEN
    assert [fate(judge, use, move) for move in ("event", "operations")] == [LOSS, LOSS]
    assert judged(judge, use, "operations")[LOSES] and not judged(judge, use, "space")[LOSES]


def before_event(card: int) -> str:
    """The USSR has chosen the operations of a card of the US, whose event is still to come."""
    ops = {5: 3, 89: 4}[card]
    return f"ask:dispose.ussr.{card},event.ussr.{card},operation.ussr.{card}/ops={ops}/allowed=icr/within=everywhere"


COUP = "t5.r3 us stage:end-round defcon:2 card:26 Mexico:2/0 Cameroon:2/0 Panama:0/2 hand.us:25,45 hand.ussr:7,9"


def test_a_coup_in_a_battleground_at_defcon_2_loses_whatever_the_die(judge: Judge) -> None:
    position = COUP + " ask:dispose.us.26,coup.us.26/ops=1/allowed=icr/within=everywhere"
    assert [fate(judge, position, move) for move in ("Mexico", "Cameroon")] == [LOSS, OPEN]
    assert judged(judge, position, "Mexico") == {LOSES: True, RISKS: True}


@pytest.mark.parametrize(
    ("position", "lost"),
    [
        ("defcon:3 lasting:40=us Mexico:2/0 Cameroon:2/0", LOSS),
        ("defcon:2 Mexico:2/0 Venezuela:2/0", LOSS),
        ("defcon:2 Mexico:2/0 Cameroon:2/0", OPEN),
    ],
)
def test_coups_are_lost_where_every_target_loses(judge: Judge, position: str, lost: int) -> None:
    """In the Cuban Missile Crisis (40) every coup loses, at DEFCON 2 one in a battleground."""
    operation = "ask:dispose.us.45,operation.us.45/ops=2/allowed=icr/within=everywhere"
    text = f"t4.r1 us stage:end-round {position} Panama:0/2 card:45 hand.us:25,26 hand.ussr:7,9 {operation}"
    assert [fate(judge, text, move) for move in ("influence", "coup", "realign")] == [OPEN, lost, OPEN]
    assert judged(judge, text, "coup").get(LOSES, False) == (lost == LOSS)


def test_no_risk_is_counted_where_every_other_choice_is_lost_already(judge: Judge) -> None:
    position = "t8.r6 ussr stage:end-round defcon:2 Mexico:0/1 Cameroon:0/1 hand.ussr:99,105 hand.us:39,74 card:89 "
    coup = position + before_event(89).replace("operation", "coup")
    assert [fate(judge, coup, move) for move in ("Mexico", "Cameroon")] == [LOSS, LOSS]
    assert judged(judge, coup, "Mexico") == {}


WINNING = "t5.r3 us defcon:4 vp:us18 Iran:2/0 hand.us:4,25 hand.ussr:7,9 ask:use.us.4 card:4"


def test_a_win_that_is_left_is_counted(judge: Judge) -> None:
    """18: Duck and Cover at DEFCON 4 gives 2 points."""
    assert [fate(judge, WINNING, move) for move in ("event", "operations")] == [WIN, OPEN]
    assert judged(judge, WINNING, "operations")[MISSES] is True
    assert judged(judge, WINNING, "event")[MISSES] is False
    assert MISSES not in judged(judge, WINNING.replace("us18", "us17"), "operations")


def test_a_win_is_seen_when_the_card_is_chosen(judge: Judge) -> None:
    position = WINNING.partition(" ask:")[0]
    assert [fate(judge, position, f"card {card}") for card in (4, 25)] == [WIN, OPEN]


def test_operations_that_a_losing_event_follows_are_no_way_out(judge: Judge) -> None:
    """60 gives the USSR a point however late it comes; to space it gives none."""
    position = "t5.r3 us defcon:4 vp:ussr19 attempts:0/1 Iran:2/0 Panama:0/2 hand.us:60,25 hand.ussr:7,9"
    use = position + " ask:use.us.60 card:60"
    assert [fate(judge, use, move) for move in ("event", "operations")] == [LOSS, DOUBTFUL]
    assert [fate(judge, position, f"card {card}") for card in (60, 25)] == [DOUBTFUL, OPEN]
    assert LOSES not in judged(judge, use, "event")
    assert judged(judge, use.replace("attempts:0/1", "attempts:0/0"), "event")[LOSES]


def test_what_the_dice_decide_is_open(judge: Judge) -> None:
    """13: a war gives 2 points if it is won."""
    position = "t5.r3 ussr defcon:4 vp:ussr18 Lebanon:1/0 hand.ussr:13,9 hand.us:25,26 ask:use.ussr.13 card:13"
    assert fate(judge, position, "event") == OPEN


def test_what_the_other_side_decides_is_open(judge: Judge) -> None:
    """20 at DEFCON 2: the other may boycott; that is a risk, no certain loss."""
    position = "t5.r3 us defcon:2 Iran:2/0 hand.us:20,25 hand.ussr:7,9 ask:use.us.20 card:20"
    assert fate(judge, position, "event") == OPEN
    assert judged(judge, position, "event") == {RISKS: True}
    asked = played(position.partition(" ask:")[0], "card 20", "event").last
    found = find_fates(judge.rules, asked, asked.legal)[0][asked.legal[0] == 1]
    assert sorted(found) == [OPEN, WIN], "who is asked may win at once by a boycott"


def test_what_a_hand_decides_that_is_hidden_is_open(judge: Judge) -> None:
    """49: which card comes depends on the other hand, whatever lies there now: 4 would lose."""
    position = "t5.r3 ussr defcon:2 Iran:0/2 hand.ussr:49,9 hand.us:4 ask:use.ussr.49 card:49"
    assert fate(judge, position, "event") == OPEN


TRAPPED = "t5.r3 us defcon:3 lasting:42 hand.us:25,7,23,2 hand.ussr:9,15 ask:trap.us.42"


def test_a_discard_to_a_trap(judge: Judge) -> None:
    """7 is the USSR's, of 3 Ops; 25 is one's own of 3, 23 of 4."""
    assert judged(judge, TRAPPED, "card 25") == {TRAP: True}
    assert judged(judge, TRAPPED, "card 23") == {TRAP: True}
    assert judged(judge, TRAPPED, "card 7") == {TRAP: False}
    assert judged(judge, TRAPPED.replace("25,7", "25,56"), "card 25") == {TRAP: False}, "56 has 4"
    assert judged(judge, TRAPPED.replace("7,23", "34,23"), "card 25") == {TRAP: False}, "34 is neutral"


def test_the_way_out_of_the_cuban_missile_crisis_is_no_discard(judge: Judge) -> None:
    position = TRAPPED.replace("lasting:42", "lasting:40=us,42 West_Germany:0/2")
    assert judged(judge, position, "buy off with West_Germany") == {}
    assert judged(judge, position, "card 25") == {TRAP: True}


def test_a_card_that_is_not_told_is_no_choice(judge: Judge) -> None:
    assert judged(judge, TRAPPED, "card 25", told=(25, 23)) == {TRAP: False}
    assert judged(judge, SUICIDE.replace("hand.ussr", "china:us hand.ussr"), "card 4", told=(4,)) == {}


def test_a_card_that_is_not_told_is_no_risk_to_an_event(judge: Judge) -> None:
    """5: the USSR discards a card at random, and 4 would lower DEFCON from 2."""
    position = SUICIDE.replace("4,7", "4,5,7").replace("attempts:1/0", "attempts:0/0") + " ask:use.ussr.5 card:5"
    assert judged(judge, position, "event")[RISKS] is True
    assert RISKS not in judged(judge, position, "event", told=(5, 7))


SPACING = "t5.r3 us defcon:3 Iran:2/0 hand.us:25,7,15 hand.ussr:9,11 ask:use.us.25 card:25"


def test_a_card_to_space(judge: Judge) -> None:
    """25 is one's own of 3 Ops; 7, the USSR's, has 3 too; 15 has 1, too few for space."""
    assert judged(judge, SPACING, "space") == {SPACE: True}
    assert judged(judge, SPACING.replace("25,7,15", "25,15"), "space") == {SPACE: False}
    assert judged(judge, SPACING, "space", told=(25, 15)) == {SPACE: False}
    assert judged(judge, SPACING.replace("use.us.25 card:25", "use.us.7 card:7"), "space") == {SPACE: False}
    assert SPACE not in judged(judge, SPACING, "operations")


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("t5.r3 us defcon:3 Iran:2/0 hand.us:67,7,25 hand.ussr:11", ("card 67", "event", "card 11")),
        ("t5.r3 us defcon:3 Iran:2/0 hand.us:49,7,25 hand.ussr:11", ("card 49", "event")),
    ],
)
def test_a_card_that_an_event_brought_is_no_card_of_the_hand(
    judge: Judge, position: str, moves: tuple[str, ...]
) -> None:
    """67 draws 11 of the USSR's hand, 49 takes it."""
    states = played(position, *moves).last
    space = action_from_text(judge.rules, states[0], "space")
    assert states.legal[0, space] == 1
    chances, _ = judge.judge(states, np.array([space]), np.ones((1, cards.CARDS), np.bool_))
    assert not chances[0, SPACE]


def test_a_game_that_a_risk_loses_is_counted() -> None:
    game = played(SUICIDE, "card 4", "event")
    assert game.last.over[0] == 1
    assert people_counts([game]).done[LOST] == 1
    assert people_counts([played(SUICIDE, "card 7")]).done[LOST] == 0


@pytest.mark.parametrize("against", [None, "cautious"])
def test_what_players_do_is_counted_for_them_alone(against: str | None) -> None:
    found = player_counts("random", against, games=8, seed=1)
    assert (found.done <= found.chances).all() and found.chances[LOST] == 8
    assert found.done[LOSES] > 0 and found.done[RISKS] >= found.done[LOST] > 0
    careful = player_counts("cautious", "random", games=8, seed=1)
    assert careful.done[RISKS] == careful.done[LOST] == 0
    assert list(found.as_dict()["criteria"]) == list(CRITERIA)


def test_a_seed_or_a_number_of_games_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match=r"^seed -5 must be an integer from 0"):
        player_counts("heuristic", games=2, seed=-5)
    for games in (0, 2.5):
        with pytest.raises(ValueError, match=rf"^games {games} must be an integer from 2 to 10,000,000"):
            player_counts("heuristic", games=games)  # type: ignore[arg-type]
