"""Compiled search over determinizations: flat Monte Carlo, and information-set Monte Carlo tree search.

Sources: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 2012 (one tree for many
determinizations, availability counts); Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning", ECML 2006 (UCT).

A simulation deals again what the searching seat does not know, plays on in that world, and values the end for every seat. A
node of the tree is a sequence of decisions since the root, independent of chance and hidden cards; its statistics
are those of the seat that made the last one, which cares only for itself.
"""

from __future__ import annotations

import math

from timeline_env.engine import rng
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.loops import pick
from timeline_env.engine.record import record
from timeline_env.engine.verbs import determinize, estimate, legal, observe, play, standings, to_act
from timeline_env.players.search.rollout import roll_out

NODE = record(
    ("total", "f8", (), "sum of the values of its simulations, for the seat that decided to come here"),
    ("visits", "i4", (), "simulations that came here"),
    ("available", "i4", (), "simulations in whose world the decision could have been made"),
    ("parent", "i4", (), "-1 for the root"),
    ("child", "i4", (), "the newest child; -1 without one"),
    ("sibling", "i4", (), "the child of the same parent made before; -1 without one"),
    ("action", "i2", (), "the decision that leads here"),
    ("mover", "i2", (), "the seat that makes it"),
)
"""One node of a search tree."""


EXPLORATION = 0.3
"""UCT's constant, for values from -1 to 1."""


@rule
def new_world(rules, root, world, seat, word):
    """Put a determinization of `root` into `world` and give a generator for the play in it, both from `word` (uint64)."""
    world[0] = root[0]
    determinize(rules[0], world[0], seat, rng.mix(word))
    return rng.advance(word)


@rule
def judge(rules, world, points, rank, values):
    """What the position is worth to each seat, -1 to 1, into `values`: by its rank at the end, else by the game's estimate.

    This may change the position.
    """
    if to_act(world[0]) >= 0:
        estimate(rules[0], world[0], values)
        return
    standings(rules[0], world[0], points, rank)
    for seat in range(values.shape[0]):
        values[seat] = 1 - 2 * (float(rank[seat]) - 1) / (values.shape[0] - 1)


@entry
def search_flat(rules, root, seat, seed, start, stop, actions, total, visits, world, known, mask, points, rank, values):
    """Run simulations `start` up to `stop`, each after the next of the legal `actions` (int64 [n]); sums go to `total`, `visits`."""
    for i in range(start, stop):
        k = i % actions.shape[0]
        # Every action is tried in the same worlds, so that luck evens out.
        word = rng.stream(seed, i // actions.shape[0])
        total[k] += try_action(rules, root, seat, word, actions[k], world, known, mask, points, rank, values)
        visits[k] += 1


@entry
def play_worlds(
    rules, root, seat, seed, start, stop, actions, worth, movers, views, world, known, mask, points, rank, values
):  # fmt: skip
    """Try every one of `actions` (int64 [n]) in the worlds `start` up to `stop`; what it leads to goes into `worth` (float64 [worlds, n]).

    Who is to act there goes into `movers` (int64 [worlds, n], -1 if nobody), and, unless `views` (int8 [worlds, n, d]) has
    no rows, what that seat sees.
    """
    for i in range(start, stop):
        word = rng.stream(seed, i)
        for k in range(actions.shape[0]):
            play_on(rules, root, seat, word, actions[k], world, known, mask)
            mover = to_act(world[0])
            movers[i - start, k] = mover
            if views.shape[0] > 0 and mover >= 0:
                observe(rules[0], world[0], mover, views[i - start, k])
            # Last, since an estimate may change the position.
            judge(rules, world, points, rank, values)
            worth[i - start, k] = values[seat]


@rule
def play_on(rules, root, seat, word, action, world, known, mask):
    """Take an action of the root in the world that `word` (uint64) deals, and play on until it can be judged, in `world`."""
    after = new_world(rules, root, world, seat, word)
    play(rules[0], world[0], action)
    roll_out(rules, world, known, mask, after)


@rule
def try_action(rules, root, seat, word, action, world, known, mask, points, rank, values):
    """What an action at the root leads to for `seat` in the world that `word` (uint64) deals, -1 to 1."""
    play_on(rules, root, seat, word, action, world, known, mask)
    judge(rules, world, points, rank, values)
    return values[seat]


@entry
def grow_tree(rules, root, seat, seed, count, actions, tree, size, world, known, mask, points, rank, values):
    """Run `count` simulations; the tree has `size[0]` nodes and grows by at most one per simulation.

    `actions` (int64 [n]) are the legal ones at the root; they are tried in this order first.
    """
    for _ in range(count):
        child = choice_at_root(tree, size, seat, actions, mask)
        # Every action's n-th simulation is played in the same world, so that luck evens out.
        word = new_world(rules, root, world, seat, rng.stream(seed, tree[child].visits))
        play(rules[0], world[0], tree[child].action)
        leaf = descend(rules, tree, size, child, world, mask, word)
        roll_out(rules, world, known, mask, rng.advance(word))
        judge(rules, world, points, rank, values)
        back_up(tree, leaf, values)


@rule
def choice_at_root(tree, size, seat, actions, mask):
    """The root's child for the next simulation: one for an action that has none yet, if there is room, else UCT's choice."""
    allow(mask, actions)
    best, untried = best_child(tree, 0, seat, mask)
    if not untried or size[0] == tree.shape[0]:
        return best
    child = add_child(tree, size, 0, seat, actions[actions.shape[0] - untried])
    tree[child].available = actions.shape[0] - untried + 1  # at the root every action is legal in all worlds
    return child


@rule
def allow(mask, actions):
    """Make a mask in which these actions alone are legal."""
    mask[:] = 0
    for action in actions:
        mask[action] = 1


@rule
def descend(rules, tree, size, node, world, mask, word):
    """Follow the best children from `node` until a decision has no child yet, and make one for it, if there is room. Gives the last node.

    A node gets no children before it has been visited as often as there are decisions: until then `roll_out` says more about it
    than children that were hardly tried.
    """
    while True:
        mover = to_act(world[0])
        if mover < 0:
            return node
        legal(rules[0], world[0], mask)
        if tree[node].child < 0 and tree[node].visits < mask.sum():
            return node
        best, untried = best_child(tree, node, mover, mask)
        if untried and size[0] < tree.shape[0]:
            node = add_child(tree, size, node, mover, pick(mask, rng.mix(word)))
            play(rules[0], world[0], tree[node].action)
            return node
        if best < 0:
            return node
        node = best
        play(rules[0], world[0], tree[node].action)


@rule
def best_child(tree, node, mover, mask):
    """UCT's choice among the children that are legal here, -1 without any; and how many legal actions have no child.

    Only those actions stay in the mask.
    """
    best, most, untried = -1, -1.0e9, 0
    for action in range(mask.shape[0]):
        if mask[action]:
            untried += 1
    child = tree[node].child
    while child >= 0:
        c = tree[child]
        if c.mover == mover and mask[c.action]:
            mask[c.action] = 0
            untried -= 1
            c.available += 1
            bound = c.total / c.visits + EXPLORATION * math.sqrt(math.log(c.available) / c.visits)
            if bound > most:
                best, most = child, bound
        child = c.sibling
    return best, untried


@rule
def add_child(tree, size, node, mover, action):
    """Add a node after this decision; gives its index."""
    child = size[0]
    size[0] += 1
    c = tree[child]
    c.total = 0.0
    c.visits = 0
    c.available = 1
    c.parent = node
    c.child = -1
    c.sibling = tree[node].child
    c.action = action
    c.mover = mover
    tree[node].child = child
    return child


@rule
def back_up(tree, node, values):
    """Count the simulation in every node from `node` to the root, each with the value for its own seat."""
    while node >= 0:
        tree[node].visits += 1
        tree[node].total += values[tree[node].mover]
        node = tree[node].parent
