#!/usr/bin/env python
"""Fit the estimate that searches judge by to the ends of games: ``python tools/fit_estimate.py --game timeline --players 4``."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.require_extra("train"):
    import torch

import numpy as np
import typer
from numpy.typing import NDArray

from timeline_env.arena.markdown import markdown_table
from timeline_env.engine.setting import Setting
from timeline_env.files import check_writable, write_text
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.timeline import board
from timeline_env.timeline import estimate as of_timeline
from timeline_env.twilight_struggle import estimate as of_twilight_struggle
from tools.estimate_positions import Positions, play_timeline, play_twilight_struggle

AT_ONCE = 2048
SPREAD = 0.2
"""Standard deviation of the prior of a weight, for a feature of the size that it usually has."""
STEEPEST = 1e-3
"""The loss's steepest slope at which a fit has converged."""


@dataclass(frozen=True)
class Model:
    """What is fitted for a game.

    Attributes:
        play: plays games from a seed and tells of their positions.
        names: of the features, in the columns of the table that come before the weight.
        sizes: the usual size of each feature, float32 [features].
        phases: how many sets of weights there are, one for the positions of each phase.
        columns: the table's.
        few: features to compare all of them with: what they are, and their indices.
        file: what the package's table is called.
    """

    play: Callable[[Setting, int, int, Callable[[int], None]], Positions]
    names: Sequence[tuple[str, ...]]
    sizes: NDArray[np.float32]
    phases: int
    columns: tuple[str, ...]
    few: tuple[str, NDArray[np.int64]]
    file: str


def size_in_twilight_struggle(feature: str) -> int:
    """The usual size of a feature, whichever region, country or card it is of."""
    if feature.startswith("points"):
        return 50 if "turn" in feature else 5
    usual = {"turn": 10, "vp": 10, "vp by turn": 100, "operations": 5, "military operations": 3, "space": 3}
    return usual.get(feature, 1)


MODELS = {
    "timeline": Model(
        play_timeline,
        [(name,) for name in of_timeline.NAMES],
        np.full(of_timeline.FEATURES, 3, np.float32),
        board.RADII,
        ("phase", "feature", "weight"),
        (
            "points and the board as it stands",
            np.array(
                [of_timeline.POINTS, *range(of_timeline.EVENTS_AT, of_timeline.FEATURES, len(of_timeline.OUTCOMES))]
            ),
        ),
        "estimate_{players}.csv",
    ),
    "twilight_struggle": Model(
        play_twilight_struggle,
        of_twilight_struggle.NAMES,
        np.array([size_in_twilight_struggle(feature) for feature, _ in of_twilight_struggle.NAMES], np.float32),
        1,
        ("feature", "of", "weight"),
        (
            "victory points and turn alone",
            np.array([getattr(of_twilight_struggle, name) for name in ("EVEN", "TURN", "VP", "VP_BY_TURN")]),
        ),
        "estimate.csv",
    ),
}


def play(model: Model, setting: Setting, games: int, seed: int) -> Positions:
    """Positions of this many games, block by block."""
    blocks = []
    with cli.progress("games", games) as show:
        for block, at in enumerate(range(0, games, AT_ONCE)):
            found = model.play(setting, min(AT_ONCE, games - at), seed + block, show)
            blocks.append(Positions(found.features, found.won, found.game + at, found.phase))
    parts = ([getattr(block, name) for block in blocks] for name in ("features", "won", "game", "phase"))
    return Positions(*map(np.concatenate, parts))


def fit(found: Positions, rows: NDArray[np.bool_], columns: NDArray[np.int64]) -> NDArray[np.float32]:
    """The likeliest weights by these rows; against the prior they count only as their games, since those of one game are alike."""
    inputs, target = torch.as_tensor(found.features[np.ix_(rows, columns)]), torch.as_tensor(found.won[rows])
    games = len(np.unique(found.game[rows]))
    weights = torch.zeros(inputs.shape[1], requires_grad=True)
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


def fit_all(model: Model, found: Positions) -> tuple[NDArray[np.float32], list[str]]:
    """The weights of all features, [phases, features], and a table of how good those are that are fitted to four fifths of the games.

    A phase in which nothing was noted has weights of 0. The features of `found` are scaled in place.
    """
    found.features[:] /= model.sizes
    weights = np.zeros((model.phases, len(model.sizes)), np.float32)
    kept_back = found.game % 5 == 0
    everything = np.arange(len(model.sizes))
    rows = []
    for phase in range(model.phases):
        here = found.phase == phase
        if here.any():
            weights[phase] = fit(found, here, everything) / model.sizes
        learned, measured = here & ~kept_back, here & kept_back
        if learned.any() and measured.any():
            for name, columns in (model.few, ("all features", everything)):
                logits, won = (
                    found.features[np.ix_(measured, columns)] @ fit(found, learned, columns),
                    found.won[measured],
                )
                loss = np.mean(np.logaddexp(0, logits) - won * logits)
                # Even odds are half right; where the two shared a place, nobody could be.
                right = np.mean(np.where(logits == 0, 0.5, (logits > 0) == (won > 0.5))[won != 0.5])
                rows.append((name, str(phase) if model.phases > 1 else "all", f"{loss:.4f}", f"{100 * right:.1f}"))
    return weights, markdown_table(
        ("fitted to the others", "phase", "logarithmic loss", "who ends ahead, % right"), rows
    )


def table(model: Model, weights: NDArray[np.float32]) -> str:
    """The weights as the file holds them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(model.columns)
    for phase, row in enumerate(weights.tolist()):
        first = [phase] * (model.phases > 1)
        writer.writerows([*first, *name, f"{weight:.5f}"] for name, weight in zip(model.names, row, strict=True))
    return text.getvalue()


def main(
    game: Annotated[str, typer.Option(help=f"the game: {' or '.join(PACKAGES)}")] = DEFAULT,
    players: Annotated[int | None, typer.Option(help="the number of players; the game's usual one if left out")] = None,
    games: Annotated[int, typer.Option(min=10, help="to learn from")] = 16384,
    seed: Annotated[int, typer.Option(min=0, help="of deals and players")] = 101,
    out: Annotated[
        Path | None, typer.Option(help="the table; if left out, here by the name that it has in timeline_env/data/GAME")
    ] = None,
) -> None:
    """Fit a game's estimate to the ends of games: who ends ahead from a position, by a logistic regression.

    Plays games between scripted players and the shipped agent, notes positions like those in which a search breaks off, and fits a
    weight for each of the estimate's features (in Timeline one for each phase, and for one number of players at a time); a fifth of
    the games is kept back to measure by. Weights have a normal prior, or features that were hardly seen would have any. In the place
    of the package's table, searches judge positions by it; that table was made with the shipped agent of its time.

    examples:
      python tools/fit_estimate.py --players 4
      python tools/fit_estimate.py --game twilight_struggle
    """
    setting = Setting(game_named(game), players)
    model = MODELS[game]
    out = out or Path(model.file.format(players=setting.num_players))
    check_writable("--out", out)
    found = play(model, setting, games, seed)
    weights, told = fit_all(model, found)
    print(f"{games:,} games, {len(found.won):,} comparisons; measured on every fifth game\n\n" + "\n".join(told))
    write_text(out, table(model, weights))
    print(f"\nsaved: {out}")


if __name__ == "__main__":
    cli.run(main)
