"""The heuristic bot to which another project's ladder of Twilight Struggle is tied, written anew from a short description.

The bot is DeepStruggle's (github.com/mihaild/DeepStruggle), whose ladder gives it 1,500. The description: a fixed set-up;
it headlines its own non-scoring event with the most Ops; it always plays for Ops; influence goes before a coup, a coup
before realignment; influence goes to the uncontrolled battlegrounds nearest to control, then one point of buffer, then the
rest; it never overcontrols. The code was not read, so this player may differ from the published one.

Where the description is silent, this one does the simplest:

- The set-up is that of `openings.csv`.
- Without an event of its own to headline: a neutral one with the most Ops, then the opponent's with the fewest, then scoring.
- It plays the card with the most Ops, and a scoring card only if it must; the opponent's event comes after the Ops.
- Among equals it takes the first: the lowest number of a card or a country.
- Buffer is for battlegrounds. If every point that can be paid for would overcontrol, it coups, else realigns, else puts the
  points where they overcontrol least.
- Coups and realignments go to battlegrounds first, then to the lowest stability, then to the most enemy influence.
- Influence that an event adds goes where Ops would put it; what it removes comes from the opponent's battlegrounds first,
  where least is left.
- Cards are discarded with the fewest Ops first. What may be left is not left, unless it would overcontrol or take its own influence
  from a battleground. Anything else is answered by the first legal action.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.jit import entry, rule
from timeline_env.players.interface import Decisions
from timeline_env.players.twilight_struggle.card_values import OPENING
from timeline_env.twilight_struggle import actions, board, cards, frames
from timeline_env.twilight_struggle.countries import controls, lead
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.operations import can_place, terms_of

CLASS = 1000
"""More than any distance to control or amount of influence: what separates one class of choices from the next."""
OVERCONTROL = -CLASS
"""The rank of a point that would overcontrol, before the excess is taken off; points with a use rank above it."""
STOP = OVERCONTROL
"""The rank of stopping, or of doing nothing: below all that has a use, above what only overcontrols."""
LEAST = -1_000_000


class LadderBot:
    """Follows a fixed order of choices; the first of equals."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        chosen: Any = np.empty(len(decisions.games), np.int64)
        choose(decisions.states(), np.ascontiguousarray(decisions.action_mask), decisions.seat, chosen)
        return chosen


@entry
def choose(S, mask, seats, out):
    """For each position the legal action that ranks highest, into `out` (int64 [k]); the first of equals."""
    for k in range(mask.shape[0]):
        best, most = -1, LEAST
        for action in range(mask.shape[1]):
            if mask[k, action]:
                rank = rank_action(S[k], seats[k], action)
                if best < 0 or rank > most:
                    best, most = action, rank
        out[k] = best


@rule
def rank_action(s, seat, action):
    """How high an action ranks among those of its question; an integer."""
    kind = top(s, frames.KIND)
    if action < actions.COUNTRY:
        return rank_card(seat, kind, action - actions.CARD + 1)
    if action < actions.USE:
        return rank_country(s, seat, kind, action - actions.COUNTRY)
    if action < actions.OPERATION:
        return 1 if action == actions.USE + actions.OPERATIONS else 0
    if action < actions.OPTION:
        return rank_operation(s, seat, action - actions.OPERATION)
    return STOP if action == actions.STOP else 0


@rule
def rank_card(seat, kind, card):
    """A card to headline, to play, or to give up."""
    ops, side = cards.OPS[card], cards.SIDE[card]
    if kind == frames.HEADLINE:
        if cards.KIND[card] == cards.SCORING:
            return -CLASS
        if side == seat:
            return CLASS + ops
        return ops if side == cards.NEUTRAL else -ops
    return ops if kind == frames.PLAY else -ops


@rule
def rank_operation(s, seat, operation):
    """Influence, a coup, realignment, in this order; but influence last if it would only overcontrol."""
    if operation == actions.INFLUENCE:
        terms = terms_of(s)
        for c in range(board.COUNTRIES):
            if can_place(s, terms, seat, c) and rank_point(s, seat, c) > OVERCONTROL:
                return 1
        return -CLASS
    return -operation


@rule
def rank_point(s, side, c):
    """A point of influence for `side`: uncontrolled battlegrounds, buffer, the rest, overcontrol."""
    missing = board.STABILITY[c] - lead(s, side, c)
    if board.BATTLEGROUND[c]:
        if missing > 0:
            return 3 * CLASS - missing
        if missing == 0:
            return 2 * CLASS
    elif missing > 0:
        return CLASS - missing
    return OVERCONTROL + missing


@rule
def rank_country(s, seat, kind, c):
    """A country: for operations, or as an event asks."""
    if kind == frames.ADD and top(s, frames.VALUE) == cards.NO_CARD:
        side = top(s, frames.SIDE)
        wanted = OPENING[side, c] - s.influence[side, c]
        return 4 * CLASS + wanted if wanted > 0 else rank_point(s, side, c)
    if kind == frames.PLACE:
        return rank_point(s, seat, c)
    if frames.ADD <= kind <= frames.DOUBLE and kind != frames.WAR:
        side = top(s, frames.SIDE)
        adds = kind != frames.TAKE and kind != frames.TAKE_ALL
        if adds:
            return rank_point(s, side, c) * (1 if side == seat else -1)
        return rank_removal(s, side, c) * (1 if side != seat else -1)
    return rank_target(s, seat, c)


@rule
def rank_removal(s, side, c):
    """Influence of `side` to be removed: where it controls a battleground by least, then in any battleground."""
    least = -lead(s, side, c)
    if board.BATTLEGROUND[c]:
        least += 2 * CLASS if controls(s, side, c) else CLASS
    return least


@rule
def rank_target(s, seat, c):
    """A coup, a realignment, a war: battlegrounds, low stability, much enemy influence."""
    return CLASS * board.BATTLEGROUND[c] - 100 * board.STABILITY[c] + s.influence[1 - seat, c]
