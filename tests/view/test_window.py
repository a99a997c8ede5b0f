"""The window, on a machine without a screen."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from timeline_env.view.window import Window


@pytest.fixture
def pygame(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return pytest.importorskip("pygame")


def picture(colour):
    return np.full((300, 400, 3), colour, np.uint8)


def test_it_shows_each_picture_in_turn(pygame):
    window = Window()
    for colour in ((200, 10, 20), (0, 90, 250)):
        window.show(picture(colour))
        shown = pygame.display.get_surface()
        assert shown.get_size() == (400, 300)
        assert np.abs(np.array(shown.get_at((200, 150)))[:3] - colour).max() <= 3
    window.close()
    assert window.closed and not pygame.display.get_init()


def test_a_picture_larger_than_the_screen_is_made_smaller(pygame):
    window = Window()
    window.show(np.zeros((3000, 4000, 3), np.uint8))
    width, height = pygame.display.get_surface().get_size()
    screen = pygame.display.get_desktop_sizes()[0]
    window.close()
    assert width <= screen[0] and height <= screen[1] and width / height == pytest.approx(4 / 3, abs=0.01)


def test_once_its_user_closes_it_it_stays_closed(pygame):
    window = Window()
    window.show(picture((1, 2, 3)))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(picture((1, 2, 3)))
    assert window.closed and not pygame.display.get_init()
    window.show(picture((1, 2, 3)))
    assert not pygame.display.get_init()
    window.close()


def test_a_missing_pygame_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"pip install 'timeline-env\[render\]'"):
        Window().show(picture((0, 0, 0)))
