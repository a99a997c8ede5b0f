"""Count the lines of play that lead on from a position, split by their first move.

examples:
  python scripts/perft.py "4p y:0/energy=39/hand=7o 0:org/+" --depth 3
  python scripts/perft.py --seed 7 --players 3 --depth 4
  python scripts/perft.py --check tests/perft/*.perft
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.engine import perft
from timeline_env.engine.verbs import Game
from timeline_env.games import DEFAULT, PACKAGES, game_named


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The command line."""
    summary, _, examples = (__doc__ or "").partition("\n\n")
    options = cli.Parser(description=summary, epilog=examples)
    start = options.add_mutually_exclusive_group()
    start.add_argument("position", nargs="?", metavar="POSITION", help="a position as one line; see docs/notation.md")
    start.add_argument("--seed", type=int, metavar="N", help="begin after the deal of this seed")
    start.add_argument("--check", nargs="+", metavar="FILE", help="compare with the counts in these files")
    options.add_argument("--game", default=DEFAULT, help=f"{', '.join(PACKAGES)} (default: %(default)s)")
    options.add_argument("--players", type=int, metavar="P", help="players, with --seed (default: as is usual, 4)")
    options.add_argument("--depth", type=int, default=3, metavar="D", help="decisions (default: 3)")
    found = options.parse_args(arguments)
    # A group that argparse requires would be missed before an unknown option is.
    if found.position is None and found.seed is None and found.check is None:
        options.error("give a POSITION, --seed N or --check FILE …")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives its exit code."""
    options = parsed(arguments)
    with cli.refusals():
        game = game_named(options.game)
        if options.check:
            return check(game, options.check)
        count(game, options)
    return 0


def count(game: Game, options: argparse.Namespace) -> None:
    """Print the lines by their first move, and the sum."""
    if options.position is None:
        players = game.usual_players if options.players is None else options.players
        rules, S = perft.dealt(game, players, options.seed)
    else:
        rules, S = perft.started(game, f"position {options.position}")
    began = time.perf_counter()
    lines = perft.perft(game, rules, S, options.depth)
    for move, number in lines.items():
        print(f"{move:<28}{number:>14,}")
    spent = time.perf_counter() - began
    print(f"{len(lines)} moves, {sum(lines.values()):,} lines of {options.depth} decisions, {spent:.2f} s")


def check(game: Game, paths: list[str]) -> int:
    """Print what differs from the files; 1 if anything does."""
    cases = [case for path in paths for case in perft.read_cases(path)]
    differences = [difference for case in cases for difference in perft.check(game, case)]
    print("\n".join([*differences, f"{len(cases)} positions checked, {len(differences)} counts differ"]))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
