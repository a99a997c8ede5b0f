"""The player that follows a trained agent, with numpy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.common import reading
from timeline_env.engine.verbs import GAMES
from timeline_env.players.agents.agent import Agent
from timeline_env.players.agents.prior import load_appraiser, prior_logits
from timeline_env.players.interface import Decisions, Guard

FORETOLD = ("rank", "win")
"""The rewards that come only at the end, so that what an agent expects of them says what a position is worth."""


class NetworkPlayer:
    """Plays by an agent's policy: its best action, or one drawn from it, of those that a guard allows. It can guide a search."""

    guidance = 1.0
    """PUCT's constant, see `timeline_env.players.search.guides`."""

    def __init__(self, agent: Agent, seed: int = 0, sampled: bool = False, guard: Guard | None = None) -> None:
        self.agent = agent
        self.rng = np.random.default_rng(seed)
        self.sampled, self.guard = sampled, guard
        self.foretell = self._foretell if agent.value_layers and agent.about.reward in FORETOLD else None
        self.for_wins = agent.about.reward == "win"
        self.prior = load_appraiser(GAMES[agent.about.game], agent.about.prior) if agent.about.prior else None
        self.foreseer: Any = self.prior if agent.outlook_layers else None
        self.plays_on = bool(self.foretell and self.foreseer)  # without an outlook it knows less than the estimate does

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]. Raises ValueError if the games have another number of players."""
        logits = self.logits(decisions)
        if self.sampled:
            # The greatest of logits with Gumbel noise is a draw from their softmax.
            logits += self.rng.gumbel(size=logits.shape).astype(np.float32)
        mask = self.guard.allow(decisions) if self.guard else decisions.action_mask
        return np.where(mask, logits, -np.inf).argmax(axis=1)

    def logits(self, decisions: Decisions) -> NDArray[np.float32]:
        """The policy's logits with the prior's, float32 [k, A]; see `timeline_env.players.search.guides.Guide`.

        Raises:
            ValueError: the games have another number of players than the agent, or its weights are so large that a
                logit is infinite or not a number.
        """
        about, batch = self.agent.about, decisions.batch
        if about.num_players != batch.num_players and not about.common:
            raise ValueError(f"the agent is for {about.num_players} players; this game has {batch.num_players}")
        with np.errstate(over="ignore", invalid="ignore"):
            seen = reading(batch.game, batch.num_players, about.seats, about.pieces).read(decisions.observation)
            mask, outlook, values = decisions.action_mask, None, None
            if self.foreseer:
                values, outlook = self.foreseer.outlook(batch.rules, decisions.states(), mask, decisions.seat)
                seen, outlook = np.concatenate([seen, outlook[:, -1]], axis=1), outlook[:, :-1]
            elif self.prior:
                values = self.prior.values(batch.rules, decisions.states(), mask, decisions.seat)
            logits = self.agent.logits(seen, outlook, mask)[:, : batch.num_actions]
            if values is not None:
                logits += prior_logits(values, about.prior_scale)
        if not np.isfinite(logits).all():
            raise ValueError("the agent's weights are too large: a logit is infinite or not a number")
        return logits

    def _foretell(
        self, batch: Batch, positions: Any, seats: NDArray[np.int64], views: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """See `timeline_env.players.search.guides.Guide`."""
        about = self.agent.about
        seen = reading(batch.game, batch.num_players, about.seats, about.pieces).read(views)
        if self.foreseer:
            nothing = np.zeros((len(seats), batch.num_actions), np.int8)
            prospects = self.foreseer.outlook(batch.rules, positions, nothing, seats)[1][:, -1]
            seen = np.concatenate([seen, prospects], axis=1)
        value = np.nan_to_num(self.agent.value(seen))
        return np.clip(2 * value - 1 if self.for_wins else value, -1, 1)
