"""What a seat may see, as named pieces of one flat int8 buffer. Hiding happens here and nowhere else.

Seats are relative: the viewer is 0, the next player round the table 1, and so on.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import questions
from timeline_env.engine.graph import Nodes, no_edges, one_hot
from timeline_env.engine.jit import inlined_rule, rule
from timeline_env.engine.memory import clear_run, copy_run, run_of
from timeline_env.engine.pieces import Layout
from timeline_env.timeline import board, numbers, state
from timeline_env.timeline.actions import CODEC
from timeline_env.timeline.flexible import is_reinforced_alone
from timeline_env.timeline.impact import opposite_direction
from timeline_env.timeline.legal import list_legal
from timeline_env.timeline.numbers import load_rules
from timeline_env.timeline.realize import points_for
from timeline_env.timeline.turn import seat_after

CLOCK = (
    "phase 0",
    "phase 1",
    "phase 2",
    "phase 3",
    "phase 4",
    "rounds left in the phase, this one included",
    "turns left in the round, this one included",
    "action units left",
    "free moves (wings)",
    "cards left in the deck (127: or more)",
    "tokens left in the bag",
)
QUESTIONS = (
    "turn",
    "displaced pawn",
    "attack: arc under the tick",
    "attack: arc under the cross",
    "support",
    "logistic link",
)
SEAT = (
    "energy",
    "points",
    "deck cards in hand",
    "attacking held",
    "supporting held",
    "logistic held",
    "surge",
    "cell",
    "wings",
    "amplifier",
    "switch",
    "note 1",
    "note 2",
    "note 3",
    "note 4",
)
PLACE = (
    "open to pawns",
    "event",
    "outcome",
    "stance",
    "points for the viewer if it occurs",
    "if it does not",
    "realization points as the field stands",
    "impact of the viewer",
    "mark here facing the viewer's node",
    "mark on the viewer's node facing here",
    "reinforcement of the junction",
    "later than the viewer's node",
    "reinforced without a mark by the organizer who is asked (logistic)",
)
NODE_PLANE_NAMES = (
    "event",
    "realized",
    "outcome",
    "stance",
    *(f"mark {direction}" for direction in range(board.DIRECTIONS)),
    *(f"reinforcement {direction}" for direction in range(board.DIRECTIONS)),
)
SEAT_PLANE_NAMES = ("organizer", "impact", "points if it occurs", "points if it does not", "pawn")


(
    OPEN, EVENT, OUTCOME, STANCE, IF_YES, IF_NO, STANDING, IMPACT, MARK_THERE, MARK_HERE, REINFORCEMENT, LATER, ALONE,
) = range(len(PLACE))  # fmt: skip
"""Where in a row of the piece ``near`` each of `PLACE` lies; likewise below for `CLOCK` and `SEAT`."""
NEAR = (1 + board.DIRECTIONS) * len(PLACE)
"""How many numbers the piece ``near`` has."""
LATER_ALONE = np.zeros((board.NODES, NEAR), np.int8)
"""The piece for a pawn in each node with nothing but "later" in it; int8 [61, NEAR]."""
LATER_ALONE.reshape(board.NODES, 1 + board.DIRECTIONS, len(PLACE))[:, 1:, LATER] = board.LATER
LOWEST_BIT = np.array([(bits & -bits).bit_length() - 1 for bits in range(2 ** (1 + board.DIRECTIONS))], np.int64)
"""The first of a set of places in ``near`` (a bit each); -1 for the empty set."""
ROUNDS_LEFT, TURNS_LEFT, AU, WINGED, DECK, BAG = range(board.RADII, len(CLOCK))
ENERGY, POINTS, IN_HAND, FLEXIBLE = range(4)
ARTIFACTS = FLEXIBLE + state.FLEXIBLE_KINDS
NOTES = ARTIFACTS + state.ARTIFACT_KINDS


@cache
def layout(num_players: int) -> Layout:
    """The observation's pieces for this number of players. All are int8; `P` is the number of players."""
    scale = scales(num_players)
    planes = state.NODE_PLANES + num_players * len(SEAT_PLANE_NAMES)
    return Layout(
        ("clock", (len(CLOCK),), "; ".join(CLOCK), scale["clock"], CLOCK),
        ("question", (len(QUESTIONS),), "one-hot, what is asked: " + "; ".join(QUESTIONS), 1, QUESTIONS),
        ("to_act", (num_players,), "one-hot, the seat that decides", 1),
        (
            "first",
            (num_players,),
            "one-hot, the seat that began the round; while nodes are realized, the one that begins the next",
            1,
        ),
        ("seats", (num_players, len(SEAT)), "for each seat: " + "; ".join(SEAT), scale["seats"], SEAT),
        (
            "pledges",
            (num_players, num_players),
            "for each seat, one-hot: the seat that it has pledged to name; zeros for none",
            1,
        ),
        (
            "hand",
            (state.MOST_CARDS, numbers.FACE + 2 * num_players),
            "the viewer's deck cards: present; marks 0-5; radii 1-4; linked circles; artifact sign; points for each seat if it occurs; if it does not",
            scale["hand"],
        ),
        (
            "near",
            (1 + board.DIRECTIONS, len(PLACE)),
            "the viewer's node, then its six neighbours: " + "; ".join(PLACE),
            scale["near"],
            PLACE,
        ),
        (
            "planes",
            (planes, board.NODES),
            "for all: "
            + ", ".join(NODE_PLANE_NAMES)
            + "; then each of these for every seat: "
            + ", ".join(SEAT_PLANE_NAMES),
            scale["planes"],
            (
                *NODE_PLANE_NAMES,
                *(f"{name} of seat {seat}" for name in SEAT_PLANE_NAMES for seat in range(num_players)),
            ),
        ),
    )


def places(num_players: int, most: int) -> NDArray[np.int64]:
    """Where each number of an observation for `num_players` lies in one for `most` players, who are as many or more.

    Seats are relative, so every seat that is there keeps its number; int64 [layout(num_players).size].
    """
    few, many = layout(num_players), layout(most)
    seats, faces, planes = np.arange(num_players), np.arange(numbers.FACE), np.arange(state.NODE_PLANES)
    cut: dict[str, Any] = {
        "hand": (slice(None), np.concatenate([faces, *(numbers.FACE + arc * most + seats for arc in range(2))])),
        "planes": np.concatenate(
            [planes, *(state.NODE_PLANES + kind * most + seats for kind in range(len(SEAT_PLANE_NAMES)))]
        ),
    }
    found = []
    for piece in few:
        wide = np.arange(many.size)[many[piece.name].slice].reshape(many[piece.name].shape)
        found.append(wide[cut.get(piece.name, tuple(map(slice, piece.shape)))].reshape(-1))
    return np.concatenate(found)


MOST_IN_BYTE = 127
MOST_IMPACT = 3
MUCH = 25
"""A number that a player's points, and a node's realization points, hardly ever exceed."""


def scales(num_players: int) -> dict[str, list[Any]]:
    """The greatest absolute value of each name above in the game as it is, by piece, for `Layout.scale`."""
    rules = load_rules(num_players)[0]
    cards = int(max(np.abs(rules.if_yes).max(), np.abs(rules.if_no).max()))
    energy, kept, in_hand = int(rules.most_energy), int(rules.most_kept), int(rules.most_cards)
    au = int(rules.action_units + kept * rules.surge_au)
    deck = min(int(rules.deck_size - num_players * rules.start_cards), MOST_IN_BYTE)
    clock = [1] * board.RADII + [int(rules.rounds.max()), num_players, au, 1, deck, int(rules.bag_size)]
    seat = (
        [energy, MUCH, in_hand]
        + [1] * state.FLEXIBLE_KINDS
        + [kept] * state.ARTIFACT_KINDS
        + [MUCH] * (board.RADII - 1)
    )
    place = [1, 1, 1, 1, cards, cards, MUCH, MOST_IMPACT, 1, 1, numbers.MOST_REINFORCEMENT, 1, 1]
    node = [1] * (4 + board.DIRECTIONS) + [numbers.MOST_REINFORCEMENT] * board.DIRECTIONS
    planes = node + [kind for kind in (1, MOST_IMPACT, cards, cards, 1) for _ in range(num_players)]
    return {
        "clock": clock,
        "seats": seat,
        "hand": [1] * numbers.FACE + [cards] * (2 * num_players),
        "near": place,
        "planes": [[plane] for plane in planes],
    }


@cache
def nodes(num_players: int) -> tuple[Nodes, ...]:
    """The field: a kind of edge for each of the six directions; the radius is known; the viewer's pawn marks the viewer's node."""
    here = state.NODE_PLANES + SEAT_PLANE_NAMES.index("pawn") * num_players
    return (Nodes(("planes",), board.NEIGHBOUR.T[:, :, None], one_hot(board.RADIUS), here),)


@cache
def candidates(num_players: int) -> tuple[Nodes, ...]:
    """The deck cards in hand, each with the ways to organize it; nothing but the observation tells them apart."""
    organize = CODEC["organize"]
    ways = np.arange(organize.start, organize.start + organize.size).reshape(organize.shape[0], -1)
    unknown = np.zeros((state.MOST_CARDS, 0), np.float32)
    return (Nodes(("hand",), no_edges(state.MOST_CARDS), unknown, actions=ways[: state.MOST_CARDS]),)


@rule
def observe(rules, s, seat, out):
    """What `seat` may see; int8 [layout(num_players).size], written in place.

    The pieces follow each other in the order of `layout`; every function writes its piece and returns the next one's start.
    """
    at = write_clock(rules, s, out, 0)
    at = write_question(s, out, at)
    at = write_turn_order(rules, s, seat, out, at)
    for steps in range(rules.num_players):
        at = write_seat(s, seat_after(rules, seat, steps), out, at)
    at = write_pledges(rules, s, seat, out, at)
    for place in range(state.MOST_CARDS):
        at = write_card(rules, seat, s.hand[seat, place], out, at)
    at = write_near(rules, s, seat, out, at)
    at = copy_run(s.node_planes, 0, state.NODE_PLANES * board.NODES, out, at)
    for kind in range(state.SEAT_PLANES):
        at = write_seat_planes(rules, s, kind, seat, out, at)
    write_pawns(rules, s, seat, out, at)


@rule
def write_clock(rules, s, out, at):
    """Piece ``clock``."""
    row = run_of(out, at, len(CLOCK))
    for phase in range(board.RADII):
        row[phase] = s.phase == phase
    row[ROUNDS_LEFT] = rules.rounds[s.phase] - s.lap
    row[TURNS_LEFT] = rules.num_players - s.turns
    row[AU] = s.au
    row[WINGED] = s.winged
    row[DECK] = min(rules.deck_size - s.drawn, MOST_IN_BYTE)
    row[BAG] = rules.bag_size - s.bag_drawn
    return at + len(CLOCK)


@rule
def write_question(s, out, at):
    """Piece ``question``."""
    row = run_of(out, at, state.LINKS)
    asked = questions.top(s, questions.KIND)
    for kind in range(1, state.LINKS + 1):
        row[kind - 1] = asked == kind
    return at + state.LINKS


@rule
def write_turn_order(rules, s, seat, out, at):
    """Pieces ``to_act`` and ``first``."""
    to_act, first = run_of(out, at, rules.num_players), run_of(out, at + rules.num_players, rules.num_players)
    acting = questions.top(s, questions.SEAT)
    for steps in range(rules.num_players):
        player = seat_after(rules, seat, steps)
        to_act[steps] = acting == player
        first[steps] = s.first == player
    return at + 2 * rules.num_players


@rule
def write_seat(s, player, out, at):
    """One row of the piece ``seats``: what everybody knows of a player."""
    row = run_of(out, at, len(SEAT))
    row[ENERGY] = s.energy[player]
    row[POINTS] = s.points[player]
    row[IN_HAND] = s.held[player]
    for kind in range(state.FLEXIBLE_KINDS):
        row[FLEXIBLE + kind] = s.flexible[player, kind]
    for kind in range(state.ARTIFACT_KINDS):
        row[ARTIFACTS + kind] = s.artifact[player, kind]
    for phase in range(board.RADII - 1):
        row[NOTES + phase] = s.note[phase, player]
    return at + len(SEAT)


@rule
def write_pledges(rules, s, seat, out, at):
    """Piece ``pledges``."""
    end = clear_run(out, at, rules.num_players * rules.num_players)
    for steps in range(rules.num_players):
        named = s.pledge[seat_after(rules, seat, steps)]
        if named != state.NOBODY:
            out[at + steps * rules.num_players + seat_after(rules, named, rules.num_players - seat)] = 1
    return end


@rule
def write_card(rules, seat, card, out, at):
    """One row of the piece ``hand``; zeros where there is no card."""
    size = numbers.FACE + 2 * rules.num_players
    if card == state.NO_CARD:
        return clear_run(out, at, size)
    return copy_run(rules.in_hand[card, seat], 0, size, out, at)


@rule
def write_near(rules, s, seat, out, at):
    """Piece ``near``: the field as seen from the viewer's pawn; zeros beyond the edge, except "later" and the mark on the viewer's node."""
    here = s.pawn[seat]
    end = copy_run(LATER_ALONE[here], 0, NEAR, out, at)
    undecided = write_place(s, seat, here, run_of(out, at, len(PLACE)))
    for place in range(1, 1 + board.DIRECTIONS):
        row_of(out, at, place)[MARK_HERE] = s.mark[place - 1, here]
    for i in range(board.COUNT_OF_NEIGHBOURS[here]):
        direction = board.ON_FIELD[here, i]
        node = board.NEIGHBOUR[here, direction]
        row = row_of(out, at, 1 + direction)
        undecided |= write_place(s, seat, node, row) << (1 + direction)
        row[MARK_THERE] = s.mark[opposite_direction(direction), node]
        row[REINFORCEMENT] = s.reinforcement[direction, here]
    while undecided:
        place = LOWEST_BIT[undecided]
        undecided &= undecided - 1
        node = board.NEIGHBOUR[here, place - 1] if place else here
        row_of(out, at, place)[STANDING] = points_for(rules, s, node)
    if questions.top(s, questions.KIND) == state.LINKS and s.pawn[questions.top(s, questions.SEAT)] == here:
        for direction in range(board.DIRECTIONS):
            row_of(out, at, 1 + direction)[ALONE] = is_reinforced_alone(s, direction)
    return end


@inlined_rule
def row_of(out, at, place):
    """A row of the piece ``near``, which begins at `at`: 0 the viewer's node, then its neighbours."""
    return run_of(out, at + place * len(PLACE), len(PLACE))


@rule
def write_place(s, seat, node, row):
    """Write what a row of the piece ``near`` says of the node by itself; return 1 if an undecided event lies there, else 0."""
    row[OPEN] = 1 - s.realized[node]
    row[EVENT] = s.event[node]
    row[OUTCOME] = s.outcome[node]
    row[STANCE] = s.stance[node]
    row[IF_YES] = s.if_yes[seat, node]
    row[IF_NO] = s.if_no[seat, node]
    row[IMPACT] = s.impact[seat, node]
    return s.event[node] & (1 - s.realized[node])


@rule
def write_seat_planes(rules, s, kind, seat, out, at):
    """One plane of a kind (0 organizer, 1 impact, 2 if_yes, 3 if_no) for each seat, the viewer's first."""
    start = kind * state.MAX_PLAYERS * board.NODES
    at = copy_run(s.seat_planes, start + seat * board.NODES, (rules.num_players - seat) * board.NODES, out, at)
    return copy_run(s.seat_planes, start, seat * board.NODES, out, at)


@rule
def write_pawns(rules, s, seat, out, at):
    """One plane for each seat, 1 in its pawn's node."""
    clear_run(out, at, rules.num_players * board.NODES)
    for steps in range(rules.num_players):
        out[at + steps * board.NODES + s.pawn[seat_after(rules, seat, steps)]] = 1


@rule
def hide(rules, s, seat):
    """Wipe out what `seat` does not know: the other hands' deck cards, the deck, the bag, the seed, and the generator.

    The numbers of cards stay. Unknown cards are -1, which can be drawn and held but not organized; unknown tokens are
    blanks. So the position can still be played on, without anything hidden coming to light.
    """
    s.seed = 0
    s.rng = 0
    for player in range(rules.num_players):
        if player != seat:
            for place in range(state.MOST_CARDS):
                s.hand[player, place] = state.NO_CARD
    for i in range(state.MOST_DECK):
        s.deck[i] = state.NO_CARD
    for i in range(state.MOST_BAG):
        s.bag[i] = state.BLANK if s.bag_drawn <= i < rules.bag_size else state.NO_CARD
    # What another player may do would reveal the cards in that player's hand.
    if s.depth > 0 and questions.top(s, questions.SEAT) != seat:
        list_legal(rules, s)
