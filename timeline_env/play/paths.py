"""An action as a path of targets: what a person clicks or presses one after the other, until one action is left.

A target is a thing of the board, a card or a button. Among the paths of a position's legal actions, none equals or
begins another, so the last click of a path is the decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Target:
    """One click.

    Attributes:
        key: what is clicked; the same key is the same thing in the drawing.
        text: what it does, in a few words; differs from that of every other target beside it.
        detail: what it costs, what its odds are, what follows; read before the click.
        turn: for a card that is laid turned: by how many sixths of a turn, clockwise.
    """

    key: str
    text: str
    detail: str = ""
    turn: int | None = None


Path = tuple[Target, ...]


def tree(paths: Mapping[int, Path], moves: Mapping[int, str]) -> list[dict[str, Any]]:
    """The paths as nested lists of targets, for JSON.

    Args:
        paths: the path of each legal action.
        moves: each action in the notation.

    Returns:
        The first targets; each has ``next``, the targets after it, or ``move``, what is then decided.
    """
    roots: list[dict[str, Any]] = []
    for action, path in paths.items():
        targets = roots
        for target in path:
            entry = _entry(targets, target)
            targets = entry["next"]
        del entry["next"]
        entry["move"] = moves[action]
    return roots


def _entry(targets: list[dict[str, Any]], target: Target) -> dict[str, Any]:
    """The entry of a target among `targets`; a new one if it has none yet."""
    for entry in targets:
        if entry["key"] == target.key:
            return entry
    entry = {"key": target.key, "text": target.text, "detail": target.detail, "next": []}
    if target.turn is not None:
        entry["turn"] = target.turn
    targets.append(entry)
    return entry
