"""Perft: how many lines of play of a given number of decisions lead on from a position.

Forced moves are played by the engine, so they are not decisions; a line that ends the game sooner does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.engine import record, replay
from timeline_env.engine.batch import run_loop
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game, legal, play
from timeline_env.reading import check_integer, quote, read_text

ACTIONS_A_CALL = 2**16
"""Actions looked at in one compiled call, some hundredths of a second: Ctrl-C waits for a call to end."""


def first_moves(game: Game, rules: Any, S: Any) -> int:
    """How many legal actions a position (record array [1]) has."""
    mask = np.zeros(game.num_actions(int(rules[0].num_players)), np.int8)
    mark_legal(rules, S, mask)
    return int(mask.sum())


def perft(
    game: Game, rules: Any, S: Any, depth: int, progress: Callable[[int], None] = lambda moves: None
) -> dict[str, int]:
    """Count the lines of `depth` decisions from a position, by their first move as text.

    Args:
        game: the position's game.
        rules: record array [1].
        S: the position, record array [1]; it is not changed.
        depth: decisions, at least 1.
        progress: called with the number of first moves whose lines have been counted since the last call.

    Raises:
        ValueError: `depth` is not an integer of at least 1.
    """
    check_integer("depth", depth, 1)
    actions = game.num_actions(int(rules[0].num_players))
    stack, masks = record.new(game.state, depth), np.zeros((depth, actions), np.int8)
    tried, counts, level = np.zeros(depth, np.int64), np.zeros(actions, np.int64), np.zeros(1, np.int64)
    stack[0] = S[0]
    mark_legal(rules, stack, masks[0])
    done = 0
    while level[0] >= 0:
        run_loop(game, count_by_first, rules, stack, masks, tried, counts, level, ACTIONS_A_CALL)
        over = int(masks[0, : max(int(tried[0]) - 1, 0)].sum())  # the move that was tried last is still being counted
        progress(over - done)
        done = over
    return {game.notation.action_to_text(rules, S[0], int(a)): int(counts[a]) for a in np.flatnonzero(masks[0])}


@entry
def mark_legal(rules, S, mask):
    """Write the legal actions of the position into `mask` (int8 [actions])."""
    legal(rules[0], S[0], mask)


@entry
def count_by_first(rules, stack, masks, tried, counts, level, most):
    """Go on counting lines from `stack[0]` by their first action, for `most` actions.

    A line of play is walked with a stack instead of a recursion, so that all memory is the caller's.

    Args:
        rules: record array [1].
        stack: record array [depth]; the position comes first.
        masks: int8 [depth, actions], the first row the position's legal actions; the others are written on the way.
        tried: int64 [depth], zeros at first; written on the way.
        counts: int64 [actions], zeros at first; the result.
        level: int64 [1], where in the stack the walk is: 0 before it begins, -1 at its end.
        most: actions to look at.
    """
    last = stack.shape[0] - 1
    at = level[0]
    for _ in range(most):
        if at < 0:
            break
        action = tried[at]
        tried[at] += 1
        if action == masks.shape[1]:
            at -= 1
        elif masks[at, action] and at == last:
            # The last decision is counted, not played.
            counts[tried[0] - 1] += 1
        elif masks[at, action]:
            at += 1
            stack[at] = stack[at - 1]
            play(rules[0], stack[at], action)
            arrive(rules, stack, masks, tried, at)
    level[0] = at


@rule
def arrive(rules, stack, masks, tried, level):
    """Begin with the actions of a new position."""
    legal(rules[0], stack[level], masks[level])
    tried[level] = 0


@dataclass(frozen=True)
class Case:
    """Counts that are known to be right, from a file of cases.

    Attributes:
        where: the file and the line of the start.
        start: ``position TEXT`` or ``seed N players P``.
        counts: lines for each depth.
    """

    where: str
    start: str
    counts: dict[int, int] = field(default_factory=dict)


def read_cases(path: str | Path) -> list[Case]:
    """The cases of a file: a start, then lines ``depth count``; ``#`` begins a comment.

    Raises:
        ValueError: the file cannot be read, or a line is not allowed; the message names it.
    """
    lines = read_text(Path(path), f"perft file {quote(str(path))}").splitlines()
    cases: list[Case] = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if words and words[0] in ("position", "seed"):
            cases.append(Case(f"{path}:{number}", " ".join(words)))
        elif cases and len(words) == 2 and all(word.isdecimal() for word in words):
            depth = int(words[0])
            if depth < 1 or depth in cases[-1].counts:
                raise ValueError(f"{path}:{number}: depth {depth} must be at least 1, and named once for each position")
            cases[-1].counts[depth] = int(words[1])
        elif words:
            raise ValueError(
                f"{path}:{number}: {quote(line)} must be 'position TEXT', 'seed N players P' or 'depth count'"
            )
    return cases


def check(game: Game, case: Case) -> list[str]:
    """What differs from the case, one line each; empty if all is right. Raises ValueError for a malformed start."""
    try:
        rules, S = start_position(game, case.start)
    except ValueError as error:
        raise ValueError(f"{case.where}: {error}") from None
    found = {depth: sum(perft(game, rules, S, depth).values()) for depth in case.counts}
    return [
        f"{case.where}: {found[depth]} lines of {depth} decisions; {count} were expected"
        for depth, count in case.counts.items()
        if found[depth] != count
    ]


def start_position(game: Game, start: str) -> tuple[np.recarray[Any, Any], np.recarray[Any, Any]]:
    """The rules and the position (record arrays [1]) that ``position TEXT`` or ``seed N players P`` describes.

    Raises:
        ValueError: the text does not describe a position.
    """
    kind, _, rest = start.partition(" ")
    if kind == "position":
        rules = game.load_rules(game.notation.num_players_in(rest))
        return rules, game.notation.from_text(rules, rest)
    words = rest.split()
    if len(words) != 3 or words[1] != "players" or not words[0].isdecimal() or not words[2].isdecimal():
        raise ValueError(f"{start!r} must be 'seed N players P'")
    return deal_position(Setting(game, int(words[2])), int(words[0]))


def deal_position(setting: Setting, seed: int) -> tuple[np.recarray[Any, Any], np.recarray[Any, Any]]:
    """The rules and the position after the deal of `seed`; record arrays [1]."""
    batch = replay.deal_batch(setting, seed)
    return batch.rules, batch.states
