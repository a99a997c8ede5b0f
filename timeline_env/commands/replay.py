"""Check recorded games of Twilight Struggle against the engine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.twilight_struggle.recorded.play import Report, check_game


def replay(
    check: Annotated[
        list[Path] | None, typer.Option(help="compare these games, line by line", metavar="FILE...")
    ] = None,
    convert: Annotated[
        list[Path] | None,
        typer.Option(help="write these games into FOLDER as decisions", metavar="FOLDER FILE..."),
    ] = None,
) -> int:
    """Play recorded games of Twilight Struggle through the engine and say where the two differ.

    Every part of every line must be what the engine has, in the order of the log: influence, victory points, DEFCON,
    military operations, the space race, operations, what is added to dice and what comes of them, events and what lasts,
    cards shown, how the game was won. Dice, draws and choices are taken from the log, and so are the handicap and the
    optional cards. A game is played as far as its log goes, or to the first difference; lines that the engine rightly
    contradicts are printed with their reason.

    The exit code is 0 if all games agree, 1 if one differs, 2 if a file cannot be read; then --check plays the others all the
    same.

    examples:
      timeline-env replay --check game_28.txt game_29.txt
      timeline-env replay --convert tests/twilight_struggle/games game_28.txt
    """
    if (check is None) == (convert is None):
        raise ValueError("give either --check FILE ... or --convert FOLDER FILE ...")
    if check:
        return check_games(check)
    assert convert is not None
    folder, *paths = convert
    convert_games(folder, paths)
    return 0


def check_games(paths: list[Path]) -> int:
    """Print a line for each game, and its first difference; gives 2 if a file cannot be read, else 1 if a game differs, else 0."""
    reports, unread = [], 0
    for path in paths:
        try:
            reports.append(check_game(path))
        except (ValueError, OSError) as error:
            unread += 1
            print(cli.flatten_text(f"{path.name}: cannot be read: {error}"), flush=True)
        else:
            print_report(reports[-1])
    agreed, lines = sum(report.agreed for report in reports), sum(report.lines for report in reports)
    contradicted = sum(len(report.contradicted) for report in reports)
    differing = sum(bool(report.difference) for report in reports)
    print(
        f"{len(reports)} games, {agreed:,} of {lines:,} lines agree, {contradicted} rightly contradicted; "
        f"{differing} games differ, {unread} cannot be read"
    )
    return 2 if unread else min(differing, 1)


def print_report(report: Report) -> None:
    """Print what came of one game: where it differs or breaks off, and whether the engine saw it end."""
    if report.difference:
        end = f"differs in {report.reached}"
    else:
        end = f"{'the log ends' if report.end else 'breaks off'} in {report.reached}: {report.end or 'the game is not over'}"
    print(cli.flatten_text(f"{report.name}: {report.agreed:,} of {report.lines:,} lines agree, {end}"), flush=True)
    for line in report.contradicted:
        print("  " + cli.flatten_text(f"contradicted: {line}"))
    if report.difference:
        print("  " + cli.flatten_text(f"first difference: {report.difference}"))


def convert_games(folder: Path, paths: list[Path]) -> None:
    """Write each game as decisions."""
    from timeline_env.twilight_struggle.recorded.conversion import convert_game, save

    if not paths:
        raise ValueError("--convert needs a FOLDER and at least one FILE")
    if not folder.is_dir():
        raise ValueError(f"--convert: there is no folder {str(folder)!r}")
    targets: dict[Path, Path] = {}
    for path in paths:
        target = folder / f"{path.stem}.json"
        if target in targets:
            raise ValueError(f"--convert: {str(targets[target])!r} and {str(path)!r} would both become {str(target)!r}")
        targets[target] = path
    for target, path in targets.items():
        save(target, convert_game(path))
        print(cli.flatten_text(f"{path.name} -> {target}, {target.stat().st_size:,} bytes"), flush=True)
