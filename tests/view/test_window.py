"""The window, on a machine without a screen."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time

import numpy as np
import pytest

from tests.commands import ends_beside_a_fork
from timeline_env import timeline_v0
from timeline_env.view.window import Window

FAST = 100.0


@pytest.fixture
def pygame(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return pytest.importorskip("pygame")


@pytest.fixture
def screen(pygame):
    """A screen in this process, and the end of the pipe that pictures are sent through."""
    from timeline_env.view.screen import Screen, why_no_display

    assert not why_no_display()
    ours, theirs = multiprocessing.Pipe()
    yield Screen(theirs, "title"), ours
    pygame.display.quit()


def picture(colour, height=300, width=400):
    return np.full((height, width, 3), colour, np.uint8)


def sent(colour, seconds, height=30, width=40):
    """What goes through the pipe: little, because here nobody reads while it is written."""
    return picture(colour, height, width).tobytes(), (width, height), seconds


def press(pygame, key):
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))


def test_a_screen_shows_each_picture_in_turn(pygame, screen):
    screen, pipe = screen
    for colour in ((200, 10, 20), (0, 90, 250)):
        pipe.send(sent(colour, 0.0))
        assert screen.turn() and pipe.recv() == "next"
        shown = pygame.display.get_surface()
        assert shown.get_size() == (40, 30)
        assert np.abs(np.array(shown.get_at((20, 15)))[:3] - colour).max() <= 3


def test_a_picture_larger_than_the_display_is_made_smaller(pygame, screen):
    screen[0].show(*sent(0, 0.0, 1500, 2000))
    width, height = pygame.display.get_surface().get_size()
    display = pygame.display.get_desktop_sizes()[0]
    assert width <= display[0] and height <= display[1] and width / height == pytest.approx(4 / 3, abs=0.01)


def test_space_pauses_and_goes_on_and_the_arrow_asks_for_one_picture_more(pygame, screen):
    screen, pipe = screen
    press(pygame, pygame.K_SPACE)
    pipe.send(sent(1, 0.0))
    assert screen.turn() and screen.paused and "paused" in pygame.display.get_caption()[0]
    assert screen.turn() and not pipe.poll()
    press(pygame, pygame.K_RIGHT)
    assert screen.turn() and pipe.recv() == "next" and screen.paused
    pipe.send(sent(2, 0.0))
    assert screen.turn() and screen.turn() and not pipe.poll()
    press(pygame, pygame.K_SPACE)
    assert screen.turn() and pipe.recv() == "next" and "space: pause" in pygame.display.get_caption()[0]


def test_a_picture_stays_for_its_time(screen):
    screen, pipe = screen
    pipe.send(sent(1, 0.3))
    start = time.monotonic()
    while not pipe.poll():
        screen.turn()
    assert time.monotonic() - start >= 0.3


def test_a_screen_ends_when_it_is_closed_or_the_pipe_is(pygame, screen):
    screen, pipe = screen
    pipe.send(sent(1, 9.0))
    screen.turn()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    assert not screen.turn()
    pipe.close()
    assert not screen.turn()


def test_windows_keep_the_pace_between_pictures(pygame):
    window = Window()
    start = time.monotonic()
    window.show(picture(0), 5.0)
    for shade in (1, 2, 3):
        window.show(picture(shade), 5.0)
    assert time.monotonic() - start > 0.5
    window.show(picture(3), 5.0)  # the same again is shown already
    window.close()
    assert window.closed and time.monotonic() - start > 0.7


def test_environments_keep_the_pace_of_their_metadata(pygame):
    env = timeline_v0.raw_env(render_mode="human")
    env.metadata["render_fps"] = 5
    start = time.monotonic()
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(env.batch.action_mask[0].argmax()))
    env.close()
    assert time.monotonic() - start > 0.6


def test_once_its_user_closes_it_it_stays_closed(pygame):
    window = Window()
    window.show(picture(1), FAST)
    os.kill(window._process.pid, signal.SIGKILL)
    window._process.wait()
    for shade in (2, 3):
        window.show(picture(shade), FAST)
    assert window.closed
    window.show(picture(4), FAST)
    window.close()


def test_the_window_ends_with_the_program_that_draws(pygame):
    window = Window()
    window.show(picture(1), FAST)
    window._pipe.close()
    assert window._process.wait(60) == 0


def test_a_window_closes_while_a_forked_process_lives(pygame):
    window = Window()
    window.show(picture(1), FAST)
    assert ends_beside_a_fork(window.close) and window.closed


def test_no_display_is_an_error_that_says_what_needs_none(pygame, monkeypatch):
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(OSError, match=r"human rendering needs a display .*; render_mode 'rgb_array' needs none"):
        Window().show(picture(1))


def test_a_missing_pygame_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[render\]'"):
        Window().show(picture(0))
