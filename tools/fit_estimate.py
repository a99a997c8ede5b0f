#!/usr/bin/env python
"""Fit the estimate of Twilight Struggle to the ends of games: ``python tools/fit_estimate.py``."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.require_extra("train"):
    import torch

import numpy as np
import typer
from numpy.typing import NDArray

from timeline_env.arena.games import finish_games
from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.jit import entry
from timeline_env.engine.ranks import win_shares
from timeline_env.engine.setting import Setting
from timeline_env.files import check_writable, write_text
from timeline_env.players.registry import player_from
from timeline_env.players.twilight_struggle.rollout import is_choosing_card
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.estimate import EVEN, FEATURES, NAMES, TURN, VP, VP_BY_TURN, features

PLAYERS = {"heuristic": 0.35, "shipped@sampled": 0.45, "shipped": 0.2}
"""Who sits in each seat, and how often."""
AT_ONCE = 2048
NOTED = 0.35
"""Share of the positions that are noted: neighbours are nearly alike."""
SPREAD = 0.2
"""Standard deviation of the prior of a weight, for a feature of the size that it usually has."""
SIZES = {"turn": 10, "vp": 10, "vp by turn": 100, "operations": 5, "military operations": 3, "space": 3}
POINTS, POINTS_BY_TURN = 5, 50
"""The usual sizes of a region's points, and of the same by turn."""
STEEPEST = 1e-3
"""The loss's steepest slope at which a fit has converged."""


@entry
def looks(S, noted):
    """Write into `noted` (bool [k]) whether a card is to be chosen in each position (records [k])."""
    for k in range(noted.shape[0]):
        noted[k] = is_choosing_card(S[k])


@entry
def features_of(S, out):
    """Write the features of positions (records [k]) into `out` (float32 [k, FEATURES])."""
    x = np.zeros(FEATURES)
    for k in range(out.shape[0]):
        x[:] = 0.0
        features(S[k], x)
        out[k] = x


def play(games: int, seed: int, progress: Any) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
    """Positions of this many games: their features [n, FEATURES], the share of a win that the US had in the end [n], the game [n]."""
    rng = np.random.default_rng(seed)
    setting = Setting(GAME)
    players = [player_from(name, setting, seed + index) for index, name in enumerate(PLAYERS)]
    seating = rng.choice(len(players), (games, 2), p=list(PLAYERS.values()))
    batch = Batch(setting, games)
    batch.deal(game_seeds(seed, games))
    rows, whose = [], []

    def look(running: NDArray[np.int64]) -> None:
        positions = record.take(batch.states, running)
        noted = np.empty(len(running), np.bool_)
        looks(positions, noted)
        noted &= rng.random(len(running)) < NOTED
        found = np.empty((int(noted.sum()), FEATURES), np.float32)
        features_of(record.take(positions, np.flatnonzero(noted)), found)
        rows.append(found)
        whose.append(running[noted])

    finish_games(batch, players, seating, progress, look)
    game = np.concatenate(whose)
    return np.concatenate(rows), win_shares(batch.rank)[game, US].astype(np.float32), game


def sizes() -> NDArray[np.float32]:
    """The usual size of each feature."""

    def size(feature: str) -> int:
        if feature.startswith("points"):
            return POINTS_BY_TURN if "turn" in feature else POINTS
        return SIZES.get(feature, 1)

    return np.array([size(feature) for feature, _ in NAMES], np.float32)


def fit(x: NDArray[np.float32], won: NDArray[np.float32], games: int) -> NDArray[np.float32]:
    """The likeliest weights; against the prior all positions together count only as `games`, since those of one game are alike."""
    inputs, target = torch.as_tensor(x), torch.as_tensor(won)
    weights = torch.zeros(x.shape[1], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=1000, history_size=20, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimizer.zero_grad()
        error = torch.nn.functional.binary_cross_entropy_with_logits(inputs @ weights, target)
        whole = error + weights.square().sum() / (2 * SPREAD**2 * games)
        whole.backward()
        return whole

    optimizer.step(loss)
    steepest = float(weights.grad.abs().max())  # type: ignore[union-attr]
    if steepest > STEEPEST:
        raise ValueError(f"the fit has not converged: the loss still falls by {steepest:.1e} a unit of a weight")
    return weights.detach().numpy()


def print_calibration(name: str, logits: NDArray[np.float32], won: NDArray[np.float32]) -> None:
    """Print how well chances agree with how games ended."""
    loss = np.mean(np.logaddexp(0, logits) - won * logits)
    print(f"| {name} | {loss:.4f} | {100 * np.mean((logits > 0) == (won > 0.5)):.1f} |")


def main(
    games: Annotated[int, typer.Option(min=10, help="to learn from")] = 16384,
    seed: Annotated[int, typer.Option(min=0, help="of deals and players")] = 101,
    out: Annotated[
        Path, typer.Option(help="the table; the package's is timeline_env/data/twilight_struggle/estimate.csv")
    ] = Path("estimate.csv"),
) -> None:
    """Fit the estimate of Twilight Struggle to the ends of games: who wins from a position, by a logistic regression.

    Plays games between `heuristic` and the shipped agent, notes positions in which a card is to be chosen, and fits a weight for
    each of the estimate's features; a fifth of the games is kept back to measure by. Weights have a normal prior, or features
    that were hardly seen would have any. In the place of the package's table, searches judge positions by it; that table was made
    with the shipped agent of its time.

    example:
      python tools/fit_estimate.py --games 16384 --out estimate.csv
    """
    check_writable("--out", out)
    parts = []
    with cli.progress("games", games) as show:
        for block, at in enumerate(range(0, games, AT_ONCE)):
            x, won, game = play(min(AT_ONCE, games - at), seed + block, show)
            parts.append((x, won, game + at))
    x, won, game = (np.concatenate(column) for column in zip(*parts, strict=True))
    del parts  # or everything would be in memory twice
    write_text(out, table(fit_all(x, won, game, games)))
    print(f"\nsaved: {out}")


def fit_all(
    x: NDArray[np.float32], won: NDArray[np.float32], game: NDArray[np.int64], games: int
) -> NDArray[np.float32]:
    """The weights of all features; prints how good those are that are fitted to four fifths of the games. `x` is scaled in place."""
    size = sizes()
    x /= size
    kept_back = game % 5 == 0
    print(f"{games:,} games, {len(x):,} positions; measured on every fifth game\n")
    print("| fitted to the others | logarithmic loss | who wins, % right |\n|---|--:|--:|")
    for name, columns in (
        ("victory points and turn alone", [EVEN, TURN, VP, VP_BY_TURN]),
        ("all features", slice(None)),
    ):
        weights = fit(x[~kept_back][:, columns], won[~kept_back], len(np.unique(game[~kept_back])))
        print_calibration(name, x[kept_back][:, columns] @ weights, won[kept_back])
    return fit(x, won, games) / size


def table(weights: NDArray[np.float32]) -> str:
    """The weights as the file holds them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["feature", "of", "weight"])
    writer.writerows([*name, f"{weight:.5f}"] for name, weight in zip(NAMES, weights.tolist(), strict=True))
    return text.getvalue()


if __name__ == "__main__":
    cli.run(main)
