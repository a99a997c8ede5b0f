"""Timeline: the field and the hand, and where on them each target lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from timeline_env.play import scene
from timeline_env.play.paths import Path
from timeline_env.play.scene import Picture
from timeline_env.play.timeline import words
from timeline_env.timeline import actions, state
from timeline_env.timeline.text import names
from timeline_env.view.shapes import Arc, Circle, Point, Polygon, Shape, label, point_toward, rectangle, shift
from timeline_env.view.timeline import palette
from timeline_env.view.timeline import words as view_words
from timeline_env.view.timeline.card import CARD_SIZE, draw_card
from timeline_env.view.timeline.face import face_in_hand, pending_question
from timeline_env.view.timeline.field import draw_field
from timeline_env.view.timeline.geometry import APOTHEM, FIELD_HEIGHT, FIELD_WIDTH, centre_of, hexagon
from timeline_env.view.timeline.hand import draw_held
from timeline_env.view.timeline.legend import draw_legend

ROW = {"yes": rectangle(-36, -50, 72, 27), "no": rectangle(-36, 23, 72, 27)}
"""The rows of ✓ and ✗ of a card, relative to its centre."""
ABOVE, BELOW = -84.0, 84.0
"""How high the chips that belong to the deciding player's node lie, relative to its centre: next to it, so that its card can be seen."""
CARD_BOX = (116.0, 144.0)
"""Width and height of a card of the hand."""
MARKS = ("mark", "mark-sign")
"""The kinds of shapes that turn with a card."""


def draw(rules: Any, s: Any, before: Any, paths: dict[int, Path]) -> Picture:
    """The field with everything that can be clicked on it.

    Args:
        rules: record array [1].
        s: the position as it is seen.
        before: the position before the last decision, or None: what has changed since is ringed.
        paths: of the legal actions, if the viewer decides.
    """
    title = f"Timeline, {view_words.time(rules[0], s)}: {view_words.decision(s)}"
    shapes = [shape for shape in draw_field(rules[0], s, before) if shape.kind != "impact-value"]
    layers = [scene.elements([*shapes, *letters(shapes), *draw_legend()]), *_ghosts(rules, s, paths)]
    layers += dict.fromkeys(spot for path in paths.values() for spot in _spots(s, path))
    return scene.document(FIELD_WIDTH, FIELD_HEIGHT, title, palette.PAPER, layers)


def letters(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """What the colours say, in characters: the letters of seats on pawns, stances, arcs and impacts (on these beside the value);
    gains and losses as numbers, where no outcome covers them."""
    covered = {shape.data.get("node") for shape in shapes if shape.kind == "outcome"}
    for shape in shapes:
        seat = shape.data.get("seat")
        if shape.kind == "centre" and shape.data["points"] and isinstance(shape, Polygon):
            if shape.data.get("node", -1) in covered:
                continue
            sign = "+" if shape.data["effect"] == "gain" else "–"
            yield label("sign", middle(shape.points), f"{sign}{shape.data['points']}", 12, palette.CARD, "middle")
        elif isinstance(seat, int) and shape.kind == "impact" and isinstance(shape, Circle):
            told = f"{shape.data['value']}{names.COLOURS[seat].upper()}"
            yield label("letter", shape.centre, told, 1.25 * shape.radius, palette.INK_ON[seat], "middle")
        elif isinstance(seat, int) and shape.kind in ("pawn-head", "stance", "arc"):
            ink, letter = palette.INK_ON[seat], names.COLOURS[seat].upper()
            if isinstance(shape, Arc):
                at = point_toward(shape.centre, (shape.start + shape.stop) / 120, shape.radius)
                yield Circle(kind="letter-disc", centre=at, radius=5.2, fill=palette.SEATS[seat])
            else:
                at = shape.centre if isinstance(shape, Circle) else middle(shape.points)  # type: ignore[attr-defined]
            yield label("letter", at, letter, 8.5, ink, "middle")


def middle(points: tuple[Point, ...]) -> Point:
    """The middle of the corners."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _spots(s: Any, path: Path) -> Iterator[str]:
    """Where the targets of a path lie on the field; those of the hand, and plain buttons, lie nowhere on it."""
    node = int(s.pawn[pending_question(s)[1]])
    centre = centre_of(node)
    junction = centre
    for target in path:
        kind, _, number = target.key.partition("-")
        if kind == "node":
            yield scene.hit(target.key, scene.area(hexagon(centre_of(int(number)), 66)))
        elif target.key in ROW:
            yield scene.hit(target.key, scene.area(shift(centre, ROW[target.key])))
        elif kind in ROW:
            at = scene.row((centre[0], centre[1] + (ABOVE if kind == "yes" else BELOW)), 3)[int(number) - 1]
            yield scene.chip(target.key, at, number)
        elif kind == "turn":
            direction = int(number)
            yield scene.chip(target.key, point_toward(centre, direction, APOTHEM + 12), names.COMPASS[direction])
        elif kind == "junction":
            junction = point_toward(centre, int(number), APOTHEM)
            yield scene.hit(target.key, scene.disc(junction, 17))
        elif kind in ("cause", "hindrance"):
            at = scene.row((junction[0], junction[1] - 34), 2)[kind == "hindrance"]
            fill = palette.CAUSE if kind == "cause" else palette.HINDRANCE
            yield scene.chip(target.key, at, "+" if kind == "cause" else "–", fill, palette.CARD)
        elif kind == "plus":
            strength, _, _ = number.partition("-")
            at = scene.row((junction[0], junction[1] + 34), 3)[int(strength)]
            yield scene.chip(target.key, at, f"+{strength}")
        elif kind == "seat":
            at = scene.row((centre[0], centre[1] + ABOVE), state.MAX_PLAYERS)[int(number)]
            yield seat_chip(target.key, at, int(number))


def seat_chip(key: str, at: tuple[float, float], seat: int) -> str:
    """A player's disc, with the letter of the colour."""
    return scene.chip(key, at, names.COLOURS[seat].upper(), palette.SEATS[seat], palette.INK_ON[seat])


def _ghosts(rules: Any, s: Any, paths: dict[int, Path]) -> Iterator[str]:
    """The cards that could be organized, on the deciding player's node."""
    seat = pending_question(s)[1]
    centre = centre_of(int(s.pawn[seat])) if paths else (0.0, 0.0)
    for place in sorted({actions.organize_parts(action)[0] for action in paths if _organizes(action)}):
        face = face_in_hand(rules[0], words.card_at(s, seat, place))
        shapes = list(draw_card(face, centre, CARD_SIZE, {"ghost": place}))
        turning = [shape for shape in shapes if shape.kind in MARKS]
        still = [*(shape for shape in shapes if shape.kind not in MARKS), *letters(shapes)]
        yield scene.ghost(f"hand-{place}", centre, still, turning)


def _organizes(action: int) -> bool:
    return actions.ORGANIZE <= action < actions.LINK


def hand(rules: Any, s: Any, seat: int) -> list[tuple[str, Picture]]:
    """Each card of a hand as a picture, with the key of its target."""
    held_cards = []
    places = [
        *range(int(s.held[seat])),
        *(state.MOST_CARDS + kind for kind in range(state.FLEXIBLE_KINDS) if s.flexible[seat, kind]),
    ]
    for place in places:
        card = words.card_at(s, seat, place)
        width, height = CARD_BOX
        shapes = list(draw_held(rules[0], card, (width / 2, 54), {"hand": seat, "place": place}))
        title = f"{names.card_name(card)}: {words.card(rules, card)}"
        picture = scene.document(
            width, height, title, palette.PAPER, [scene.elements(scene.plain([*shapes, *letters(shapes)]))]
        )
        held_cards.append((f"hand-{place}", picture))
    return held_cards


def offered(rules: Any, s: Any, seat: int, paths: dict[int, Path]) -> list[tuple[str, Picture]]:
    """Cards that can be chosen and are not in the own hand: there are none."""
    return []


def piece(seat: int) -> tuple[str, str, str]:
    """A seat's name, letter and colour."""
    return state.SEAT_NAMES[seat], names.COLOURS[seat].upper(), palette.SEATS[seat]
