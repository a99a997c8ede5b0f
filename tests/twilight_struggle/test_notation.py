"""Positions and moves as text."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.twilight_struggle.table import Table
from timeline_env import twilight_struggle_v0
from timeline_env.engine import positions
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.twilight_struggle import GAME, frames
from timeline_env.twilight_struggle.board import COUNTRY_NAMES, ID, IN_SET, SEAT_NAMES, US, USSR
from timeline_env.twilight_struggle.cards import PERIOD
from timeline_env.twilight_struggle.state import BOX, DRAW_PILE, HANDS, HEADLINES, STATE, TABLE
from timeline_env.twilight_struggle.text.move_text import WRITERS
from timeline_env.twilight_struggle.text.names import COUNTRY_WORDS, PARTS, SET_WORDS
from timeline_env.twilight_struggle.text.notation import (
    action_from_text,
    action_to_text,
    from_text,
    num_players_in,
    to_text,
)
from timeline_env.twilight_struggle.text.read_tokens import READERS

DOCS = Path(__file__).parents[2] / "docs" / "notation.md"
RULES = GAME.load_rules(2)


def position(text):
    return from_text(RULES, text)[0]


def legal_moves(s, rules=RULES):
    return {action_to_text(rules, s, int(action)): int(action) for action in np.flatnonzero(s.legal)}


def blocks(kind):
    """The blocks of code of this kind in the docs."""
    return re.findall(rf"```{kind}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("seed", range(6))
def test_every_decision_of_a_random_game_round_trips_in_full_as_any_side_sees_it_and_in_its_moves(seed):
    variant = {"setup": {"ussr_bonus": seed % 3, "us_bonus": 2}, "deck": {"optional_cards": seed % 2 == 0}}
    batch = twilight_struggle_v0.batch(1, seed=seed, rules=variant)
    generator = np.random.default_rng(seed)
    decisions = 0
    while not batch.done[0]:
        s = batch.states[0]
        assert from_text(batch.rules, to_text(batch.rules, s)).tobytes() == batch.states.tobytes()
        viewer = decisions % 2
        seen = from_text(batch.rules, to_text(batch.rules, s, viewer))
        assert seen.tobytes() == copy_for_viewer(batch.rules, s, viewer).tobytes()
        moves = legal_moves(s, batch.rules)
        assert len(moves) == batch.action_mask.sum(), "two legal actions have the same text"
        move = list(moves)[generator.integers(len(moves))]
        assert action_from_text(batch.rules, s, move) == moves[move]
        batch.step([moves[move]], restart=False)
        decisions += 1
    for viewer in (None, USSR, US):
        end = to_text(batch.rules, batch.states[0], viewer)
        wanted = batch.states if viewer is None else copy_for_viewer(batch.rules, batch.states[0], viewer)
        assert " over:" in end and from_text(batch.rules, end).tobytes() == wanted.tobytes()
    assert decisions > 50


def test_a_side_reads_its_own_hand_and_only_question_marks_for_what_it_does_not_know():
    t = Table(ussr=[7, 11], us=[25, 26], stage="headline").play("card 7")
    assert "headline.ussr:7 " in to_text(t.batch.rules, t.s) + " "
    seen = to_text(t.batch.rules, t.s, US).split()
    assert "headline.ussr:?" in seen and "hand.ussr:3?" in seen and "seen:us" in seen
    assert any(token.startswith("hand.us:") and "?" not in token and "25,26" in token for token in seen)
    assert not any(token.startswith(("seed:", "rng:")) for token in seen)


def test_what_a_short_position_does_not_mention_is_not_there_and_the_game_goes_on_until_somebody_has_a_choice():
    s = position("t5.r3 us defcon:3 vp:us4 Iran:2/1 West_Germany:0/4 hand.ussr:7,9 hand.us:25,26")
    assert (s.turn, s.action_round, s.phasing, s.defcon, s.vp, s.over) == (5, 3, US, 3, 4, 0)
    assert s.influence.sum() == 7 and s.influence[:, ID["Iran"]].tolist() == [2, 1]
    assert s.place[[7, 9, 25, 26]].tolist() == [HANDS, HANDS, HANDS + 1, HANDS + 1] and s.held.tolist() == [2, 2]
    assert (s.place[6], s.china, s.china_up) == (HANDS, USSR, 1)
    # Mid war cards are in the draw pile, late ones are not yet.
    assert (s.place[40], s.place[100], s.place[104], s.place[109]) == (DRAW_PILE, BOX, DRAW_PILE, BOX)
    assert set(legal_moves(s)) == {"card 25", "card 26"}
    assert s.reach[US, ID["France"]] == 1


def test_without_a_round_the_headlines_are_chosen():
    s = position("t2.r0 hand.ussr:7,9 hand.us:25,26")
    assert set(legal_moves(s)) == {"card 7", "card 9"}
    assert frames.KIND_NAMES[int(s.question[s.depth - 1, 0])] == "headline"


def test_a_variant_leaves_its_cards_in_the_box():
    rules = GAME.load_rules(2, {"deck": {"optional_cards": False}})
    text = "t5.r1 hand.ussr:7,9"
    assert (from_text(rules, text)[0].place[104], from_text(RULES, text)[0].place[104]) == (BOX, DRAW_PILE)
    with pytest.raises(ValueError, match="card 104 is not in the game, or not yet"):
        from_text(rules, "t5.r1 hand.ussr:7,9,104")


def test_tokens_may_stand_in_any_order():
    first, *rest = [
        "t8.r3",
        "us",
        "defcon:3",
        "milops:1/2",
        "Iran:2/1",
        "reach.us:+Chile",
        "hand.us:25!,26",
        "table:14",
        "lasting:31=us,94=asia,16",
        "stage:end-round",
        "ask:dispose.us.14,place.us.14/ops=3/allowed=icr/within=everywhere",
        "card:14",
    ]
    there, back = (from_text(RULES, " ".join([first, *order])) for order in (rest, reversed(rest)))
    assert there.tobytes() == back.tobytes()
    s = there[0]
    assert (s.lasting[31], s.lasting[94], s.lasting[16], s.known[USSR, 25], s.place[14]) == (2, 2, 1, 1, TABLE)
    assert "Chile" in legal_moves(s) and "Brazil" not in legal_moves(s)


def test_a_question_of_an_action_round_is_followed_by_the_rounds_end():
    """The stage is what comes next: the side does not play a second card in the round."""
    s = position("t5.r3 us hand.ussr:7,9 hand.us:25,26 ask:play.us")
    assert s.tobytes() == position("t5.r3 us stage:end-round hand.ussr:7,9 hand.us:25,26 ask:play.us").tobytes()


@pytest.mark.parametrize("card", [20, 87, 107])
def test_what_does_not_fit_on_a_full_stack_leaves_the_frame_on_top_alone(card):
    """What is asked would else become the step of the event's program (20, and 87 behind the program's end) or turn the event into a coup (107)."""
    pending = ",".join(["dispose.us.25"] * 14)
    field = "Lebanon:0/3 UK:0/3 France:0/3"
    batch = twilight_struggle_v0.batch(1)
    batch.states[0] = position(
        f"t8.r3 ussr vp:ussr4 {field} hand.ussr:{card},7 hand.us:26 discards:25 ask:{pending},play.ussr"
    )
    batch.refresh()
    for move in (f"card {card}", "event"):
        batch.step([action_from_text(batch.rules, batch.states[0], move)], restart=False)
    s = batch.states[0]
    assert s.fault and s.defcon == 5 and frames.COUP not in s.question[: s.depth, frames.KIND]
    assert [s.influence[:, ID[name]].tolist() for name in ("Lebanon", "UK", "France")] == [[0, 3]] * 3


def test_a_headline_lies_shown_or_not():
    text = "t2.r0 us stage:first-headline headline.ussr:7{} hand.us:25,26 ask:headline.us"
    for sign in ("", "!", "~"):
        s = position(text.format(sign))
        assert (s.headline[USSR], s.place[7], s.open_headline[USSR]) == (7, HEADLINES + USSR, int(sign == "!"))
        assert s.known[US, 7] == int(sign == "~")


def test_one_of_the_cards_that_are_known_may_be_the_headline():
    text = "t2.r0 us stage:first-headline hand.ussr:7! hand.us:25,26 headline.ussr:9~ ask:headline.us"
    seen = to_text(RULES, position(text), US)
    assert " hand.ussr:7!,9!,-1? " in seen and " headline.ussr:? " in seen
    assert position(seen).held[USSR] == 1
    assert to_text(RULES, position(seen), US) == seen


ALL_BUT_32 = (
    f"hand.us:25,26 discards:{','.join(str(c) for c in range(1, 109) if c not in (6, 25, 26, 32) and PERIOD[c] < 2)}"
)
MALFORMED = {
    "": "position token '': a position begins with turn and action round, t1.r0 to t10.r8",
    "2p": "position token '2p': a position begins with turn and action round",
    "t11.r1": "position token 't11.r1'",
    "t0.r1": "position token 't0.r1'",
    "t5.r9": "position token 't5.r9'",
    "t3.r7 us": "position token 't3.r7': the us has no such action round in this turn",
    "t5.r8 extra_round:0/1": "position token 't5.r8': the ussr has no such action round in this turn",
    "t5.r8 us space:8/8": "position token 't5.r8': the us has no such action round in this turn",
    "t5.r3 x:1": "position token 'x:1' is unknown; allowed: ussr, us, seen, stage, over",
    "t5.r3 Atlantis:1/1": "position token 'Atlantis:1/1' is unknown",
    "t5.r3 us us": "position token 'us': duplicate us",
    "t5.r3 us ussr": "one side is phasing",
    "t5.r3 us:1": "position token 'us:1': us must have no value",
    "t5.r3 defcon": "position token 'defcon': defcon must be followed by a colon and a value",
    "t5.r3 defcon:6": "position token 'defcon:6': DEFCON '6' must be an integer from 1 to 5",
    "t5.r3 vp:4": "points '4' must be a side and a number, such as us4",
    "t5.r3 vp:us20": "position token 'vp:us20': the game has ended, so 'over' must say how",
    "t5.r3 vp:ussr20": "position token 'vp:ussr20': the game has ended, so 'over' must say how",
    "t5.r3 defcon:1": "position token 'defcon:1': the game has ended, so 'over' must say how",
    "t5.r3 vp:us21": "points '21' must be an integer from 0 to 20",
    "t5.r3 milops:6/0": "milops '6' must be an integer from 0 to 5",
    "t5.r3 space:1": "space '1' must be two numbers, the USSR's and the US's, such as 2/0",
    "t5.r3 Iran:1/100": "influence '100' must be an integer from 0 to 99",
    "t5.r3 Iran:x/1": "influence 'x' must be an integer",
    "t5.r3 stage:lunch": "stage 'lunch' is unknown; allowed: set-up.ussr",
    "t5.r0 seen:ussr headline.us:?": "cards are unknown, so 'ask' must give what is pending",
    "t5.r3 seen:us hand.ussr:3?": "cards are unknown, so 'ask' must give what is pending",
    "t5.r3 seen:us seed:7 hand.us:25,26 ask:play.us": "position token 'seen:us': the position gives what this side does not know",
    "t5.r3 us seen:us hand.ussr:7 hand.us:25,26": "position token 'seen:us': the position gives what this side does not know",
    "t5.r3 seen:them": "side 'them' is unknown; allowed: ussr, us",
    "t5.r3 over:us": "ending '' is unknown; allowed: vp, defcon, europe",
    "t5.r3 over:them.vp": "winner 'them' is unknown; allowed: ussr, us, draw",
    "t5.r3 over:us.vp ask:play.us": "nobody is asked when the game is over",
    "t5.r3 reach.us:Iran": "'Iran' must be none, or + or - and a country",
    "t5.r3 reach.us:+Iram": "country 'Iram' does not exist",
    "t5.r3 card:111": "card '111' must be an integer from 1 to 110",
    "t5.r3 hand.us:0": "card '0' must be an integer from 1 to 110",
    "t5.r3 hand.us:7,7": "duplicate card 7",
    "t5.r3 hand.us:7 hand.ussr:7": "duplicate card 7",
    "t5.r3 hand.us:7 discards:7": "position token 'discards:7': duplicate card 7",
    "t5.r3 hand.us:6": "card 6 is not part of a hand; write china:us",
    "t5.r3 hand.us:100": "card 100 is not in the game, or not yet",
    "t5.r3 hand.us:14?": "14 cards; at most 13 are allowed",
    "t5.r3 hand.us:127?,127?": "254 cards; at most 13 are allowed",
    "t5.r3 hand.us:7!,-1?": "may have one card less than it names only with headline.us:? and a card that may be it",
    "t5.r0 seen:us headline.ussr:? hand.ussr:7!,-1?,-1? ask:headline.us": "may have one card less",
    "t5.r0 seen:us headline.ussr:? hand.ussr:32!,-1? ask:headline.us": "may have one card less",
    "t5.r0 seen:us headline.ussr:? hand.ussr:7!,-2? ask:headline.us": "number of unknown cards '-2' must be an integer",
    "t5.r0 headline.us:32~": "card 32 cannot be headlined (R4.5)",
    "t5.r0 headline.ussr:6": "card 6 cannot be headlined (R4.5)",
    "t5.r3 hand.us:x?": "number of unknown cards 'x' must be an integer",
    "t5.r3 headline.us:0": "card '0' must be",
    f"t5.r0 seen:us stage:first-headline {ALL_BUT_32} headline.ussr:? ask:headline.us": (
        "position token 'headline.ussr:?': 1 unknown; at most 0 of the cards unseen may be there"
    ),
    f"t5.r0 seen:us stage:first-headline {ALL_BUT_32} hand.ussr:2? ask:headline.us": (
        "position token 'hand.ussr:2?': 2 unknown; at most 1 of the cards unseen may be there"
    ),
    "t5.r3 china:us.up": "the China Card 'up' is unknown; allowed: down",
    "t5.r3 china:me": "side 'me' is unknown",
    "t5.r3 lasting:31": "side '' is unknown; allowed: ussr, us",
    "t5.r3 lasting:94=here": "region 'here' is unknown (did you mean 'europe'?); allowed: europe, asia",
    "t5.r3 lasting:16=3": "state '3' must be an integer from 1 to 2",
    "t5.r3 ask:jump.us": "question 'jump' is unknown; allowed: event, run, dispose",
    "t5.r3 ask:play.me": "side 'me' is unknown",
    "t5.r3 ask:play": "side '' is unknown",
    "t5.r3 ask:add.us.200": "card '200' must be",
    "t5.r3 ask:add.us.23/left=1/where=europe": "'where' is unknown; allowed: left, side, set, filter",
    "t5.r3 ask:add.us.23/left=1/set=moon": "set 'moon' is unknown; allowed: europe, asia",
    "t5.r3 ask:add.us.23/left=200": "left '200' must be an integer from 0 to 60",
    "t5.r3 ask:add.us.23/each=100": "each '100' must be an integer from 0 to 99",
    "t5.r3 ask:play.us.67/drawn=111": "drawn '111' must be an integer from 0 to 110",
    "t5.r3 tally:61": "choices made '61' must be an integer from 0 to 60",
    "t5.r3 chosen:Iran*61": "times '61' must be an integer from 1 to 60",
    "t5.r3 ask:run.us.23/step=6": "step '6' must be an integer from 0 to 5",
    "t5.r3 ask:dispose.us.23": "the last must be a question to a side, such as play.us",
    "t5.r3 ask:" + ",".join(["play.us"] * 17): "at most 16 frames can be pending",
    "t5.r3 ask:play.us": "the side that is asked has nothing it may do",
    "t2.r0 hand.ussr:7,9 hand.us:25,26 ask:headline.us,headline.ussr": (
        "position token 'ask': headlines are asked for with stage:first-headline"
    ),
    "t3.r2 hand.ussr:8 ask:use.ussr.72": "position token 'ask': use: card 72 is not in the game, or not yet",
    "t5.r3 chosen:Iran*0 ask:play.us": "times '0' must be an integer from 1",
    "t5.r3 dice:7": "die '7' must be an integer from 1 to 6",
    "t5.r3 dice:" + ",".join("1" * 13): "13 dice; at most 12 are kept",
    "t5.r3 seen:us hand.us:25,26,3? ask:play.us": (
        "position token 'hand.us:25,26,3?': cards are unknown to the other side alone, which looks by seen:ussr"
    ),
    "t5.r3 hand.us:25,26 hand.ussr:3? ask:play.us": "'hand.ussr:3?': cards are unknown to the other side alone, which looks by seen:us",
    "t2.r0 stage:first-headline headline.ussr:? hand.us:25,26 ask:headline.us": "which looks by seen:us",
    "t5.r0 us stage:end-round hand.us:25,26 ask:play.us": "'stage:end-round': it needs an action round, such as t5.r3",
    "t5.r3 us stage:first-headline hand.us:25,26": "'stage:first-headline': it needs no action round: t5.r0",
    "t2.r0 stage:set-up.us": "'stage:set-up.us': the game is set up in turn 1",
    "t8.r0 stage:begin-turn": "'stage:begin-turn': the cards that turn 8 brings are in the game already; begin with choose-headlines",
    "t5.r3 us stage:begin-round hand.us:25,26 ask:play.us": "'stage:begin-round': nobody is asked then",
    "t2.r0 hand.ussr:7,9 hand.us:25,26 headline.us:14": (
        "position token 'headline.us:14': headlines lie with stage:first-headline and stage:second-headline"
    ),
    "t5.r3 us headline.us:14 hand.us:25,26": "headlines lie with stage:first-headline and stage:second-headline",
    "t5.r3 seen:us us headline.ussr:? hand.us:25,26 ask:play.us": "headlines lie with stage:first-headline",
    "t2.r0 stage:first-headline headline.us:14 hand.us:25,26 ask:headline.us": "headline.us: a side has one headline",
    "t2.r0 stage:first-headline hand.us:25,26 ask:headline.us,headline.us": "headline.us: a side has one headline",
    "t5.r3 us hand.us:25,26 lasting:49=us": "49 is in effect while the side that owes it has it in hand",
    "t5.r3 us hand.us:25,26 lasting:94=asia": "position token 'lasting': card 94 is not in the game, or not yet",
    "t5.r3 ussr hand.ussr:25,26 lasting:50=2": "50=2 is for an action round of the us",
    "t5.r3 lasting:31=us,31=ussr": "duplicate event 31",
    "t5.r3 us discards:6": "position token 'discards:6': card 6 is never there; write china:us, or china:us.down",
    "t5.r3 us table:6 hand.us:25,26": "card 6 lies there while it is played, with dispose.us.6 or dispose.ussr.6",
    "t5.r3 us hand.us:25,26 chosen:Panama": "'chosen': countries are chosen in a question about them",
    "t5.r3 us ask:add.us.23/left=1/each=1 chosen:Iran,Iran*3": "duplicate country Iran",
    "t5.r3 us ask:add.us.23/left=1/each=1/left=5": "duplicate part left of 'add.us.23/left=1/each=1/left=5'",
    "t5.r3 us ask:play.us.67.99": "'play.us.67.99' must be a question, a side and perhaps a card, such as add.us.23",
    "t5.r3 us hand.us:25 ask:add.us.23/side=us/set=western-europe/each=1": "add.us.23: it needs how many choices are left",
    "t5.r3 us hand.us:25,26 ask:war.us.7/left=1/set=asia": "war.us.7: it needs a war card, such as war.us.24",
    "t5.r3 us hand.us:25,26 ask:use.us": "use.us: it needs a card of the hand, or with /bare=1 one on the table",
    "t5.r3 us hand.us:25 removed:8 ask:use.us.8": "use.us.8: it needs a card of the hand",
    "t5.r3 us hand.us:25,26 ask:use.us.25/bare=1": "use.us.25: it needs a card of the hand, or with /bare=1 one on the table",
    "t5.r3 us hand.us:25,26 ask:play.us.67/drawn=9": "play.us.67: it needs no card, or 67 with /drawn= and a card of the us hand",
    "t5.r3 us hand.us:25,26 ask:play.us.67/optional=1": "play.us.67: it needs no card, or 67 with /drawn=",
    "t5.r3 us hand.us:25,26 ask:play.us/drawn=25": "play.us: it needs no card, or 67 with /drawn=",
    "t5.r3 us hand.us:25,26 ask:play.us,choice.us.53/step=3": "choice.us.53: it needs the event before it, such as run.us.53/step=1",
    "t5.r3 us table:14 hand.us:25,26 ask:run.us.14/step=1,choice.us.14": "choice.us.14: it needs the event before it",
    "t5.r3 us table:53 ask:run.ussr.53/step=2,choice.ussr.53/step=3": "choice.ussr.53: it needs the event before it",
    "t5.r3 seed:-1": "seed '-1' must be an integer from 0 to 18446744073709551615",
    "t5.r3 tally:x": "choices made 'x' must be an integer",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_position_gives_one_line_that_names_the_token_and_what_is_allowed(text):
    with pytest.raises(ValueError) as raised:
        from_text(RULES, text)
    assert MALFORMED[text] in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ("{}", "t5.r3 {}", "t5.r3 UK:{}", "t5.r3 hand.us:{}"))
def test_a_token_of_any_length_gives_a_line_that_can_be_read(text):
    with pytest.raises(ValueError, match=r"^position token 'x?.*… \([0-9,]+ characters\)") as raised:
        from_text(RULES, text.format("x" * 5000))
    assert len(str(raised.value)) < 1100


@pytest.mark.parametrize("move", ["", "card", "card 7", "West Germany", "card 25 26", "event"])
def test_a_move_that_is_not_legal_gives_one_line_with_those_that_are(move):
    s = position("t5.r3 us hand.us:25,26")
    with pytest.raises(ValueError, match=r"^move .* is not legal; legal: card 25, card 26$") as raised:
        action_from_text(RULES, s, move)
    assert repr(move) in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("viewer", [2, -1, "us"])
def test_a_viewer_who_is_no_seat_is_refused(viewer):
    with pytest.raises(ValueError, match=f"^viewer {viewer!r} must be None or a seat from 0 to 1$"):
        to_text(RULES, position("t5.r3 us hand.us:25,26"), viewer)


def test_no_move_is_legal_when_the_game_is_over():
    with pytest.raises(ValueError, match="the game is over"):
        action_from_text(RULES, position("t5.r3 over:us.defcon defcon:1"), "stop")


def test_an_eighth_round_goes_on_when_the_other_side_comes_to_box_8_too():
    t = Table(ussr=[67, 80], us=[25], fillers=0, turn=4, action_round=8, space=(8, 7))
    t.play("card 67", "event", "card 80", "event")
    assert tuple(t.s.space) == (8, 8) and t.asked == "place"
    again = from_text(RULES, to_text(RULES, t.s))
    assert again.tobytes() == t.batch.states.tobytes()
    positions.check(GAME, RULES.tobytes(), again.tobytes())


OPTIONS = {
    "t5.r3 us table:45 ask:level.us.45": {"lower", "raise", "leave"},
    "t5.r3 us table:46 ask:level.us.46": {f"defcon {level}" for level in range(1, 6)},
    "t9.r3 us table:94 ask:level.us.94": {
        "europe",
        "asia",
        "middle-east",
        "central-america",
        "south-america",
        "africa",
    },
    "t5.r3 us table:53 ask:run.ussr.53/step=1,choice.ussr.53/step=3": {"first", "second"},
    "t5.r3 us Cuba:3/0 hand.ussr:7,9 lasting:40=ussr": {"stop", "buy off with Cuba"},
}


@pytest.mark.parametrize("text", OPTIONS)
def test_an_option_is_written_as_what_its_card_offers(text):
    assert set(legal_moves(position(text))) == OPTIONS[text]


@pytest.mark.parametrize("text", ["t5.r3 us hand.us:25,26", *OPTIONS])
def test_the_text_of_every_action_names_it_alone(text):
    texts = [action_to_text(RULES, position(text), action) for action in range(GAME.num_actions(2))]
    assert len(set(texts)) == len(texts)


def test_words_name_what_they_stand_for():
    assert len(SET_WORDS) == len(IN_SET) and len(set(SET_WORDS)) == len(SET_WORDS)
    assert [word.replace("_", " ") for word in COUNTRY_WORDS] == list(COUNTRY_NAMES)
    for country, word in (
        ("Iran", "opec"),
        ("France", "suez"),
        ("South Korea", "korea"),
        ("Costa Rica", "near-nicaragua"),
    ):
        assert IN_SET[SET_WORDS.index(word), ID[country]]
    assert set(PARTS) <= set(frames.KIND_NAMES)


def test_the_examples_of_positions_in_the_docs_read_and_round_trip():
    examples = blocks("twilight")
    assert len(examples) >= 3
    for example in examples:
        assert num_players_in(example) == 2
        states = from_text(RULES, example)
        viewer = next((seat for seat, side in enumerate(SEAT_NAMES) if f"seen:{side}" in example.split()), None)
        assert from_text(RULES, to_text(RULES, states[0], viewer)).tobytes() == states.tobytes(), example


def test_the_moves_in_the_docs_are_those_there_are():
    section = DOCS.read_text(encoding="utf-8").partition("### Moves of Twilight Struggle")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    told = {move for row in rows for move in re.findall("`([^`]+)`", row.split("|")[1])}
    known = set()
    for text in ("t5.r3 us hand.us:25,26", *OPTIONS):
        known |= {action_to_text(RULES, position(text), action) for action in range(GAME.num_actions(2))}
    assert told <= known
    assert list(WRITERS) == list(GAME.codec.ranges)
    assert {"stop", "event", "coup", "card 14", "West_Germany", "buy off with Cuba", "lower", "first"} <= told


def test_every_token_and_part_is_told_in_the_docs():
    section = DOCS.read_text(encoding="utf-8").partition("# Twilight Struggle")[2]
    words = [*READERS, *(part for parts in PARTS.values() for part in parts), *SET_WORDS, *frames.KIND_NAMES.values()]
    missing = [name for name in words if not re.search(rf"`[^`]*\b{re.escape(name)}\b[^`]*`", section)]
    assert missing == []


def test_the_python_in_the_docs_runs():
    section = DOCS.read_text(encoding="utf-8").partition("# Twilight Struggle")[2]
    names = {}
    for block in re.findall(r"```python\n(.*?)```", section, re.DOTALL):
        exec(compile(block, str(DOCS), "exec"), names)
    assert names["records"].dtype.names == STATE.names
