"""What cards of Twilight Struggle, and each way to use them, are worth to a side, in victory points, by rules of thumb."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.players.twilight_struggle.card_values import VALUE
from timeline_env.players.twilight_struggle.country_worth import region_points
from timeline_env.players.twilight_struggle.danger import event_danger, is_reckless_use
from timeline_env.players.twilight_struggle.operation_worth import NOTHING, best_coup, best_placement
from timeline_env.twilight_struggle import actions, cards, numbers
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.card_play import can_accompany, can_use, is_event_possible, rounds_left
from timeline_env.twilight_struggle.lasting import acts_on, ops_of
from timeline_env.twilight_struggle.scoring import count_held, southeast_asia_points

CERTAIN = 1000.0
"""What winning the game at once is worth, or losing it costs."""
USUAL_OP = 0.9
"""What an Op is worth where nobody looked closer."""
LIABILITY = 0.5
"""How much of an opponent's event still counts against its holder."""
DANGEROUS = 1.5
"""What it is worth to be rid of a card that may lose the game at a low DEFCON, while there is time."""
KEEPING_CHINA = 2.0
KEEPING_INTERVENTION = 1.0
LOST_EVENT = 0.25
"""How much of one's own event is lost when its card is used otherwise."""
SEEING_FIRST = 0.2
"""What it is worth to see an opponent's event happen before one's own operations."""
SPACE = 0.6
"""What an attempt in the space race is worth, apart from its points: for its powers, and the way to more."""
FULL_TURN = 8
WARGAMES_POINTS = 6


@rule
def event_worth(s, seat, card):
    """What the event would be worth to `seat` if it happened now: below 0 for the opponent's."""
    if cards.KIND[card] == cards.SCORING:
        return scoring_worth(s, seat, card)
    if not is_event_possible(s, seat, card):
        return 0.0
    if card == cards.WARGAMES:
        ahead = s.vp if seat == US else -s.vp
        return CERTAIN if ahead > WARGAMES_POINTS else 0.0
    value = VALUE[card]
    if cards.KIND[card] == cards.TURN and s.action_round > 0:
        value *= rounds_left(s, seat) / FULL_TURN
    return -value if cards.SIDE[card] == 1 - seat else value


@rule
def scoring_worth(s, seat, card):
    """What a scoring card would bring to `seat` now."""
    if card == cards.SOUTHEAST_ASIA_SCORING:
        points = 1.0 * southeast_asia_points(count_held(s))
        return points if seat == US else -points
    for region in range(len(cards.SCORING_CARD)):
        if cards.SCORING_CARD[region] == card:
            return region_points(s, seat, region)
    return 0.0


@rule
def card_worth(s, seat, card):
    """What holding a card is worth to `seat`."""
    event = event_worth(s, seat, card)
    if cards.KIND[card] == cards.SCORING:
        return event
    ops = USUAL_OP * ops_of(s, seat, cards.OPS[card])
    return ops + LIABILITY * event if event < 0 else max(ops, event)


@rule
def plan_operations(s, seat):
    """What operations of 0 to 4 Ops are worth, used as is best; five floats."""
    placed = USUAL_OP * best_placement(s, seat, 3)
    return (
        0.0,
        operations_worth(s, seat, 1, placed),
        operations_worth(s, seat, 2, placed),
        operations_worth(s, seat, 3, placed),
        operations_worth(s, seat, 4, placed),
    )


@rule
def operations_worth(s, seat, ops, placed):
    """What this many Ops are worth as influence, at `placed` an Op, or as the best coup."""
    value = placed * ops
    if not acts_on(s, cards.CUBAN_MISSILES, seat):
        value = max(value, best_coup(s, seat, ops, 2))
    return value


@rule
def use_worth(s, seat, card, use, plan):
    """What a use of a card is worth to `seat`, with operations as in `plan`."""
    event = event_worth(s, seat, card)
    burden = LIABILITY * max(0.0, -event) + (DANGEROUS if event_danger(s, seat, card) else 0.0)
    if use == actions.SPACE:
        value = space_worth(s, seat) + burden - LOST_EVENT * max(0.0, event)
    elif card == cards.UN_INTERVENTION and use == actions.EVENT:
        value = intervention_worth(s, seat, plan)
    elif cards.SIDE[card] == 1 - seat and cards.KIND[card] != cards.SCORING:
        value = plan[ops_of(s, seat, cards.OPS[card])] + event + burden
        value += SEEING_FIRST if use == actions.EVENT else 0.0
    elif use == actions.EVENT:
        value = event + burden
    else:
        value = plan[ops_of(s, seat, cards.OPS[card])] - LOST_EVENT * event + burden
    if card == cards.CHINA:
        value -= KEEPING_CHINA
    elif card == cards.UN_INTERVENTION:
        value -= KEEPING_INTERVENTION
    return value


@rule
def space_worth(s, seat):
    """What an attempt in the space race is worth."""
    box = s.space[seat] + 1
    points = numbers.SPACE_SECOND[box] if s.space[1 - seat] >= box else numbers.SPACE_FIRST[box]
    return SPACE + points * numbers.SPACE_DIE[box] / 6


@rule
def intervention_worth(s, seat, plan):
    """32 with the companion that suits it best."""
    best = NOTHING
    for card in range(1, cards.CARDS):
        if can_accompany(s, seat, card):
            best = max(best, companion_worth(s, seat, card) + plan[ops_of(s, seat, cards.OPS[card])])
    return best


@rule
def companion_worth(s, seat, card):
    """What it is worth to be rid of an opponent's event; of a dangerous one more."""
    return -LIABILITY * event_worth(s, seat, card) + (DANGEROUS if event_danger(s, seat, card) else 0.0)


@rule
def play_worth(s, seat, card, plan):
    """What playing a card in an action round is worth: its best use that is safe."""
    best = NOTHING
    for use in range(3):
        if can_use(s, seat, card, use) and not is_reckless_use(s, seat, card, use):
            best = max(best, use_worth(s, seat, card, use, plan))
    return best


@rule
def headline_worth(s, seat, card):
    """What a card is worth as headline: its event, less part of what its operations would be worth."""
    return event_worth(s, seat, card) - LOST_EVENT * USUAL_OP * cards.OPS[card]


@rule
def taken_worth(s, seat, card):
    """49: what a card is worth to `seat`, which takes it: an event that happens at once, or operations."""
    if cards.SIDE[card] == seat or cards.SIDE[card] == cards.NEUTRAL:
        return event_worth(s, seat, card)
    return USUAL_OP * ops_of(s, seat, cards.OPS[card])
