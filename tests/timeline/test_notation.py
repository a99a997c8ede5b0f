"""Positions and moves as text."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.timeline.conftest import LAID_OUT
from timeline_env import timeline_v0
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.timeline import GAME
from timeline_env.timeline.state import (
    ATTACK_TICK,
    BLANK,
    LOGISTIC,
    NO_CARD,
    ORIGINAL,
    STATE,
    TURN,
)
from timeline_env.timeline.text.move_text import WRITERS
from timeline_env.timeline.text.notation import (
    action_from_text,
    action_to_text,
    from_text,
    num_players_in,
    to_text,
)
from timeline_env.timeline.text.read_tokens import ASKED, PLAYER_READERS, READERS

DOCS = Path(__file__).parents[2] / "docs" / "notation.md"
RULES = GAME.load_rules(4, LAID_OUT)


def position(text):
    """The record of a position for four players."""
    return from_text(RULES, text)[0]


def legal_moves(s, rules=RULES):
    return {action_to_text(rules, s, int(action)): int(action) for action in np.flatnonzero(s.legal)}


def blocks(kind):
    """The blocks of code of this kind in the docs."""
    return re.findall(rf"```{kind}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("players", range(2, 7))
def test_every_decision_of_a_random_game_round_trips_in_full_as_any_seat_sees_it_and_in_its_moves(players):
    batch = timeline_v0.batch(1, players, seed=players)
    generator = np.random.default_rng(players)
    decisions = 0
    while not batch.done[0]:
        s = batch.states[0]
        assert from_text(batch.rules, to_text(batch.rules, s)).tobytes() == batch.states.tobytes()
        viewer = decisions % players
        seen = from_text(batch.rules, to_text(batch.rules, s, viewer))
        assert seen.tobytes() == copy_for_viewer(batch.rules, s, viewer).tobytes()
        moves = legal_moves(s, batch.rules)
        assert len(moves) == batch.action_mask.sum(), "two legal actions have the same text"
        move = list(moves)[generator.integers(len(moves))]
        assert action_from_text(batch.rules, s, move) == moves[move]
        batch.step([moves[move]], restart=False)
        decisions += 1
    assert from_text(batch.rules, to_text(batch.rules, batch.states[0])).tobytes() == batch.states.tobytes()
    assert decisions > 50


def test_a_seat_reads_its_own_hand_and_only_question_marks_for_what_it_does_not_know():
    batch = timeline_v0.batch(1, 3, seed=1)
    batch.play_random(100)
    told, seen = (to_text(batch.rules, batch.states[0], viewer).split() for viewer in (None, 1))
    assert set(told) - set(seen) == {
        token for token in told if token[0] in "yb" or token[:4] in ("deck", "disc", "bag:", "seed", "rng:")
    }
    hidden = [token for token in seen if token not in told]
    assert all(re.search(r"(hand=|deck:|discarded:|bag:)[0-9]*\?", token) for token in hidden) and len(hidden) == 5


def test_what_a_short_position_does_not_mention_is_not_there():
    s = position("4p y:1.2/energy=20/hand=7o,atk 0:org/occurred phase:1.0 2.5:3b^2/-o")
    assert (s.phase, s.lap, s.first, s.turns, s.au, s.realizing) == (1, 0, 0, 0, RULES[0].action_units, -1)
    assert [tuple(int(n) for n in question) for question in s.question[: s.depth]] == [(TURN, 0, 0)]
    assert list(s.pawn) == [3, 0, 0, 0, 0, 0]
    assert list(s.energy) == [20, 0, 0, 0, 0, 0]
    assert list(s.hand[0]) == [6 * 7 + 1, NO_CARD, NO_CARD, NO_CARD, NO_CARD] and s.held.sum() == 1
    assert s.flexible.sum() == s.flexible[0, 0] == 1
    assert (s.drawn, s.bag_drawn) == (RULES[0].deck_size, RULES[0].bag_size)
    assert list(np.flatnonzero(s.event)) == [0, 12] and list(np.flatnonzero(s.realized)) == [0]
    assert (s.card[0], s.outcome[0], s.stance[0]) == (ORIGINAL, 1, 0)
    card = 6 * 3 + 2
    assert (s.card[12], s.turned[12], s.stance[12], s.organizer[1, 12]) == (card, 2, -1, 1)
    assert [s.mark[(edge + 2) % 6, 12] for edge in range(6)] == list(RULES[0].mark[card])
    assert list(s.if_yes[:, 12]) == list(RULES[0].if_yes[card])


def test_tokens_may_stand_in_any_order():
    text = "2p phase:1.1 first:o turn:y au:2 y:1.5/energy=9/hand=0y 0:org/failed 1.5:2o/-o deck:5y,3o bag:surge"
    first, *rest = text.split()
    rules = GAME.load_rules(2)
    assert (
        from_text(rules, " ".join([first, *reversed(rest)])).tobytes()
        == from_text(rules, " ".join([first, *rest])).tobytes()
    )


def test_marks_arcs_and_outcomes_can_differ_from_the_card():
    s = position(
        "4p phase:1.0 0:org/failed 1.0:0y/+y/marks=+-..../yes=o-1/no=b+2,p-3/y+3/b-2 2.0:log/+y/occurred/marks=....-+ 3.0:empty"
    )
    assert list(s.mark[:, 1]) == [1, -1, 0, 0, 0, 0]
    assert list(s.if_yes[:, 1]) == [0, -1, 0, 0, 0, 0] and list(s.if_no[:, 1]) == [0, 0, 2, -3, 0, 0]
    assert list(s.impact[:, 1]) == [3, 0, -2, 0, 0, 0]
    assert (s.card[7], s.outcome[7], s.realized[7], s.mark[5, 7]) == (LOGISTIC, 1, 1, 1)
    assert (s.event[19], s.realized[19], s.outcome[19]) == (0, 1, 0)


def test_a_reinforcement_lies_on_both_sides_of_its_junction_whichever_side_names_it():
    there, back = position("4p reinforced:0SE+2"), position("4p reinforced:1.2NW+2")
    assert there.reinforcement[2, 0] == there.reinforcement[5, 3] == 2
    assert there.reinforcement.sum() == 4
    assert there.tobytes() == back.tobytes()


def test_a_junction_has_the_sum_of_its_tokens():
    s = position("4p reinforced:0SE+4")
    assert s.reinforcement[2, 0] == s.reinforcement[5, 3] == 4


def test_a_pledge_is_told_with_the_player_who_made_it():
    s = position("4p y:0/pledge=b p:0/pledge=y")
    assert s.pledge[:4].tolist() == [2, -1, -1, 0]
    assert " y:0/pledge=b " in to_text(RULES, s) and " p:0/pledge=y" in to_text(RULES, s)


def test_the_question_for_links_tells_the_edges_with_a_token_alone():
    text = "4p turn:y au:2 ask:links.y+N+NW y:1.2 1.2:log/+y/marks=.....+"
    assert legal_moves(position(text)).keys() >= {"link NE cause", "done"}
    assert not [move for move in legal_moves(position(text)) if move.split()[1:2] in (["N"], ["NW"])]
    assert "ask:links.y+N+NW " in to_text(RULES, position(text))


def test_questions_lie_above_the_turn():
    s = position("4p turn:b au:1 ask:tick.b b:1.0 1.0:atk/+b")
    assert s.question[:2, 0].tolist() == [TURN, ATTACK_TICK] and s.question[:2, 1].tolist() == [2, 2]
    assert set(legal_moves(s)) == {"arc yes yellow", "arc yes orange", "arc yes purple"}


def test_unknown_cards_and_tokens_are_read():
    s = position("4p y:0/hand=?,7o,2? deck:3? bag:2?")
    assert list(s.hand[0]) == [NO_CARD, 43, NO_CARD, NO_CARD, NO_CARD] and s.held[0] == 4
    assert s.drawn == RULES[0].deck_size - 3
    assert list(s.bag[s.bag_drawn : RULES[0].bag_size]) == [BLANK, BLANK]


def test_a_variant_with_other_numbers_has_its_own_defaults():
    rules = GAME.load_rules(4, {"player": {"action_units": 7}})
    assert from_text(rules, "4p")[0].au == 7


MALFORMED = {
    "4p phase:1.0 turn:y ask:tick.y y:1.0 1.0:atk/+o 0:org/occurred": "must be theirs, such as /+y (T27–T29)",
    "": "position token '': a position begins with its players, 2p to 6p",
    "7p": "position token '7p': a position begins with its players, 2p to 6p",
    "yes": "a position begins with its players",
    "3p": "position token '3p': the rules are for 4 players",
    "4p x:1": "position token 'x:1' is unknown; allowed: phase, first, turn",
    "4p t:0": "position token 't:0' is unknown; allowed: phase, first, turn",
    "4p turn:y turn:o": "position token 'turn:o': duplicate turn",
    "4p phase:5.0": "phase '5' must be an integer from 0 to 4",
    "4p phase:1": "rounds completed '' must be an integer from 0 to 2",
    "4p phase:1.2": "'phase:1.2': phase 1 has the rounds 0 to 1",
    "4p first:t": "position token 'first:t': colour 't' is not at this table; allowed: y o b p",
    "4p turn:yo": "colour 'yo' is not at this table",
    "4p au:-1": "action units '-1' must be an integer from 0 to 127",
    "4p winged:1": "position token 'winged:1': winged must have no value",
    "4p over": "position token 'over': it needs phase:4.0",
    "4p realizing:9.9": "node '9.9' does not exist; allowed: 0, 1.0 to 1.5, 2.0 to 2.11, 3.0 to 3.17, 4.0 to 4.23",
    "4p realizing:2.3": "it needs the phase of its radius with all its 2 rounds completed, phase:0.2",
    "4p ask:jump.y": "question 'jump.y' is unknown; allowed: aside, tick, cross, support, links",
    "4p ask:tick.y": "question tick.y: the event atk must lie in the node of the y pawn",
    "4p ask:aside.y": "question aside.y: it needs realizing",
    "4p ask:" + ",".join(["aside.y"] * 9): "at most 8 questions can be pending",
    "4p y:9.1": "node '9.1' does not exist",
    "4p y:2.5/energy=40": "position token 'y:2.5/energy=40': energy '40' must be an integer from 0 to 39",
    "4p y:2.5/points=x": "points 'x' must be an integer from -127 to 127",
    "4p y:2.5/foo=1": "part 'foo' is unknown; allowed: energy, points, notes, hand, artifacts, pledge, gained",
    "4p y:2.5/energy=1/energy=2": "duplicate energy",
    "4p y:0/notes=1,2": "notes '1,2' must be 4 numbers",
    "4p y:0/hand=": "card '' does not exist; allowed: 0y to 9p, atk, sup, log, org",
    "4p y:0/hand=77o": "card '77o' does not exist",
    "4p y:0/hand=7g": "card '7g' does not exist",
    "4p y:0/hand=6?": "has 6 deck cards; at most 5 are allowed",
    "4p y:0/hand=9999999999?": "card '9999999999?' does not exist",
    "4p y:0/hand=atk,atk": "of atk, sup, log each may be in it once",
    "4p y:0/hand=org": "of atk, sup, log each may be in it once",
    "4p y:0/artifacts=blank": "artifact 'blank' does not exist; allowed: surge, cell, wings, amplifier, switch",
    "4p 1.2:7o": "position token '1.2': an event whose time has not come needs a stance",
    "4p phase:1.0 0:org/+": "position token '0': an event in the past needs /occurred or /failed",
    "4p phase:1.0 0:org/occurred 2.0:1y/occurred": "position token '2.0': an event whose time has not come needs a stance",
    "4p 1.2:7o^6/+y": "turn '6' must be 0 to 5",
    "4p 1.2:7o/+y/-o": "part '-o': duplicate stance",
    "4p 1.2:7o/+y/o+1/o-2": "duplicate impact of o",
    "4p 1.2:7o/+t": "colour 't' is not at this table",
    "4p 1.2:7o/+y/marks=+": "part 'marks=+' must be a stance such as +y, an impact such as y+2",
    "4p 1.2:7o/+y/yes=o+1,o-1": "part 'yes=o+1,o-1': duplicate o",
    "4p reinforced:1.0SE": "reinforcement '1.0SE' must be a node, a direction out of N NE SE S SW NW, and +1 to +4",
    "4p reinforced:1.0SE+5": "and +1 to +4, such as 2.5SE+1",
    "4p reinforced:1.0E+1": "a direction out of N NE SE S SW NW",
    "4p reinforced:4.0N+1": "reinforcement '4.0N+1': nothing lies beyond the edge",
    "4p y:0/artifacts=surge,cell,wings,switch": "are 4; at most 3 are allowed (T14)",
    "4p turn:o ask:tick.y y:1.0 1.0:atk/+y": "only the seat whose turn it is",
    "4p turn:y ask:cross.y,tick.y y:1.0 1.0:atk/+y": "one flexible event can ask",
    "4p turn:y ask:tick.y y:1.0 1.0:atk/+y/yes=o-1": "question tick.y: nobody may be on an arc of its event yet",
    "4p turn:y ask:tick.y y:1.0 1.0:atk/+y/no=o-1": "question tick.y: nobody may be on an arc of its event yet",
    "4p turn:y ask:support.y y:1.0 1.0:sup/+y/no=o+1": "question support.y: nobody may be on an arc of its event yet",
    "4p turn:y ask:cross.y y:1.0 1.0:atk/+y/yes=o-1/no=b-1": "question cross.y: nobody may be on the arc under the cross yet",
    "4p phase:1.2 realizing:1.0 ask:aside.y,aside.y y:1.0": "each displaced pawn is asked once",
    "4p turn:y phase:1.2 realizing:1.0 ask:aside.y y:1.0": "only the seat whose turn it is",
    "4p deck:atk": "position token 'deck:atk': card 'atk' is not a card of the deck",
    "4p deck:999?": "999 cards; at most",
    "4p discarded:999?": "999 cards; at most the",
    "4p y:0/pledge=y": "pledge 'y': a player names another (T28)",
    "4p y:0/pledge=t": "colour 't' is not at this table",
    "4p turn:y ask:tick.y+N y:1.0 1.0:atk/+y": "edges 'N' belong to the question links alone",
    "4p turn:y ask:links.y+N+N y:1.0 1.0:log/+y": "edges 'N+N' must be different ones out of N NE SE S SW NW",
    "4p bag:gold": "artifact 'gold' does not exist",
    "4p bag:999?": "999 tokens; at most 20 are allowed",
    "4p deck:999?,999?": "more than 1,000 cards or tokens are named",
    "4p seed:-1": "seed '-1' must be an integer from 0 to 18446744073709551615",
    "4p phase:0.2 realizing:0 ask:aside.y "
    + " ".join(
        f"1.{i}:empty" for i in range(6)
    ): "position token 'ask': the last question has no answer that is allowed",
    "4p phase:1.2 realizing:1.0 ask:aside.y y:1.0 o:1.1 1.2:empty 2.1:empty 2.2:empty 2.3:empty": (
        "position token '2.1': a pawn that is displaced from 1.1 needs a node that is not realized, one of 2.1 2.2 2.3 1.2"
    ),
    "4p phase:1.2 au:2 realizing:1.0 ask:aside.y y:1.0": "position token 'au': it belongs to a turn, and it is nobody's turn",
    "4p phase:4.0 over winged": "position token 'winged': it belongs to a turn",
    "4p turn:y phase:1.2 realizing:1.0": "position token 'turn:y': nobody has a turn while nodes are realized (T4)",
    "4p phase:4.3 realizing:4.0 ask:aside.y y:4.0": "'realizing:4.0': no pawn is asked to leave the last phase's nodes (T23)",
    "4p phase:1.2 realizing:1.0 ask:aside.b b:1.0 o:1.0": "'o:1.0': a pawn leaves a node that is realized: another node, or ask:aside.o",
    "4p phase:2.0 y:1.2": "position token 'y:1.2': a pawn leaves a node that is realized: another node, or ask:aside.y (T23)",
    "4p ask:links.y y:1.0 1.0:log/+y": "question links.y: a flexible event asks during a turn, such as turn:y",
    "4p turn:y ask:cross.y y:1.0 1.0:atk/+y": "question cross.y: another player must be on the arc under the tick, such as /yes=b-1",
    "4p turn:y ask:cross.y y:1.0 1.0:atk/+y/yes=y-1": "another player must be on the arc under the tick",
    "4p turn:y ask:cross.y y:1.0 1.0:atk/+y/yes=o-1,b-1": "another player must be on the arc under the tick",
    "4p 1.0:atk/+y/yes=b-1": "position token '1.0': atk names two other players, one on each arc, such as /yes=b-1/no=p-1 (T27)",
    "4p 1.0:atk/+y/yes=b-1/no=b-1": "atk names two other players",
    "4p 1.0:atk/+y/yes=b-1/no=y-1": "atk names two other players",
    "4p 1.0:atk/+y/yes=b-1/no=p-2": "atk names two other players",
    "4p 1.0:sup/+y": "position token '1.0': sup names one other player on one arc, such as /no=o+1 (T28)",
    "4p 1.0:sup/+y/yes=o+1/no=b+1": "sup names one other player on one arc",
    "4p 1.0:sup/+y/yes=y+1": "sup names one other player on one arc",
    "4p phase:1.0 0:org/+/occurred": "position token '0': stance and impacts have left an event of the past (T24)",
    "4p phase:1.0 0:org/y+1/occurred": "position token '0': stance and impacts have left an event of the past (T24)",
    "4p 1.2:7o/+y/o+9": "part 'o+9': an impact is 3 at most",
    "4p reinforced:1.0SE+2,1.1NW+1": "reinforcement '1.1NW+1': duplicate junction",
    "4p phase:2.0 reinforced:0N+2": "'reinforced': the tokens at 1.0S left with the realization of 1.0 (T24)",
    f"4p y:0/hand=0y deck:{RULES[0].deck_size}?": (
        f"'deck': in it, in hands, on the field and put away are {RULES[0].deck_size + 1} cards; the game has {RULES[0].deck_size}"
    ),
    f"4p 1.0:0y/+y deck:{RULES[0].deck_size}?": f"are {RULES[0].deck_size + 1} cards; the game has {RULES[0].deck_size}",
    "4p y:0/artifacts=surge bag:20?": "position token 'bag': in it and with the players are 21 tokens; the game has 20",
}


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_position_gives_one_line_that_names_the_token_and_what_is_allowed(text):
    with pytest.raises(ValueError) as raised:
        from_text(RULES, text)
    assert MALFORMED[text] in str(raised.value)
    assert str(raised.value).startswith("position token ") and "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ("{}", "4p {}", "4p y:1.0/{}", "4p deck:{}"))
def test_a_token_of_any_length_gives_a_line_that_can_be_read(text):
    with pytest.raises(ValueError, match=r"^position token 'x?.*… \([0-9,]+ characters\)") as raised:
        from_text(RULES, text.format("x" * 5000))
    assert len(str(raised.value)) < 1100


@pytest.mark.parametrize(
    "move",
    ["", "fly", "move E", "move NE NE", "impact 2", "organize 7o@1 turn 3 yes", "organize 7o turn 9 yes", "pass."],
)
def test_a_move_that_is_not_legal_gives_one_line_with_those_that_are(move):
    s = position("4p phase:1.0 y:1.0/energy=39/hand=7o 0:org/occurred")
    with pytest.raises(ValueError, match=r"^move .* is not legal; legal: pass, move N, move NE, ") as raised:
        action_from_text(RULES, s, move)
    assert repr(move) in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("card", ["atk", "sup"])
@pytest.mark.parametrize("text", ["2p y:1.0/hand={}/energy=39", "2p turn:y ask:tick.y y:1.0 1.0:{}/+y"])
def test_a_game_of_two_players_has_neither_attacking_nor_supporting_events(text, card):
    """T6. Nobody could be put on an attack's second arc: the game would be stuck."""
    with pytest.raises(ValueError, match=rf"card '{card}' is not in a game of two players"):
        from_text(GAME.load_rules(2), text.format(card))


@pytest.mark.parametrize(
    ("players", "numbers", "text", "why"),
    [
        (3, {"player": {"most_cards": 3}}, "3p y:0 o:0/hand=4?", "hand '4?' has 4 deck cards; at most 3 are allowed"),
        (3, {"agreements": {"pledges": 0}}, "3p y:0/pledge=o", "pledge 'o': nobody pledges in this game (T28)"),
        (2, None, "2p y:0/pledge=o", "pledge 'o': nobody pledges in this game (T28)"),
    ],
)
def test_what_these_rules_have_not_is_refused(players, numbers, text, why):
    """A hand larger than a variant's would never be full: the next card would be written beside it."""
    with pytest.raises(ValueError, match=re.escape(why)):
        from_text(GAME.load_rules(players, numbers), text)


def test_no_move_is_legal_when_the_game_is_over():
    with pytest.raises(ValueError, match="the game is over"):
        action_from_text(RULES, position("4p phase:4.0 over"), "pass")


def test_equal_cards_of_a_hand_are_told_apart_by_their_place():
    s = position("4p phase:1.0 y:1.0/energy=13/hand=0o,1b,0o 0:org/occurred")
    assert {move.split()[1] for move in legal_moves(s) if move.startswith("organize")} == {"0o@1", "1b", "0o@3"}


@pytest.mark.parametrize("viewer", [9, 4, -1, "y"])
def test_a_viewer_who_is_no_seat_is_refused(viewer):
    with pytest.raises(ValueError, match=f"^viewer {viewer!r} must be None or a seat from 0 to 3$"):
        to_text(RULES, position("4p y:0/hand=7o"), viewer)


def test_the_text_of_every_action_names_it_alone():
    for hand in ("7o,1b,2y,3y,4y,atk,sup,log", "7o,7o,7o,7o,7o,atk,sup,log"):
        s = position(f"4p y:0/hand={hand} 0:org/+")
        texts = [action_to_text(RULES, s, action) for action in range(GAME.num_actions(4))]
        assert len(set(texts)) == len(texts)


def test_the_examples_of_positions_in_the_docs_read_and_round_trip():
    examples = blocks("position")
    assert len(examples) >= 5
    for example in examples:
        rules = GAME.load_rules(num_players_in(example))
        states = from_text(rules, example)
        assert from_text(rules, to_text(rules, states[0])).tobytes() == states.tobytes(), example


def test_the_examples_of_moves_in_the_docs_are_texts_of_actions():
    moves = DOCS.read_text(encoding="utf-8").partition("## Moves")[2].partition("\n## ")[0]
    rows = [line for line in moves.splitlines() if line.startswith("| `")]
    examples = [move for row in rows for move in re.findall("`([^`]+)`", row.split("|")[1])]
    examples += re.findall("`(organize [^`]+@[^`]+)`", moves)
    known = set()
    for hand in ("7o,1b,2y", "7o,1b,7o"):
        s = position(f"4p y:0/hand={hand} 0:org/+")
        known |= {action_to_text(RULES, s, action) for action in range(GAME.num_actions(4))}
    assert set(examples) <= known
    assert {example.split()[0] for example in examples} == {text.split()[0] for text in known}
    assert list(WRITERS) == list(GAME.codec.ranges)


def test_the_python_in_the_docs_runs():
    names = {}
    for block in blocks("python"):
        exec(compile(block, str(DOCS), "exec"), names)
    assert names["states"].dtype.names == STATE.names


def test_every_token_and_part_is_told_in_the_docs():
    text = DOCS.read_text(encoding="utf-8")
    for name in [*READERS, *PLAYER_READERS, *ASKED.values()]:
        assert re.search(rf"`[^`]*\b{name}\b[^`]*`", text), name
    assert all(
        name in text for name in ("atk", "sup", "log", "org", "empty", "occurred", "failed", "marks=", "yes=", "no=")
    )
