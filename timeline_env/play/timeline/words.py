"""Timeline in words: cards, links, prices, what stands where."""

from __future__ import annotations

from typing import Any

from timeline_env.timeline import board, numbers, state
from timeline_env.timeline.flexible import logistic_strength
from timeline_env.timeline.impact import opposite_direction
from timeline_env.timeline.organize import card_at as place_in_hand
from timeline_env.timeline.realize import link_sign, link_strength, points_for
from timeline_env.timeline.score import rank_of
from timeline_env.timeline.text import names
from timeline_env.view.counts import count
from timeline_env.view.timeline.face import SPECIAL, pending_question, radii

ENDS = ("pulls towards ✓: it occurs", "pulls towards ✗: it does not occur")
TIES = ("it occurs at 0", "it does not occur at 0")
HAPPENS = ("occurs", "does not occur")
COLOURS = ("helps", "works against")
FLEXIBLE = {
    state.ATTACKING: "its organizer then names who loses a point if it occurs, and who if it does not",
    state.SUPPORTING: "its organizer then names who gains a point, and in which case",
    state.LOGISTIC: "scores nobody; its organizer then sets its links",
}


def price(au: int, energy: int) -> str:
    """``1 AU, 2 energy``."""
    return f"{au} AU, {energy} energy"


def write_signed(number: int) -> str:
    """``+2``, ``0``, ``-1``."""
    return f"{number:+d}" if number else "0"


def card_at(s: Any, seat: int, place: int) -> int:
    """The card at a place of the hand, as actions count places."""
    return int(place_in_hand(s, seat, place))


def arcs(points: Any, num_players: int) -> str:
    """``yellow +2``; ``nobody`` for an empty arc."""
    told = [
        f"{state.SEAT_NAMES[seat]} {write_signed(int(points[seat]))}" for seat in range(num_players) if points[seat]
    ]
    return ", ".join(told) or "nobody"


def card(rules: Any, number: int) -> str:
    """What can be read on a card."""
    r = rules[0]
    if number in FLEXIBLE:
        parts = [f"{SPECIAL[number]}: {FLEXIBLE[number]}"]
    else:
        yes, no = (arcs(points[number], int(r.num_players)) for points in (r.if_yes, r.if_no))
        parts = [f"✓ {yes}, ✗ {no}"]
    where = radii(r, number)
    if len(where) < board.RADII - 1:
        parts.append(f"on radius {' or '.join(map(str, where))} only")
    if r.linked[number]:
        parts.append("not in the last round of its phase")
    if r.gives_artifact[number]:
        parts.append("its organizer draws from the bag")
    return "; ".join(parts)


def link(node: int, direction: int, hindrance: int) -> str:
    """What a cause (0) or a hindrance (1) on this edge of a node means: the earlier event acts on the later one (T17)."""
    if board.NEIGHBOUR[node, direction] < 0:
        return "beyond it the field ends"
    first, then = ("here", "there") if board.LATER[node, direction] else ("there", "here")
    return f"what happens {first} {COLOURS[hindrance]} what happens {then}"


def links(rules: Any, number: int, node: int, turn: int) -> str:
    """What the marks of a card would link if it were laid in a node, turned so."""
    told = []
    for edge in range(board.DIRECTIONS):
        mark = int(rules[0].mark[number, edge])
        direction = (edge + turn) % board.DIRECTIONS
        other = int(board.NEIGHBOUR[node, direction])
        if mark:
            there = "beyond the field" if other < 0 else names.NODE_NAMES[other]
            way = "for" if board.LATER[node, direction] else "from"
            told.append(f"{'cause' if mark > 0 else 'hindrance'} {way} {there}")
    return ", ".join(told) or "no links"


def pull(s: Any, node: int, direction: int) -> int:
    """How strong a link over this edge is, or would be."""
    return int(link_strength(s, node, direction))


def linked_strength(s: Any, node: int) -> int:
    """The strength that the links of the logistic event being set have so far."""
    return int(logistic_strength(s, node))


def edge(s: Any, node: int, direction: int) -> str:
    """What lies on an edge."""
    other = int(board.NEIGHBOUR[node, direction])
    marks = [int(s.mark[direction, node])]
    if other >= 0:
        marks.append(int(s.mark[opposite_direction(direction), other]))
    signs = ["cause" if mark > 0 else "hindrance" for mark in marks if mark]
    return f"{' and '.join(signs) or 'no mark'}, strength {pull(s, node, direction)}"


def describe_standing(rules: Any, s: Any, node: int) -> str:
    """Where an event stands: links with what is realized, and impacts."""
    return f"it stands at {write_signed(int(points_for(rules[0], s, node)))}"


def describe_node(rules: Any, s: Any, node: int) -> str:
    """What lies in a node."""
    if not s.event[node]:
        return "nothing lies there"
    r = rules[0]
    yes, no = (arcs(points[:, node], int(r.num_players)) for points in (s.if_yes, s.if_no))
    return f"an event: ✓ {yes}, ✗ {no}; {describe_standing(rules, s, node)}"


def describe_points(s: Any, seat: int) -> str:
    """A player's points."""
    return f"has {count(int(s.points[seat]), 'point')}"


def list_terms(rules: Any, s: Any, node: int) -> list[str]:
    """The parts of an event's sum: each link with a realized neighbour, each impact."""
    told = []
    for direction in range(board.DIRECTIONS):
        sign = int(link_sign(s, node, direction))
        if sign:
            other = names.NODE_NAMES[int(board.NEIGHBOUR[node, direction])]
            told.append(f"{write_signed(sign * pull(s, node, direction))} from {other}")
    for seat in range(int(rules[0].num_players)):
        if s.impact[seat, node]:
            told.append(f"{write_signed(int(s.impact[seat, node]))} by {state.SEAT_NAMES[seat]}")
    return told


def prompt(rules: Any, s: Any, viewer: int | None) -> str:
    """What is asked of whom, as a sentence."""
    kind, seat = pending_question(s)
    if kind < 0:
        return final(rules, s)
    you = seat == viewer
    node = names.NODE_NAMES[int(s.pawn[seat])]
    left = f"{count(int(s.au), 'action unit')} and {s.energy[seat]} energy left"
    sentences = {
        state.TURN: ("Your turn: {left}.", "It is {who}'s turn: {left}."),
        state.DISPLACED: (
            "Node {node} was realized: step aside, free of charge.",
            "{who} steps aside from node {node}, which was realized.",
        ),
        state.ATTACK_TICK: ("Who loses a point if it occurs?", "{who} names who loses a point if {node} occurs."),
        state.ATTACK_CROSS: (
            "And who loses a point if it does not occur?",
            "{who} names who loses a point if {node} does not occur.",
        ),
        state.SUPPORT: ("Who gains a point, and in which case?", "{who} names who gains a point at {node}."),
        state.LINKS: (
            "Set the links of your logistic event: the first leads back, strength {limit} each, {total} in all.",
            "{who} sets the links of the logistic event at {node}.",
        ),
    }
    parts = {
        "who": state.SEAT_NAMES[seat].capitalize(),
        "node": node,
        "left": left,
        "limit": numbers.LOGISTIC_LINK,
        "total": numbers.LOGISTIC_TOTAL,
    }
    return sentences[kind][0 if you else 1].format(**parts)


def final(rules: Any, s: Any) -> str:
    """Who has won."""
    order = sorted((float(rank_of(rules[0], s, seat)), seat) for seat in range(int(rules[0].num_players)))
    told = ", ".join(f"{state.SEAT_NAMES[seat]} {s.points[seat]}" for _, seat in order)
    first = [state.SEAT_NAMES[seat] for rank, seat in order if rank == order[0][0]]
    wins = (
        f"{first[0].capitalize()} wins"
        if len(first) == 1
        else f"{' and '.join(first).capitalize()} share the first place"
    )
    return f"The game is over. {wins}: {told} points."
