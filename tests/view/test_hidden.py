"""What is hidden from a viewer leaves no trace in any view."""

from __future__ import annotations

import numpy as np
import pytest

from tests.view.pictures import Picture
from timeline_env import view
from timeline_env.engine import record


def swapped(s, num_players, viewer):
    """The position with other cards in all hands but the viewer's, and with deck and bag turned round."""
    other = record.make_readable(np.array([s]))[0]
    for seat in range(num_players):
        if seat != viewer:
            hand = other.hand[seat]
            hand[: other.held[seat]] = (hand[: other.held[seat]] + 6) % 72
    other.deck[:] = other.deck[::-1].copy()
    other.bag[:] = other.bag[::-1].copy()
    other.seed += np.uint64(1)
    return other


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_other_hands_deck_and_bag_cannot_be_told_from_a_view(table, viewer):
    rules, seen = table
    for s in seen[::5]:
        other = swapped(s, rules.num_players, viewer)
        assert (other.deck != s.deck).any() and (other.hand != s.hand).any()
        assert view.to_svg(rules, other, viewer) == view.to_svg(rules, s, viewer)
        assert view.to_ansi(rules, other, viewer) == view.to_ansi(rules, s, viewer)


def test_pixels_hide_what_the_svg_hides(six):
    rules, s = six
    other = swapped(s, 6, None)
    assert np.array_equal(view.to_rgb(rules, other), view.to_rgb(rules, s))
    assert not np.array_equal(view.to_rgb(rules, other, 2), view.to_rgb(rules, s, 2))


def test_the_own_hand_does_make_a_difference(table):
    rules, seen = table
    s = seen[0]
    other = swapped(s, rules.num_players, None)
    assert view.to_svg(rules, other, 1) != view.to_svg(rules, s, 1)
    assert view.to_ansi(rules, other, 1) != view.to_ansi(rules, s, 1)


def test_without_a_viewer_no_card_of_a_hand_is_drawn(table):
    rules, seen = table
    for s in seen[::5]:
        picture = Picture(view.to_svg(rules, s))
        assert not [element for element in picture.root.iter() if element.get("data-hand")]
        assert len(picture.of("card")) == s.event.sum()
        assert "hand of" not in view.to_ansi(rules, s)
