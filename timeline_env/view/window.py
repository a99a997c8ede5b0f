"""Shows pictures in a window, with pygame-ce."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Window:
    """A window that shows one picture after another. It opens with the first; once its user closes it, it stays closed.

    Attributes:
        closed: whether it was closed, by the user or by `close`.
    """

    def __init__(self, title: str = "Timeline") -> None:
        self.title = title
        self.closed = False
        self._surface: Any = None

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a picture, uint8 [height, width, 3], as large as the window is.

        Raises:
            ImportError: pygame-ce is missing.
        """
        if self.closed:
            return
        pygame = _pygame()
        size = (pixels.shape[1], pixels.shape[0])
        if self._surface is None:
            self._surface = _open(pygame, self.title, size)
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.close()
                return
        picture = pygame.image.frombuffer(pixels.tobytes(), size, "RGB")
        pygame.transform.smoothscale(picture.convert(self._surface), self._surface.get_size(), self._surface)
        pygame.display.flip()

    def close(self) -> None:
        """Close the window, if it is open."""
        if self._surface is not None:
            _pygame().display.quit()
        self._surface, self.closed = None, True


def _open(pygame: Any, title: str, size: tuple[int, int]) -> Any:
    """A window for a picture of this size, smaller where the screen is."""
    pygame.display.init()
    screen = pygame.display.get_desktop_sizes()[0]
    scale = min(1.0, 0.9 * screen[0] / size[0], 0.9 * screen[1] / size[1])
    pygame.display.set_caption(title)
    return pygame.display.set_mode((round(size[0] * scale), round(size[1] * scale)))


def _pygame() -> Any:
    # Without this it greets on the standard output.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
    except ImportError:
        raise ImportError("a window needs pygame-ce: pip install 'timeline-env[render]'") from None
    return pygame
