"""Whether the tokens of a position agree with each other. Each check raises a ValueError that names a token and the rule.

Not checked, among others: who begins the round (T8), how a card is turned (T11), the radii that it names (T13), and whether
the deck, the bag and the field have held these very cards and tokens.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine import questions
from timeline_env.timeline import board, state
from timeline_env.timeline.text import names, read_tokens


def check_whole(rules: Any, s: Any) -> None:
    """Raise ValueError unless the position as it was read is one that can be played on."""
    asked = [(int(kind), int(seat)) for kind, seat, _ in s.question[: s.depth]]
    check_piles(rules, s)
    check_events(s)
    check_reinforcements(s)
    check_ways_out(s)
    check_order(asked)
    for kind, seat in asked:
        check_question(s, kind, seat)
    check_pawns(s, asked)


def first_unrealized(s: Any) -> int:
    """Every node before this one is realized: those of the phases gone by, and up to the one being realized."""
    if s.over:
        return board.NODES
    return int(s.realizing) + 1 if s.realizing >= 0 else int(board.FIRST[s.phase])


def check_time(rules: Any, s: Any) -> None:
    """Raise ValueError unless phase, rounds, the node being realized and the end of the game agree."""
    rounds = int(rules.rounds[s.phase])
    if s.over:
        if (s.phase, s.lap, s.realizing, s.depth) != (board.RADII - 1, 0, -1, 0):
            raise ValueError(f"position token 'over': it needs phase:{board.RADII - 1}.0, and nobody is asked anything")
    elif s.realizing >= 0:
        if board.RADIUS[s.realizing] != s.phase or s.lap != rounds or s.depth == 0:
            raise ValueError(
                f"position token 'realizing:{names.NODE_NAMES[s.realizing]}': it needs the phase of its radius with all its "
                f"{rounds} rounds completed, phase:{s.phase}.{rounds}, and a pawn that is asked, such as ask:aside.y"
            )
        if s.phase == board.RADII - 1:
            raise ValueError(
                f"position token 'realizing:{names.NODE_NAMES[s.realizing]}': no pawn is asked to leave the last phase's nodes (T23)"
            )
    elif s.lap >= rounds:
        raise ValueError(f"position token 'phase:{s.phase}.{s.lap}': phase {s.phase} has the rounds 0 to {rounds - 1}")


def check_piles(rules: Any, s: Any) -> None:
    """Raise ValueError if there are more cards of the deck, or more tokens of the bag, than the game has (T7, T14)."""
    left = int(rules.deck_size) - int(s.drawn)
    laid = int(((s.card >= 0) & (s.card < state.ATTACKING)).sum())
    cards = left + int(s.discarded) + int(s.held.sum()) + laid
    if cards > rules.deck_size:
        raise ValueError(
            f"position token 'deck': in it, in hands, on the field and put away are {cards} cards; the game has {rules.deck_size}"
        )
    tokens = int(rules.bag_size) - int(s.bag_drawn) + int(s.artifact.sum())
    if tokens > rules.bag_size:
        raise ValueError(
            f"position token 'bag': in it and with the players are {tokens} tokens; the game has {rules.bag_size}"
        )


def check_events(s: Any) -> None:
    """Raise ValueError unless events have a stance until their time has come (T12), and then an outcome (T21) and no tokens (T24)."""
    past = first_unrealized(s)
    for node in map(int, np.flatnonzero(s.event)):
        name = f"position token '{names.NODE_NAMES[node]}'"
        if node < past and not s.outcome[node]:
            raise ValueError(f"{name}: an event in the past needs /occurred or /failed")
        if node < past and node != s.realizing and (s.stance[node] or s.impact[:, node].any()):
            raise ValueError(f"{name}: stance and impacts have left an event of the past (T24)")
        if node >= past and not s.stance[node]:
            raise ValueError(f"{name}: an event whose time has not come needs a stance, such as /+y or /-")
        if node >= past and not is_asking(s, node):
            check_arcs(s, node, name)


def is_asking(s: Any, node: int) -> bool:
    """Whether the organizer of the event in this node is still asked about it."""
    kind, seat, _ = s.question[s.depth - 1]
    return s.depth > 0 and kind in read_tokens.ASKED_BY and s.pawn[seat] == node


def check_arcs(s: Any, node: int, name: str) -> None:
    """Raise ValueError unless an attacking event names two other players (T27), and a supporting event one (T28)."""
    yes, no = ({seat: points for seat, points in enumerate(arc[:, node]) if points} for arc in (s.if_yes, s.if_no))
    own = {*np.flatnonzero(s.organizer[:, node])} & {*yes, *no}
    if s.card[node] == state.ATTACKING and (own or {*yes} & {*no} or [*yes.values()] != [-1] or [*no.values()] != [-1]):
        raise ValueError(f"{name}: atk names two other players, one on each arc, such as /yes=b-1/no=p-1 (T27)")
    if s.card[node] == state.SUPPORTING and (own or [*yes.values(), *no.values()] != [1]):
        raise ValueError(f"{name}: sup names one other player on one arc, such as /no=o+1 (T28)")


def check_reinforcements(s: Any) -> None:
    """Raise ValueError if tokens lie on a junction that they have left, as its later node has been realized (T24)."""
    past = first_unrealized(s)
    for direction, node in np.argwhere(s.reinforcement):
        other = int(board.NEIGHBOUR[node, direction])
        if other < node < past and node != s.realizing:
            there = f"{names.NODE_NAMES[node]}{names.COMPASS[direction]}"
            raise ValueError(
                f"position token 'reinforced': the tokens at {there} left with the realization of {names.NODE_NAMES[node]} (T24)"
            )


def check_pawns(s: Any, asked: list[tuple[int, int]]) -> None:
    """Raise ValueError if a pawn stands in the past and is not asked to leave (T23). A pawn that no token mentions stands in the centre."""
    for seat, node in enumerate(s.pawn):
        if node > 0 and s.realized[node] and (state.DISPLACED, seat) not in asked and not s.over:
            colour, name = names.COLOURS[seat], names.NODE_NAMES[node]
            raise ValueError(
                f"position token '{colour}:{name}': a pawn leaves a node that is realized: another node, or ask:aside.{colour} (T23)"
            )


def check_ways_out(s: Any) -> None:
    """Raise ValueError unless every displaced pawn will find a later unrealized node (T23), as it does where nothing is realized early."""
    open_later = (np.arange(board.NODES)[:, None] < board.NEIGHBOUR) & (s.realized[board.NEIGHBOUR] == 0)
    for node in range(first_unrealized(s), int(board.FIRST[board.RADII - 1])):
        if not open_later[node].any():
            around = " ".join(names.NODE_NAMES[other] for other in board.NEIGHBOUR[node] if other > node)
            raise ValueError(
                f"position token '{around.split()[0]}': a pawn that is displaced from {names.NODE_NAMES[node]} needs a node "
                f"that is not realized, one of {around}"
            )


def check_order(asked: list[tuple[int, int]]) -> None:
    """Raise ValueError if a pawn is asked twice, two flexible events ask at once, or one asks out of its seat's turn (T23, T27–T29)."""
    seats = [seat for kind, seat in asked if kind == state.DISPLACED]
    if len(seats) > len(set(seats)):
        raise ValueError("position token 'ask': each displaced pawn is asked once")
    events = [kind for kind, _ in asked if kind in read_tokens.ASKED_BY]
    turns = {seat for kind, seat in asked if kind == state.TURN or kind in read_tokens.ASKED_BY}
    if len(events) > 1 or len(turns) > 1 or (turns and seats):
        raise ValueError("position token 'ask': one flexible event can ask, and only the seat whose turn it is")


def check_question(s: Any, kind: int, seat: int) -> None:
    """Raise ValueError unless a displaced pawn stands in the node being realized, and a flexible event that asks lies under its organizer's pawn (T23, T27–T29)."""
    colour = names.COLOURS[seat]
    if kind == state.TURN:
        if s.realizing >= 0:
            raise ValueError(f"position token 'turn:{colour}': nobody has a turn while nodes are realized (T4)")
        return
    name = f"position token 'ask': question {read_tokens.ASKED[kind]}.{colour}"
    if kind == state.DISPLACED:
        if s.realizing < 0 or s.pawn[seat] != s.realizing:
            raise ValueError(f"{name}: it needs realizing: the node of the {colour} pawn")
    elif s.realizing >= 0 or s.card[s.pawn[seat]] != read_tokens.ASKED_BY[kind]:
        event = names.SPECIAL[read_tokens.ASKED_BY[kind] - state.ATTACKING]
        raise ValueError(f"{name}: the event {event} must lie in the node of the {colour} pawn")
    elif not s.organizer[seat, s.pawn[seat]]:
        raise ValueError(
            f"{name}: the event in the node of the {colour} pawn must be theirs, such as /+{colour} (T27–T29)"
        )
    elif s.question[0, questions.KIND] != state.TURN:
        raise ValueError(f"{name}: a flexible event asks during a turn, such as turn:{colour}")
    elif kind in (state.ATTACK_TICK, state.SUPPORT) and (s.if_yes | s.if_no)[:, s.pawn[seat]].any():
        raise ValueError(f"{name}: nobody may be on an arc of its event yet")
    elif kind == state.ATTACK_CROSS:
        if s.if_no[:, s.pawn[seat]].any():
            raise ValueError(f"{name}: nobody may be on the arc under the cross yet")
        yes = s.if_yes[:, s.pawn[seat]]
        if yes[seat] or [*yes[yes != 0]] != [-1]:
            raise ValueError(f"{name}: another player must be on the arc under the tick, such as /yes=b-1 (T27)")
