"""Seeds, and numbers added to them, so that games for one purpose never have the deals of another."""

from __future__ import annotations

SEEDS = 2**32
"""How many a user can give to a training, a data set or a suite."""
FINAL_GAMES = SEEDS
"""Of the final games of a training run: no training has seen them, and no choice but that of a sweep's best trial."""
DATA_SETS = 2 * SEEDS
"""Of data sets."""
TRAINING = 3 * SEEDS
"""Of the games that `ppo` learns from."""
