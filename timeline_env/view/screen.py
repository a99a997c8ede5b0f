"""The window of ``human`` rendering, a program of its own: it answers while a player thinks or anything else holds the interpreter.

`timeline_env.view.window` runs this file and sends it pictures through a pipe. Each is shown at least for its time and as
long as the window is paused; then the screen sends NEXT. When the pipe ends, so does the window. This file imports nothing of
the package, so that the window is there at once.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

import pygame

NEXT = "next"
INVISIBLE = ("dummy", "offscreen")
"""Drivers that SDL falls back to where there is no display; whoever sets one explicitly wants it."""
TICK = 0.02
"""Seconds between two looks at the keys."""
HINTS = {False: "space: pause", True: "paused; space: go on, right arrow: one picture"}
MOST_OF_THE_SCREEN = 0.9


class Screen:
    """Shows the pictures that come through a pipe.

    Attributes:
        paused: whether the picture stays until a key is pressed.
    """

    def __init__(self, pipe: Connection, title: str) -> None:
        self.pipe, self.title, self.paused = pipe, title, False
        self.until: float | None = None  # when the picture will have had its time; None once NEXT was sent
        self.picture: Any = None
        self.surface: Any = None

    def run(self) -> None:
        """Show pictures until the pipe or the window is closed."""
        while self.turn():
            pass

    def turn(self) -> bool:
        """Take a picture if there is one, then answer keys and clicks; False when it is over."""
        try:
            if self.pipe.poll(TICK):
                self.show(*self.pipe.recv())
            return self.answer()
        except (EOFError, OSError):
            return False

    def show(self, pixels: bytes, size: tuple[int, int], seconds: float) -> None:
        """Show a picture, RGB bytes of this width and height, for at least so many seconds."""
        if self.surface is None:
            self.surface = open_window(size)
        self.picture = pygame.image.frombuffer(pixels, size, "RGB").convert(self.surface)
        self.until = time.monotonic() + seconds
        self.draw()

    def draw(self) -> None:
        """Draw the picture as large as the window is, and say in the title what the keys do."""
        pygame.display.set_caption(f"{self.title} ({HINTS[self.paused]})")
        pygame.transform.smoothscale(self.picture, self.surface.get_size(), self.surface)
        pygame.display.flip()

    def answer(self) -> bool:
        """Answer keys and clicks, and ask for the next picture when this one has had its time; False if the window was closed."""
        wanted = False
        events = pygame.event.get() if self.surface else []
        for event in events:
            if event.type == pygame.QUIT:
                return False
            if event.type == pygame.KEYDOWN:
                self.paused ^= event.key == pygame.K_SPACE
                wanted |= event.key == pygame.K_RIGHT
        if events:
            self.draw()
        if self.until is not None and (wanted or (not self.paused and time.monotonic() >= self.until)):
            self.until = None
            self.pipe.send(NEXT)
        return True


def open_window(size: tuple[int, int]) -> Any:
    """A window for a picture of this size, or smaller if the display is."""
    display = pygame.display.get_desktop_sizes()[0]
    scale = min(1.0, *(MOST_OF_THE_SCREEN * most / length for most, length in zip(display, size, strict=True)))
    return pygame.display.set_mode((round(size[0] * scale), round(size[1] * scale)))


def why_no_display() -> str:
    """Why there is nothing to see; empty if there is a display."""
    try:
        pygame.display.init()
    except pygame.error as error:
        return str(error)
    driver = pygame.display.get_driver()
    asked_for = os.environ.get("SDL_VIDEODRIVER", "").split(",")
    return f"only SDL's {driver!r} driver" if driver in INVISIBLE and driver not in asked_for else ""


def main() -> None:
    """Serve the pipe whose number is the first argument; the second is the title."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program that draws; the pipe ends with it
    pipe = Connection(int(sys.argv[1]))
    reason = why_no_display()
    pipe.send(reason)
    if not reason:
        Screen(pipe, sys.argv[2]).run()


if __name__ == "__main__":
    main()
