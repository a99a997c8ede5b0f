"""Shows pictures in a window, at a pace; the window itself is another process, see `timeline_env.view.screen`."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.extras import require

SCREEN = Path(__file__).with_name("screen.py")
QUIET = {"PYGAME_HIDE_SUPPORT_PROMPT": "1"}
"""Without this pygame greets on the standard output."""


class Window:
    """A window that shows one picture after another, each for its time. It opens with the first; once its user closes it, it stays closed.

    Space pauses and goes on; while it is paused, the right arrow shows one picture more.

    Attributes:
        closed: whether it was closed, by the user or by `close`.
    """

    def __init__(self, title: str = "Timeline") -> None:
        self.title = title
        self.closed = False
        self._pipe: Connection | None = None
        self._process: Any = None
        self._shown = b""
        self._waiting = False

    def show(self, pixels: NDArray[np.uint8], pictures_a_second: float = 4.0) -> None:
        """Show a picture, uint8 [height, width, 3], once the one before has had its time; the same picture again is ignored.

        Raises:
            MissingExtra: pygame-ce is not installed.
            OSError: there is no display.
        """
        content = pixels.tobytes()
        if self.closed or content == self._shown:
            return
        if self._pipe is None:
            self._pipe = self._open()
        try:
            self._wait()
            self._pipe.send((content, (pixels.shape[1], pixels.shape[0]), 1 / pictures_a_second))
            self._shown, self._waiting = content, True
        except (EOFError, OSError):  # closed by its user
            self._end()

    def close(self) -> None:
        """Close the window, if it is open, once the last picture has had its time."""
        with suppress(EOFError, OSError):
            self._wait()
        self._end()

    def _open(self) -> Connection:
        os.environ.update(QUIET)
        require("pygame", "render")
        ours, theirs = multiprocessing.Pipe()
        # With -P this folder shadows no other module; what SDL prints when it finds no display is in the error.
        command = [sys.executable, "-P", str(SCREEN), str(theirs.fileno()), self.title]
        with theirs:
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stderr=subprocess.DEVNULL)
        try:
            reason = ours.recv()
        except EOFError:
            reason = "its process ended"
        if reason:
            self._process.wait()
            raise OSError(f"human rendering needs a display ({reason}); render_mode 'rgb_array' needs none")
        return ours

    def _wait(self) -> None:
        """Wait until the picture has had its time, or for as long as the user wants it."""
        if self._waiting and self._pipe is not None:
            self._waiting = False
            self._pipe.recv()

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._process.terminate()  # a process that was forked may keep the pipe open
            self._process.wait()
        self._pipe, self.closed = None, True
