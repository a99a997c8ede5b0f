"""What happens in games of Timeline, counted: recorded games are played again, and every event is looked at as it is realized.

The rules know nothing of this: the game's own functions are called in the order of `timeline_env.timeline.play`, and between
two of them the position is read. An event is looked at when its outcome has been decided and its tokens still lie on it (T24).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import questions, record
from timeline_env.engine.jit import entry, rule
from timeline_env.timeline.actions import CODEC
from timeline_env.timeline.board import DIRECTIONS, NEIGHBOUR, NODES, RADII, RADIUS
from timeline_env.timeline.impact import opposite_direction
from timeline_env.timeline.legal import list_legal
from timeline_env.timeline.numbers import LINK_STRENGTH
from timeline_env.timeline.play import answer, carry_on
from timeline_env.timeline.realize import decide, link_sign, link_strength, points_for
from timeline_env.timeline.state import ATTACKING, FLEXIBLE_KINDS, LOGISTIC, MAX_PLAYERS
from tools.mechanics_players import pledges

KINDS = (*CODEC.ranges, "pledge")
"""Kinds of decisions: the ranges of the table of actions, except that pledges are a kind apart from the rest of ``rival``, the arcs."""

COUNTS = record.record(
    ("decisions", "i4", len(KINDS), "decisions of each of the `KINDS`"),
    ("dealt", "i4", FLEXIBLE_KINDS, "flexible events in the hands at the beginning"),
    ("flexible", "i4", FLEXIBLE_KINDS, "those of them that were organized"),
    ("events", "i4", (), "events that were organized"),
    ("laid", "i4", RADII, "those of them laid in each phase"),
    ("ahead", "i4", (), "laid before the phase that realizes them"),
    ("links", "i4", (), "active links of the events (T17)"),
    ("unlinked", "i4", (), "events without any"),
    ("by_links", "i4", (), "events whose outcome would be another without links"),
    ("by_reinforcements", "i4", (), "events whose outcome would be another if every link had the strength 2"),
    ("as_stance", "i4", (), "events whose outcome is their organizer's stance"),
    ("like_e1", "i4", (), "events like the rulebook's E1, see `is_like_e1`"),
    ("empty", "i4", (), "nodes that end empty"),
    ("moved", "i4", RADII, "points won and lost by the realization of each phase"),
    ("deck_empty", "i4", (), "the phase in which the deck ran out; -1 if it did not"),
    ("laid_in", "i4", NODES, "the phase in which a node's event was laid; -1 without an event"),
    ("before", "i4", MAX_PLAYERS, "each seat's points before the node that is being realized"),
)
"""One game's counts. Events are those that a player organized; the original event is not among them."""


def kind_of_each_action() -> NDArray[np.int64]:
    """The place in `KINDS` of each action's kind, int64 [actions]."""
    ranges = list(CODEC.ranges.values())
    kinds = np.repeat(np.arange(len(ranges)), [part.size for part in ranges])
    kinds[pledges()] = KINDS.index("pledge")
    return kinds


def count(rules: Any, states: Any, games: list[NDArray[np.int64]]) -> Any:
    """Play recorded games on from `states`, which are changed in place.

    Args:
        rules: the game's numbers, a record array [1].
        states: positions, records [n].
        games: the decisions of each game, int64.

    Returns:
        The counts of each game, records [n] of the type `COUNTS`.
    """
    counts = record.new(COUNTS, len(games))
    stops = np.cumsum([len(decisions) for decisions in games])
    follow_games(rules, states, np.concatenate(games), stops, kind_of_each_action(), counts)
    return counts


@entry
def follow_games(rules, S, decisions, stops, kind_of, counts):
    """Play each game's `decisions` (its own end at its place in `stops`), counting into its record of `counts`."""
    at = 0
    for i in range(S.shape[0]):
        begin(rules[0], S[i], counts[i])
        while at < stops[i]:
            counts[i].decisions[kind_of[decisions[at]]] += 1
            follow(rules[0], S[i], decisions[at], counts[i])
            at += 1
        counts[i].empty = NODES - S[i].event.sum()


@rule
def begin(rules, s, c):
    """Note what holds before the first decision. Events that already lie there count as laid in the phase they are found in."""
    c.deck_empty = -1
    for kind in range(FLEXIBLE_KINDS):
        for seat in range(rules.num_players):
            c.dealt[kind] += s.flexible[seat, kind]
    for node in range(NODES):
        c.laid_in[node] = s.phase if s.event[node] else -1


@rule
def follow(rules, s, action, c):
    """Do what `timeline_env.timeline.play.play` does, and watch it."""
    s.gained[:] = 0
    watch_answer(rules, s, action, c)
    while s.over == 0:
        if s.depth == 0:
            watch_course(rules, s, c)
        elif list_legal(rules, s) == 1:
            watch_answer(rules, s, questions.only_legal_action(s), c)
        else:
            return


@rule
def watch_answer(rules, s, action, c):
    """Do what the action says; an event that it lays lies in the node of the seat's pawn."""
    seat = questions.top(s, questions.SEAT)
    answer(rules, s, action)
    node = s.pawn[seat]
    if s.event[node] and c.laid_in[node] < 0:
        c.laid_in[node] = s.phase
    watch_deck(rules, s, c)


@rule
def watch_course(rules, s, c):
    """Carry the game on; if that realized a node, look at it."""
    for seat in range(rules.num_players):
        c.before[seat] = s.points[seat]
    carry_on(rules, s)
    watch_deck(rules, s, c)
    if s.realizing >= 0:
        for seat in range(rules.num_players):
            c.moved[s.phase] += abs(s.points[seat] - c.before[seat])
        if is_organized(rules, s, s.realizing):
            look_at_event(rules, s, s.realizing, c)


@rule
def watch_deck(rules, s, c):
    """Note the phase in which the deck's last card is drawn."""
    if c.deck_empty < 0 and s.drawn == rules.deck_size:
        c.deck_empty = s.phase


@rule
def is_organized(rules, s, node):
    """Whether an event lies here that a player organized."""
    for seat in range(rules.num_players):
        if s.organizer[seat, node]:
            return True
    return False


@rule
def look_at_event(rules, s, node, c):
    """Count a realized event whose tokens still lie on it."""
    points = points_for(rules, s, node)
    links, by_links, by_reinforcements = 0, 0, 0
    for direction in range(DIRECTIONS):
        sign = link_sign(s, node, direction)
        links += sign != 0
        by_links += sign * link_strength(s, node, direction)
        by_reinforcements += sign * (link_strength(s, node, direction) - LINK_STRENGTH)
    stance = s.stance[node]
    outcome = decide(points, stance)
    c.events += 1
    c.laid[c.laid_in[node]] += 1
    c.ahead += c.laid_in[node] < RADIUS[node]
    c.links += links
    c.unlinked += links == 0
    c.by_links += decide(points - by_links, stance) != outcome
    c.by_reinforcements += decide(points - by_reinforcements, stance) != outcome
    c.as_stance += stance == outcome
    c.like_e1 += is_like_e1(rules, s, node, links)
    if ATTACKING <= s.card[node] <= LOGISTIC:
        c.flexible[s.card[node] - ATTACKING] += 1


@rule
def is_like_e1(rules, s, node, links):
    """Whether it has at least two active links, one overriding its own mark (T17), one reinforced (T18), and impacts next to ✓ and ✗."""
    overrides, reinforced, ticks, crosses = 0, 0, 0, 0
    for direction in range(DIRECTIONS):
        if link_sign(s, node, direction):
            overriding = s.mark[opposite_direction(direction), NEIGHBOUR[node, direction]]
            overrides += overriding * s.mark[direction, node] < 0
            reinforced += link_strength(s, node, direction) > LINK_STRENGTH
    for seat in range(rules.num_players):
        ticks += s.impact[seat, node] > 0
        crosses += s.impact[seat, node] < 0
    return links >= 2 and overrides > 0 and reinforced > 0 and ticks > 0 and crosses > 0
