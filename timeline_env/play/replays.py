"""A whole game as one HTML file, to be stepped through in any browser: no server, no network, nothing else beside it.

The file holds the views that were asked for and no more: what everybody knows, or what a seat knew. Every line of SVG is in it
once; a position is a list of stretches of such lines.
"""

from __future__ import annotations

import base64
import html
import importlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timeline_env import view
from timeline_env.arena.played import read as read_tournament
from timeline_env.arena.tournament import games_in
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.engine.replay import SavedGame, follow, saved_game_in
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game, check_viewer
from timeline_env.games import game_named
from timeline_env.play import keeping
from timeline_env.play.pages import GamePage, page_of, sentences
from timeline_env.play.steps import asked_seat, copy_position
from timeline_env.play.thoughts import judge_standing, think
from timeline_env.players.registry import player_from
from timeline_env.reading import json_in, label_errors, quote, read_text

STATIC = Path(__file__).with_name("static")
EVERYTHING = "everything"
"""In place of a viewer: all cards lie open."""
Viewer = int | str | None
"""A seat; None for what everybody knows; or `EVERYTHING`."""
RECORDED = "timeline_env.play.twilight_struggle.recorded"
"""The module that reads games which people played elsewhere; only one game has any."""
MOST_THOUGHTS = 6
"""How many actions of a player's thoughts are listed at most."""
HEIGHT = 760
"""Height of the frame in a notebook, in pixels."""


@dataclass(frozen=True)
class Played:
    """A game to be shown.

    Attributes:
        game: which game.
        rules: record array [1].
        given: the variant that the rules were made from.
        title: the heading above it.
        seats: who played, for each seat.
        line: for each decision the whole position before it, one record, and the action.
        last: the whole position after all of them.
    """

    game: Game
    rules: Any
    given: Any
    title: str
    seats: tuple[str, ...]
    line: tuple[tuple[Any, int], ...]
    last: Any


def replay_saved(saved: SavedGame, title: str = "", seats: Sequence[str] = ()) -> Played:
    """A saved game. Raises ValueError if it cannot be replayed here, see `timeline_env.engine.replay.follow`."""
    game = game_named(saved.game)
    rules = game.load_rules(saved.num_players, saved.rules)
    found, led = zip(*((copy_position(states[0]), action) for states, action in follow(saved)), strict=True)
    named = tuple(seats) or tuple("" for _ in range(saved.num_players))
    line = tuple(zip(found, led[1:], strict=False))
    return Played(game, rules, saved.rules, title or game.title, named, line, found[-1])


def read(path: str | Path, number: int = 0) -> Played:
    """A game from a file.

    Args:
        path: a tournament's folder or ``games.npz``; a saved game; a game that was kept by the page; a converted game or a
            log of Twilight Struggle.
        number: which game of a tournament, from 0.

    Raises:
        ValueError: the file holds none of these, or a game that cannot be replayed here.
    """
    path = Path(path)
    if path.is_dir() or path.suffix == ".npz":
        tournament = games_in(path) if path.is_dir() else read_tournament(path)
        saved = tournament.saved_game(number)
        names = [tournament.about.players[player] for player in tournament.seating[number]]
        return replay_saved(saved, f"{game_named(saved.game).title}, game {number} of {path.name}", names)
    if number:
        raise ValueError(f"number {number}: {quote(str(path))} holds a single game")
    label = f"game {quote(str(path))}"
    text = read_text(path, label)
    if not text.lstrip().startswith("{"):
        return importlib.import_module(RECORDED).from_log(path)
    with label_errors(label):
        content = json_in(text)
    if isinstance(content, dict) and "decisions" in content:
        return importlib.import_module(RECORDED).from_converted(path)
    if isinstance(content, dict) and "secrets" in content:
        kept = keeping.read(path)
        return replay_saved(kept.game, seats=kept.seats)
    return replay_saved(saved_game_in(content, label), path.stem)


def page(
    shown_game: Played,
    viewers: Sequence[Viewer] = (None,),
    mind: str | None = None,
    progress: Callable[[int], None] = lambda decisions: None,
) -> str:
    """The HTML file.

    Args:
        shown_game: the game.
        viewers: the views that the file is to hold; it opens with the first.
        mind: a player, see `timeline_env.players.load_player`, whose thoughts are shown beside: only on decisions of
            the seats whose views are there, since thoughts reveal the seat's hand.
        progress: called with the number of decisions that `mind` has thought of since the last call.

    Raises:
        ValueError: a viewer is no seat, there is no such player, or no view in which its thoughts may be shown.
    """
    if mind is not None and not any(viewer is not None for viewer in viewers):
        raise ValueError("a player's thoughts tell of a hand: ask for the view of a seat beside, or for everything")
    content = {"title": shown_game.title} | content_of(shown_game, viewers)
    if mind is not None:
        thoughts = []
        for thought in thoughts_of(shown_game, viewers, mind):
            thoughts.append(thought)
            progress(1)
        content["mind"] = {"name": mind, "thoughts": thoughts}
    return build_html(content)


def thoughts_of(shown_game: Played, viewers: Sequence[Viewer], mind: str) -> Iterator[dict[str, Any] | None]:
    """What a player thinks of every decision, the best actions alone; None for a decision whose seat's view is not there."""
    game, rules = shown_game.game, shown_game.rules
    setting = Setting(game, len(shown_game.seats), shown_game.given)
    player = player_from(mind, setting)
    for s, action in shown_game.line:
        if EVERYTHING not in viewers and asked_seat(s) not in viewers:
            yield None
            continue
        found = think(player, setting, s)
        best = zip(found.actions[:MOST_THOUGHTS], found.share, found.value, strict=False)
        rows = [
            [
                game.notation.action_to_text(rules, s, int(a)),
                round(float(share), 3),
                None if value != value else round(float(value), 2),
            ]
            for a, share, value in best
        ]
        chosen = game.notation.action_to_text(rules, s, action)
        yield {"kind": found.kind, "rows": rows, "chosen": chosen, "expected": found.expected}


def build_html(content: dict[str, Any]) -> str:
    """The HTML file that shows this content."""
    parts = {name: (STATIC / name).read_text(encoding="utf-8") for name in ("replay.html", "replay.css", "replay.js")}
    chart = (STATIC / "chart.js").read_text(encoding="utf-8").replace("export function", "function")
    packed = base64.b64encode(zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 9)).decode()
    text = parts["replay.html"].replace("{style}", parts["replay.css"])
    text = text.replace("{script}", f"{chart}\n{parts['replay.js']}").replace("{content}", packed)
    return text.replace("{title}", html.escape(content["title"]))  # last: it may hold one of the others


def bundle(saved: SavedGame) -> dict[str, str]:
    """What a notebook shows of a saved game: the frame, and where frames are removed, a picture of the last position."""
    game = game_named(saved.game)
    told = {"text/plain": f"{game.title}, {saved.num_players} seats, {len(saved.moves)} decisions"}
    if not game.page:
        return told
    shown = replay_saved(saved)
    return told | {"text/html": frame_html(shown, (None,)), "image/svg+xml": view.to_svg(shown.rules[0], shown.last)}


def frame(saved: SavedGame, viewers: Sequence[Viewer] = (None,)) -> str:
    """The file in a frame for a notebook; the frame may run its own scripts and touch nothing else."""
    return frame_html(replay_saved(saved), viewers)


def frame_html(shown_game: Played, viewers: Sequence[Viewer]) -> str:
    """The file of a game in a frame."""
    source = html.escape(page(shown_game, viewers), quote=True)
    return f'<iframe sandbox="allow-scripts" srcdoc="{source}" width="100%" height="{HEIGHT}" title="A game, step by step"></iframe>'


def content_of(shown_game: Played, viewers: Sequence[Viewer]) -> dict[str, Any]:
    """Lines of SVG, and the views with their frames."""
    lines = Lines()
    rules = shown_game.rules
    for viewer in viewers:
        if viewer != EVERYTHING:
            check_viewer(rules[0], viewer)  # type: ignore[arg-type]
    parts = page_of(shown_game.game)
    steps = [list(parts.steps(rules, s, action)) for s, action in shown_game.line]
    stories: dict[Viewer, list[list[str]]] = {}
    views = []
    for viewer in viewers:
        told_to = None if parts.all_public else viewer
        if told_to not in stories:
            stories[told_to] = [
                sentences(parts, rules, each, seat_of(told_to), knower_for(rules, told_to)) for each in steps
            ]
        shown = frames(shown_game, parts, stories[told_to], viewer, lines)
        views.append({"name": name_of(parts, viewer), "frames": list(shown)})
    seats = []
    for seat, who in enumerate(shown_game.seats):
        name, letter, colour = parts.piece(seat)
        seats.append({"name": name, "letter": letter, "colour": colour, "player": who})
    return {"seats": seats, "views": views, "lines": lines.texts}


def name_of(parts: GamePage, viewer: Viewer) -> str:
    """What a view is called."""
    if viewer is None:
        return "what everybody knows"
    return "all cards open" if isinstance(viewer, str) else f"what {parts.piece(viewer)[0]} knows"


def seat_of(viewer: Viewer) -> int | None:
    """The seat whose view it is; None if it is not a seat's."""
    return viewer if isinstance(viewer, int) else None


def knower_for(rules: Any, viewer: Viewer) -> Callable[[Any], Any]:
    """A function that gives a copy of a position with what the viewer knows."""
    return copy_position if viewer == EVERYTHING else lambda s: copy_for_viewer(rules, s, seat_of(viewer))


def frames(
    shown_game: Played, parts: GamePage, story: list[list[str]], viewer: Viewer, lines: Lines
) -> Iterator[dict[str, Any]]:
    """Every position, with what led to it."""
    rules, seats = shown_game.rules, range(len(shown_game.seats))
    seat, known = seat_of(viewer), knower_for(rules, viewer)
    before = None
    for s, told in zip([*(s for s, _ in shown_game.line), shown_game.last], [[], *story], strict=True):
        now = known(s)
        hands = [seat] if seat is not None else [*seats] if viewer == EVERYTHING else []
        yield {
            "board": lines.add(parts.draw(rules, now, before, {}).svg),
            "prompt": parts.prompt(rules, now, None),
            "told": told,
            "standing": judge_standing(shown_game.game, rules, s, seat),
            "facts": [" · ".join(parts.facts(rules, now, each)) for each in seats],
            "hands": [
                {"seat": each, "cards": [lines.add(card.svg) for _, card in parts.hand(rules, now, each)]}
                for each in hands
            ],
            "position": shown_game.game.notation.to_text(rules, s, seat) if viewer is not None else "",
        }
        before = now


class Lines:
    """Texts of many lines, each line kept once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.places: dict[str, int] = {}

    def add(self, text: str) -> list[int]:
        """A text as stretches of lines: where each begins and how long it is, in turn."""
        stretches: list[int] = []
        for line in text.split("\n"):
            place = self.places.setdefault(line, len(self.texts))
            if place == len(self.texts):
                self.texts.append(line)
            if stretches and place == stretches[-2] + stretches[-1]:
                stretches[-1] += 1
            else:
                stretches += [place, 1]
        return stretches
