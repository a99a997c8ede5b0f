"""How the present board would end, and what one more token or card changes about that, without deciding everything anew.

A *forecast* is a board whose waiting events are all decided, in the order of time, with an array that keeps what they came to.
Whatever is laid in a node then changes only what depends on it: its event is decided anew, and the later ones beside it for
as long as an outcome changes.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.timeline import actions, board, state
from timeline_env.timeline.flexible import do_link, points_on_arc
from timeline_env.timeline.impact import lay_impact, lay_reinforcement
from timeline_env.timeline.organize import card_at, lay_event
from timeline_env.timeline.realize import decide, is_waiting, points_for
from timeline_env.timeline.turn import seat_after

ALL, SOON, SURE = 0, state.MAX_PLAYERS, 2 * state.MAX_PLAYERS
"""Where an outlook's three groups begin, each with a number for every seat, the viewer's first: its points if all nodes were realized
now; its points if those of the present phase were; and its points from all nodes in quarters, where an event's points count as many
quarters as realization points keep its outcome from turning, four at most."""
SURE_AT = 4
"""How many realization points above or below zero make an outcome count as sure."""
FORESEEN = 3 * state.MAX_PLAYERS
"""How many numbers an outlook has."""

OUTCOME, BALANCE, NEW_BALANCE, DECIDED = range(4)
"""Rows of what is kept beside a forecast, int64 [4, 61]: the outcome and the realization points of each event; the realization points of
those decided anew, and their nodes, one after the other."""
KEPT = (4, board.NODES)

FOLLOWERS = np.where(board.LATER & (board.NEIGHBOUR >= 0), 1 << board.NEIGHBOUR.clip(0), 0).sum(axis=1)
"""[61]: the later nodes beside each node, one bit each."""
NODE_OF_BIT = np.zeros(67, np.int64)
"""[67]: the node of a single bit, by the bit's remainder: the powers of 2 below 2^66 all leave different ones."""
NODE_OF_BIT[[(1 << node) % 67 for node in range(board.NODES)]] = np.arange(board.NODES)


@rule
def decide_from(rules, s, kept, first):
    """Decide the node `first`, if its event is waiting, and then the later ones beside an outcome that changes, in the order of time. Gives
    how many it decided; `kept` holds which, and their realization points."""
    count, nodes = 0, 1 << first  # one bit for each
    while nodes:
        earliest = nodes & -nodes
        nodes ^= earliest
        node = NODE_OF_BIT[earliest % 67]
        if is_waiting(s, node):
            points = points_for(rules, s, node)
            outcome = decide(points, s.stance[node])
            if s.outcome[node] != outcome:
                s.outcome[node] = outcome
                nodes |= FOLLOWERS[node]
            kept[NEW_BALANCE, node] = points
            kept[DECIDED, count] = node
            count += 1
    return count


@rule
def make_forecast(rules, s, seat, until, kept, outlook):
    """Decide all waiting events of the board, and write the outlook of `seat` into `outlook` (int16 [FORESEEN]); the present phase ends
    before the node `until`."""
    tell_points(rules, s, seat, outlook)
    for node in range(board.NODES):
        kept[OUTCOME, node], kept[BALANCE, node] = 0, 0
        if is_waiting(s, node):
            points = points_for(rules, s, node)
            s.outcome[node] = decide(points, s.stance[node])
            tell_node(rules, s, seat, until, kept, node, points, outlook)
            kept[OUTCOME, node], kept[BALANCE, node] = s.outcome[node], points


@rule
def tell_points(rules, s, seat, outlook):
    """Write the outlook of `seat` if no event were waiting: the points that everybody has."""
    outlook[:] = 0
    for place in range(rules.num_players):
        points = int(s.points[seat_after(rules, seat, place)])
        outlook[ALL + place], outlook[SOON + place], outlook[SURE + place] = points, points, SURE_AT * points


@rule
def tell_change(rules, s, seat, until, kept, count, outlook):
    """Add to `outlook` what the `count` events decided anew change of it."""
    for at in range(count):
        node = kept[DECIDED, at]
        tell_node(rules, s, seat, until, kept, node, kept[NEW_BALANCE, node], outlook)


@rule
def tell_node(rules, s, seat, until, kept, node, balance, outlook):
    """Add to `outlook` what it changes that the node's event has its present outcome with these realization points, not those `kept`."""
    before, after = kept[OUTCOME, node], s.outcome[node]
    surely_before, surely = min(abs(kept[BALANCE, node]), SURE_AT), min(abs(balance), SURE_AT)
    if before == after and surely_before == surely:
        return
    for place in range(rules.num_players):
        player = seat_after(rules, seat, place)
        points, points_before = points_by(s, player, node, after), points_by(s, player, node, before)
        outlook[ALL + place] += points - points_before
        outlook[SURE + place] += points * surely - points_before * surely_before
        if node < until:
            outlook[SOON + place] += points - points_before


@rule
def points_by(s, player, node, outcome):
    """T22: the points that the node's event brings a player with this outcome; 0 while there is none."""
    if outcome == 0:
        return 0
    return int(s.if_yes[player, node]) if outcome > 0 else int(s.if_no[player, node])


@rule
def lead_after(rules, s, seat, until, kept, count, own, others):
    """T22: the seat's `lead` after the changes by the `count` events decided anew, of which those before the node `until` count; by the
    forecast the seat had `own` points, and all others together `others`."""
    for at in range(count):
        node = kept[DECIDED, at]
        before, after = kept[OUTCOME, node], s.outcome[node]
        if before != after and node < until:
            for player in range(rules.num_players):
                gained = points_by(s, player, node, after) - points_by(s, player, node, before)
                if player == seat:
                    own += gained
                else:
                    others += gained
    return own - others / (rules.num_players - 1)


@rule
def is_foreseen(action):
    """Whether `lay` does all that an action of a turn does to the board; it does not for logistic events, which lay links, too."""
    return (
        action < actions.organize_action(state.MOST_CARDS + state.LOGISTIC - state.ATTACKING, 0, 0)
        or action >= actions.RIVAL
    )


@rule
def later_of(node, direction):
    """The later of the two nodes at a junction, whose event its link speaks for; the node itself where the edge leads off the field."""
    return max(node, board.NEIGHBOUR[node, direction])


@rule
def lay(rules, s, seat, action):
    """Lay, for nothing, what an action that `is_foreseen`, or one about the links of a logistic event, lays in the pawn's node. Gives the
    node that is to be decided anew; -1 if nothing is laid."""
    node = s.pawn[seat]
    if action < actions.IMPACT:
        return -1
    if action < actions.REINFORCE:
        side, value = actions.impact_parts(action)
        lay_impact(s, seat, side, value)
    elif action < actions.ARTIFACT:
        direction, strength = actions.reinforce_parts(action)
        lay_reinforcement(s, node, direction, strength)
        return later_of(node, direction)
    elif action < actions.AMPLIFIER:
        if action - actions.ARTIFACT != actions.SWITCH:
            return -1
        s.stance[node] = -s.stance[node]
    elif action < actions.ORGANIZE:
        lay_impact(s, seat, action - actions.AMPLIFIER, rules.amplifier_impact)
    elif action < actions.LINK:
        place, turn, side = actions.organize_parts(action)
        lay_event(rules, s, seat, card_at(s, seat, place), node, turn, side)
    elif action < actions.DONE:
        direction, hindrance, strength = actions.link_parts(action)
        do_link(s, node, direction, hindrance, strength)
        return later_of(node, direction)
    else:
        return -1
    return node


@rule
def lift(rules, s, seat, action):
    """Take away what `lay` has laid."""
    node = s.pawn[seat]
    if actions.IMPACT <= action < actions.REINFORCE or actions.AMPLIFIER <= action < actions.ORGANIZE:
        s.impact[seat, node] = 0
    elif actions.REINFORCE <= action < actions.ARTIFACT:
        direction, strength = actions.reinforce_parts(action)
        lay_reinforcement(s, node, direction, -strength)
    elif action - actions.ARTIFACT == actions.SWITCH:
        s.stance[node] = -s.stance[node]
    elif actions.ORGANIZE <= action < actions.LINK:
        s.event[node], s.stance[node], s.organizer[seat, node] = 0, 0, 0
        for direction in range(board.DIRECTIONS):
            s.mark[direction, node] = 0
        for player in range(rules.num_players):
            s.if_yes[player, node], s.if_no[player, node] = 0, 0
    elif actions.LINK <= action < actions.DONE:
        direction, _, strength = actions.link_parts(action)
        s.mark[direction, node] = 0
        if strength > 0:
            lay_reinforcement(s, node, direction, -strength)


@rule
def name_rivals(rules, s, seat):
    """T27, T28: set the arcs of the event that the seat has just laid on the forecast, if it is a flexible one, with the rivals who come
    last in the table of actions: to a `lead` that counts all nodes, rivals are alike. Whoever would gain is put where it will not count."""
    node = s.pawn[seat]
    last = seat_after(rules, seat, rules.num_players - 1)
    if s.card[node] == state.ATTACKING:
        s.if_yes[last, node] = points_on_arc(state.ATTACK_TICK)
        s.if_no[seat_after(rules, seat, rules.num_players - 2), node] = points_on_arc(state.ATTACK_CROSS)
    elif s.card[node] == state.SUPPORTING:
        if s.outcome[node] > 0:
            s.if_no[last, node] = points_on_arc(state.SUPPORT)
        else:
            s.if_yes[last, node] = points_on_arc(state.SUPPORT)


@rule
def try_out(rules, s, seat, action, kept):
    """Lay on the forecast `s` what an action lays, see `lay`; gives how many events it decides anew. Call `undo` afterwards."""
    node = lay(rules, s, seat, action)
    count = decide_from(rules, s, kept, node) if node >= 0 else 0
    if actions.ORGANIZE <= action < actions.LINK:
        name_rivals(rules, s, seat)
    return count


@rule
def decide_as_kept(s, kept, count):
    """Give the events decided anew the outcomes of the forecast back."""
    for at in range(count):
        node = kept[DECIDED, at]
        s.outcome[node] = kept[OUTCOME, node]


@rule
def undo(rules, s, seat, action, kept, count):
    """Make the forecast what it was before `try_out`; an empty node keeps the card's number and turn, which nothing reads."""
    decide_as_kept(s, kept, count)
    lift(rules, s, seat, action)
