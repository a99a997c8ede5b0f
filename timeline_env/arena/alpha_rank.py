"""Alpha-rank: how often each player is played in the long run, if a population now and then changes to a player that beats its own.

Unlike a rating it can show cycles: players that beat each other in a circle share the mass. OpenSpiel computes it, in the limit of strong selection.

Source: Omidshafiei et al., "α-Rank: Multi-agent evaluation by evolution", 2019; for the noise of the shares, Rowland et al.,
"Multiagent evaluation under incomplete information", 2019.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import Estimate
from timeline_env.extras import require

NOISE = 1e-6
"""How likely a worse player is to take over, as the limit is approached.

OpenSpiel's default, 0.01, leaves a mass of 0.98 to the best of 3 players, and of 0.84 to the best of 20.
"""


def alpha_rank(samples: NDArray[np.float64], deal_weights: NDArray[np.uint8]) -> list[Estimate]:
    """The mass of each player, 0 to 1.

    Args:
        samples: float64 [deals, K, K], the share of the row against the column in each deal; NaN on the diagonal.
        deal_weights: uint8 [B, deals], how often each deal is in each bootstrap sample. In the limit of strong selection the
            slightest difference decides, so the mass jumps between samples; the interval holds 95 % of them.

    Raises:
        MissingExtra: OpenSpiel is not installed.
    """
    compute = require("open_spiel.python.egt.alpharank", "openspiel").compute

    def mass(weights: NDArray[np.uint8]) -> NDArray[np.float64]:
        payoff = np.average(samples, axis=0, weights=weights)
        np.fill_diagonal(payoff, 0.5)
        return np.asarray(compute([payoff], use_inf_alpha=True, inf_alpha_eps=NOISE)[2])

    drawn = np.array([mass(weights) for weights in deal_weights])
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    middle = mass(np.ones(len(samples), np.uint8))
    return [Estimate(*map(float, row)) for row in zip(middle, low, high, strict=True)]
