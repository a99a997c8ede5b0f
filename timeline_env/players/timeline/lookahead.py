"""Players of Timeline that look one decision ahead, by the points that the present board would bring.

`Greedy` looks at the phase that is being played, `Projector` at all of them. What one choice begins (the arcs of an attack, the
links of a logistic event) they follow to its end. Of decisions that promise the same they take the cheapest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import questions, record, rng
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.verbs import play
from timeline_env.players.interface import Decisions
from timeline_env.players.timeline.forecast import (
    ALL,
    FORESEEN,
    KEPT,
    SOON,
    SURE,
    is_foreseen,
    lead_after,
    make_forecast,
    tell_change,
    tell_points,
    try_out,
    undo,
)
from timeline_env.timeline import actions, board, numbers, state
from timeline_env.timeline.flexible import points_on_arc
from timeline_env.timeline.impact import impact_price
from timeline_env.timeline.move import is_open, move_price
from timeline_env.timeline.realize import realize_until
from timeline_env.timeline.score import lead
from timeline_env.timeline.turn import is_last_round_of_phase, seat_after

A_COST = 1 / 1024
"""Of a point, for each action unit and energy: so little that it only decides between equals."""
ARTIFACT_COSTS = 12
"""What an artifact is held to be worth, in action units and energy."""
ROOM = 5
"""Positions that players try out their actions in."""


@rule
def value_after(rules, S, k, seat, action, scratch, projecting):
    """What a legal action of `seat` in position `k` is worth to it; `scratch` is room for three positions."""
    scratch[0] = S[k]
    play(rules[0], scratch[0], action)
    choose_the_rest(rules, scratch, seat, projecting)
    return promise(rules, scratch, 0, seat, projecting) - A_COST * price(rules[0], S[k], seat, action)


@rule
def choose_the_rest(rules, scratch, seat, projecting):
    """Give the best answer to whatever else the seat is asked about the event that it has just laid; in ``scratch[0]``."""
    while (
        questions.top(scratch[0], questions.KIND) >= state.ATTACK_TICK
        and questions.top(scratch[0], questions.SEAT) == seat
    ):
        best, most = 0, -1.0e9
        for action in range(scratch[0].legal.shape[0] - 1, -1, -1):
            if scratch[0].legal[action]:
                scratch[1] = scratch[0]
                play(rules[0], scratch[1], action)
                value = promise(rules, scratch, 1, seat, projecting)
                # "No more links" comes after all links in the table of actions, and so is tried before them.
                if value > most:
                    best, most = action, value
        play(rules[0], scratch[0], best)


@rule
def choose_the_rest_ahead(rules, scratch, seat, projecting, kept, outlook):
    """Do as `choose_the_rest`, by forecasts, many times as fast; not where the game `may_run_on`. `kept` and `outlook` are scratch."""
    at = ALL if projecting else SOON
    while (
        questions.top(scratch[0], questions.KIND) >= state.ATTACK_TICK
        and questions.top(scratch[0], questions.SEAT) == seat
    ):
        soon = board.FIRST[scratch[0].phase + 1]
        scratch[1] = scratch[0]
        make_forecast(rules[0], scratch[1], seat, soon, kept, outlook)
        own, others = int(outlook[at]), 0
        for place in range(1, rules[0].num_players):
            others += outlook[at + place]
        best, most = 0, -1.0e9
        for action in range(scratch[0].legal.shape[0] - 1, -1, -1):  # in the order of `choose_the_rest`
            if scratch[0].legal[action]:
                until = board.NODES if projecting else soon
                value = lead_if_answered(rules[0], scratch[1], seat, until, kept, action, own, others)
                if value > most:
                    best, most = action, value
        play(rules[0], scratch[0], best)


@rule
def lead_if_answered(rules, s, seat, until, kept, action, own, others):
    """What `lead_after` gives for an answer about arcs or links on the forecast `s`."""
    if action < actions.RIVAL:
        count = try_out(rules, s, seat, action, kept)
        value = lead_after(rules, s, seat, until, kept, count, own, others)
        undo(rules, s, seat, action, kept, count)
        return value
    node = s.pawn[seat]
    if node < until and (actions.rival_parts(action)[1] == 0) == (s.outcome[node] > 0):
        others += points_on_arc(questions.top(s, questions.KIND))
    return own - others / (rules.num_players - 1)


@rule
def promise(rules, scratch, which, seat, projecting):
    """The seat's `lead` in ``scratch[which]`` if the board, or what the phase realizes of it, were realized now."""
    scratch[2] = scratch[which]
    until = board.NODES if projecting else board.FIRST[scratch[2].phase + 1]
    realize_until(rules[0], scratch[2], until)
    return lead(rules[0], scratch[2].points, seat)


@rule
def price(rules, s, seat, action):
    """T9: action units and energy together, or what an artifact is held to be worth.

    Passing counts as costing as much as a move, so that a player who finds nothing to do here moves as often as not.
    """
    if questions.top(s, questions.KIND) != state.TURN:
        return 0
    if action == actions.PASS:
        return rules.move_au + rules.move_energy
    if action < actions.IMPACT:
        return rules.move_au + move_price(rules, s)
    if action < actions.REINFORCE:
        return rules.impact_au + impact_price(rules, s, seat, actions.impact_parts(action)[1])
    if action < actions.ARTIFACT:
        return rules.reinforce_au + rules.reinforce_energy[actions.reinforce_parts(action)[1] - 1]
    if action < actions.ORGANIZE:
        return ARTIFACT_COSTS
    return numbers.ORGANIZE_AU + numbers.ORGANIZE_ENERGY  # the same for a pledge, which promises nothing


@rule
def greedy_value(rules, S, k, seat, action, scratch):
    """What a legal action of `seat` in position `k` is worth to `Greedy`."""
    return value_after(rules, S, k, seat, action, scratch, False)


@rule
def projector_value(rules, S, k, seat, action, scratch):
    """What a legal action of `seat` in position `k` is worth to `Projector`."""
    return value_after(rules, S, k, seat, action, scratch, True)


@entry
def foresee_soon(rules, S, scratch, mask, seats, values, outlook):
    """Do as `foresee_all`, but an action is worth what the seat leads by after the phase to which the action leads.

    For `Greedy`, which gives no outlook: its numbers would mix two phases."""
    foresee_each(rules, S, scratch, mask, seats, False, values, outlook)


@entry
def foresee_all(rules, S, scratch, mask, seats, values, outlook):
    """Write what every legal action is worth into `values` (float64 [k, A]), and what it changes in the outlook into `outlook`
    (int8 [k, A + 1, FORESEEN]); the last row is the position's own outlook, less the points that the seats have."""
    foresee_each(rules, S, scratch, mask, seats, True, values, outlook)


@rule
def foresee_each(rules, S, scratch, mask, seats, projecting, values, outlook):
    """The loop of `foresee_all` and, if not `projecting`, of `foresee_soon`."""
    (now, then), (kept, room) = np.zeros((2, FORESEEN), np.int16), np.zeros((2, *KEPT), np.int64)
    for k in range(S.shape[0]):
        running_on = foresee_position(rules, S, k, seats[k], scratch, kept, now)
        for action in range(mask.shape[1]):
            if mask[k, action]:
                foresee_action(rules, S, k, seats[k], action, scratch, running_on, kept, room, now, then, projecting)
                values[k, action] = worth(rules, S, k, seats[k], action, then, projecting)
                tell_difference(now, then, outlook[k, action])
        tell_prospects(rules, S, k, seats[k], now, then, outlook[k, mask.shape[1]])


@rule
def foresee_position(rules, S, k, seat, scratch, kept, now):
    """The forecast of position `k` in ``scratch[3]``, and its outlook into `now`; gives whether the position `may_run_on`."""
    scratch[3] = S[k]
    make_forecast(rules[0], scratch[3], seat, board.FIRST[S[k].phase + 1], kept, now)
    return may_run_on(rules[0], S[k])


@rule
def foresee_action(rules, S, k, seat, action, scratch, running_on, kept, room, now, then, projecting):
    """Write the outlook after a legal action in position `k` into `then`. `foresee_position` has made the position's forecast and
    given `running_on`; `room` is for another forecast."""
    until = board.FIRST[S[k].phase + 1]
    if not running_on and questions.top(S[k], questions.KIND) == state.TURN and is_foreseen(action):
        then[:] = now
        count = try_out(rules[0], scratch[3], seat, action, kept)
        tell_change(rules[0], scratch[3], seat, until, kept, count, then)
        undo(rules[0], scratch[3], seat, action, kept, count)
        return
    scratch[0] = S[k]
    play(rules[0], scratch[0], action)
    if running_on:
        choose_the_rest(rules, scratch, seat, projecting)
    else:
        choose_the_rest_ahead(rules, scratch, seat, projecting, room, then)
    if not projecting:
        until = board.FIRST[scratch[0].phase + 1]
    make_forecast(rules[0], scratch[0], seat, until, room, then)


@rule
def may_run_on(rules, s):
    """T9a: whether the phase may end with this turn, or with what follows it without a question: it is the last turn, or the next player
    may have no choice. Then an action may decide more than what it lays."""
    seats = rules.num_players
    round_ends = s.turns == seats - 1
    if round_ends and is_last_round_of_phase(rules, s):
        return True
    following = seat_after(rules, s.first, 1 if round_ends else s.turns + 1)
    energy = min(s.energy[following] + rules.income, rules.most_energy)
    if rules.action_units < rules.move_au or energy < rules.move_energy:
        return True
    for direction in range(board.DIRECTIONS):
        if is_open(s, s.pawn[following], direction):
            return False
    return True


@rule
def worth(rules, S, k, seat, action, then, projecting):
    """What an action with the outlook `then` is worth."""
    points = then[ALL:SOON] if projecting else then[SOON:SURE]
    return lead(rules[0], points, 0) - A_COST * price(rules[0], S[k], seat, action)


@rule
def tell_prospects(rules, S, k, seat, now, then, out):
    """Write the outlook `now` of position `k`, less the points that the seats have, into `out`; `then` is scratch."""
    tell_points(rules[0], S[k], seat, then)
    tell_difference(then, now, out)


@rule
def tell_difference(before, after, out):
    """Write what two outlooks differ by into `out` (int8)."""
    for place in range(FORESEEN):
        out[place] = max(-127, min(127, after[place] - before[place]))


@entry
def pick_best(values, words, out):
    """For each row of `values` (float64 [k, A]) the action of the greatest, into `out`; `words` choose among equals."""
    for k in range(values.shape[0]):
        best = values[k].max()
        equals = 0
        word = words[k]
        for action in range(values.shape[1]):
            if values[k, action] == best:
                # Each of the equals seen so far is kept with the same chance.
                equals += 1
                word = rng.advance(word)
                if rng.bound_word(rng.mix(word), equals) == 0:
                    out[k] = action


class Lookahead(ABC):
    """Takes the decision that is worth the most to it by `values`."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        values = self.values(decisions.batch.rules, decisions.states(), decisions.action_mask, decisions.seat)
        words = self.rng.integers(2**64, size=len(values), dtype=np.uint64)
        chosen = np.empty(len(values), np.int64)
        pick_best(values, words, chosen)
        return chosen

    @abstractmethod
    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how many points the seat would lead after each action, see `timeline_env.players.interface.Appraiser`."""


class Greedy(Lookahead):
    """Takes the decision after which it would lead by the most points if the phase ended now."""

    value_rule, room = staticmethod(greedy_value), 3  # see `timeline_env.players.agents.cuda_appraiser`

    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how many points the seat would lead after each action, see `timeline_env.players.interface.Appraiser`."""
        return run_foresight(foresee_soon, FORESEEN, rules, states, mask, seats)[0]


class Foreseeing(Lookahead):
    """A player that looks at all phases, and says what its values come from."""

    foreseen: int
    """How many numbers its outlook of an action has."""
    foresee: Callable[..., None]
    """The compiled loop that values actions, with the arguments of `foresee_all`."""

    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how many points the seat would lead after each action, see `timeline_env.players.interface.Appraiser`."""
        return self.outlook(rules, states, mask, seats)[0]

    def outlook(
        self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """`values`, and what they come from, of every seat; see `timeline_env.players.interface.Foreseer`."""
        return run_foresight(self.foresee, self.foreseen, rules, states, mask, seats)


class Projector(Foreseeing):
    """Takes the decision after which it would lead by the most points if every node were realized now."""

    foreseen = FORESEEN
    foresee = staticmethod(foresee_all)
    value_rule, room = staticmethod(projector_value), 3


def run_foresight(
    loop: Callable[..., None],
    numbers_told: int,
    rules: Any,
    states: Any,
    mask: NDArray[np.int8],
    seats: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """The values and the outlook that a loop like `foresee_all` gives; the outlook of an action has `numbers_told` numbers."""
    values: Any = np.full(mask.shape, -np.inf)
    outlook: Any = np.zeros((len(mask), mask.shape[1] + 1, numbers_told), np.int8)
    loop(rules, states, record.new(state.STATE, ROOM), mask, seats, values, outlook)
    return values, outlook
