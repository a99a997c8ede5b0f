"""Enumerates a tiny endgame of Timeline by OpenSpiel: ``python tools/solve_tiny.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli
from timeline_env.extras import require


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


def main(
    iterations: Annotated[int, typer.Option(min=1, help="of CFR+")] = 100,
    outcomes: Annotated[int, typer.Option(min=1, help="deals")] = 8,
) -> None:
    """Enumerate a tiny endgame of Timeline by OpenSpiel: the exploitability of uniformly random play and of CFR+'s average policy."""
    for name, number in solve(outcomes, iterations).items():
        print(f"{name}: {number:,.6g}")


if __name__ == "__main__":
    cli.run(main)
