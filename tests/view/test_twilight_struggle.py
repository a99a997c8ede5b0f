"""Pictures of Twilight Struggle show what the record says, all that a viewer may see, and nothing else."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from tests.twilight_struggle.table import Table
from tests.twilight_struggle.worlds import other_world, positions
from tests.view.pictures import Picture, place
from timeline_env import view
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.board import (
    BATTLEGROUND,
    COUNTRIES,
    COUNTRY_NAMES,
    NEIGHBOURS,
    NEXT_TO_SUPERPOWER,
    STABILITY,
    US,
    USSR,
)
from timeline_env.twilight_struggle.cards import CARD_NAMES, CHINA
from timeline_env.twilight_struggle.countries import controller as ruling_controller
from timeline_env.twilight_struggle.state import DISCARDS, HANDS, HEADLINES, LOOKED_AT, REMOVED, TABLE
from timeline_env.twilight_struggle.text.notation import from_text
from timeline_env.view.twilight_struggle import words
from timeline_env.view.twilight_struggle.drawing import draw
from timeline_env.view.twilight_struggle.field import AMOUNT, AMOUNT_LEFT, STABILITY_SIZE, name_size
from timeline_env.view.twilight_struggle.places import (
    BOX_HEIGHT,
    BOX_WIDTH,
    CORNERS,
    HOMES,
    LABELS,
    MAP_HEIGHT,
    MAP_WIDTH,
)

VIEWERS = (None, USSR, US)
SIDE_NAMES = ("USSR", "US")


@pytest.fixture(scope="module")
def games():
    """The rules' records, and positions of every age."""
    rules, seen = positions(games=6, decisions=700, every=41, seed=5)
    assert {bool(s["over"]) for s in seen} == {False}
    return rules, seen


@pytest.fixture(scope="module")
def drawn(games):
    """Pairs of a position and its picture as the US sees it."""
    rules, seen = games
    return [(s, Picture(view.to_svg(rules[0], s, US))) for s in seen[::3]]


def control_of(s, country):
    lead = int(s["influence"][0, country]) - int(s["influence"][1, country])
    return "none" if abs(lead) < STABILITY[country] else SIDE_NAMES[int(lead < 0)]


# ---- the map


def test_no_two_boxes_overlap_and_all_lie_on_the_map():
    boxes = [*CORNERS, *((x - 6, y - 4) for x, y in HOMES)]
    sizes = [(BOX_WIDTH, BOX_HEIGHT)] * COUNTRIES + [(BOX_WIDTH + 12, BOX_HEIGHT + 8)] * 2
    for i, ((x, y), (width, height)) in enumerate(zip(boxes, sizes, strict=True)):
        assert x >= 0 and x + width <= MAP_WIDTH and y >= 0 and y + height <= MAP_HEIGHT
        for (left, top), (_, _) in list(zip(boxes, sizes, strict=True))[:i]:
            apart = max(abs(x - left) - BOX_WIDTH, abs(y - top) - BOX_HEIGHT)
            assert apart > 1.5, f"box {i} at {x, y} overlaps the one at {left, top}"


def test_names_and_stabilities_have_room():
    font = pytest.importorskip("PIL.ImageFont")
    for label in LABELS:
        width = font.load_default(20 * name_size(label)).getlength(label) / 20
        assert width < BOX_WIDTH - 4 - 3, label
    digit = font.load_default(20 * STABILITY_SIZE).getlength("4") / 20
    assert digit + 4 < BOX_WIDTH - 2 * (AMOUNT_LEFT + AMOUNT[0])


def test_lines_join_neighbours(drawn):
    pairs = sorted((a, int(b)) for a in range(COUNTRIES) for b in NEIGHBOURS[a] if b > a)
    _, picture = drawn[0]
    assert picture.data("link", "a", "b") == pairs and len(pairs) > 100
    homes = sorted((int(country), int(seat)) for seat, country in np.argwhere(NEXT_TO_SUPERPOWER))
    assert picture.data("home-link", "country", "seat") == homes


def test_every_country_shows_its_name_stability_influence_and_control(drawn):
    for s, picture in drawn:
        assert picture.data("country", "country", "name", "control") == [
            (c, COUNTRY_NAMES[c], control_of(s, c)) for c in range(COUNTRIES)
        ]
        stability = {int(element.get("data-country")): element.text for element in picture.of("stability")}
        assert stability == {c: str(STABILITY[c]) for c in range(COUNTRIES)}
        names = {int(element.get("data-country")): element.text for element in picture.of("name")}
        assert names == dict(enumerate(LABELS))
        assert picture.data("name-strip", "country", "battleground") == list(enumerate(map(int, BATTLEGROUND)))
        influence = [
            (int(c), int(side), int(s["influence"][side, c]), int(control_of(s, c) == SIDE_NAMES[side]))
            for side, c in np.argwhere(s["influence"])
        ]
        assert picture.data("influence", "country", "seat", "amount", "control") == sorted(influence)
        assert [element.text for element in picture.of("amount")] == [
            element.get("data-amount") for element in picture.of("influence")
        ]


def test_influence_lies_in_its_countrys_box_the_ussrs_on_the_left(drawn):
    for _, picture in drawn:
        for element in picture.of("influence"):
            left, top = CORNERS[int(element.get("data-country"))]
            x, y = place(element)
            assert 0 < y - top < BOX_HEIGHT
            low = BOX_WIDTH / 2 * int(element.get("data-seat"))
            assert low < x - left < low + BOX_WIDTH / 2


# ---- tracks and cards


def test_the_markers_stand_where_the_tracks_say(drawn):
    for s, picture in drawn:
        marked = {(track, seat): spot for track, seat, spot, is_here in _boxes(picture) if is_here}
        assert len(marked) == 7
        assert marked["defcon", None] == str(s["defcon"]) and marked["turn", None] == str(s["turn"])
        assert marked["round", None] == (str(s["action_round"]) if s["action_round"] else "-")
        for seat in (USSR, US):
            assert marked["space", str(seat)] == str(s["space"][seat])
            assert marked["milops", str(seat)] == str(s["milops"][seat])
        assert [row[0] for row in picture.data("vp", "vp", "here") if row[1]] == [s["vp"]]


def _boxes(picture):
    for element in picture.of("box"):
        yield (
            element.get("data-track"),
            element.get("data-seat"),
            element.get("data-place"),
            element.get("data-here") == "1",
        )


def test_r73_events_in_effect_stay_in_view(games):
    rules, seen = games
    met = set()
    for s in seen:
        lasting = [int(card) for card in np.flatnonzero(s["lasting"])]
        met |= set(lasting)
        for viewer in VIEWERS:
            picture, text = Picture(view.to_svg(rules[0], s, viewer)), view.to_ansi(rules[0], s, viewer, colour=False)
            assert picture.data("lasting", "card") == [(card,) for card in lasting]
            line = joined(text, "in effect: ")
            assert all(f"{card} {CARD_NAMES[card]}" in line for card in lasting)
    assert len(met) > 15


def test_cards_that_lie_open_are_shown(games):
    rules, seen = games
    for s in seen:
        for viewer in VIEWERS:
            shown = {card for (card,) in Picture(view.to_svg(rules[0], s, viewer)).data("open", "card")}
            assert set(map(int, np.flatnonzero(s["place"] == TABLE))) <= shown
            for seat in (USSR, US):
                laid = {int(card) for card in np.flatnonzero(s["place"] == HEADLINES + seat)}
                if s["open_headline"][seat] or viewer == seat:
                    assert laid <= shown
                else:
                    assert not laid & shown
            looked_at = set(map(int, np.flatnonzero(s["place"] == LOOKED_AT)))
            assert looked_at & shown == (looked_at if viewer == US else set())


def test_cards_that_108_looks_at_are_shown_to_the_us_alone():
    table = Table(us=[108], phasing="us", turn=5, influence={"Jordan": (0, 2)}).play("card 108", "event")
    looked_at = set(map(int, np.flatnonzero(table.s["place"] == LOOKED_AT)))
    assert len(looked_at) == 5
    for viewer in VIEWERS:
        picture = Picture(view.to_svg(table.batch.rules[0], table.s, viewer))
        shown = {card for (card,) in picture.data("open", "card")}
        assert looked_at & shown == (looked_at if viewer == US else set())


def test_a_viewer_sees_the_own_hand_and_nobody_sees_none(games):
    rules, seen = games
    for s in seen[::4]:
        for viewer in VIEWERS:
            picture, text = Picture(view.to_svg(rules[0], s, viewer)), view.to_ansi(rules[0], s, viewer, colour=False)
            hand = [] if viewer is None else [int(card) for card in np.flatnonzero(s["place"] == HANDS + viewer)]
            assert picture.data("card", "card") == [(card,) for card in sorted(hand)]
            told = text.partition("hand of the ")[2].splitlines()[1:]
            assert len(told) == len(hand)
            assert all(any(f" {card} {CARD_NAMES[card]}" in line for line in told) for card in hand)


def test_the_text_tells_influence_control_and_piles(games):
    rules, seen = games
    for s in seen[::5]:
        text = view.to_ansi(rules[0], s, colour=False)
        for country, name in enumerate(COUNTRY_NAMES):
            (found,) = re.findall(
                rf"(?:^|\s){re.escape(name)} +(\*?) *(\d)(?: {{1,3}}(<?) ?(\d+):(\d+) *(>?))?", text, re.MULTILINE
            )
            assert (found[0] == "*", int(found[1])) == (bool(BATTLEGROUND[country]), STABILITY[country])
            assert [int(n or 0) for n in found[3:5]] == s["influence"][:, country].tolist(), name
            assert {"<": "USSR", ">": "US"}.get(found[2] + found[5], "none") == control_of(s, country)
        for pile, where in (("discarded", DISCARDS), ("removed", REMOVED)):
            cards = [f"{card} {CARD_NAMES[card]}" for card in np.flatnonzero(s["place"] == where)]
            assert joined(text, f"{pile}: ") == (", ".join(cards) or "-")


def joined(text, beginning):
    """What follows, its further lines included, which begin further in."""
    first, *rest = text.partition("\n" + beginning)[2].split("\n")
    more = itertools.takewhile(lambda line: line.startswith("  "), rest)
    return " ".join([first, *(line.strip() for line in more)])


def test_cards_known_to_the_other_side_are_named(games):
    rules, seen = games
    met = 0
    for s in seen:
        known = {seat: np.flatnonzero((s["place"] == HANDS + seat) & (s["known"][1 - seat] != 0)) for seat in (0, 1)}
        known = {seat: [card for card in cards if card != CHINA] for seat, cards in known.items()}
        text, picture = view.to_ansi(rules[0], s, colour=False), Picture(view.to_svg(rules[0], s))
        assert sorted(int(e.get("data-card")) for e in picture.of("shown")) == sorted(known[0] + known[1])
        for element in picture.of("shown"):
            assert CARD_NAMES[int(element.get("data-card"))] in element.text
        for seat, cards in known.items():
            line = re.search(rf"^[> ] {SIDE_NAMES[seat]} .*((?:\n    .*)*)", text, re.MULTILINE)[1]
            assert all(f"{card} {CARD_NAMES[card]}" in " ".join(line.split()) for card in cards)
            assert bool(line) == bool(cards)
        met += len(known[0] + known[1])
    assert met


def test_no_line_is_longer_than_a_hundred_columns(games):
    rules, seen = games
    for s in seen:
        for viewer in VIEWERS:
            assert max(map(len, view.to_ansi(rules[0], s, viewer, colour=False).splitlines())) <= 100


def test_colours_only_add_codes(games):
    rules, seen = games
    for s in seen[::9]:
        coloured = view.to_ansi(rules[0], s, viewer=1, colour=True)
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == view.to_ansi(rules[0], s, viewer=1, colour=False)


def test_what_a_viewer_cannot_see_leaves_no_trace(games):
    rules, seen = games
    generator, moved = np.random.default_rng(3), 0
    for s in seen[::2]:
        for viewer in (USSR, US):
            world = other_world(rules, s, viewer, generator)
            moved += (world["place"] != s["place"]).any()
            assert view.to_svg(rules[0], world, viewer) == view.to_svg(rules[0], s, viewer)
            assert view.to_ansi(rules[0], world, viewer) == view.to_ansi(rules[0], s, viewer)
            # Nobody's picture has no more than either side's.
            assert view.to_svg(rules[0], world) == view.to_svg(rules[0], s)
            assert view.to_ansi(rules[0], world) == view.to_ansi(rules[0], s)
    assert moved > len(seen) / 2, "other cards were dealt"


def test_a_view_does_not_write(games):
    rules, seen = games
    s = seen[-1]
    before = s.tobytes(), rules.tobytes()
    for viewer in VIEWERS:
        view.to_svg(rules[0], s, viewer), view.to_ansi(rules[0], s, viewer), view.to_rgb(rules[0], s, viewer)
    assert (s.tobytes(), rules.tobytes()) == before


def test_each_mode_gives_its_view_and_refuses_who_is_no_seat(games):
    rules, seen = games
    s = seen[-1]
    assert view.render(GAME, rules[0], s, "ansi", 0) == view.to_ansi(rules[0], s, 0)
    assert view.render(GAME, rules[0], s, "svg") == view.to_svg(rules[0], s)
    pixels, drawing = view.render(GAME, rules[0], s, "rgb_array", 1), draw(rules[0], s, 1)
    assert pixels.shape == (drawing.height, drawing.width, 3) and pixels.dtype == np.uint8
    for mode in ("ansi", "svg", "rgb_array"):
        with pytest.raises(ValueError, match="viewer 2 must be None or a seat from 0 to 1"):
            view.render(GAME, rules[0], s, mode, 2)


def test_every_question_is_told_in_words(games):
    rules, seen = games
    told = set()
    for s in seen:
        (line,) = re.findall(r"^Twilight Struggle, (.*)$", view.to_ansi(rules[0], s, colour=False), re.MULTILINE)
        assert re.match(r"turn \d+, (set-up|headlines|action round \d, US(SR)?): US(SR)? \w", line), line
        told.add(line.split(": ")[1].split()[1])
    assert {"chooses", "conducts", "places", "adds"} <= told


def test_the_end_is_told(games):
    rules, _ = games
    s = from_text(rules, "t5.r3 us over:us.defcon defcon:1")[0]
    assert "the US wins: DEFCON 1" in view.to_ansi(rules[0], s)
    assert "a draw: final scoring" in view.to_ansi(rules[0], from_text(rules, "t10.r0 over:draw.final-scoring")[0])


def test_the_china_card_is_told(drawn):
    for s, picture in drawn:
        (label,) = picture.of("china")
        if s["place"][CHINA] == TABLE:
            assert label.text == "China Card: being played"
        else:
            assert label.text == f"China Card: {SIDE_NAMES[s['china']]}, face {'up' if s['china_up'] else 'down'}"


def test_a_picture_s_controllers_are_those_of_the_rules(games):
    """R2.1.7, once compiled for the game and once plain for pictures."""
    _, seen = games
    pairs = [(words.controller(s, c), int(ruling_controller(s, c))) for s in seen for c in range(COUNTRIES)]
    assert all(shown == ruled for shown, ruled in pairs) and {shown for shown, _ in pairs} == {-1, USSR, US}
