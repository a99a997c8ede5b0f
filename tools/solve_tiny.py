"""Enumerates a tiny endgame of Timeline by OpenSpiel: the exploitability of uniformly random play and of CFR+'s average policy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.extras import require
from timeline_env.reading import check_integer


def parser() -> cli.Parser:
    """The command line."""
    options = cli.Parser(description=__doc__)
    options.add_argument("--iterations", type=int, default=100, metavar="N", help="of CFR+ (default: %(default)s)")
    options.add_argument("--outcomes", type=int, default=8, metavar="N", help="deals (default: %(default)s)")
    return options


def tiny_game(outcomes: int) -> Any:
    """The variant as a game of OpenSpiel with this many equally likely deals."""
    require("timeline_env.bridges.openspiel", "openspiel")
    return require("pyspiel", "openspiel").load_game("python_tiny_timeline", {"outcomes": outcomes})


def solve(outcomes: int, iterations: int) -> dict[str, float]:
    """Sizes, exploitabilities and the value of the game for the first seat."""
    cfr, best = (require(f"open_spiel.python.algorithms.{name}", "openspiel") for name in ("cfr", "exploitability"))
    policy, value = (
        require(f"open_spiel.python.{name}", "openspiel") for name in ("policy", "algorithms.expected_game_score")
    )
    game = tiny_game(outcomes)
    uniform = policy.TabularPolicy(game)
    found = {"information states": float(len(uniform.states)), "histories": float(histories(game.new_initial_state()))}
    found["exploitability, uniformly random"] = float(best.exploitability(game, uniform))
    solver = cfr.CFRPlusSolver(game)
    with cli.progress("CFR+ iterations", iterations) as advance:
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
            advance(1)
    solved = solver.average_policy()
    found["exploitability, CFR+"] = float(best.exploitability(game, solved))
    found["value for the first seat"] = float(value.policy_value(game.new_initial_state(), [solved, solved])[0])
    return found


def histories(state: Any) -> int:
    """How many histories there are from here on, this one included."""
    return 1 + sum(histories(state.child(action)) for action in ([] if state.is_terminal() else state.legal_actions()))


def main() -> None:
    """Run the command."""
    options = parser().parse_args()
    with cli.refusals():
        outcomes, iterations = (
            check_integer(f"--{name}", getattr(options, name), 1) for name in ("outcomes", "iterations")
        )
        for name, number in solve(outcomes, iterations).items():
            print(f"{name}: {number:,.6g}")


if __name__ == "__main__":
    main()
