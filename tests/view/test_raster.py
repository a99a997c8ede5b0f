"""Pixels: the same list of shapes, painted."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from timeline_env import view
from timeline_env.view.raster import paint
from timeline_env.view.shapes import Arc, Circle, Drawing, Line, Polygon
from timeline_env.view.timeline import palette
from timeline_env.view.timeline.drawing import draw


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def test_pixels_have_the_drawings_size_and_type(table):
    rules, seen = table
    pixels = view.to_rgb(rules, seen[-1])
    drawing = draw(rules, seen[-1])
    assert pixels.shape == (drawing.height, drawing.width, 3)
    assert pixels.dtype == np.uint8


def test_every_pawns_colour_appears_where_the_pawn_stands(table):
    rules, seen = table
    for s in seen[:: len(seen) // 6]:
        pixels = view.to_rgb(rules, s)
        pawns = [shape for shape in draw(rules, s).shapes if shape.kind == "pawn-head"]
        assert len(pawns) == rules.num_players
        for pawn in pawns:
            x, y = map(round, pawn.centre)
            assert pixels[y, x].tolist() == rgb(palette.SEATS[pawn.data["seat"]])


def test_shapes_are_painted_where_they_are_told_to_be():
    shapes = (
        Polygon(kind="square", points=((10, 10), (30, 10), (30, 30), (10, 30)), fill="#ff0000"),
        Circle(kind="ring", centre=(70, 20), radius=10, stroke="#0000ff", width=4),
        Line(kind="line", points=((10, 60), (40, 60)), stroke="#00ff00", width=4),
        Arc(kind="arc", centre=(70, 70), radius=15, start=60, stop=120, stroke="#000000", width=4),
    )
    pixels = paint(Drawing(100, 100, "#ffffff", "", shapes))
    white = [255, 255, 255]
    assert pixels[20, 20].tolist() == [255, 0, 0] and pixels[20, 33].tolist() == white
    assert pixels[20, 60].tolist() == [0, 0, 255] and pixels[20, 70].tolist() == white
    assert pixels[60, 25].tolist() == [0, 255, 0]
    # From 60 to 120 degrees clockwise from north: on the right, not on the left, above or below.
    assert pixels[70, 85].tolist() == [0, 0, 0]
    assert all(pixels[y, x].tolist() == white for y, x in ((70, 55), (55, 70), (85, 70), (70, 70)))


def test_a_missing_pillow_is_named_with_its_extra(six, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[render\]'"):
        view.to_rgb(*six)
