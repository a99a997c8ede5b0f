"""The scripted player whose opinion of the actions a network corrects, as a configuration names it.

Every learner adds the same logits to its network's, and so does the agent when it plays: `timeline_env.players.agents.prior`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.players.agents.prior import load_appraiser, prior_logits
from timeline_env.players.interface import Decisions
from training.config import Config


class Prior:
    """The player that `config.prior` names."""

    def __init__(self, config: Config) -> None:
        assert config.prior is not None
        self.player = load_appraiser(config.registered_game, config.prior)
        self.scale = config.prior_scale
        """Logits that a unit of the player's values is; it may change in the course of a run."""
        self.foreseer: Any = self.player if config.network.outlook else None

    def logits(self, asked: Decisions) -> NDArray[np.float32]:
        """What is added to the network's logits; float32 [k, A], 0 for the best legal action, lower for the others."""
        values = self.player.values(asked.batch.rules, asked.states(), asked.action_mask, asked.seat)
        return prior_logits(values, self.scale)

    def pending(self, batch: Batch) -> NDArray[np.float32]:
        """The same for all decisions that are pending in a batch; float32 [n, A]."""
        return self.logits(Decisions.of(batch, np.arange(batch.num_games)))

    def foresee(self, batch: Batch) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """The same, and the player's outlook, see `timeline_env.players.interface.Foreseer`."""
        asked = Decisions.of(batch, np.arange(batch.num_games))
        values, outlook = self.foreseer.outlook(batch.rules, asked.states(), asked.action_mask, asked.seat)
        return prior_logits(values, self.scale), outlook

    def prospects(self, batch: Batch) -> NDArray[np.int8]:
        """What it foresees of each position for the seat that is to act; int8 [n, foreseen]."""
        asked = Decisions.of(batch, np.arange(batch.num_games))
        nothing = np.zeros_like(asked.action_mask)
        return self.foreseer.outlook(batch.rules, asked.states(), nothing, asked.seat)[1][:, -1]

    def weights(self, asked: Decisions) -> NDArray[np.float32]:
        """Masks that carry the prior: 0 for an illegal action, else above 0 the factor of its probability; float32 [k, A]."""
        return np.where(asked.action_mask == 1, np.exp(self.logits(asked)), np.float32(0))
