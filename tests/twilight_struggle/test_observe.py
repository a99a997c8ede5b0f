"""What a side may see: against a plain reading of the record, and with everything else changed (R4.2: hands are secret)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.games import changed_fields
from tests.twilight_struggle.table import Table
from tests.twilight_struggle.worlds import asked, hidden_from, other_world, positions, secrets, seen_by, states_of
from timeline_env.engine.loops import determinize_games, observe_games
from timeline_env.twilight_struggle import GAME, frames
from timeline_env.twilight_struggle.actions import STOP
from timeline_env.twilight_struggle.board import (
    BATTLEGROUND,
    COUNTRIES,
    COUNTRY_NAMES,
    ID,
    IN_SET,
    NEXT_TO_SUPERPOWER,
    REGION,
    REGION_NAMES,
    SOUTHEAST_ASIA,
    STABILITY,
    US,
    USSR,
)
from timeline_env.twilight_struggle.cards import CARDS, CHINA, KIND, SCORING
from timeline_env.twilight_struggle.state import (
    BOX,
    DISCARDS,
    DRAW_PILE,
    HANDS,
    HEADLINES,
    IN_FRONT,
    LOOKED_AT,
    REMOVED,
    TABLE,
    UNKNOWN,
)
from timeline_env.twilight_struggle.text.read_position import settle_one

ACTED_ON = {31: None, 40: None, 49: None, 69: None}
"""Cards whose `lasting` names a side."""
SEATS = pytest.mark.parametrize("seat", [USSR, US], ids=["ussr", "us"])


@pytest.fixture(scope="module")
def games():
    """The rules, and positions of every age."""
    return positions(games=24, decisions=700, seed=1)


def piece(observation, name):
    return GAME.layout(2).view(observation, name)


# ---- secrecy


def test_two_worlds_that_differ_only_in_what_a_side_cannot_see_look_the_same_to_it(games):
    rules, seen = games
    generator = np.random.default_rng(1)
    different = 0
    for s in seen:
        for seat in (USSR, US):
            world = other_world(rules, s, seat, generator)
            different += world["place"].tobytes() != s["place"].tobytes()
            assert seen_by(rules, world, seat).tobytes() == seen_by(rules, s, seat).tobytes(), asked(s)
            assert hidden_from(rules, world, seat).tobytes() == hidden_from(rules, s, seat).tobytes(), asked(s)
            if asked(s)[1] == seat:
                assert world["legal"].tobytes() == s["legal"].tobytes(), asked(s)
    assert different > len(seen)


def test_what_hide_leaves_looks_the_same_as_the_position(games):
    rules, seen = games
    for s in seen:
        for seat in (USSR, US):
            hidden = np.asarray(hidden_from(rules, s, seat))[0]
            assert seen_by(rules, hidden, seat).tobytes() == seen_by(rules, s, seat).tobytes(), asked(s)


def test_hide_wipes_nothing_else(games):
    rules, seen = games
    for s in seen:
        for seat in (USSR, US):
            hidden = np.asarray(hidden_from(rules, s, seat))[0]
            gone = changed_fields(s, hidden)
            assert gone <= {"seed", "rng", "place", "headline", "legal", "question"}
            unknown = secrets(s, seat)
            changed = {int(card) for card in np.flatnonzero(hidden["place"] != s["place"])}
            # R4.5: a card that it knew before it was headlined is in the hand, for all it knows.
            assert all(
                s["known"][seat, card] and hidden["place"][card] == HANDS + 1 - seat for card in changed - set(unknown)
            )
            assert changed - set(unknown) <= {int(s["headline"][1 - seat])}
            assert (hidden["place"][unknown] == DRAW_PILE).all()
            assert hidden["headline"][seat] == s["headline"][seat]
            assert "legal" not in gone or asked(s)[1] != seat


def test_the_positions_looked_at_have_something_to_hide(games):
    _rules, seen = games
    kinds = Counter(frames.KIND_NAMES[asked(s)[0]] for s in seen if s["depth"])
    assert {"headline", "play", "use", "operation", "place", "coup", "realign", "pick", "trap"} <= set(kinds), kinds
    assert any(s["known"].any() for s in seen)
    assert any(s["known"][1 - seat, s["headline"][seat]] for s in seen for seat in (USSR, US))
    assert any((s["place"] == LOOKED_AT).any() for s in seen)
    assert {bool(s["headline"][US]) for s in seen} == {bool(s["headline"][USSR]) for s in seen} == {False, True}
    assert max(s["turn"] for s in seen) >= 8


def test_trap_27_77_does_not_tell_how_many_scoring_cards_the_us_keeps():
    """It may stop only once each of them has a round, which the other side must not see; nor does a world dealt for it."""
    kept, free = (
        Table(ussr=[7, 11], us=us, phasing="us", turn=5, action_round=6, fillers=0)
        for us in ([77, 79, 81, 26], [77, 9, 28, 26])
    )
    kept.play("card 77")  # for its event, unasked
    free.play("card 77", "event")
    assert "stop" not in kept.legal() and "stop" in free.legal()
    rules, states = kept.batch.rules, [np.asarray(t.batch.states)[0] for t in (kept, free)]
    assert len({seen_by(rules, s, USSR).tobytes() for s in states}) == 1
    assert len({seen_by(rules, s, US).tobytes() for s in states}) == 2
    for s in states:
        assert piece(seen_by(rules, s, USSR), "numbers")[frames.OPTIONAL - frames.LEFT] == 1
        may_stop = set()
        for seed in range(200):
            world = states_of(s)
            determinize_games(rules, world, np.array([USSR]), np.array([seed], np.uint64))
            held = sum(
                int(place == HANDS + US and KIND[card] == SCORING) for card, place in enumerate(world["place"][0])
            )
            may_stop.add((held <= 1, bool(world["legal"][0, STOP])))
        assert may_stop == {(True, True), (False, False)}


@SEATS
def test_the_other_seats_mask_is_not_shown(games, seat):
    rules, seen = games
    for s in seen:
        hidden = hidden_from(rules, s, seat)
        assert hidden["legal"].any() == (asked(s)[1] == seat)


def test_r4_5_a_headline_is_secret_until_both_have_chosen():
    t = Table(ussr=[7, 11], us=[23, 26], stage="headline")
    for card in (7, 11):
        branch = Table(ussr=[7, 11], us=[25, 26], stage="headline").play(f"card {card}")
        now = seen_by(branch.batch.rules, np.asarray(branch.s), US)
        assert not piece(now, "table").any() and piece(now, "tracks")[21] == 1
        own = seen_by(branch.batch.rules, np.asarray(branch.s), USSR)
        assert piece(own, "table")[card - 1] == 2
        hidden = hidden_from(branch.batch.rules, np.asarray(branch.s), US)
        assert hidden["headline"][0].tolist() == [UNKNOWN, 0]
    # 23 asks the US for countries: by then both cards are face up, and the USSR's is still to come.
    t.play("card 7", "card 23")
    assert (t.turn, t.asked) == ("us", "add")
    us, ussr = (seen_by(t.batch.rules, np.asarray(t.s), seat) for seat in (US, USSR))
    assert (piece(us, "table")[7 - 1], piece(us, "source")[23 - 1]) == (-2, 1)
    assert (piece(ussr, "table")[7 - 1], piece(ussr, "source")[23 - 1]) == (2, 1)


def test_r6_4_4_box_4_makes_the_other_side_show_its_headline_first():
    t = Table(ussr=[7, 11], us=[25, 26], stage="headline", space=(0, 4)).play("card 7")
    assert t.turn == "us"
    assert piece(seen_by(t.batch.rules, np.asarray(t.s), US), "table")[7 - 1] == -2
    late = Table(ussr=[7, 11], us=[25, 26], stage="headline", space=(4, 0))
    assert late.turn == "us"
    late.play("card 25")
    assert piece(seen_by(late.batch.rules, np.asarray(late.s), USSR), "table")[25 - 1] == -2


def test_trap5_whether_a_trapped_player_has_a_card_to_discard_is_not_told():
    """With one the player is asked for it, without for a scoring card."""
    told = []
    for hand in ([2, 1, 23, 30], [2, 1, 26, 32]):
        t = Table(us=hand, phasing="us", lasting={42: 1}, fillers=0)
        told.append((t.asked, seen_by(t.batch.rules, np.asarray(t.s), USSR).tobytes()))
        hidden = hidden_from(t.batch.rules, np.asarray(t.s), USSR)
        assert hidden["question"][0, 0, frames.KIND] == frames.ROUND
    assert {asked for asked, _ in told} == {"trap", "play"}
    assert told[0][1] == told[1][1]


def test_a_question_that_was_wiped_is_asked_anew():
    for hand, kind in (([2, 1, 23, 30], "trap"), ([2, 1, 26, 32], "play")):
        t = Table(us=hand, phasing="us", lasting={42: 1}, fillers=0)
        states = hidden_from(t.batch.rules, np.asarray(t.s), USSR)
        states["place"][0] = t.s["place"]
        settle_one(t.batch.rules, states)
        assert frames.KIND_NAMES[asked(np.asarray(states)[0])[0]] == kind == t.asked
        assert states["question"].tobytes() == t.batch.states["question"].tobytes()


def test_the_choice_to_decline_an_eighth_round_does_not_tell_of_scoring_cards():
    told = set()
    for hand in ([2, 3, 14], [7, 8, 14]):
        t = Table(ussr=hand, phasing="ussr", space=(8, 0), action_round=8, turn=1, fillers=1)
        told.add(seen_by(t.batch.rules, np.asarray(t.s), US).tobytes())
        assert ("stop" in t.legal()) == (hand == [7, 8, 14])
    assert len(told) == 1


def test_a_buy_off_before_the_others_round_does_not_tell_of_its_hand():
    told = set()
    for hand in ([2, 23, 30], [2, 26, 32]):
        t = Table({"Cuba": (3, 0)}, us=hand, phasing="us", lasting={40: 1, 42: 1}, fillers=0)
        assert (t.turn, t.asked) == ("ussr", "escape")
        world = t.s.copy()
        world["place"][hand] = DRAW_PILE
        told.add(hidden_from(t.batch.rules, world, USSR).tobytes())
    assert len(told) == 1


# ---- what is shown


def test_a_card_that_is_played_is_seen_while_its_use_is_chosen():
    t = Table(ussr=[7, 11]).play("card 7")
    assert t.asked == "use"
    now = seen_by(t.batch.rules, np.asarray(t.s), US)
    assert piece(now, "known")[7 - 1] == piece(now, "source")[7 - 1] == 1
    assert piece(seen_by(t.batch.rules, np.asarray(t.s), USSR), "hand")[7 - 1] == 2


@SEATS
def test_everybody_sees_the_china_card(games, seat):
    rules, seen = games
    for s in seen:
        now = seen_by(rules, s, seat)
        assert not piece(now, "unseen")[CHINA - 1]
        mine, its = piece(now, "hand")[CHINA - 1], piece(now, "known")[CHINA - 1]
        assert (mine > 0, its) == (s["place"][CHINA] == HANDS + seat, s["place"][CHINA] == HANDS + 1 - seat)


@pytest.mark.parametrize(("card", "moves"), [(26, ()), (62, ())])
def test_26_62_show_the_hand_to_the_other_side(card, moves):
    owner = {26: "us", 62: "ussr"}[card]
    hands = {"us": [25, 35, 22], "ussr": [7, 14, 30]}
    hands[owner].append(card)
    t = Table(**hands, phasing=owner, turn=4, influence={"Iran": (2, 2)}).play(f"card {card}", "event")
    viewer, other = (US, USSR) if owner == "us" else (USSR, US)
    known = set(1 + np.flatnonzero(piece(seen_by(t.batch.rules, np.asarray(t.s), viewer), "known")))
    assert known - {CHINA} == {c for c in range(1, CARDS) if t.place(c) == HANDS + other} - {CHINA}
    # The owner sees that it is known.
    mine = piece(seen_by(t.batch.rules, np.asarray(t.s), other), "hand")
    assert all(mine[c - 1] == 2 for c in known - {CHINA})


def test_104_shows_scoring_cards_and_no_other():
    t = Table({"Iran": (0, 0)}, ussr=[104], us=[2, 3, 25, 26]).play("card 104", "event")
    assert t.turn == "ussr"
    now = seen_by(t.batch.rules, np.asarray(t.s), USSR)
    assert list(1 + np.flatnonzero(piece(now, "known"))) == [2, 3]


def test_108_only_the_us_sees_the_cards_it_looks_at():
    t = Table({"Israel": (0, 4)}, us=[108], phasing="us", turn=5).play("card 108", "event")
    looked_at = [c for c in range(1, CARDS) if t.place(c) == LOOKED_AT]
    assert len(looked_at) == 5
    us, ussr = (seen_by(t.batch.rules, np.asarray(t.s), seat) for seat in (US, USSR))
    assert list(1 + np.flatnonzero(piece(us, "table"))) == looked_at
    assert list(1 + np.flatnonzero(piece(ussr, "table"))) == []
    assert all(piece(ussr, "unseen")[c - 1] for c in looked_at)
    assert piece(us, "tracks")[18] == piece(ussr, "tracks")[18]
    assert (hidden_from(t.batch.rules, np.asarray(t.s), USSR)["place"] != LOOKED_AT).all()


def test_67_both_sides_know_a_card_that_was_given_back():
    t = Table(ussr=[7, 11], us=[67, 25], phasing="us", turn=5, influence={"Iran": (1, 2)}, fillers=0).play(
        "card 67", "event"
    )
    drawn = int(t.s["question"][t.s["depth"] - 1, frames.LEFT])
    assert piece(seen_by(t.batch.rules, np.asarray(t.s), USSR), "known")[drawn - 1] == 1
    t.play("stop")
    assert t.place(drawn) == HANDS + USSR
    assert piece(seen_by(t.batch.rules, np.asarray(t.s), US), "known")[drawn - 1] == 1


def test_49_the_taker_knows_where_missile_envy_is():
    t = Table(ussr=[49, 7], us=[22, 25], turn=4, influence={"Iran": (2, 2)}).play("card 49", "event")
    assert piece(seen_by(t.batch.rules, np.asarray(t.s), USSR), "known")[49 - 1] == 1
    assert piece(seen_by(t.batch.rules, np.asarray(t.s), US), "lasting")[49 - 1] == 1
    assert piece(seen_by(t.batch.rules, np.asarray(t.s), USSR), "lasting")[49 - 1] == -1


# ---- every piece, read off the record once more


def map_pieces(s, seat):
    own, other = s["influence"][seat].astype(int), s["influence"][1 - seat].astype(int)
    control = [
        1 if own[c] - other[c] >= STABILITY[c] else -1 if other[c] - own[c] >= STABILITY[c] else 0
        for c in range(COUNTRIES)
    ]
    return {
        "own_influence": own,
        "other_influence": other,
        "control": control,
        "reach": s["reach"][seat],
        "chosen": s["chosen"],
        "needed": np.maximum(0, STABILITY - (own - other)),
        "other_needed": np.maximum(0, STABILITY - (other - own)),
        "target": [other[c] > 0 and not closed(s, c) and not protected(s, seat, c) for c in range(COUNTRIES)],
    }


def closed(s, c):
    """R8.1.5."""
    closed_at = {"europe": 4, "asia": 3, "middle_east": 2}
    return s["defcon"] <= closed_at.get(REGION_NAMES[REGION[c]], 0)


def protected(s, seat, c):
    """21 with 17 and 55; 27."""
    lasting, name = s["lasting"], COUNTRY_NAMES[c]
    held = s["influence"][US][c] - s["influence"][USSR][c] >= STABILITY[c]
    opened = (name == "France" and lasting[17]) or (name == "West Germany" and lasting[55])
    nato = lasting[21] and REGION_NAMES[REGION[c]] == "europe" and held and not opened
    return seat == USSR and bool(nato or (name == "Japan" and lasting[27]))


REGION_POINTS = {
    "europe": (3, 7, 20), "asia": (3, 7, 9), "middle_east": (3, 5, 7),
    "central_america": (1, 3, 5), "south_america": (2, 5, 6), "africa": (1, 4, 6),
}  # fmt: skip
"""R10.1.2, off the rule page: presence, domination, control (of Europe all the points there are)."""


def regions(s, seat):
    """R10.1.1, 7.2, as a person counts: own and the opponent's countries one by one."""
    lead = s["influence"][seat].astype(int) - s["influence"][1 - seat]
    own, other = lead >= STABILITY, -lead >= STABILITY
    out = []
    for region, worth in REGION_POINTS.items():
        where = np.array([REGION_NAMES[number] == region for number in REGION])
        important = where & (BATTLEGROUND == 1)
        if s["lasting"][35] and (own if seat == US else other)[ID["Taiwan"]]:
            important |= where & (np.arange(COUNTRIES) == ID["Taiwan"])
        counts = [[int((mine & where).sum()), int((mine & important).sum())] for mine in (own, other)]
        if s["lasting"][73] and region in ("asia", "middle_east"):
            ussr = counts[0 if seat == USSR else 1]
            ussr[:] = [ussr[0] - (ussr[1] > 0), ussr[1] - (ussr[1] > 0)]
        has, points = [], 0
        for sign, side, (countries, battlegrounds), (others, others_battlegrounds), mine in (
            (1, seat, *counts, own),
            (-1, 1 - seat, *counts[::-1], other),
        ):
            more = countries > others
            standing = 0 if not countries else 1
            if more and battlegrounds > others_battlegrounds and countries > battlegrounds:
                standing = 2
            if more and battlegrounds == important.sum():
                standing = 3
            has.append(standing)
            points += sign * (battlegrounds + int((NEXT_TO_SUPERPOWER[1 - side] * (mine & where)).sum()))
            points += sign * (worth[standing - 1] if standing else 0)
        if region == "europe" and 3 in has:
            points = 20 if has[0] == 3 else -20
        out += [points, *has]
    southeast = IN_SET[SOUTHEAST_ASIA] + (np.arange(COUNTRIES) == ID["Thailand"])
    return [*out, int((southeast * own).sum() - (southeast * other).sum())]


def card_pieces(s, seat, veiled):
    place, unknown = s["place"][1:], [card - 1 for card in secrets(s, seat)]
    others = place == HEADLINES + 1 - seat
    laid_known = others & (s["known"][seat][1:] == 1)  # R4.5: for all the viewer knows it may be in the hand
    lies = np.isin(place, (TABLE, IN_FRONT, LOOKED_AT)) + 2 * (place == HEADLINES + seat) - 2 * (others & ~laid_known)
    unseen = np.zeros(CARDS - 1, int)
    unseen[unknown] = 1
    lasting = (s["lasting"][1:] != 0).astype(int)
    for card in ACTED_ON:
        if s["lasting"][card]:
            lasting[card - 1] = 1 if s["lasting"][card] == seat + 1 else -1
    source = np.zeros(CARDS - 1, int)
    if s["depth"] and not veiled:
        card = s["question"][s["depth"] - 1][frames.VALUE]
        source[card - 1 : card] = 1
    return {
        "hand": (place == HANDS + seat) * (1 + s["known"][1 - seat][1:]),
        "known": ((place == HANDS + 1 - seat) | laid_known) * (1 - unseen),
        "unseen": unseen,
        "discards": place == DISCARDS,
        "removed": place == REMOVED,
        "table": lies * (1 - unseen),
        "lasting": lasting,
        "source": source,
    }


def tracks(s, seat):
    names = ("milops", "space", "attempts", "extra_round", "held")
    both = [int(s[name][side]) for name in names for side in (seat, 1 - seat)]
    to_draw = int(np.isin(s["place"][1:], (DRAW_PILE, LOOKED_AT)).sum())
    laid = [int(s["headline"][side] != 0) for side in (seat, 1 - seat)]
    vp = int(s["vp"]) if seat == US else -int(s["vp"])
    return [
        seat, s["turn"], s["action_round"], s["phasing"] == seat, vp, s["defcon"], *both,
        s["china"] == seat, s["china_up"], to_draw, s["fell"], *laid, s["lasting"][94], s["over"],
    ]  # fmt: skip


def question_pieces(s, seat, veiled):
    kind, who = asked(s)
    shown = frames.PLAY if veiled else kind
    numbers = [0] * 7 if veiled or not s["depth"] else list(s["question"][s["depth"] - 1][3:])
    return {
        "to_act": [who == seat],
        "question": [shown == other for other in frames.QUESTIONS],
        "numbers": [*numbers, s["tally"]],
    }


def expected(s, seat):
    kind, who = asked(s)
    of_hand = kind == frames.TRAP or (kind == frames.PLAY and not s["question"][s["depth"] - 1][frames.VALUE])
    veiled = who == 1 - seat and of_hand
    pieces = map_pieces(s, seat) | card_pieces(s, seat, veiled)
    return pieces | {"regions": regions(s, seat), "tracks": tracks(s, seat)} | question_pieces(s, seat, veiled)


def test_every_piece_says_what_its_meaning_says(games):
    rules, seen = games
    for s in seen:
        for seat in (USSR, US):
            views, wanted = GAME.layout(2).views(seen_by(rules, s, seat)), expected(s, seat)
            assert set(views) == set(wanted)
            for name, view in views.items():
                assert view.tolist() == np.array(wanted[name]).astype(int).tolist(), f"{name}, seat {seat}, {asked(s)}"


def test_every_card_is_somewhere_in_the_observation_but_those_of_later_periods(games):
    rules, seen = games
    for s in seen:
        for seat in (USSR, US):
            now = seen_by(rules, s, seat)
            places = sum(piece(now, name) != 0 for name in ("hand", "known", "unseen", "discards", "removed", "table"))
            assert places.tolist() == (s["place"][1:] != BOX).astype(int).tolist()


def test_the_batch_shows_the_seat_to_act():
    batch = Table(ussr=[7, 11]).batch
    assert (
        batch.observation[0].tolist() == seen_by(batch.rules, np.asarray(batch.states)[0], int(batch.seat[0])).tolist()
    )


def test_the_map_is_the_viewers_own_side_first():
    t = Table({"Iran": (0, 2), "Poland": (4, 1)})
    for seat in (USSR, US):
        now = seen_by(t.batch.rules, np.asarray(t.s), seat)
        sign = 1 if seat == US else -1
        assert piece(now, "own_influence")[ID["Iran"]] == (2 if seat == US else 0)
        assert (piece(now, "control")[ID["Iran"]], piece(now, "control")[ID["Poland"]]) == (sign, -sign)


def test_observing_writes_nothing(games):
    rules, seen = games
    out = np.zeros((1, GAME.layout(2).size), np.int8)
    for s in seen:
        states = states_of(s)
        before = states.tobytes()
        for seat in (USSR, US):
            observe_games(rules, states, np.zeros(1, np.int64), np.array([seat]), out)
            assert states.tobytes() == before, asked(s)
