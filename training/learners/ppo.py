"""Masked PPO for games with any number of seats, in one file: one network plays every seat against itself, or some seats against others.

Every decision of the network in any seat is a sample. A seat's reward for a decision is all it earned until its own next decision,
across the other seats' turns; values and advantages are chained from a seat's decision to its next, never between seats.

Observations, masks and rewards are read where the batch writes them, on the CPU or (``device: cuda``) on the GPU; all that is
different there is who fills the other seats and what the prior thinks: `training/learners/on_device.py`.
"""

from __future__ import annotations

import copy
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from timeline_env.arena.deals import TRAINING
from timeline_env.engine.batch import Batch, tensor_over
from timeline_env.engine.common import Reading
from timeline_env.engine.devices import batch_on
from timeline_env.players.agents.agent import Agent
from training.allocator import keep_freed_memory
from training.config import Config, Now
from training.learners.interface import Update
from training.learners.networks import (
    ILLEGAL,
    BoardReader,
    Flat,
    Layers,
    NodeHead,
    OutlookHead,
    Policy,
    body_of,
    heads_for,
    outlook_head_for,
    perceptron,
    refuse_diverged,
    squash,
)
from training.learners.on_device import DevicePrior, DeviceTable
from training.learners.prior import Prior
from training.learners.tally import Tally
from training.opponents.league import League, Table

# --- the network


class Network(nn.Module):
    """Policy and value, each a multi-layer perceptron over what `body` reads; in bfloat16 with `mixed_precision`, its results in float32."""

    def __init__(
        self,
        body: Flat | BoardReader,
        hidden: list[int],
        actions: int,
        activation: str,
        heads: list[NodeHead],
        outlook: OutlookHead | None = None,
        mixed_precision: bool = False,
    ) -> None:
        super().__init__()
        self.mixed_precision = mixed_precision
        self.body = body
        self.heads = nn.ModuleList(heads)
        self.outlook = outlook
        self.policy = perceptron(body.width, hidden, actions, 0.01, activation)  # nearly uniform at the beginning
        self.critic = perceptron(body.width, hidden, 1, 1.0, activation)

    @property
    def layers(self) -> Layers:
        """The linear layers."""
        return Layers.of(self.body, self.policy, self.critic, self.heads, self.outlook)  # type: ignore[arg-type]

    def read(self, seen: torch.Tensor) -> torch.Tensor:
        """What policy and value take, [k, width], from what is seen, int8 [k, inputs] as in a `Rollout`."""
        x = squash(seen, torch.bfloat16 if self.mixed_precision else torch.float32)
        with self.precision(x):
            return self.body(x)

    def precision(self, x: torch.Tensor) -> AbstractContextManager[None]:
        """The context for the network's arithmetic, which sets its precision."""
        return torch.autocast(x.device.type, torch.bfloat16) if self.mixed_precision else nullcontext()

    def distribution(self, x: torch.Tensor, bias: torch.Tensor, outlook: torch.Tensor | None = None) -> Policy:
        """The policy over legal actions; `x` [k, width], `bias` and `outlook` as in a `Rollout`."""
        return Policy(self.logits(x, bias, outlook) + bias)

    def logits(
        self, x: torch.Tensor, bias: torch.Tensor | None = None, outlook: torch.Tensor | None = None
    ) -> torch.Tensor:
        """The policy's logits [k, A], for legal actions the same as an agent's. An outlook needs the `bias`, which says what is legal."""
        with self.precision(x):
            hidden = self.policy[:-1](x)
            logits = self.policy[-1](hidden)
            for head in self.heads:
                logits = head.add_to(logits, x, hidden)  # type: ignore[operator]
            if self.outlook and bias is not None and outlook is not None:
                logits = self.outlook.add_to(logits, hidden, bias, outlook)
            return logits.float()

    def values(self, x: torch.Tensor) -> torch.Tensor:
        """The value of what is seen, for the seat that sees it; [k]."""
        with self.precision(x):
            return self.critic(x).squeeze(-1).float()


def build_network(config: Config) -> Network:
    """The configuration's network."""
    game, hidden = config.registered_game, config.network.hidden
    actions = game.num_actions(config.seats)
    network = Network(
        body_of(config), hidden, actions, config.network.activation,
        heads_for(config), outlook_head_for(config), config.ppo.mixed_precision,
    )  # fmt: skip
    if config.network.kind == "mlp":
        layout = game.layout(config.seats)
        sizes = [len(layout.columns([name])) for name in config.pieces]
        weigh_evenly([network.policy[0], network.critic[0]], sizes + [config.foreseen] * bool(config.foreseen))
    return network


@torch.no_grad()
def weigh_evenly(layers: list[Any], sizes: list[int]) -> None:
    """Let every piece of the observation (of `sizes` numbers) weigh the same in untrained first layers, however large it is.

    Otherwise the field's planes, thirty times as many numbers as what lies near the pawn, would drown what is learned quickest.
    """
    shares = torch.tensor([sum(sizes) / len(sizes) / size for size in sizes]).sqrt()
    for layer in layers:
        layer.weight *= shares.repeat_interleave(torch.tensor(sizes))


# --- the rollout


class Rollout:
    """`steps` decisions in each of `n` games; row t holds what was seen, done and earned at decision t.

    The games may have fewer than `inputs` and `actions`: then the other inputs are zeros, and the other actions not legal.
    """

    def __init__(self, config: Config, inputs: int, actions: int, device: str | torch.device = "cpu") -> None:
        shape = (config.ppo.n_steps, config.envs)
        # Observations, and what the prior foresees of the positions and of every action, where the network reads that.
        self.seen = torch.zeros((*shape, inputs + config.foreseen), dtype=torch.int8, device=device)
        self.outlook = torch.zeros((*shape, actions, config.foreseen), dtype=torch.int8, device=device)
        self.bias = torch.full((*shape, actions), ILLEGAL, device=device)  # what is added to the policy's logits
        self.action = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_prob = torch.zeros(shape, device=device)
        self.value = torch.zeros(shape, device=device)
        self.seat = torch.zeros(shape, dtype=torch.int64, device=device)
        self.reward = torch.zeros((*shape, config.num_players), device=device)  # of every seat
        self.done = torch.zeros(shape, dtype=torch.bool, device=device)
        self.mine = torch.ones(shape, dtype=torch.bool, device=device)  # whether the network decided
        # Not learned from: the results of games that ended, of every seat, and the seat whose results count.
        self.rank, self.points = torch.zeros_like(self.reward), torch.zeros_like(self.reward)
        self.own = torch.zeros(shape, dtype=torch.int64, device=device)


def ask_prior(rollout: Rollout, t: int, batch: Any, prior: Prior | DevicePrior | None) -> None:
    """Write into step `t` what is added to the policy's logits, `ILLEGAL` or what the prior thinks of an action, and its outlook."""
    legal = batch.tensors()["action_mask"] != 0
    known = torch.zeros(legal.shape, device=legal.device)
    if isinstance(prior, Prior) and prior.foreseer:
        known, outlook = map(torch.from_numpy, prior.foresee(batch))
        rollout.outlook[t, :, : batch.num_actions] = outlook[:, :-1]
        rollout.seen[t, :, -outlook.shape[2] :] = outlook[:, -1]
    elif prior:
        known = torch.as_tensor(prior.pending(batch))
    rollout.bias[t, :, : batch.num_actions] = known.masked_fill(~legal, ILLEGAL)


@torch.no_grad()
def play(
    rollout: Rollout,
    batch: Any,
    network: Network,
    reading: Reading,
    table: Table | DeviceTable | None,
    prior: Prior | DevicePrior | None,
    generator: torch.Generator | None = None,
) -> None:
    """Fill the rollout with decisions of the network, drawn by the generator; in every seat, unless others sit at the table.

    On a GPU nothing waits for the games, except that the table asks once a step how many decisions are whose.
    """
    look = batch.tensors()
    rank, points = tensor_over(batch.rank), tensor_over(batch.points)
    step = batch.step if isinstance(batch, Batch) else batch.step_async
    rollout.own[:] = torch.arange(batch.num_games) % batch.num_players
    for t in range(len(rollout.action)):
        reading.read_into(look["observation"], rollout.seen[t, :, : reading.width])
        ask_prior(rollout, t, batch, prior)
        rollout.seat[t] = look["seat"]
        x = network.read(rollout.seen[t])
        policy = network.distribution(x, rollout.bias[t], rollout.outlook[t])
        rollout.action[t] = policy.sample(generator)
        if isinstance(table, DeviceTable):
            rollout.mine[t] = table.answer(rollout.action[t], rollout.seen[t])
        elif table:
            rollout.mine[t] = torch.as_tensor(table.answer(rollout.action[t].numpy()))
        if table:
            rollout.own[t] = torch.as_tensor(table.own)
        rollout.log_prob[t] = policy.log_prob(rollout.action[t])
        rollout.value[t] = network.values(x)
        step(rollout.action[t])
        rollout.reward[t], rollout.done[t] = look["reward"], look["done"]
        rollout.rank[t], rollout.points[t] = rank, points
        if table:
            table.note_step()
    if not isinstance(batch, Batch):
        batch.check()


@torch.no_grad()
def log_probs_by(network: Network, flat: dict[str, torch.Tensor], batch_size: int) -> torch.Tensor:
    """The log-probabilities that a network gives all actions of these decisions, `batch_size` decisions at a time; [k, A]."""
    parts = zip(*(flat[name].split(batch_size) for name in ("seen", "bias", "outlook")), strict=True)
    policies = (network.distribution(network.read(seen), bias, outlook) for seen, bias, outlook in parts)
    return torch.cat([policy.log_probs for policy in policies])


@torch.no_grad()
def advantages(
    rollout: Rollout, seat_after: torch.Tensor, value_after: torch.Tensor, gamma: float, gae_lambda: float
) -> torch.Tensor:
    """Generalized advantage estimates [steps, n], chained from each seat's decision to the same seat's next.

    Where the rollout ends, only the seat that is to act has a value: the network learns what positions are worth to the seat that
    decides in them, and knows nothing of the others. So the last decision of another seat has no estimate (NaN) unless the game
    ended after it, and what that seat's decisions before led to is judged by its value.

    Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2015, eq. 16,
    applied to each seat's own sequence of decisions.

    Args:
        rollout: of `steps` decisions in each of n games.
        seat_after: int64 [n], who is to act after the rollout.
        value_after: [n], what that seat expects.
        gamma: discount of a reward one decision later, 0 to 1.
        gae_lambda: how far advantages look past the value estimate, 0 to 1.
    """
    games = torch.arange(len(seat_after), device=seat_after.device)
    out = torch.zeros_like(rollout.value)
    # For each game and seat, seen from the later end: whether its next decision or the game's end is known, that decision's value
    # and advantage, and what was earned since.
    value, advantage, earned = (torch.zeros_like(rollout.reward[0]) for _ in range(3))
    known = torch.zeros_like(value, dtype=torch.bool)
    known[games, seat_after], value[games, seat_after] = True, value_after
    for t in range(len(out) - 1, -1, -1):
        ended = rollout.done[t].unsqueeze(1)
        value, advantage = value.masked_fill(ended, 0), advantage.masked_fill(ended, 0)
        earned, known = earned.masked_fill(ended, 0) + rollout.reward[t], known | ended
        mine = (games, rollout.seat[t])
        error = earned[mine] + gamma * value[mine] - rollout.value[t]
        estimate = torch.where(known[mine], error + gamma * gae_lambda * advantage[mine], 0)
        out[t] = estimate.masked_fill(~known[mine], torch.nan)
        value[mine], advantage[mine], earned[mine], known[mine] = rollout.value[t], estimate, 0.0, True
    return out


@torch.no_grad()
def values_to_act(batch: Any, network: Network, reading: Reading, prior: Prior | DevicePrior | None) -> torch.Tensor:
    """What the seat that is to act expects in every game; [n]."""
    observed = batch.tensors()["observation"]
    seen = observed.new_zeros((len(observed), reading.width))
    reading.read_into(observed, seen)
    if isinstance(prior, Prior) and prior.foreseer:
        seen = torch.cat([seen, torch.from_numpy(prior.prospects(batch))], dim=1)
    return network.values(network.read(seen))


# --- the update


def update(
    rollout: Rollout,
    advantage: torch.Tensor,
    network: Network,
    reference: Network | None,
    optimizer: Any,
    config: Config,
    entropy_weight: float,
) -> dict[str, float]:
    """Take some epochs of gradient steps on the rollout; gives the means of the losses.

    It learns from the network's own decisions whose advantage [steps, n] is a number. `reference` is what the policy is kept
    from diverging from, if `ppo.kl_coef` asks for that. Raises ValueError if the network diverges.

    Sources: Schulman et al., "Proximal policy optimization algorithms", 2017, eq. 7 and 9; the divergence from a slow copy
    of the policy: Sokota et al., "A unified approach to reinforcement learning, quantal response equilibria, and two-player
    zero-sum games", 2023, eq. 8, as a loss.
    """
    ppo = config.ppo
    learned = (rollout.mine & ~advantage.isnan()).flatten().nonzero().squeeze(1)
    if not len(learned):
        return {}

    def choose(values: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
        return values.index_select(0, rows)  # whole rows at once, ten times as fast as values[rows]

    names = ("seen", "bias", "outlook", "action", "log_prob")
    flat = {name: choose(getattr(rollout, name).flatten(0, 1), learned) for name in names}
    far = log_probs_by(reference, flat, ppo.batch_size) if reference and ppo.kl_coef else None
    target = choose((advantage + rollout.value).flatten(), learned)
    advantage = choose(advantage.flatten(), learned)
    losses = []
    for _ in range(ppo.n_epochs):
        for rows in torch.randperm(len(target), device=target.device).split(ppo.batch_size):
            seen, bias, outlook, action, log_prob = (choose(flat[name], rows) for name in names)
            x = network.read(seen)
            policy = network.distribution(x, bias, outlook)
            ratio = (policy.log_prob(action) - log_prob).exp()
            gain = choose(advantage, rows)
            gain = (gain - gain.mean()) / (gain.std(correction=0) + 1e-8)
            policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - ppo.clip_range, 1 + ppo.clip_range) * gain).mean()
            value_loss = (network.values(x) - choose(target, rows)).square().mean()
            entropy = policy.entropy().mean()
            loss = policy_loss + ppo.vf_coef * value_loss - entropy_weight * entropy
            if far is not None:
                loss = loss + ppo.kl_coef * (policy.probs * (policy.log_probs - choose(far, rows))).sum(dim=1).mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), ppo.max_grad_norm)
            optimizer.step()
            losses.append(torch.stack([policy_loss, value_loss, entropy]).detach())
    with torch.no_grad():
        refuse_diverged(network, network.logits(network.read(seen), bias, outlook), ppo.learning_rate)
    means = np.mean(torch.stack(losses).tolist(), axis=0)
    return dict(zip(("policy_loss", "value_loss", "entropy"), means.tolist(), strict=True))


# --- the learner


def make_batch(config: Config, seed: int) -> Any:
    """The games, on the device that the configuration names."""
    return batch_on(config.device, config.setting, config.envs, seed + TRAINING, config.reward, config.threads)


class Ahead:
    """A thread that plays the next rollout while the learner learns from this one, by the policy that it had before.

    Games and PyTorch give up the interpreter's lock, so the two have a core each. What is played does not depend on which is
    faster: the thread has weights and a generator of its own, and they meet once an update.

    Args:
        learner: whose games are played; it sits in every seat.
        rollout: a second rollout, which is filled while the learner learns from its own.
        seed: for the thread's generator.
    """

    def __init__(self, learner: PPO, rollout: Rollout, seed: int) -> None:
        self.learner, self.rollout = learner, rollout
        self.network = copy.deepcopy(learner.network)
        self.generator = torch.Generator().manual_seed(seed)
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="play ahead")
        self.playing: Future[tuple[Now, torch.Tensor]] | None = None

    def exchange(self, now: Now) -> tuple[Now, torch.Tensor]:
        """Give the learner the rollout that was played, and begin to play the next; returns what held for the one that was
        played, and its advantages [steps, n]."""
        played, advantage = (self.playing or self.begin(now)).result()
        self.learner.rollout, self.rollout = self.rollout, self.learner.rollout
        self.playing = self.begin(now)
        return played, advantage

    def begin(self, now: Now) -> Future[tuple[Now, torch.Tensor]]:
        """Begin to play the next rollout, by the learner's present weights."""
        self.network.load_state_dict(self.learner.network.state_dict())
        self.learner.prepare(now)
        return self.thread.submit(self.play, now)

    @torch.no_grad()
    def play(self, now: Now) -> tuple[Now, torch.Tensor]:
        """Fill the rollout; gives what held, and its advantages."""
        learner, prior = self.learner, self.learner.prior if now.prior_scale else None
        torch.set_num_threads(learner.config.threads)  # a setting of each thread
        play(self.rollout, learner.batch, self.network, learner.reading, None, prior, self.generator)
        return now, learner.advantages(self.rollout, self.network)

    def wait(self) -> None:
        """Wait until the next rollout is played."""
        if self.playing:
            self.playing.result()

    def close(self) -> None:
        """End the thread once its rollout is played."""
        self.thread.shutdown()


class PPO:
    """The algorithm on the games of a configuration; see `training.learners.interface.learner_of` for the arguments.

    Raises:
        ValueError: `device` is cuda, and no GPU can be used.
    """

    def __init__(self, config: Config, league: League, seed: int) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(config.threads)
        keep_freed_memory()
        self.config, self.batch, self.now = config, make_batch(config, seed), config.now(0)
        device = self.batch.tensors()["seat"].device  # that of `config.device`; in CUDA's simulator the CPU
        self.reading = Reading(config.registered_game, config.num_players, config.seats, config.pieces)
        self.network = build_network(config).to(device)
        self.average = copy.deepcopy(self.network) if config.average else None
        self.averaged = 0  # decisions after which weights were taken into the mean
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.ppo.learning_rate, eps=1e-5)
        actions = config.registered_game.num_actions(config.seats)
        self.rollout = Rollout(config, self.reading.width, actions, device)
        self.prior, self.table = self.company(league, seed)
        self.tally = Tally(config.envs, config.num_players)
        self.ahead = Ahead(self, copy.deepcopy(self.rollout), seed) if config.ppo.ahead else None

    def company(self, league: League, seed: int) -> tuple[Prior | DevicePrior | None, Table | DeviceTable | None]:
        """The prior that the network corrects, and the table of the other seats; both on the batch's device."""
        config = self.config
        if config.device == "cuda":
            prior = DevicePrior(config, self.batch) if config.prior else None
            return prior, None if config.is_alone else DeviceTable(config, league, self.batch, prior, build_network)
        return Prior(config) if config.prior else None, None if config.is_alone else Table(league, self.batch, seed)

    @property
    def seating(self) -> NDArray[np.int64]:
        """Who sits in the games under way; int64 [n, players], or empty if nobody else plays."""
        return np.asarray(torch.as_tensor(self.table.seating).cpu()) if self.table else np.zeros(0, np.int64)

    def update(self, now: Now) -> Update:
        """Play one rollout and learn from it; see `Learner`."""
        self.optimizer.param_groups[0]["lr"] = now.rate
        if self.ahead:
            self.now, advantage = self.ahead.exchange(now)
        else:
            self.now = now
            self.play(now)
            advantage = self.advantages(self.rollout, self.network)
        losses = update(self.rollout, advantage, self.network, self.average, self.optimizer, self.config, now.entropy)
        decisions = int(self.rollout.mine.sum())
        self.move_average(decisions)
        return Update(decisions, self.tally.count(self.rollout), losses)

    def prepare(self, now: Now) -> None:
        """Let the games be played for this reward and with this weight of the prior from now on."""
        self.batch.reward_kind = self.batch.game.rewards.index(now.reward)
        if self.prior:
            self.prior.scale = now.prior_scale

    def play(self, now: Now) -> None:
        """Fill the rollout."""
        self.prepare(now)
        if isinstance(self.table, DeviceTable):
            self.table.begin_rollout()
        # A network that no longer uses the prior may still play against snapshots that do.
        wanted = now.prior_scale or (isinstance(self.table, DeviceTable) and self.table.asks_prior)
        play(self.rollout, self.batch, self.network, self.reading, self.table, self.prior if wanted else None)
        if isinstance(self.table, DeviceTable):
            self.table.end_rollout()

    @torch.no_grad()
    def move_average(self, decisions: int) -> None:
        """Take the newest weights into the running mean, after this many more decisions."""
        if decisions and self.average and self.config.average:
            self.averaged += decisions
            # The share of all that was taken in, so that the untrained weights have no part in the mean.
            share = (1 - 0.5 ** (decisions / self.config.average)) / (1 - 0.5 ** (self.averaged / self.config.average))
            for mean, newest in zip(self.average.parameters(), self.network.parameters(), strict=True):
                mean.lerp_(newest, share)

    def advantages(self, rollout: Rollout, network: Network) -> torch.Tensor:
        """The advantages of a rollout that this network has just played; [steps, n], see the function of this name."""
        after = values_to_act(self.batch, network, self.reading, self.prior)
        seat = self.batch.tensors()["seat"].long()
        return advantages(rollout, seat, after, self.config.ppo.gamma, self.config.ppo.gae_lambda)

    def close(self) -> None:
        """Wait for what is still being played ahead."""
        if self.ahead:
            self.ahead.close()

    def agent(self, steps: int) -> Agent:
        """The current policy, or the mean of those so far."""
        return (self.average or self.network).layers.make_agent(self.config, steps, self.now)

    def take(self, agent: Agent) -> None:
        """Play by this agent from now on."""
        for network in filter(None, (self.network, self.average)):
            network.layers.take(agent, self.config)

    def state(self) -> dict[str, Any]:
        """The state of the network and its optimizer."""
        mean = {"average": self.average.state_dict(), "averaged": self.averaged} if self.average else {}
        return {"policy": self.network.state_dict(), "optimizer": self.optimizer.state_dict()} | mean

    def restore(self, state: dict[str, Any]) -> None:
        """Replace the learner's state with this one."""
        self.network.load_state_dict(state["policy"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self.average:
            self.average.load_state_dict(state["average"])
            self.averaged = state["averaged"]
