"""Numbers added to a seed, so that games for one purpose never have the deals of another. A seed that a user gives is below 2**32."""

from __future__ import annotations

FINAL_GAMES = 2**32
"""Of the final games of a training run: no training has seen them, and no choice but that of a sweep's best trial."""
DATA_SETS = 2**33
"""Of data sets."""
TRAINING = 3 * 2**32
"""Of the games that `ppo` learns from."""
