"""Masked PPO for games with any number of seats, in one file: one network plays every seat against itself.

Every decision of every seat is a sample. A seat's reward for a decision is all it earned until its own next decision,
across the other seats' turns; values and advantages are chained from a seat's decision to its next, never between seats.

    python training/ppo.py --game timeline --num-players 4 --minutes 10 --out runs/ppo

Observations, masks and rewards are read where the batch writes them, on the CPU or (``--device cuda``) on the GPU.
The agent is saved as ``agent.npz`` in the run folder, and plays wherever a player is named: ``scripts/evaluate.py runs/ppo``.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.extra("train"):
    import torch
    from torch import nn
    from torch.distributions import Categorical

import numpy as np

from timeline_env.engine.devices import batch_on
from timeline_env.files import write_text
from timeline_env.games import game_named
from timeline_env.players.evaluation import evaluate
from timeline_env.players.network import About, Agent

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
    pieces: str = ""  # pieces of the observation that the network reads; none: those known to be good, or all
    hidden: str = "256 128"  # widths of the hidden layers
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
    evaluation_games: int = 400  # games of an evaluation against random players
    out: str = "runs/ppo"  # the run folder

    def __post_init__(self) -> None:
        game = game_named(self.game)
        self.num_players = self.num_players or game.usual_players
        game.load_rules(self.num_players)  # refuses a number of players that cannot play
        self.pieces = self.pieces or PIECES.get(self.game) or " ".join(game.layout(self.num_players).pieces)


def parse(arguments: list[str] | None = None) -> Args:
    """The settings from the command line; the comments above are the help."""
    parser = cli.Parser(description=__doc__)
    comments: dict[str, str] = {}
    for line in Path(__file__).read_text(encoding="utf-8").splitlines():
        name, colon, rest = line.strip().partition(": ")
        if colon and "  # " in rest:
            comments.setdefault(name, rest.split("  # ", 1)[1])
    for field in dataclasses.fields(Args):
        kind = type(field.default)
        parser.add_argument(
            "--" + field.name.replace("_", "-"),
            type=kind,
            default=field.default,
            help=comments[field.name] + " (%(default)s)",
        )
    args = Args(**vars(parser.parse_args(arguments)))
    check(args)
    return args


def check(args: Args) -> None:
    """Look at the numbers before the training. Raises ValueError, which names what is not allowed."""
    counts = ("num_games", "rollout", "decisions", "epochs", "minibatch", "threads")
    least = dict.fromkeys(counts, 1) | {"evaluation_games": 2 * args.num_players}
    most = {"gamma": 1, "gae_lambda": 1}
    for name, value in dataclasses.asdict(args).items():
        low, high = least.get(name, 0), most.get(name, sys.float_info.max)
        if isinstance(value, int | float) and not low <= value <= high:
            limit = f"from {low} to {high}" if name in most else f"of at least {low}"
            raise ValueError(f"--{name.replace('_', '-')} {value} must be a number {limit}")
    if not all(width.isdecimal() and int(width) for width in args.hidden.split()):
        raise ValueError(f"--hidden {args.hidden!r} must be whole numbers of at least 1, parted by spaces")
    if Path(args.out).exists():
        raise ValueError(f"--out {args.out!r} exists; give another folder")


# --- the network


class Network(nn.Module):
    """Policy and value, each a multi-layer perceptron with tanh between the layers."""

    def __init__(self, inputs: int, hidden: list[int], actions: int) -> None:
        super().__init__()
        self.policy = perceptron(inputs, hidden, actions, last=0.01)  # nearly uniform at the beginning
        self.critic = perceptron(inputs, hidden, 1, last=1.0)

    def distribution(self, x: torch.Tensor, mask: torch.Tensor) -> Categorical:
        """The policy over legal actions; `x` [k, inputs], `mask` bool [k, actions]."""
        return Categorical(logits=self.policy(x).masked_fill(~mask, -1e9), validate_args=False)

    def values(self, x: torch.Tensor) -> torch.Tensor:
        """The value of what is seen, for the seat that sees it; [k]."""
        return self.critic(x).squeeze(-1)


def perceptron(inputs: int, hidden: list[int], outputs: int, last: float) -> nn.Sequential:
    """Linear layers with orthogonal weights; `last` is the gain of the last one."""
    widths = [inputs, *hidden, outputs]
    layers: list[nn.Module] = []
    for index, (before, after) in enumerate(pairwise(widths)):
        linear = nn.Linear(before, after)
        nn.init.orthogonal_(linear.weight, last if index == len(hidden) else 2**0.5)
        nn.init.zeros_(linear.bias)
        layers += [linear, nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def squash(observation: torch.Tensor) -> torch.Tensor:
    """int8 to float32 as the network takes it: sign(x) log(1 + |x|), so that 39 energy do not drown a mark of 1."""
    x = observation.float()
    return x.sign() * x.abs().log1p()


# --- the rollout


class Rollout:
    """`steps` decisions in each of `n` games; row t holds what was seen, done and earned at decision t."""

    def __init__(self, args: Args, inputs: int, actions: int) -> None:
        shape, device = (args.rollout, args.num_games), args.device
        self.seen = torch.zeros((*shape, inputs), dtype=torch.int8, device=device)
        self.mask = torch.zeros((*shape, actions), dtype=torch.bool, device=device)
        self.action = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_prob = torch.zeros(shape, device=device)
        self.value = torch.zeros(shape, device=device)
        self.seat = torch.zeros(shape, dtype=torch.int64, device=device)
        self.reward = torch.zeros((*shape, args.num_players), device=device)  # of every seat
        self.done = torch.zeros(shape, dtype=torch.bool, device=device)


@torch.no_grad()
def play(rollout: Rollout, batch: Any, network: Network, columns: torch.Tensor) -> None:
    """Fill the rollout with decisions of the network in every seat."""
    look = batch.tensors()
    for t in range(len(rollout.action)):
        rollout.seen[t] = look["observation"][:, columns]
        rollout.mask[t] = look["action_mask"] != 0
        rollout.seat[t] = look["seat"]
        x = squash(rollout.seen[t])
        policy = network.distribution(x, rollout.mask[t])
        rollout.action[t] = policy.sample()
        rollout.log_prob[t] = policy.log_prob(rollout.action[t])
        rollout.value[t] = network.values(x)
        batch.step(rollout.action[t])
        rollout.reward[t] = look["reward"]
        rollout.done[t] = look["done"]


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
    return network.values(squash(seen)).view(args.num_games, args.num_players)


# --- the update


def update(rollout: Rollout, advantage: torch.Tensor, network: Network, optimizer: Any, args: Args) -> dict[str, float]:
    """Some epochs of gradient steps on the rollout; gives the means of the losses.

    Source: Schulman et al., "Proximal policy optimization algorithms", 2017, eq. 7 and 9.
    """
    flat = {name: getattr(rollout, name).flatten(0, 1) for name in ("seen", "mask", "action", "log_prob")}
    target = (advantage + rollout.value).flatten()
    advantage = advantage.flatten()
    sums, count = np.zeros(3), 0
    for _ in range(args.epochs):
        for rows in torch.randperm(len(target), device=target.device).split(args.minibatch):
            x = squash(flat["seen"][rows])
            policy = network.distribution(x, flat["mask"][rows])
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
            sums += [policy_loss.item(), value_loss.item(), entropy.item()]
            count += 1
    return dict(zip(("policy_loss", "value_loss", "entropy"), (sums / count).tolist(), strict=True))


# --- the run


def agent_of(network: Network, args: Args, steps: int) -> Agent:
    """The policy as an agent that can be saved and played."""
    about = About(
        game=args.game,
        rules_version=game_named(args.game).rules_version,
        num_players=args.num_players,
        pieces=tuple(args.pieces.split()),
        activation="tanh",
        steps=steps,
    )
    linears = [layer for layer in network.policy if isinstance(layer, nn.Linear)]
    layers = [(layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy()) for layer in linears]
    return Agent(about, layers)


def train(args: Args) -> Path:
    """Train as the settings say; gives the run folder, which holds ``agent.npz``, ``args.json`` and ``curve.jsonl``."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    batch: Any = batch_on(
        args.device, game_named(args.game), args.num_games, args.num_players, args.seed, args.reward, None, args.threads
    )
    columns = torch.as_tensor(batch.layout.columns(args.pieces.split()), device=args.device)
    network = Network(len(columns), [int(width) for width in args.hidden.split()], batch.num_actions).to(args.device)
    optimizer = torch.optim.Adam(network.parameters(), lr=args.learning_rate, eps=1e-5)
    rollout = Rollout(args, len(columns), batch.num_actions)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "args.json", json.dumps(dataclasses.asdict(args), indent=1))
    spent, decisions, evaluated, told, curve = 0.0, 0, 0.0, 0.0, []
    per_iteration = args.rollout * args.num_games
    while decisions < args.decisions and (not args.minutes or spent < 60 * args.minutes):
        start = time.perf_counter()
        done = max(decisions / args.decisions, spent / (60 * args.minutes) if args.minutes else 0.0)
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - done)
        play(rollout, batch, network, columns)
        after = values_of_all_seats(batch, network, columns, args)
        losses = update(rollout, advantages(rollout, after, args.gamma, args.gae_lambda), network, optimizer, args)
        decisions += per_iteration
        spent += time.perf_counter() - start
        line = (
            f"{spent:7.0f} s  {decisions:>12,} decisions  {decisions / spent:>8,.0f}/s  entropy {losses['entropy']:.2f}"
        )
        if args.evaluate_every and spent - evaluated >= 60 * args.evaluate_every:
            evaluated = spent
            curve.append(point(agent_of(network, args, decisions), args, decisions, spent))
            line += f"  wins against random {curve[-1]['win']:.0%}"
        if sys.stdout.isatty() or "wins" in line or spent - told >= 10:
            told = spent
            print(line, end="\n" if "wins" in line or not sys.stdout.isatty() else "\r", flush=True)
    curve.append(point(agent_of(network, args, decisions), args, decisions, spent))
    print(f"{decisions:,} decisions in {spent:.0f} s; wins against random: {curve[-1]['win']:.1%}")
    write_text(out / "curve.jsonl", "".join(json.dumps(row) + "\n" for row in curve))
    return out


def point(agent: Agent, args: Args, decisions: int, spent: float) -> dict[str, float]:
    """Save the agent and measure it: one point of the learning curve, the share of games won against random players."""
    file = Path(args.out) / "agent.npz"
    agent.save(file)
    result = evaluate(game_named(args.game), str(file), ["random"], args.evaluation_games, args.num_players, 10**6)
    return {"decisions": decisions, "seconds": spent, "win": result.overall.win.mean}


if __name__ == "__main__":
    with cli.refusals():
        print(f"saved: {train(parse())}")
