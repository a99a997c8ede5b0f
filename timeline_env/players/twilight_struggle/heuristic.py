"""A hand-written player of Twilight Struggle: it weighs every action by rules of thumb and takes the best."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.jit import entry, rule
from timeline_env.players.interface import Decisions
from timeline_env.players.twilight_struggle.card_values import OPENING
from timeline_env.players.twilight_struggle.card_worth import (
    CERTAIN,
    USUAL_OP,
    card_worth,
    companion_worth,
    event_worth,
    headline_worth,
    plan_operations,
    play_worth,
    taken_worth,
    use_worth,
)
from timeline_env.players.twilight_struggle.country_worth import IMPORTANCE, urgency
from timeline_env.players.twilight_struggle.danger import holds_danger, is_reckless, is_reckless_coup
from timeline_env.players.twilight_struggle.operation_worth import NOTHING, coup, gain, placement, realignment
from timeline_env.twilight_struggle import actions, board, cards, frames
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.countries import controlled_neighbours
from timeline_env.twilight_struggle.events.words import war_row
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.lasting import coup_keeps_defcon, ops_of
from timeline_env.twilight_struggle.operations import can_coup, can_place, can_realign, ops_left, terms_of

NO_PLAN = (0.0, 0.0, 0.0, 0.0, 0.0)
"""The plan of operations where none are weighed."""
BUY_OFF = -5.0
"""Two points in a country of importance, against the coups of one turn."""
LOSING_WEST_GERMANY, DOUBLED_COUNTRIES, AVERAGE_CARD, MOVED_POINT = -6.0, -2.5, 1.0, -0.6
"""What stopping costs or spares, by card: 10, 95; a new card (77, 108); a point of one's own that 33 takes to put elsewhere."""
ENOUGH_TO_REMOVE = 3
"""US influence in Eastern Europe at which the Warsaw Pact removes instead of adding."""


@entry
def value_actions(S, mask, seats, out):
    """For each position what every legal action is worth, into `out` (float64 [k, A])."""
    for k in range(mask.shape[0]):
        plan = plan_ahead(S[k], seats[k])
        for action in range(mask.shape[1]):
            if mask[k, action]:
                out[k, action] = sober_worth(S[k], seats[k], action, plan)


@rule
def heuristic_value(rules, S, k, seat, action, scratch):
    """What a legal action of `seat` in position `k` is worth to `Heuristic`, by trying things out in a copy."""
    scratch[0] = S[k]
    return sober_worth(scratch[0], seat, action, plan_ahead(scratch[0], seat))


class Heuristic:
    """Takes the action that its rules of thumb value most; the first of equals."""

    value_rule, room = staticmethod(heuristic_value), 1  # see `timeline_env.players.agents.cuda_appraiser`

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        return self.values(decisions.batch.rules, decisions.states(), decisions.action_mask, decisions.seat).argmax(
            axis=1
        )

    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each action is worth, see `timeline_env.players.interface.Appraiser`."""
        values: Any = np.full(mask.shape, -np.inf)
        value_actions(states, mask, seats, values)
        return values


@rule
def best_action(s, seat, mask):
    """The legal action that is worth most; the first of equals."""
    plan = plan_ahead(s, seat)
    best, most = -1, 0.0
    for action in range(mask.shape[0]):
        if mask[action]:
            value = sober_worth(s, seat, action, plan)
            if best < 0 or value > most:
                best, most = action, value
    return best


@rule
def plan_ahead(s, seat):
    """What operations are worth, where a card or its use is chosen; elsewhere `NO_PLAN`, since nothing reads it."""
    kind = top(s, frames.KIND)
    return plan_operations(s, seat) if kind == frames.PLAY or kind == frames.USE else NO_PLAN


@rule
def sober_worth(s, seat, action, plan):
    """What an action is worth; one that may lose the game at once is worth less than any other."""
    value = action_worth(s, seat, action, plan)
    return value - CERTAIN if is_reckless(s, seat, action) else value


@rule
def action_worth(s, seat, action, plan):
    """What an action is worth to the seat that is asked."""
    kind, card = top(s, frames.KIND), top(s, frames.VALUE)
    if action < actions.COUNTRY:
        return picked_worth(s, seat, kind, card, action - actions.CARD + 1, plan)
    if action < actions.USE:
        return country_choice(s, seat, kind, card, action - actions.COUNTRY)
    if action < actions.OPERATION:
        return use_worth(s, seat, card, action - actions.USE, plan)
    if action < actions.OPTION:
        return operation_worth(s, seat, action - actions.OPERATION)
    if action < actions.STOP:
        option = action - actions.OPTION
        return level_worth(s, seat, card, option) if kind == frames.LEVEL else choice_worth(s, seat, card, option)
    return stop_worth(s, seat, kind, card, plan) if action == actions.STOP else BUY_OFF


@rule
def picked_worth(s, seat, kind, source, card, plan):
    """A card: to headline, to play, to discard, or as an event asks."""
    if kind == frames.HEADLINE:
        return headline_worth(s, seat, card)
    if kind == frames.PLAY:
        return play_worth(s, seat, card, plan)
    if kind != frames.PICK or source in (cards.BLOCKADE, cards.DEBT_CRISIS, cards.ASK_NOT):
        return -card_worth(s, seat, card)
    if source == cards.UN_INTERVENTION:
        return companion_worth(s, seat, card) + USUAL_OP * ops_of(s, seat, cards.OPS[card])
    if source == cards.SALT:
        return card_worth(s, seat, card)
    if source == cards.MISSILE_ENVY:
        return -taken_worth(s, 1 - seat, card)
    if source == cards.STAR_WARS:
        return event_worth(s, seat, card)
    if source == cards.ALDRICH_AMES:
        return card_worth(s, US, card)
    return -event_worth(s, seat, card)


@rule
def country_choice(s, seat, kind, card, c):
    """A country: for operations, or as an event asks."""
    if kind == frames.PLACE:
        return placement(s, seat, c, ops_left(s, c))
    if kind == frames.COUP:
        return coup_worth(s, seat, c)
    if kind == frames.REALIGN:
        return realignment(s, seat, c)
    if kind == frames.WAR:
        return war_worth(s, seat, card, c)
    side, each = top(s, frames.SIDE), top(s, frames.EACH)
    if kind == frames.ADD:
        return added_worth(s, seat, side, c, each, card)
    if kind == frames.MATCH:
        return gain(s, seat, side, c, s.influence[1 - side, c] - s.influence[side, c])
    if kind == frames.DOUBLE:
        return gain(s, seat, side, c, s.influence[side, c])
    return removal_worth(s, seat, side, c, each)


@rule
def coup_worth(s, seat, c):
    """A coup with the operations being spent; one that makes the other side lose the game comes before all else."""
    free = top(s, frames.FREE)
    wins = s.phasing != seat and s.defcon == 2 and board.BATTLEGROUND[c] and not coup_keeps_defcon(s, seat, free)
    return coup(s, seat, c, ops_left(s, c), free) + (CERTAIN if wins else 0.0)


@rule
def war_worth(s, seat, card, c):
    """7.6: chance of success times what it brings."""
    needed = war_row(card, 2) + controlled_neighbours(s, 1 - seat, c)
    chance = max(0, 7 - needed) / 6
    taken = s.influence[1 - seat, c]
    return chance * (gain(s, seat, 1 - seat, c, -taken) + gain(s, seat, seat, c, taken))


@rule
def added_worth(s, seat, side, c, each, card):
    """A point that an event adds, when as many go to this country as is best; in the set-up, what the opening wants."""
    if card == cards.NO_CARD:
        return CERTAIN * (OPENING[side, c] - s.influence[side, c]) + gain(s, seat, side, c, each)
    most = top(s, frames.LEFT)
    if top(s, frames.CAP) > 0:
        most = min(most, top(s, frames.CAP) - s.chosen[c])
    best = NOTHING
    for times in range(1, most + 1):
        best = max(best, gain(s, seat, side, c, times * each) / times)
    return best


@rule
def removal_worth(s, seat, side, c, each):
    """What an event removes."""
    return gain(s, seat, side, c, -min(each, s.influence[side, c]))


@rule
def operation_worth(s, seat, operation):
    """Influence, a coup or realignments, each where it is best."""
    best = NOTHING
    terms = terms_of(s)
    for c in range(board.COUNTRIES):
        if operation == actions.INFLUENCE and can_place(s, terms, seat, c):
            ops = ops_left(s, c)
            best = max(best, USUAL_OP * ops * placement(s, seat, c, ops))
        elif operation == actions.COUP and can_coup(s, terms, seat, c) and not is_reckless_coup(s, seat, c):
            best = max(best, coup_worth(s, seat, c))
        elif operation == actions.REALIGN and can_realign(s, terms, seat, c):
            best = max(best, USUAL_OP * ops_left(s, c) * realignment(s, seat, c))
    return best


@rule
def level_worth(s, seat, card, option):
    """45, 46: a level of DEFCON; 94: the region whose points matter most."""
    wins = s.phasing != seat and (card == cards.STOP_WORRYING or (card == cards.SUMMIT and s.defcon == 2))
    if option == 0 and card != cards.CHERNOBYL and wins:
        return CERTAIN
    if card == cards.SUMMIT:
        return 1.0 if option == 2 else 0.0
    if card == cards.CHERNOBYL:
        return urgency(s, option) * IMPORTANCE[option]
    # At 2 the opponent cannot coup battlegrounds; with dangerous cards to play, that is too low.
    wanted = 4 if holds_danger(s, seat) else 2
    return -1.0 * abs(option + 1 - wanted)


@rule
def choice_worth(s, seat, card, option):
    """One way or the other: the first unless there is a reason."""
    if card == cards.OLYMPIC_GAMES and s.phasing != seat and s.defcon == 2:
        return CERTAIN * option  # the boycott loses the game for the sponsor
    if card == cards.WARGAMES:
        return event_worth(s, seat, card) * (1 - option)
    if card == cards.WARSAW_PACT:
        return option * (ENOUGH_TO_REMOVE - influence_in(s, US, board.EASTERN_EUROPE))
    return -1.0 * option


@rule
def influence_in(s, side, where):
    """How much influence a side has in a set of countries."""
    total = 0
    for c in range(board.COUNTRIES):
        total += board.IN_SET[where, c] * s.influence[side, c]
    return total


@rule
def stop_worth(s, seat, kind, card, plan):
    """To stop: to do no more, or nothing at all."""
    if kind == frames.PLAY and card == cards.GRAIN_SALES:
        return plan[ops_of(s, seat, 2)]
    if kind == frames.TAKE and card == cards.DE_STALINIZATION:
        return MOVED_POINT
    if kind == frames.PICK:
        if card == cards.BLOCKADE:
            return LOSING_WEST_GERMANY
        if card == cards.DEBT_CRISIS:
            return DOUBLED_COUNTRIES
        return AVERAGE_CARD if card == cards.OUR_MAN_IN_TEHRAN else -AVERAGE_CARD
    return 0.0
