"""How far the compilation of the rules has come, for the page to show while it waits."""

from __future__ import annotations

from numba.core import event

from timeline_env.engine.jit import PLAIN_PYTHON


class Compiling(event.Listener):
    """Counts the functions that are compiled."""

    def __init__(self) -> None:
        self.functions = 0
        if not PLAIN_PYTHON:
            event.register("numba:compile", self)

    def on_start(self, event: object) -> None:
        """A function begins to be compiled."""

    def on_end(self, event: object) -> None:
        """A function has been compiled."""
        self.functions += 1

    def describe(self) -> str:
        """How far it has come, in a sentence."""
        if not self.functions:
            return "Setting up the game."
        return (
            f"Compiling the rules for this machine, once: {self.functions} functions so far; it takes about a minute."
        )

    def stop(self) -> None:
        """Stop counting."""
        if not PLAIN_PYTHON:
            event.unregister("numba:compile", self)
