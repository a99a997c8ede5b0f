"""Play in the browser."""

from __future__ import annotations

import shlex
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from timeline_env import cli
from timeline_env.commands.options import refuse_idle
from timeline_env.files import check_writable, write_text
from timeline_env.games import DEFAULT, game_named
from timeline_env.reading import check_integer

if TYPE_CHECKING:
    from timeline_env.engine.verbs import Game
    from timeline_env.play import Session

LOCAL = "127.0.0.1"


def play(
    game: Annotated[str | None, typer.Argument(help=f"timeline or twilight_struggle; else {DEFAULT}")] = None,
    players: Annotated[int | None, typer.Option(help="how many seats")] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option(
            help="who sits where: blue=projector, us=person, purple=mcts:400, …; with --resume again whose code may run: us=module:Class"
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="of the deal; any if none is given")] = None,
    rules: Annotated[Path | None, typer.Option(help="a variant: a TOML file with the numbers that differ")] = None,
    save: Annotated[Path | None, typer.Option(help="keep the game in this file")] = None,
    position: Annotated[
        str | None, typer.Option(help="try things out in a position, given in the notation, in place of a game")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="go on with the game that was kept in this file")] = None,
    host: Annotated[
        str, typer.Option(help="the address to serve on; all but this machine's own are open to others")
    ] = LOCAL,
    port: Annotated[int | None, typer.Option(min=0, max=2**16 - 1, help="the port; 0 for any that is free")] = None,
    browser: Annotated[bool, typer.Option(help="open a browser")] = True,
    replay: Annotated[
        Path | None,
        typer.Option(
            help="show a game step by step in place of playing: a saved game, a tournament's or a data set's folder, a game kept by "
            "this command, a log of Twilight Struggle"
        ),
    ] = None,
    number: Annotated[int, typer.Option(min=0, help="of a tournament to --replay: which game, from 0")] = 0,
    view: Annotated[
        list[str] | None,
        typer.Option(help="what --replay shows: everybody (what all know), a seat's name, or everything"),
    ] = None,
    mind: Annotated[str | None, typer.Option(help="of --replay: a player whose thoughts are shown beside")] = None,
    html: Annotated[Path | None, typer.Option(help="write what --replay shows into this file")] = None,
) -> None:
    """Play in the browser, alone or with others, against players of every kind.

    The first seat is yours unless --seat says otherwise; agents that come along sit in the others.

    examples:
      timeline-env play
      timeline-env play timeline --players 3 --seat yellow=person --seat orange=person --seat blue=mcts:400
      timeline-env play twilight_struggle --seat ussr=heuristic --seat us=person
      timeline-env play --resume game.json
      timeline-env play --replay runs/baselines --number 17 --view everything --html game.html
    """
    ways = {"--replay": replay, "--resume": resume, "--position": position}
    way = next((option for option, value in ways.items() if value is not None), "")
    given = {
        "GAME": game, "--players": players, "--seat": seat, "--seed": seed, "--rules": rules, "--save": save,
        "--position": position, "--resume": resume, "--host": None if host == LOCAL else host, "--port": port,
        "--number": number or None, "--view": view, "--mind": mind, "--html": html,
    }  # fmt: skip
    idle = {option: value for option, value in given.items() if option not in ALLOWED[way]}
    refuse_idle(f"beside {way}" if way else "without --replay", idle, ALLOWED[way])
    if replay is not None:
        show(replay, number, view or ["everybody"], mind, html, browser)
        return
    with cli.require_extra("play"):
        from timeline_env import play as pages
        from timeline_env.play import keeping, server
        from timeline_env.play import session as sessions

    del server  # it was imported because it is what needs the extra
    game = game or DEFAULT
    if position is not None:
        wanted = sessions.PORT if port is None else port
        session = pages.open(game, rules=rules, host=host, port=wanted, browser=browser, position=position)
    elif resume is not None:
        session = pages.resume(resume, host, port, browser, list(map(read_player_again, seat or [])))
    else:
        played = game_named(game)
        count = played.usual_players if players is None else check_integer("--players", players, 1)
        seats = assign_seats(played, sessions.usual_seats(played, count, rules), seat or [])
        path = save or keeping.new_path(game)
        check_writable("--save", path)
        session = pages.open(game, seats, seed, rules, host, sessions.PORT if port is None else port, browser, path)
    tell(session, host)
    session.wait()


SERVED = {"--host", "--port"}
ALLOWED = {
    "": SERVED | {"GAME", "--players", "--seat", "--seed", "--rules", "--save"},
    "--position": SERVED | {"GAME", "--position", "--rules"},
    "--resume": SERVED | {"--resume", "--seat"},
    "--replay": {"--replay", "--number", "--view", "--mind", "--html"},
}
"""For each way to begin, the options that mean something there."""


def assign_seats(game: Game, seats: list[str], wanted: list[str]) -> list[str]:
    """Who sits where. Raises ValueError if there is no such seat, or one is given twice."""
    names, given = game.seat_names[: len(seats)], set()
    if any(word.endswith("=person") for word in wanted):
        seats = [seats[-1]] * len(seats)
    for word in wanted:
        name, equals, player = word.partition("=")
        if name not in names or not equals or not player:
            raise ValueError(f"--seat {word!r} must be SEAT=PLAYER; seats: {', '.join(names)}")
        if name in given:
            raise ValueError(f"--seat {word!r}: the seat {name!r} is given twice")
        given.add(name)
        seats[names.index(name)] = player
    return seats


def read_player_again(word: str) -> str:
    """The player of ``--seat`` beside ``--resume``. Raises ValueError if it is not a module's code."""
    _, equals, player = word.partition("=")
    if not equals or ":" not in player:
        raise ValueError(f"--seat {word!r}: beside --resume it names again whose code may run, as in us=module:Class")
    return player


def tell(session: Session, host: str) -> None:
    """Print where the pages are, and how to go on later."""
    from timeline_env.play.hosts import is_loopback

    for name, address in session.addresses.items():
        print(f"{name}: {address}")
    if not is_loopback(host):
        print("note: others in your network can reach this; an address above is all they need to play its seat")
    if session.path is not None:
        again = shlex.join(["timeline-env", "play", "--resume", str(session.path)])
        print(f"kept in {session.path}; go on later: {again}")
    print(end="", flush=True)


def show(source: Path, number: int, views: list[str], mind: str | None, html: Path | None, browser: bool) -> None:
    """Write a game as a page, and show it if no file was asked for."""
    from timeline_env.play import replays

    if html is not None:
        check_writable("--html", html)
    played = replays.read(source, number)
    shown = [viewer(played.game, len(played.seats), name) for name in views]
    if mind is None:
        page = replays.page(played, shown)
    else:
        with cli.progress("decisions", len(played.line)) as advance:
            page = replays.page(played, shown, mind, advance)
    path = html or Path(tempfile.mkdtemp(prefix="timeline_env-")) / "replay.html"
    write_text(path, page)
    print(f"wrote {path}: {cli.escape_controls(played.title)}, {len(played.line)} decisions, {len(page):,} bytes")
    if html is None and browser and not webbrowser.open(path.as_uri()):
        print("note: no browser could be opened here; open the file in one yourself", file=sys.stderr)


def viewer(game: Game, seats: int, name: str) -> int | str | None:
    """Whose view is meant. Raises ValueError if there is none of this name."""
    from timeline_env.play.replays import EVERYTHING

    names = game.seat_names[:seats]
    if name in names:
        return names.index(name)
    if name not in ("everybody", EVERYTHING):
        raise ValueError(f"--view {name!r} must be one of: everybody, {', '.join(names)}, {EVERYTHING}")
    return None if name == "everybody" else EVERYTHING
