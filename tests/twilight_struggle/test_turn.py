"""R4: the course of a turn: dealing, headlines, action rounds, what the end of a turn does."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table, headlines
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.cards import CARDS, CHINA, OPTIONAL, PERIOD
from timeline_env.twilight_struggle.state import BOX, DISCARDS, DRAW_PILE, HANDS, HEADLINES, IN_FRONT, REMOVED

EARLY = [card for card in range(1, CARDS) if PERIOD[card] == 0 and card != CHINA]
USSR_CARDS = (7, 8, 9, 10, 11, 12, 13, 14)
US_CARDS = (4, 5, 19, 22, 23, 25, 26, 27)


def rounds_played(t: Table, most: int = 1000) -> list[tuple[int, str]]:
    """Play on to the end of the turn, every card for influence; the action rounds in which a card was asked for."""
    rounds: list[tuple[int, str]] = []
    turn = int(t.s.turn)
    for _ in range(most):
        if t.s.turn != turn or t.turn == "nobody":
            return rounds
        if t.asked == "play":
            rounds.append((int(t.s.action_round), t.turn))
        legal = t.legal()
        t.play("operations" if "operations" in legal else legal[0])
    raise AssertionError("the turn does not end")


# ---- R4.3, R4.4: dealing


@pytest.mark.parametrize(("turn", "size"), [(1, 8), (2, 8), (3, 9), (4, 9), (9, 9)])
def test_r4_3_hands_are_filled_to_8_and_from_turn_4_to_9(turn: int, size: int) -> None:
    t = Table(stage="next", turn=turn, ussr=[7, 8, 9], us=[4], fillers=0)
    assert (int(t.s.turn), list(t.s.held)) == (turn + 1, [size, size])


def test_r4_3_cards_left_over_stay_in_hand() -> None:
    t = Table(stage="next", turn=1, ussr=USSR_CARDS[:3], us=US_CARDS, fillers=0)
    assert set(USSR_CARDS[:3]) < set(t.in_hand("ussr"))
    assert t.in_hand("us") == sorted(US_CARDS)


@pytest.mark.parametrize(("turn", "joins", "waits"), [(1, None, {1, 2}), (3, 1, {2}), (7, 2, set())])
def test_r4_4_the_mid_war_joins_in_turn_4_and_the_late_war_in_turn_8(
    turn: int, joins: int | None, waits: set[int]
) -> None:
    t = Table(stage="next", turn=turn, discards=[34, 31], removed=[12], fillers=0)
    assert {int(PERIOD[card]) for card in t.cards_at(BOX)} == waits
    assert (t.cards_at(DISCARDS), t.cards_at(REMOVED)) == ([31, 34], [12])
    if joins is not None:
        drawn = t.cards_at(DRAW_PILE) + t.in_hand("ussr") + t.in_hand("us")
        assert {card for card in range(1, CARDS) if PERIOD[card] == joins} <= set(drawn)


def test_r4_4_optional_cards_join_only_if_the_rules_say_so() -> None:
    t = Table(stage="next", turn=3, rules={"deck": {"optional_cards": False}}, fillers=0)
    assert [card for card in range(107, 109) if t.place(card) == BOX] == [107, 108]
    assert all(t.place(card) != BOX for card in range(36, 82) if not OPTIONAL[card])


def test_r4_3_the_discards_are_shuffled_when_the_draw_pile_is_empty_after_its_last_card_is_dealt() -> None:
    pile, removed = EARLY[:4], EARLY[4:6]
    t = Table(stage="next", turn=1, discards=EARLY[6:], removed=removed, fillers=0)
    assert list(t.s.held) == [8, 8]
    assert set(pile) <= {*t.in_hand("ussr"), *t.in_hand("us")}
    assert t.cards_at(DISCARDS) == []
    assert len(t.cards_at(DRAW_PILE)) == len(EARLY) - 2 - 16
    assert t.cards_at(REMOVED) == removed


def test_r4_3_nothing_is_shuffled_while_the_draw_pile_lasts_and_all_as_soon_as_it_is_empty() -> None:
    one_left = Table(stage="next", turn=1, discards=EARLY[17:], fillers=0)
    assert (len(one_left.cards_at(DRAW_PILE)), one_left.cards_at(DISCARDS)) == (1, EARLY[17:])
    none_left = Table(stage="next", turn=1, discards=EARLY[16:], fillers=0)
    assert (none_left.cards_at(DRAW_PILE), none_left.cards_at(DISCARDS)) == (EARLY[16:], [])


def test_r4_3_the_ussr_is_dealt_first() -> None:
    ussr, us, last_card = USSR_CARDS[:7], US_CARDS[:7], 28
    gone = [card for card in EARLY if card not in (*ussr, *us, last_card)]
    t = Table(stage="next", turn=1, ussr=ussr, us=us, removed=gone, fillers=0)
    assert list(t.s.held) == [8, 7]
    assert last_card in t.in_hand("ussr")


# ---- R4.5: the headline phase


def test_r4_5_higher_ops_first() -> None:
    """34 (4 Ops) raises DEFCON 3 to 5 for 1 VP, then 4 (3 Ops) lowers it to 4 for 1."""
    t = headlines(34, 4, defcon=3)
    assert (t.vp, t.s.defcon) == (-1 + 1, 4)


def test_r4_5_the_us_first_on_a_tie() -> None:
    """4 lowers DEFCON 5 to 4, then 43 (3 Ops too) raises it by 2 to the limit; the other way round it would end at 4."""
    t = headlines(43, 4, turn=4)
    assert (t.vp, t.s.defcon) == (1, 5)


def test_r4_5_a_scoring_card_has_0_ops() -> None:
    """Romanian Abdication (1 Op) makes Romania Soviet before the US scores Europe."""
    assert headlines(12, 2).vp == -3


def test_r4_5_a_headline_goes_where_a_played_card_goes() -> None:
    t = headlines(34, 25)
    assert [t.place(card) for card in (34, 25)] == [DISCARDS, IN_FRONT]
    assert not t.s.headline.any()


def test_r4_5_neither_un_intervention_nor_the_china_card_is_a_headline() -> None:
    t = Table(stage="headline", action_round=0, ussr=[32, 8, 9], fillers=0)
    assert (t.turn, t.legal()) == ("ussr", ["card 8", "card 9"])


def test_r4_5_an_opponents_card_as_headline_is_carried_out_by_its_owner() -> None:
    t = headlines(19, 34, influence={"Italy": (1, 0), "Greece": (1, 0)})
    assert (t.turn, t.legal()) == ("us", ["Italy", "Greece"])


def test_r4_5_nobody_headlines_without_a_card() -> None:
    t = Table(stage="headline", action_round=0, ussr=[32], us=[4, 22], fillers=0)
    t.play("card 4")
    assert (t.vp, t.s.action_round) == (1, 1)


def test_r4_5_the_us_does_not_see_the_headline_before_it_has_chosen() -> None:
    def us_view(card: int) -> tuple[str, bytes]:
        t = Table(stage="headline", action_round=0, ussr=[8, 34]).play(f"card {card}")
        assert (t.turn, t.place(card)) == ("us", HEADLINES)
        return t.turn, t.seen_by("us")

    assert us_view(8) == us_view(34)


def test_r4_5_a_card_that_the_us_knows_may_or_may_not_be_the_headline() -> None:
    def laid(card: int) -> Table:
        t = Table(stage="headline", action_round=0, ussr=[8, 34, 9], us=[25, 26], fillers=0)
        t.s.known[US, [8, 34]] = 1
        return t.play(f"card {card}")

    assert laid(8).seen_by("us") == laid(34).seen_by("us") == laid(9).seen_by("us")
    # Once both are shown, it is known where each card is.
    t = laid(34).play("card 25")
    assert (t.place(34), t.s.known[US, 8], t.s.known[US, 34]) == (DISCARDS, 1, 0)


def test_r6_4_4_with_box_4_alone_the_us_sees_the_headline_first() -> None:
    def us_view(card: int) -> bytes:
        return Table(stage="headline", action_round=0, ussr=[8, 34], space=(0, 4)).play(f"card {card}").seen_by("us")

    assert us_view(8) != us_view(34)


def test_r6_4_4_with_box_4_alone_the_ussr_chooses_second() -> None:
    assert Table(stage="headline", action_round=0, space=(4, 0)).turn == "us"
    assert Table(stage="headline", action_round=0, space=(4, 4)).turn == "ussr"


def test_r4_5_then_the_ussr_begins_the_first_action_round() -> None:
    t = headlines(34, 25)
    assert (t.turn, t.asked, int(t.s.action_round)) == ("ussr", "play", 1)


# ---- R4.6: the action rounds


@pytest.mark.parametrize(("turn", "rounds"), [(1, 6), (3, 6), (4, 7), (10, 7)])
def test_r4_6_both_play_in_turns_six_rounds_and_from_turn_4_seven(turn: int, rounds: int) -> None:
    t = Table(turn=turn, ussr=USSR_CARDS, us=US_CARDS, fillers=0, influence={"Cuba": (1, 0), "Canada": (0, 1)})
    assert rounds_played(t) == [(n, side) for n in range(1, rounds + 1) for side in ("ussr", "us")]


@pytest.mark.parametrize(("space", "eighth"), [((8, 7), "ussr"), ((7, 8), "us"), ((8, 8), "")])
def test_r6_4_4_box_8_alone_gives_an_eighth_round_that_may_be_declined(space: tuple[int, int], eighth: str) -> None:
    t = Table(turn=4, action_round=8, space=space, influence={"Cuba": (1, 0), "Canada": (0, 1)})
    if not eighth:
        assert int(t.s.turn) == 5
        return
    assert (t.turn, int(t.s.action_round), "stop" in t.legal()) == (eighth, 8, True)
    t.play("stop")
    assert int(t.s.turn) == 5


def test_r4_6_a_player_without_cards_sits_out() -> None:
    t = Table(ussr=[8, 9], us=[], fillers=0, influence={"Cuba": (1, 0)})
    t.play("card 8", "event")
    assert (t.turn, int(t.s.action_round)) == ("ussr", 2)


def test_r4_6_the_china_card_as_the_only_card_may_be_kept() -> None:
    t = Table(us=[22, 25], fillers=0)
    assert (t.turn, t.legal()) == ("ussr", ["card 6", "stop"])
    t.play("stop")
    assert (t.turn, int(t.s.china)) == ("us", 0)


def test_r4_6_a_face_down_china_card_is_not_played() -> None:
    assert "card 6" not in Table(china=0, china_up=0).legal()


# ---- R4.7, R8.2: the end of the turn


@pytest.mark.parametrize(
    ("defcon", "milops", "vp"),
    [(3, (1, 3), 2), (3, (3, 0), -3), (2, (1, 0), -1), (5, (0, 0), 0), (2, (5, 2), 0), (4, (4, 4), 0)],
)
def test_r8_2_each_military_operation_missing_is_1_vp_for_the_other(
    defcon: int, milops: tuple[int, int], vp: int
) -> None:
    t = Table(stage="end", turn=1, defcon=defcon, milops=milops)
    assert (t.vp, list(t.s.milops)) == (vp, [0, 0])
    assert t.s.defcon == min(5, defcon + 1)


def test_r4_8_what_lasts_a_turn_goes_and_the_rest_stays() -> None:
    t = Table(stage="end", lasting={25: 1, 31: 1, 21: 1}, attempts=(1, 1), china_up=0, milops=(5, 5), fillers=0)
    assert [int(t.s.lasting[card]) for card in (25, 31, 21)] == [0, 0, 1]
    assert list(t.s.attempts) == [0, 0]
    assert t.s.china_up == 1


def test_7_3_1_a_starred_card_of_the_turn_leaves_the_game_and_another_is_discarded() -> None:
    t = Table(ussr=[31, 8], us=[25, 22], action_round=6, fillers=0, defcon=2, milops=(5, 5))
    t.play("card 31", "event").play("card 25", "event")
    assert (int(t.s.turn), t.place(31), t.place(25)) == (2, DISCARDS, REMOVED)


def test_r6_4_4_box_6_alone_may_discard_one_card_at_the_end_of_the_turn() -> None:
    t = Table(stage="end", ussr=[8, 9], us=[22], fillers=0, space=(6, 5), milops=(5, 5))
    assert (t.turn, t.legal()) == ("ussr", ["card 8", "card 9", "stop"])
    kept = Table(stage="end", ussr=[8, 9], us=[22], fillers=0, space=(6, 5), milops=(5, 5)).play("stop")
    assert (t.play("card 8").place(8), kept.place(8)) == (DISCARDS, HANDS)
    assert list(t.s.held) == [8, 8]
