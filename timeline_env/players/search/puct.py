"""Compiled tree search guided by a policy (PUCT), many leaves at once.

Sources: Silver and others, "Mastering the game of Go without human knowledge", Nature 2017 (PUCT); Chaslot, Winands and van
den Herik, "Parallel Monte-Carlo Tree Search", CG 2008 (virtual loss). The tree is that of `timeline_env.players.search.uct`.

The guide (`timeline_env.players.search.guides`) is asked about `BATCH` leaves together. Until its answers come, each of those simulations counts as lost for the
seats on its way, so that the next one looks elsewhere.
"""

from __future__ import annotations

import math

from timeline_env.engine import rng
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.verbs import hide, legal, observe, play, to_act
from timeline_env.players.search.rollout import roll_out
from timeline_env.players.search.uct import add_child, allow, judge, new_world

BATCH = 16
"""Leaves that the guide is asked about together."""


@entry
def collect_leaves(
    rules, root, seat, seed, count, actions, tree, size, logits, asked, guidance, by_value,
    leaves, positions, views, masks, seats, ended, every_view, values, world, known, mask, points, rank,
):  # fmt: skip
    """Run `count` simulations (at most `BATCH`) as far as a leaf; `actions` are the legal ones at the root (int64 [n]).

    Writes the leaf of each (`leaves`) and whether the game is over there (`ended`); who is to act (`seats`), what that seat knows
    (`positions`), sees (`views`) and may do (`masks`); and what the leaf is worth (`values`). With `by_value`, where the game goes
    on, it writes no worth but what each of the first seats sees there, as many as `every_view` (int8 [`BATCH`, seats, d]) has
    room for.
    """
    for k in range(count):
        child = guided_choice_at_root(tree, size, seat, actions, mask, logits, guidance) if asked[0] else 0
        # Every action's n-th simulation is played in the same world, so that luck evens out.
        word = new_world(rules, root, world, seat, rng.stream(seed, tree[child].visits))
        if child > 0:
            play(rules[0], world[0], tree[child].action)
        leaf = descend_guided(rules, tree, size, child, logits, asked, guidance, world, mask)
        leaves[k] = leaf
        seats[k] = max(to_act(world[0]), 0)
        observe(rules[0], world[0], seats[k], views[k])
        legal(rules[0], world[0], masks[k])
        positions[k] = world[0]
        hide(rules[0], positions[k], seats[k])
        ended[k] = to_act(world[0]) < 0
        if by_value and not ended[k]:
            for viewer in range(every_view.shape[1]):
                observe(rules[0], world[0], viewer, every_view[k, viewer])
        else:
            roll_out(rules, world, known, mask, word)
            judge(rules, world, points, rank, values[k])
        lose_virtually(tree, leaf)


@rule
def guided_choice_at_root(tree, size, seat, actions, mask, logits, guidance):
    """The child of the root that PUCT chooses, a new one if there was none."""
    allow(mask, actions)
    action, child = guided_choice(tree, 0, seat, mask, logits[0], guidance, size[0] < tree.shape[0])
    return child if child >= 0 else add_child(tree, size, 0, seat, action)


@rule
def descend_guided(rules, tree, size, node, logits, asked, guidance, world, mask):
    """Follow PUCT's choices from `node` to one that the guide was not asked about, or to the end of the game. Gives that node."""
    while asked[node]:
        mover = to_act(world[0])
        if mover < 0:
            return node
        legal(rules[0], world[0], mask)
        action, child = guided_choice(tree, node, mover, mask, logits[node], guidance, size[0] < tree.shape[0])
        if action < 0:
            return node
        if child < 0:
            child = add_child(tree, size, node, mover, action)
        play(rules[0], world[0], action)
        node = child
    return node


@rule
def guided_choice(tree, node, mover, mask, logits, guidance, room):
    """PUCT's choice among the legal actions: the action, and the child it leads to (-1 if it has none yet).

    Without `room` for more nodes it is made only among the children; both are -1 without children.
    """
    peak, scale = softmax_over(mask, logits)
    mean = mean_of_children(tree, node, mover, mask)
    weight = guidance * math.sqrt(tree[node].visits)
    best, best_child, most = -1, -1, -1.0e9
    child = tree[node].child
    while child >= 0:
        c = tree[child]
        if c.mover == mover and mask[c.action]:
            prior = math.exp(logits[c.action] - peak) / scale
            bound = c.total / c.visits + weight * prior / (1 + c.visits)
            if bound > most:
                best, best_child, most = c.action, child, bound
            mask[c.action] = 0
        child = c.sibling
    for action in range(mask.shape[0]):
        if room and mask[action]:
            bound = mean + weight * math.exp(logits[action] - peak) / scale
            if bound > most:
                best, best_child, most = action, -1, bound
    return best, best_child


@rule
def softmax_over(mask, logits):
    """The greatest logit of the legal actions, and the sum over them of exp(logit - greatest)."""
    peak = -1.0e30
    for action in range(mask.shape[0]):
        if mask[action]:
            peak = max(peak, float(logits[action]))
    scale = 0.0
    for action in range(mask.shape[0]):
        if mask[action]:
            scale += math.exp(logits[action] - peak)
    return peak, scale


@rule
def mean_of_children(tree, node, mover, mask):
    """The mean worth of the legal children to `mover`, 0 without any: what an action not yet tried is taken to be worth."""
    total, visits = 0.0, 0
    child = tree[node].child
    while child >= 0:
        c = tree[child]
        if c.mover == mover and mask[c.action]:
            total += c.total
            visits += c.visits
        child = c.sibling
    return total / max(visits, 1)


@rule
def lose_virtually(tree, node):
    """Count a visit and the value -1 in every node from `node` to the root."""
    while node >= 0:
        tree[node].visits += 1
        tree[node].total -= 1.0
        node = tree[node].parent


@entry
def take_in(tree, logits, asked, leaves, ended, answers, values):
    """Keep the guide's `answers` (float32 [k, actions]) at the leaves, and put `values` in the place of the virtual losses.

    Where the game is over (`ended`, bool [k]) there was nothing to ask, and in another world it may go on from there.
    """
    for k in range(leaves.shape[0]):
        node = leaves[k]
        if not ended[k]:
            asked[node] = True
            for action in range(logits.shape[1]):
                logits[node, action] = answers[k, action]
        while node >= 0:
            tree[node].total += 1.0 + values[k, tree[node].mover]
            node = tree[node].parent
