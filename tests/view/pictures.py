"""Positions out of random games, and SVG pictures taken apart."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME


def positions(num_players, seed=0, games=2, every=17):
    """The rules' record, and records out of random games that go on for 500 decisions each, one in `every` of them."""
    batch = Batch(Setting(GAME, num_players), games, seed)
    seen = []
    for _ in range(500 // every):
        seen.extend(record.make_readable(np.array(batch.states)))
        batch.play_random(every)
    return batch.rules[0], seen


class Picture:
    """An SVG document's elements by class, with their data and their places."""

    def __init__(self, svg):
        self.root = ElementTree.fromstring(svg)
        self.elements = {}
        for element in self.root.iter():
            self.elements.setdefault(element.get("class"), []).append(element)

    def of(self, kind):
        return self.elements.get(kind, [])

    def data(self, kind, *names):
        """The data of all elements of a class, sorted; whole numbers as such."""
        return sorted(tuple(_value(element.get(f"data-{name}")) for name in names) for element in self.of(kind))


def _value(text):
    return int(text) if re.fullmatch(r"-?\d+", text or "") else text


def place(element):
    """The middle of an element."""
    if element.get("cx"):
        return np.array([float(element.get("cx")), float(element.get("cy"))])
    return corners(element).mean(axis=0)


def corners(element):
    """The points of a polygon or a line."""
    return np.array([[float(x) for x in pair.split(",")] for pair in element.get("points").split()])


def node_centres(picture):
    return {int(element.get("data-node")): place(element) for element in picture.of("node")}
