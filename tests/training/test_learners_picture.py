"""The picture of learning curves: every learner is told by a name, a colour and a marker, and chance is marked."""

from __future__ import annotations

import pytest

from training.results.curve import draw_learners, learners_figure


def a_curve(rate: float) -> list[dict[str, float]]:
    return [
        {"decisions": rate * seconds, "seconds": seconds, "win": seconds / 200, "low": 0.1, "high": 0.9}
        for seconds in (60.0, 120.0)
    ]


CURVES = {"one": [a_curve(100), a_curve(300)], "two": [a_curve(1000)]}


def test_every_seed_is_a_curve_over_minutes_and_every_learner_told_once_by_its_looks():
    figure = learners_figure(CURVES, "Title", 0.25)
    chance, *lines = figure.axes[0].lines
    assert list(chance.get_ydata()) == [25, 25]
    assert [list(line.get_xdata()) for line in lines] == [[1, 2]] * 3
    assert list(lines[0].get_ydata()) == pytest.approx([30, 60])
    looks = [(line.get_color(), line.get_marker()) for line in lines]
    assert looks[0] == looks[1] and all(a != b for a, b in zip(looks[0], looks[2], strict=True))
    told = [text.get_text() for text in figure.legends[0].get_texts()]
    assert told == ["one, 200 decisions/s", "two, 1,000 decisions/s"]


def test_it_is_written_as_png(tmp_path):
    draw_learners(CURVES, "Title", 0.25, tmp_path / "learners.png")
    assert (tmp_path / "learners.png").read_bytes().startswith(b"\x89PNG")
