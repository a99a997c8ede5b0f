"""Masked PPO for games with any number of seats, in one file: one network plays every seat against itself.

With ``--opponents "self=0.5 pool=0.3 projector=0.2"`` one seat of each game is the network's, and who sits in the others is drawn:
the network itself, frozen snapshots of it that still beat it (see `training.pool`), scripted players.

Every decision of the network in any seat is a sample. A seat's reward for a decision is all it earned until its own next decision,
across the other seats' turns; values and advantages are chained from a seat's decision to its next, never between seats.

    python training/ppo.py --game timeline --num-players 4 --minutes 10 --out runs/ppo

Observations, masks and rewards are read where the batch writes them, on the CPU or (``--device cuda``) on the GPU.
The agent is saved as ``agent.npz`` in the run folder, and plays wherever a player is named: ``scripts/evaluate.py runs/ppo``.
After every update all that is needed to go on is saved, too: a killed run goes on with ``--resume runs/ppo``.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.extra("train"):
    import torch
    from torch import nn
    from torch.distributions import Categorical

import numpy as np

from timeline_env.arena.evaluation import evaluate
from timeline_env.engine.devices import batch_on
from timeline_env.engine.threads import MOST_THREADS
from timeline_env.files import held, new_folder, write_text
from timeline_env.games import game_named
from timeline_env.players.agents.agent import AGENT_FILE, KINDS, About, Agent
from timeline_env.players.agents.prior import load_appraiser, prior_logits
from timeline_env.players.interface import Appraiser, Decisions
from timeline_env.players.opponents import mix
from timeline_env.players.registry import load_player
from timeline_env.reading import shown
from training import options
from training.checkpoint import LEARNER_FILE, readable, write_state
from training.league import League, Table, scripted, weights_in
from training.limits import MOST_CONVOLUTIONS, check_memory, network_bytes, rollout_bytes
from training.networks import BoardReader, Flat, arrays, perceptron, reader, squashed
from training.pool import FOLDER, Pool

POINT = ("decisions", "seconds", "win", "low", "high")
"""What is known at each point of the learning curve."""
DEVICES = ("cpu", "cuda")
PIECES = {"timeline": "clock question to_act first seats hand near"}
"""For some games the pieces of the observation that a network learns quickest from."""


@dataclass
class Args:
    """The settings; each is an option of the command line."""

    game: str = "timeline"  # which game
    num_players: int = 0  # seats of each game; 0: the game's usual number
    num_games: int = 512  # games side by side
    rollout: int = 32  # decisions taken in each game between two updates
    decisions: int = 20_000_000  # stop after this many decisions in all
    minutes: float = 0.0  # or after this many minutes, evaluations not counted; 0: no limit
    reward: str = "rank"  # the kind of reward, one of the game's
    first_reward: str = ""  # another to begin with, such as score, which tells more of a decision; none: no other
    first_share: float = 0.5  # of the training that is learned by it
    pieces: str = ""  # pieces of the observation that the network reads; none: those known to be good, or all
    network: str = "mlp"  # or graph: first layers with the same weights for every node of the board
    channels: int = 16  # of a graph: numbers that each node holds
    convolutions: int = 2  # of a graph: how often a node takes in what its neighbours hold
    hidden: str = "256 128"  # widths of the hidden layers
    prior: str = ""  # a player that values actions, for the network to correct; none: it begins at random
    prior_scale: float = 4.0  # logits that a unit of those values is
    opponents: str = ""  # who plays beside the network, with weights: self=0.5 pool=0.3 random=0.2; none: itself alone
    pool_size: int = 16  # snapshots in the pool at most
    snapshot_every: int = 1_000_000  # decisions between two snapshots
    pool_power: float = 2.0  # snapshots are drawn by (how often they beat the learner) to this power
    learning_rate: float = 1e-3  # falls to zero in a straight line over the time or decisions given
    gamma: float = 0.997  # discount from one decision of a seat to its next
    gae_lambda: float = 0.95  # how far advantages look ahead
    epochs: int = 3  # passes over each rollout
    minibatch: int = 4096  # samples in a gradient step
    clip: float = 0.2  # how far the policy may move from the one that played
    entropy: float = 0.01  # weight of the policy's entropy in the loss
    value: float = 0.5  # weight of the value error in the loss
    max_gradient: float = 0.5  # greatest norm of a gradient
    seed: int = 0  # for the deals and for the network
    device: str = "cpu"  # or cuda
    threads: int = 2  # threads of the batch and of PyTorch, on the CPU
    evaluate_every: float = 1.0  # minutes between evaluations; 0: only at the end
    evaluation_games: int = 400  # games of an evaluation
    against: str = "random"  # the scripted player of the evaluations
    out: str = "runs/ppo"  # the run folder

    def __post_init__(self) -> None:
        game = game_named(self.game)
        self.num_players = self.num_players or game.usual_players
        game.load_rules(self.num_players)  # refuses a number of players that cannot play
        self.pieces = self.pieces or PIECES.get(self.game) or " ".join(game.layout(self.num_players).pieces)


def parse(arguments: list[str] | None = None) -> Args:
    """The settings from the command line, looked at before the training."""
    args, resumed = options.parse(Args, Path(__file__), __doc__, arguments)
    if Path(args.out).exists() and not resumed:
        raise ValueError(f"--out {args.out!r} exists; give another folder, or go on with --resume")
    return check(args)


def check(args: Args) -> Args:
    """The settings, if a training can begin with them. Raises ValueError, which names what is not allowed."""
    counts = "num_games rollout decisions epochs minibatch threads channels pool_size snapshot_every"
    least = dict.fromkeys(counts.split(), 1) | {"evaluation_games": 2 * args.num_players}
    most: dict[str, float] = {"gamma": 1, "gae_lambda": 1, "first_share": 1, "seed": 2**32 - 1}
    most |= {"threads": MOST_THREADS, "convolutions": MOST_CONVOLUTIONS}
    for name, value in dataclasses.asdict(args).items():
        low, high = least.get(name, 0), most.get(name, sys.float_info.max)
        if isinstance(value, int | float) and not low <= value <= high:
            limits = f"from {low} to {high}" if name in most else f"of at least {low}"
            raise ValueError(f"--{name.replace('_', '-')} {value} must be a number {limits}")
    if not all(width.isdecimal() and int(width) for width in args.hidden.split()):
        raise ValueError(f"--hidden {args.hidden!r} must be whole numbers of at least 1, parted by spaces")
    if args.network not in KINDS:
        raise ValueError(f"--network {args.network!r} must be one of {', '.join(KINDS)}")
    rewards = game_named(args.game).rewards
    if args.first_reward not in ("", *rewards):
        raise ValueError(f"--first-reward {args.first_reward!r} must be one of {', '.join(rewards)}, or nothing")
    if args.device not in DEVICES:
        raise ValueError(f"--device {args.device!r} must be one of {', '.join(DEVICES)}")
    if (args.opponents or args.prior) and args.device != "cpu":
        raise ValueError(
            f"--opponents and --prior play on the CPU: --device {args.device} plays with the network alone"
        )
    check_sizes(args)
    if args.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("--device cuda: PyTorch finds no GPU that it can use")
    network_of(args)
    if args.opponents:
        mix(weights_in(args.opponents))
    if args.prior:
        if not args.prior_scale:
            raise ValueError(f"--prior-scale {args.prior_scale} must be a number above 0")
        load_appraiser(game_named(args.game), args.prior)
    for name in {args.against, *scripted(weights_in(args.opponents))}:
        load_player(name, game_named(args.game), num_players=args.num_players)
    return args


def check_sizes(args: Args) -> None:
    """Raise ValueError if games or network do not fit into this machine."""
    game, pieces, hidden = game_named(args.game), args.pieces.split(), [int(width) for width in args.hidden.split()]
    told = f"--hidden {shown(args.hidden)} and --channels {args.channels}"
    sizes = (args.network, args.channels, args.convolutions, hidden)
    check_memory(told, network_bytes(game, args.num_players, pieces, *sizes))
    told = f"--num-games {args.num_games} and --rollout {args.rollout}"
    check_memory(told, rollout_bytes(game, args.num_players, pieces, args.num_games, args.rollout))


# --- the network


class Network(nn.Module):
    """Policy and value, each a multi-layer perceptron with tanh between the layers, over what `body` reads."""

    def __init__(self, body: Flat | BoardReader, hidden: list[int], actions: int) -> None:
        super().__init__()
        self.body = body
        self.policy = perceptron(body.width, hidden, actions, last=0.01)  # nearly uniform at the beginning
        self.critic = perceptron(body.width, hidden, 1, last=1.0)

    def read(self, seen: torch.Tensor) -> torch.Tensor:
        """Observations, int8 [k, inputs], as policy and value take them, float32 [k, width]."""
        return self.body(squashed(seen))

    def distribution(self, x: torch.Tensor, bias: torch.Tensor) -> Categorical:
        """The policy over legal actions; `x` [k, width], `bias` as from `biases`."""
        return Categorical(logits=self.policy(x) + bias, validate_args=False)

    def values(self, x: torch.Tensor) -> torch.Tensor:
        """The value of what is seen, for the seat that sees it; [k]."""
        return self.critic(x).squeeze(-1)


# --- the rollout


class Rollout:
    """`steps` decisions in each of `n` games; row t holds what was seen, done and earned at decision t."""

    def __init__(self, args: Args, inputs: int, actions: int) -> None:
        shape, device = (args.rollout, args.num_games), args.device
        self.seen = torch.zeros((*shape, inputs), dtype=torch.int8, device=device)
        self.bias = torch.zeros((*shape, actions), device=device)  # as from `biases`
        self.action = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_prob = torch.zeros(shape, device=device)
        self.value = torch.zeros(shape, device=device)
        self.seat = torch.zeros(shape, dtype=torch.int64, device=device)
        self.reward = torch.zeros((*shape, args.num_players), device=device)  # of every seat
        self.done = torch.zeros(shape, dtype=torch.bool, device=device)
        self.mine = torch.ones(shape, dtype=torch.bool, device=device)  # whether the network decided


def biases(batch: Any, prior: Appraiser | None, scale: float) -> torch.Tensor:
    """What is added to the policy's logits: -1e9 where an action is illegal, else what the prior thinks of it; [n, actions]."""
    legal = batch.tensors()["action_mask"] != 0
    known = torch.zeros(legal.shape, device=legal.device)
    if prior:
        asked = Decisions.of(batch, np.arange(batch.num_games))
        known = torch.as_tensor(
            prior_logits(prior.values(batch.rules, asked.states(), asked.action_mask, asked.seat), scale)
        )
    return known.masked_fill(~legal, -1e9)


@torch.no_grad()
def play(
    rollout: Rollout, batch: Any, network: Network, columns: torch.Tensor, table: Table | None, bias: Callable[[], Any]
) -> None:
    """Fill the rollout with decisions of the network; in every seat, unless others sit at the table."""
    look = batch.tensors()
    for t in range(len(rollout.action)):
        rollout.seen[t] = look["observation"][:, columns]
        rollout.bias[t] = bias()
        rollout.seat[t] = look["seat"]
        x = network.read(rollout.seen[t])
        policy = network.distribution(x, rollout.bias[t])
        rollout.action[t] = policy.sample()
        if table:
            rollout.mine[t] = torch.as_tensor(table.answer(rollout.action[t].numpy()))
        rollout.log_prob[t] = policy.log_prob(rollout.action[t])
        rollout.value[t] = network.values(x)
        batch.step(rollout.action[t])
        rollout.reward[t] = look["reward"]
        rollout.done[t] = look["done"]
        if table:
            table.stepped()


@torch.no_grad()
def advantages(rollout: Rollout, values_after: torch.Tensor, gamma: float, gae_lambda: float) -> torch.Tensor:
    """Generalized advantage estimates [steps, n], chained from each seat's decision to the same seat's next.

    Source: Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2015, eq. 16,
    applied to each seat's own sequence of decisions.

    Args:
        values_after: [n, players], what every seat expects after the rollout.
    """
    games = torch.arange(values_after.shape[0], device=values_after.device)
    out = torch.zeros_like(rollout.value)
    # For each game and seat, seen from the later end: the next decision's value and advantage, and what was earned since.
    value, advantage, earned = values_after.clone(), torch.zeros_like(values_after), torch.zeros_like(values_after)
    for t in range(len(out) - 1, -1, -1):
        ended = rollout.done[t].unsqueeze(1)
        value, advantage = value.masked_fill(ended, 0), advantage.masked_fill(ended, 0)
        earned = earned.masked_fill(ended, 0) + rollout.reward[t]
        mine = (games, rollout.seat[t])
        error = earned[mine] + gamma * value[mine] - rollout.value[t]
        out[t] = error + gamma * gae_lambda * advantage[mine]
        value[mine], advantage[mine], earned[mine] = rollout.value[t], out[t], 0.0
    return out


@torch.no_grad()
def values_of_all_seats(batch: Any, network: Network, columns: torch.Tensor, args: Args) -> torch.Tensor:
    """What every seat of every game expects now; [n, players]."""
    games = np.repeat(np.arange(args.num_games), args.num_players)
    seats = np.tile(np.arange(args.num_players), args.num_games)
    seen = torch.as_tensor(batch.observe(games, seats), device=args.device)[:, columns]
    return network.values(network.read(seen)).view(args.num_games, args.num_players)


# --- the update


def update(rollout: Rollout, advantage: torch.Tensor, network: Network, optimizer: Any, args: Args) -> dict[str, float]:
    """Some epochs of gradient steps on the rollout; gives the means of the losses.

    Source: Schulman et al., "Proximal policy optimization algorithms", 2017, eq. 7 and 9.
    """
    flat = {name: getattr(rollout, name)[rollout.mine] for name in ("bias", "action", "log_prob")}
    # Once for all epochs: of a whole field this takes longer than a small network's layers.
    seen = squashed(rollout.seen[rollout.mine])
    target = (advantage + rollout.value)[rollout.mine]
    advantage = advantage[rollout.mine]
    losses = []
    for _ in range(args.epochs):
        for rows in torch.randperm(len(target), device=target.device).split(args.minibatch):
            x = network.body(seen[rows])
            policy = network.distribution(x, flat["bias"][rows])
            ratio = (policy.log_prob(flat["action"][rows]) - flat["log_prob"][rows]).exp()
            gain = advantage[rows]
            gain = (gain - gain.mean()) / (gain.std(correction=0) + 1e-8)
            policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - args.clip, 1 + args.clip) * gain).mean()
            value_loss = (network.values(x) - target[rows]).square().mean()
            entropy = policy.entropy().mean()
            loss = policy_loss + args.value * value_loss - args.entropy * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_gradient)
            optimizer.step()
            losses.append([policy_loss.item(), value_loss.item(), entropy.item()])
    return dict(zip(("policy_loss", "value_loss", "entropy"), np.mean(losses, axis=0).tolist(), strict=True))


# --- the run


def network_of(args: Args) -> Network:
    """An untrained network."""
    game, pieces = game_named(args.game), args.pieces.split()
    body = reader(args.network, game, args.num_players, pieces, args.channels, args.convolutions, "tanh")
    network = Network(body, [int(width) for width in args.hidden.split()], game.num_actions(args.num_players))
    if args.network == "mlp":
        weigh_evenly(
            [network.policy[0], network.critic[0]],
            [len(game.layout(args.num_players).columns([name])) for name in pieces],
        )
    return network


@torch.no_grad()
def weigh_evenly(layers: list[Any], sizes: list[int]) -> None:
    """Let every piece of the observation (of `sizes` numbers) weigh the same in untrained first layers, however large it is.

    Else the field's planes, thirty times as many numbers as what lies near the pawn, would drown what is learned quickest.
    """
    shares = torch.tensor([sum(sizes) / len(sizes) / size for size in sizes]).sqrt()
    for layer in layers:
        layer.weight *= shares.repeat_interleave(torch.tensor(sizes))


class Run:
    """A training in the folder `args.out`: begun there, or gone on with from its last update. Games under way are dealt anew."""

    def __init__(self, args: Args) -> None:
        torch.manual_seed(args.seed)
        torch.set_num_threads(args.threads)
        self.args, self.out, game = args, Path(args.out), game_named(args.game)
        self.network = network_of(args).to(args.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=args.learning_rate, eps=1e-5)
        self.decisions, self.spent = 0, 0.0
        self.curve: list[dict[str, float]] = []
        if (self.out / LEARNER_FILE).exists():
            self.restore()
        seed = args.seed + self.decisions
        torch.manual_seed(seed)
        self.batch: Any = batch_on(
            args.device, game, args.num_games, args.num_players, seed, args.reward, None, args.threads
        )
        self.columns = torch.as_tensor(self.batch.layout.columns(args.pieces.split()), device=args.device)
        self.rollout = Rollout(args, len(self.columns), self.batch.num_actions)
        begin(args)
        write_settings(self.out, args)
        self.table = self.table_in(seed) if args.opponents else None
        self.prior = load_appraiser(game, args.prior) if args.prior else None

    def table_in(self, seed: int) -> Table:
        """Who else sits in the games."""
        args, weights = self.args, weights_in(self.args.opponents)
        rated_against = list({args.against: 0, **scripted(weights)})
        pool = Pool(
            self.out / FOLDER, self.batch.game, args.num_players, args.pool_size, rated_against, args.pool_power
        )
        return Table(League(self.batch.game, args.num_players, weights, pool), self.batch, seed)

    def restore(self) -> None:
        """Go back to the last update. Raises ValueError if its file cannot be read."""
        with readable(self.out / LEARNER_FILE) as state:
            self.network.load_state_dict(state["network"])
            self.optimizer.load_state_dict(state["optimizer"])
            decisions, spent, curve = state["decisions"], state["spent"], state["curve"]
            known = [spent, *(row[key] for row in curve for key in POINT)]
            if type(decisions) is not int or decisions < 0 or spent < 0 or not np.isfinite(known).all():
                raise ValueError(f"it cannot have come to {shown((decisions, spent, curve))}")
            self.decisions, self.spent, self.curve = decisions, spent, curve

    def save(self) -> None:
        """Write what the run can be gone on with, at once or not at all."""
        state = {"decisions": self.decisions, "spent": self.spent, "curve": self.curve}
        state |= {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict()}
        if not (self.out / options.SETTINGS).is_file():
            raise ValueError(f"run {str(self.out)!r} is no longer there; go on with --resume where it is now")
        write_state(self.out / LEARNER_FILE, state)

    def agent(self) -> Agent:
        """The policy as it stands, for `timeline_env.players`."""
        args = self.args
        about = About(
            game=args.game,
            rules_version=game_named(args.game).rules_version,
            num_players=args.num_players,
            pieces=tuple(args.pieces.split()),
            activation="tanh",
            steps=self.decisions,
            kind=args.network,
            convolutions=args.convolutions if args.network == "graph" else 0,
            prior=args.prior,
            prior_scale=args.prior_scale if args.prior else 0.0,
        )
        return Agent(about, arrays([*self.network.body.layers, *self.network.policy]))

    @property
    def done(self) -> float:
        """How much of the training is over, from 0 to 1."""
        minutes = self.args.minutes
        return min(max(self.decisions / self.args.decisions, self.spent / (60 * minutes) if minutes else 0.0), 1.0)

    @property
    def reward(self) -> str:
        """The kind of reward that is learned by now."""
        first = self.args.first_reward and self.done < self.args.first_share
        return self.args.first_reward if first else self.args.reward

    def iterate(self) -> dict[str, float]:
        """Play, learn, save; gives the means of the losses."""
        start = time.perf_counter()
        self.optimizer.param_groups[0]["lr"] = self.args.learning_rate * (1 - self.done)
        self.batch.reward_kind = self.batch.game.rewards.index(self.reward)
        play(self.rollout, self.batch, self.network, self.columns, self.table, self.bias)
        losses = update(self.rollout, self.advantages(), self.network, self.optimizer, self.args)
        self.decisions += int(self.rollout.mine.sum())
        before, self.spent = self.spent, self.spent + time.perf_counter() - start
        self.save()
        if self.table and self.done < 1:
            self.table.learned(self.agent(), self.args.snapshot_every)
        self.spent = before + time.perf_counter() - start  # with the writing, and with a snapshot's games of rating
        return losses

    def bias(self) -> torch.Tensor:
        """What is added to the policy's logits for the decisions pending; [n, actions]."""
        return biases(self.batch, self.prior, self.args.prior_scale)

    def advantages(self) -> torch.Tensor:
        """Of the rollout as it stands; [steps, n]."""
        after = values_of_all_seats(self.batch, self.network, self.columns, self.args)
        return advantages(self.rollout, after, self.args.gamma, self.args.gae_lambda)

    def measure(self) -> float:
        """Save the agent and add a point to the learning curve; gives the share of games it won."""
        if not self.curve or self.curve[-1]["decisions"] < self.decisions:
            self.agent().save(self.out / AGENT_FILE)
            self.curve.append(point(self.out / AGENT_FILE, self.args, self.decisions, self.spent))
        write_text(self.out / "curve.jsonl", "".join(json.dumps(row) + "\n" for row in self.curve))
        return self.curve[-1]["win"]


def train(args: Args) -> Path:
    """Train as the settings say; gives the run folder, which holds ``agent.npz``, ``args.json`` and ``curve.jsonl``.

    Raises:
        ValueError: another process trains this run.
    """
    out = Path(args.out)
    begin(args)
    with held(out, f"run {args.out!r} is being trained by another process"):
        learn(Run(args))
    return out


def begin(args: Args) -> None:
    """Make the run folder, with the settings that it is gone on with; at once or not at all, whenever the process is killed."""
    out = Path(args.out)
    if not out.exists():
        out.parent.mkdir(parents=True, exist_ok=True)
        with new_folder(out) as folder:
            write_settings(folder, args)


def write_settings(folder: Path, args: Args) -> None:
    """Note how the run in this folder is done."""
    write_text(folder / options.SETTINGS, json.dumps(dataclasses.asdict(args), indent=1))


def learn(run: Run) -> None:
    """Learn until the run is over, and tell how it gets on."""
    args, told = run.args, run.spent
    while run.done < 1:
        losses = run.iterate()
        line = f"{run.spent:7.0f} s  {run.decisions:>12,} decisions  {run.decisions / run.spent:>8,.0f}/s  entropy {losses['entropy']:.2f}"
        evaluated = run.curve[-1]["seconds"] if run.curve else 0.0
        if args.evaluate_every and run.spent - evaluated >= 60 * args.evaluate_every:
            line += f"  wins against {args.against} {run.measure():.0%}"
        if sys.stdout.isatty() or "wins" in line or run.spent - told >= 10:
            told = run.spent
            print(line, end="\n" if "wins" in line or not sys.stdout.isatty() else "\r", flush=True)
    print(f"{run.decisions:,} decisions in {run.spent:.0f} s; wins against {args.against}: {run.measure():.1%}")
    run.save()  # with the last point of the curve


def point(agent: Path, args: Args, decisions: int, spent: float) -> dict[str, float]:
    """Measure the agent that lies there: one point of the learning curve, the share of games won against scripted players, with its 95 % interval."""
    result = evaluate(game_named(args.game), str(agent), [args.against], args.evaluation_games, args.num_players, 10**6)
    win = result.overall.win
    return dict(zip(POINT, (decisions, spent, win.mean, win.low, win.high), strict=True))


if __name__ == "__main__":
    with cli.refusals():
        print(f"saved: {train(parse())}")
