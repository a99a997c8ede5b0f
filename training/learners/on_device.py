"""What `ppo` needs besides its network and its games where both are on a GPU: the prior's opinion, and snapshots in other seats.

Nothing of it leaves the device while games are played, except the number of decisions that each player has to take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from timeline_env.engine.batch import tensor_over
from timeline_env.players.agents.prior import FAINTEST, device_appraisers
from timeline_env.wrappers.seats import LEARNER
from training.config import Config
from training.learners.networks import Policy
from training.opponents.league import OWN, DepartedPlayer, League

if TYPE_CHECKING:
    from timeline_env.engine.cuda import CudaBatch


def logits_of(values: torch.Tensor, scale: float) -> torch.Tensor:
    """What `timeline_env.players.agents.prior.prior_logits` gives where an action is legal, and 0 elsewhere; float32 [k, A]."""
    legal = values > -torch.inf
    best = values.amax(dim=1, keepdim=True)
    below = torch.where(legal, values - best, 0.0)
    return (scale * below).clamp(min=FAINTEST).float()


class DevicePrior:
    """The player that `config.prior` names, on the device; see `training.learners.prior.Prior`."""

    def __init__(self, config: Config, batch: CudaBatch) -> None:
        from timeline_env.players.agents.cuda_appraiser import CudaAppraiser

        assert config.prior is not None
        self.appraiser = CudaAppraiser(device_appraisers(config.registered_game)[config.prior], batch)
        self.values = tensor_over(self.appraiser.values)
        self.scale = config.prior_scale

    def pending(self, batch: CudaBatch) -> torch.Tensor:
        """What is added to the network's logits for the decisions that are pending; float32 [n, A]."""
        self.appraiser.look()
        return logits_of(self.values, self.scale)


class DeviceTable:
    """The seats of a batch on a GPU: what `training.opponents.league.Table` does for the learner and snapshots of it.

    Attributes:
        seating: int64 [n, players] on the device, who sits where.
        own: int64 [n] on the device, the one seat of each game that is the learner's by lot.

    Args:
        config: whose networks the snapshots are.
        league: who else plays; there is nobody in it but the learner and its snapshots.
        batch: the games.
        prior: the prior that the snapshots were trained to correct; None without one.
        build: makes an untrained network of the configuration.
    """

    def __init__(
        self,
        config: Config,
        league: League,
        batch: CudaBatch,
        prior: DevicePrior | None,
        build: Callable[[Config], Any],
    ) -> None:
        self.config, self.league, self.batch, self.prior, self.build = config, league, batch, prior, build
        self.look, self.rank = batch.tensors(), tensor_over(batch.rank)
        self.device = self.look["seat"].device
        self.games = torch.arange(batch.num_games, device=self.device)
        self.networks: dict[int, Any] = {}
        self.scales: dict[int, float] = {}
        self.begin_rollout()
        self.seating, self.own = self._draw()

    @property
    def asks_prior(self) -> bool:
        """Whether a snapshot needs to know what the prior thinks."""
        return any(self.scales.values())

    def begin_rollout(self) -> None:
        """Take in new snapshots, and drop those that have left the pool and sit in no game."""
        for index, player in enumerate(self.league.players):
            if index != OWN and index not in self.networks and not isinstance(player, DepartedPlayer):
                self._take_in(index, player)
            elif isinstance(player, DepartedPlayer):
                self.networks.pop(index, None)
                self.scales.pop(index, None)
        self.chances = torch.as_tensor(self.league.chances, dtype=torch.float32, device=self.device)
        self.won, self.met = torch.zeros((2, len(self.league.players)), device=self.device)

    def _take_in(self, index: int, player: Any) -> None:
        network = self.build(self.config).to(self.device)
        network.layers.take(player.agent, self.config)
        self.networks[index], self.scales[index] = network, player.agent.about.prior_scale

    def end_rollout(self) -> None:
        """Tell the pool how its snapshots did against the learner."""
        if self.league.pool:
            for index, (won, met) in enumerate(zip(self.won.tolist(), self.met.tolist(), strict=True)):
                if met:
                    self.league.pool.note_games(self.league.names[index], won, met)

    def _draw(self) -> tuple[torch.Tensor, torch.Tensor]:
        """New players for all games: who sits where, and the seat that is the learner's."""
        shape = self.batch.num_games, self.batch.num_players
        drawn = torch.multinomial(self.chances, shape[0] * shape[1], replacement=True).view(shape)
        own = torch.randint(shape[1], (shape[0],), device=self.device)
        drawn[self.games, own] = OWN
        return drawn.masked_fill(drawn == OWN, LEARNER), own

    @torch.no_grad()
    def answer(self, actions: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        """Replace the learner's decisions with the snapshots' where snapshots are asked; gives where the learner is, bool [n].

        Args:
            actions: int64 [n], the learner's for every game; changed in place.
            seen: int8 [n, inputs], what the seats to act see.
        """
        who = self.seating[self.games, self.look["seat"]]
        order = who.argsort()
        counts = torch.bincount(who - LEARNER, minlength=len(self.league.players) - LEARNER).tolist()
        for index, rows in enumerate(order.split(counts), LEARNER):
            if len(rows) and index != LEARNER:
                actions[rows] = self._sample(index, seen[rows], rows)
        return who == LEARNER

    def _sample(self, index: int, seen: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        """What a snapshot does in these games; int64 [k]."""
        network = self.networks[index]
        logits = network.logits(network.read(seen))
        if self.prior and self.scales[index]:
            logits = logits + logits_of(self.prior.values[rows], self.scales[index])
        logits = logits.masked_fill(self.look["action_mask"][rows] == 0, -torch.inf)
        return Policy(logits).sample()

    def note_step(self) -> None:
        """After a step: count the results of the games that ended, and seat the next ones."""
        over = self.look["done"]
        for one in range(self.batch.num_players):
            for other in range(self.batch.num_players):
                met = over & (self.seating[:, one] > OWN) & (self.seating[:, other] == LEARNER)
                ranks = self.rank[:, one], self.rank[:, other]
                won = (ranks[0] < ranks[1]).float() + 0.5 * (ranks[0] == ranks[1]).float()
                index = self.seating[:, one].clamp(min=OWN)
                self.met.index_add_(0, index, met.float())
                self.won.index_add_(0, index, won * met)
        seating, own = self._draw()
        self.seating = torch.where(over.unsqueeze(1), seating, self.seating)
        self.own = torch.where(over, own, self.own)
