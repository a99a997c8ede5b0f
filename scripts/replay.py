#!/usr/bin/env python
"""Play recorded games of Twilight Struggle through the engine and say where the two differ.

Every part of every line must be what the engine has, in the order of the log: influence, victory points, DEFCON, military
operations, the space race, operations, what is added to dice and what comes of them, events and what lasts, cards shown, how
the game was won. Dice, draws and choices are taken from the log, and so are the handicap and the optional cards. A game is
played as far as its log goes, or to the first difference; lines that the engine rightly contradicts are told with their reason.

The exit code is 0 if all games agree, 1 if one differs, 2 if a file cannot be read; the others are played all the same.

examples:
  python scripts/replay.py --check game_28.txt
  python scripts/replay.py --check games/*.txt
  python scripts/replay.py --convert tests/twilight_struggle/games game_28.txt
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.twilight_struggle.recorded.play import Report, check_game


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The command line."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    options = cli.Parser(description=summary, epilog=rest)
    options.add_argument("--check", nargs="+", metavar="FILE", type=Path, help="compare these games, line by line")
    options.add_argument(
        "--convert",
        nargs="+",
        metavar=("FOLDER", "FILE"),
        type=Path,
        help="write these games into FOLDER as decisions, for the test suite",
    )
    found = options.parse_args(arguments)
    if (found.check is None) == (found.convert is None):
        options.error("give either --check FILE … or --convert FOLDER FILE …")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives its exit code."""
    options = parsed(arguments)
    with cli.refusals():
        if options.check:
            return check(options.check)
        folder, *paths = options.convert
        return convert(folder, paths)


def check(paths: list[Path]) -> int:
    """Print a line a game, and its difference; 2 if a file cannot be read, else 1 if a game differs."""
    reports, unread = [], 0
    for path in paths:
        try:
            reports.append(check_game(path))
        except (ValueError, OSError) as error:
            unread += 1
            print(f"{path.name}: cannot be read: {error}", flush=True)
        else:
            tell(reports[-1])
    agreed, lines = sum(report.agreed for report in reports), sum(report.lines for report in reports)
    contradicted = sum(len(report.contradicted) for report in reports)
    differing = sum(bool(report.difference) for report in reports)
    print(
        f"{len(reports)} games, {agreed:,} of {lines:,} lines agree, {contradicted} rightly contradicted; "
        f"{differing} games differ, {unread} cannot be read"
    )
    return 2 if unread else min(differing, 1)


def tell(report: Report) -> None:
    """What came of one game: where it differs or breaks off, and whether the engine saw it end."""
    if report.difference:
        end = f"differs in {report.reached}"
    else:
        end = f"{'the log ends' if report.end else 'breaks off'} in {report.reached}: {report.end or 'the game is not over'}"
    print(f"{report.name}: {report.agreed:,} of {report.lines:,} lines agree, {end}", flush=True)
    for line in report.contradicted:
        print(f"  contradicted: {line}")
    if report.difference:
        print(f"  first difference: {report.difference}")


def convert(folder: Path, paths: list[Path]) -> int:
    """Write each game as decisions."""
    from timeline_env.twilight_struggle.recorded.conversion import convert_game, save

    if not paths:
        raise ValueError("--convert needs a FOLDER and at least one FILE")
    if not folder.is_dir():
        raise ValueError(f"--convert: there is no folder {str(folder)!r}")
    for path in paths:
        target = folder / f"{path.stem}.json"
        save(target, convert_game(path))
        print(f"{path.name} -> {target}, {target.stat().st_size:,} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
