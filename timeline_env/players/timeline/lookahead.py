"""Players of Timeline that look one decision ahead, by the points that the present board would bring.

`Greedy` looks at the phase that is being played, `Projector` at all of them. What one choice begins (the arcs of an attack, the
links of a logistic event) they see to its end. Of decisions that promise the same they take the cheapest.
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
from timeline_env.timeline import actions, board, numbers, state
from timeline_env.timeline.estimate import realize_until
from timeline_env.timeline.impact import impact_price
from timeline_env.timeline.move import move_price
from timeline_env.timeline.realize import decide, points_for
from timeline_env.timeline.score import clip_points, lead

A_COST = 1 / 1024
"""Of a point, for each action unit and energy: so little that it only decides between equals."""
ARTIFACT_COSTS = 12
"""What an artifact is held to be worth, in action units and energy."""


ALL, SOON, SURE = 0, state.MAX_PLAYERS, 2 * state.MAX_PLAYERS
"""Where an outlook's three numbers of each seat begin, the viewer's first: its points if all nodes were realized now; if those of
the present phase were; and those of all nodes in quarters, as many as the outcome is away from turning, four at most."""
SURE_AT = 4
"""Realization points above or below zero, from which on an outcome counts as sure."""
FORESEEN = 3 * state.MAX_PLAYERS
"""Numbers of an outlook."""
ROOM = 4
"""Positions that players try out their actions in."""


@rule
def value_after(rules, S, k, seat, action, scratch, projecting):
    """What a legal action of `seat` in position `k` is worth to it; `scratch` is room for three positions."""
    play_out(rules, S, k, seat, action, scratch, projecting)
    return promise(rules, scratch, 0, seat, projecting) - A_COST * price(rules[0], S[k], seat, action)


@rule
def play_out(rules, S, k, seat, action, scratch, projecting):
    """A legal action of `seat` in position `k`, with what it begins, in ``scratch[0]``."""
    scratch[0] = S[k]
    play(rules[0], scratch[0], action)
    choose_the_rest(rules, scratch, seat, projecting)


@rule
def choose_the_rest(rules, scratch, seat, projecting):
    """Whatever else the seat is asked about the event that it has just laid, the best answer each time; in ``scratch[0]``."""
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
                # To set no more links comes after all links in the table, and so is tried before them.
                if value > most:
                    best, most = action, value
        play(rules[0], scratch[0], best)


@rule
def promise(rules, scratch, which, seat, projecting):
    """The seat's `lead` in ``scratch[which]`` if the board, or what the phase realizes of it, were realized now."""
    scratch[2] = scratch[which]
    until = board.NODES if projecting else board.FIRST[scratch[2].phase + 1]
    realize_until(rules[0], scratch[2], until)
    return lead(rules[0], scratch[2].points, seat)


@rule
def foresee(rules, s, seat, until, out):
    """The points of every seat by the present board, which is realized in `s`, as `ALL`, `SOON` (the nodes before `until`) and
    `SURE`; int16 [FORESEEN], written in place."""
    out[:] = 0
    for place in range(rules.num_players):
        points = int(s.points[(seat + place) % rules.num_players])
        out[ALL + place], out[SOON + place], out[SURE + place] = points, points, SURE_AT * points
    for node in range(board.NODES):
        if s.event[node] and not s.realized[node]:
            balance = points_for(rules, s, node)
            s.outcome[node] = decide(balance, s.stance[node])
            for place in range(rules.num_players):
                player = (seat + place) % rules.num_players
                points = int(s.if_yes[player, node] if s.outcome[node] > 0 else s.if_no[player, node])
                out[ALL + place] = clip_points(out[ALL + place] + points)
                out[SURE + place] += points * min(abs(balance), SURE_AT)
                if node < until:
                    out[SOON + place] += points


@rule
def price(rules, s, seat, action):
    """T9: action units and energy together, or what an artifact is held to be worth.

    To pass counts as costing as much as a move, so that a player who finds nothing to do here moves as often as not.
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
    return numbers.ORGANIZE_AU + numbers.ORGANIZE_ENERGY  # as much for a pledge, which promises nothing


@rule
def greedy_value(rules, S, k, seat, action, scratch):
    """What a legal action of `seat` in position `k` is worth to `Greedy`."""
    return value_after(rules, S, k, seat, action, scratch, False)


@rule
def projector_value(rules, S, k, seat, action, scratch):
    """What it is worth to `Projector`."""
    return value_after(rules, S, k, seat, action, scratch, True)


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
        """What each action is worth, see `timeline_env.players.interface.Appraiser`."""


class Greedy(Lookahead):
    """Takes the decision after which it would lead by the most points if the phase ended now."""

    projecting = False
    value_rule, room = staticmethod(greedy_value), 3  # see `timeline_env.players.agents.cuda_appraiser`

    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how many points the seat leads after each action, see `timeline_env.players.interface.Appraiser`."""
        values: Any = np.full(mask.shape, -np.inf)
        value_actions(rules, states, record.new(state.STATE, 3), mask, seats, self.projecting, values)
        return values


class Projector(Greedy):
    """Takes the decision after which it would lead by the most points if every node were realized now."""

    projecting = True
    value_rule = staticmethod(projector_value)
    foreseen = FORESEEN

    def outlook(
        self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """`values`, and what they come from, of every seat; see `timeline_env.players.interface.Foreseer`."""
        return outlook_by(foresee_actions, FORESEEN, rules, states, mask, seats)


def outlook_by(
    foresee_all: Callable[..., None],
    foreseen: int,
    rules: Any,
    states: Any,
    mask: NDArray[np.int8],
    seats: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """What a compiled function like `foresee_actions` says of these positions; see `timeline_env.players.interface.Foreseer`."""
    values: Any = np.full(mask.shape, -np.inf)
    outlook: Any = np.zeros((len(mask), mask.shape[1] + 1, foreseen), np.int8)
    foresee_all(rules, states, record.new(state.STATE, ROOM), mask, seats, values, outlook)
    return values, outlook


@entry
def value_actions(rules, S, scratch, mask, seats, projecting, out):
    """For each position what every legal action is worth, into `out` (float64 [k, A])."""
    for k in range(S.shape[0]):
        for action in range(mask.shape[1]):
            if mask[k, action]:
                out[k, action] = value_after(rules, S, k, seats[k], action, scratch, projecting)


@entry
def foresee_actions(rules, S, scratch, mask, seats, values, outlook):
    """What every legal action is worth, into `values` (float64 [k, A]), and what it changes of the outlook, into `outlook`
    (int8 [k, A + 1, FORESEEN]); its last row is the position's own outlook, less the points that the seats have."""
    now, then = np.zeros((2, FORESEEN), np.int16)
    for k in range(S.shape[0]):
        foresee_position(rules, S, k, seats[k], scratch, now)
        for action in range(mask.shape[1]):
            if mask[k, action]:
                play_out(rules, S, k, seats[k], action, scratch, True)
                values[k, action] = foresee_action(
                    rules, S, k, seats[k], action, scratch, now, then, outlook[k, action]
                )
        tell_prospects(rules, S, k, seats[k], now, outlook[k, mask.shape[1]])


@rule
def foresee_position(rules, S, k, seat, scratch, now):
    """The outlook of position `k`, into `now`."""
    scratch[2] = S[k]
    foresee(rules[0], scratch[2], seat, board.FIRST[S[k].phase + 1], now)


@rule
def foresee_action(rules, S, k, seat, action, scratch, now, then, out):
    """What an action changes of the outlook `now` of position `k`, if it leads to ``scratch[0]``, into `out`; gives what it is worth."""
    scratch[2] = scratch[0]
    foresee(rules[0], scratch[2], seat, board.FIRST[S[k].phase + 1], then)
    clip_into(then - now, out)
    return lead(rules[0], then[: state.MAX_PLAYERS], 0) - A_COST * price(rules[0], S[k], seat, action)


@rule
def tell_prospects(rules, S, k, seat, now, out):
    """The outlook `now` of position `k` less the points that the seats have, into `out`; `now` is changed."""
    for place in range(rules[0].num_players):
        points = int(S[k].points[(seat + place) % rules[0].num_players])
        now[ALL + place] -= points
        now[SOON + place] -= points
        now[SURE + place] -= SURE_AT * points
    clip_into(now, out)


@rule
def clip_into(numbers, out):
    """The numbers into `out`, int8 of their shape."""
    for place in range(len(numbers)):
        out[place] = max(-127, min(127, numbers[place]))


@entry
def pick_best(values, words, out):
    """For each row of `values` (float64 [k, A]) the action of the greatest, into `out`; `words` choose among equals."""
    for k in range(values.shape[0]):
        best = values[k].max()
        equals = 0
        word = words[k]
        for action in range(values.shape[1]):
            if values[k, action] == best:
                # Each of the equals seen so far stays with the same chance.
                equals += 1
                word = rng.advance(word)
                if rng.bound_word(rng.mix(word), equals) == 0:
                    out[k] = action
