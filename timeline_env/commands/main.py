"""``timeline-env COMMAND …``: everything that is done from a terminal."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Collection
from typing import Any

from timeline_env import __version__, cli
from timeline_env.reading import quote, unknown_name

COMMANDS = {
    "train": "train an agent by a configuration, or resume a run",
    "evaluate": "how good a player is against others",
    "tournament": "rate several players by games on the same deals",
    "ratings": "rate the players of several tournaments in one pool",
    "benchmark playing": "play the benchmark suite's tournaments and write their report",
    "benchmark submit": "check an entry to the suite and play a sample of it again",
    "benchmark learning": "train with a fixed number of decisions, and measure what was learned",
    "benchmark generalisation": "train with one number of players or deck, play with others",
    "benchmark responses": "train a best response to each of several players",
    "best-response": "how much, at least, a player can be exploited",
    "dataset make": "play games and keep them as a data set",
    "dataset show": "read a data set back, and say what it holds",
    "dataset fit": "fit an agent to a data set: cloning, or by advantages",
    "people agree": "how often players of Twilight Struggle choose what people chose",
    "people endings": "how their games end, beside those of people",
    "people dominated": "count decisions that another one dominates, of people and of players",
    "sweep": "search for hyperparameters",
    "play": "play in the browser, alone or with others; show a game step by step",
    "picture": "draw a position as SVG and PNG",
    "prompt": "show what a language model is sent for a decision",
    "watch": "show a saved game or a tournament's game move by move",
    "replay": "check recorded games of Twilight Struggle against the engine",
    "perft": "count the lines of play from a position",
    "compile": "compile the games ahead of their first use",
}
"""Every command in one line. Its function is in the module of its first word, which is imported when the command is given."""


def main(words: list[str] | None = None) -> None:
    """Run one command.

    Args:
        words: the command and its arguments; None for those of this process.
    """
    with cli.refusals():
        command, *rest = (sys.argv[1:] if words is None else words) or ["help"]
        if command == "help" and rest:
            command, *rest = *rest, "--help"
        if rest and f"{command} {rest[0]}" in COMMANDS:
            command, *rest = f"{command} {rest[0]}", *rest[1:]
        group = [name for name in COMMANDS if name.startswith(f"{command} ")]
        if command in COMMANDS:
            cli.run(function_of(command), f"timeline-env {command}", rest)
        elif group and (not rest or rest[0] in ("--help", "-h")):
            print(overview(group, f"{command} COMMAND"))
        elif group:
            raise unknown_name("command", f"{command} {rest[0]}", group)
        elif command in ("--help", "-h", "help"):
            print(overview(COMMANDS))
        elif command == "--version":
            print(f"timeline-env {__version__}")
        elif command.startswith("-"):
            raise ValueError(f"option {quote(command)} must follow the command, as in timeline-env COMMAND --help")
        else:
            raise unknown_name("command", command, COMMANDS)


def function_of(command: str) -> Callable[..., Any]:
    """The function of one of `COMMANDS`."""
    module, *_, name = command.replace("-", "_").split() * 2
    function: Callable[..., Any] = getattr(importlib.import_module(f"timeline_env.commands.{module}"), name)
    return function


def overview(names: Collection[str], usage: str = "COMMAND") -> str:
    """These commands, a line each."""
    width = max(map(len, names))
    lines = [f"  {name:<{width}} {COMMANDS[name]}" for name in names]
    return "\n".join(
        [f"usage: timeline-env {usage} ...", "", *lines, "", f"timeline-env {usage} --help says more, with examples."]
    )


if __name__ == "__main__":
    main()
