"""What is damaged: for each kind of input, good inputs, how they are damaged, and what is done with a damaged one.

Every use must end, or raise a ValueError of one clear line. What is accepted is used: positions are played on, agents
decide, variants are played.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import torch
import yaml

from tests.twilight_struggle.recorded_logs import GAME, PIECES
from timeline_env.arena import played, statistics, suite, tournament
from timeline_env.arena.datasets.reader import open_dataset
from timeline_env.engine import perft, replay
from timeline_env.engine.batch import Batch
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.setting import Setting
from timeline_env.files import write_json
from timeline_env.games import PACKAGES, environments_of, game_named
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.agent import About, Agent
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.players.agents.graph_reader import Board
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.twilight_struggle.recorded import conversion
from timeline_env.twilight_struggle.recorded.play import check_game
from timeline_env.wrappers.multi_agent import DIGEST, MAGIC
from tools.fuzz_mutations import (
    VALUES,
    Mutate,
    Rng,
    damaged_arrays,
    damaged_bytes,
    damaged_json,
    damaged_position,
    damaged_text,
    damaged_value,
    dump,
)
from training import run_folder, sweep
from training.config import load_config, parse_config
from training.learners.ppo import PPO
from training.opponents.league import League
from training.opponents.pool import TABLE, Pool, Snapshot
from training.results import curve, metrics
from training.tracks.entries import GeneralisationEntry, LearningEntry
from training.tracks.entries import load_entry as load_track

ROOT = Path(__file__).resolve().parents[1]
PLAYED_ON = 30
"""Decisions that are taken from each accepted input."""
READ = ("clock", "near")
"""The pieces of the observation that small agents read."""


@dataclass(frozen=True)
class Kind:
    """One kind of input.

    Attributes:
        samples: good inputs; a folder of its own is given to write them into.
        damage: makes a damaged input from a good one.
        use: does with an input what a user would; it is given a folder likewise.
    """

    samples: Callable[[Path], Sequence[bytes]]
    damage: Mutate
    use: Callable[[bytes, Path], Any]


# --- positions


@cache
def deal_batch(game: str, players: int) -> Batch:
    """One game to put positions into."""
    return Batch(Setting(game_named(game), players), 1)


def positions(name: str, folder: Path) -> list[bytes]:
    """Positions of random games, whole and as some seat sees them."""
    game, found = game_named(name), []
    for players in game.players:
        batch = Batch(Setting(game, players), 12, seed=players)
        for index in range(batch.num_games):
            batch.play_random(25)
            for viewer in (None, index % players):
                found.append(game.notation.to_text(batch.rules, batch.states[index], viewer).encode())
    return found


def use_position(name: str, data: bytes, folder: Path) -> None:
    """Read a position, write it, read that; play on, from there and from what the seat to act takes for possible."""
    game, text = game_named(name), data.decode(errors="surrogateescape")
    batch = deal_batch(name, game.notation.num_players_in(text))
    states = game.notation.from_text(batch.rules, text)
    if not any(is_read_again(batch, states, viewer) for viewer in (None, *range(batch.num_players))):
        raise AssertionError(
            f"written and read it is another position: {game.notation.to_text(batch.rules, states[0])}"
        )
    if " seen:" in text and not states[0].legal.any():
        return  # the other side decides, and the side that sees the position does not know what that one may do
    put_into(batch, states)
    if batch.seat[0] >= 0:
        determinize_games(batch.rules, states, batch.seat, np.ones(1, np.uint64))
    play_on(batch)
    put_into(batch, states)
    play_on(batch)


def is_read_again(batch: Batch, states: Any, viewer: int | None) -> bool:
    """Whether the position as a seat sees it (None: as it is), written and read again, is the same."""
    notation = batch.game.notation
    try:
        again = notation.from_text(batch.rules, notation.to_text(batch.rules, states[0], viewer))
    except ValueError:
        return False
    return bool(again.tobytes() == states.tobytes())


def put_into(batch: Batch, states: Any) -> None:
    """Put the position into a batch, and observe it from every seat."""
    batch.states[:] = states
    batch.refresh()
    batch.observe(np.zeros(batch.num_players, np.int64), np.arange(batch.num_players))


def play_on(batch: Batch) -> None:
    """Take random decisions in the first game of a batch."""
    for _ in range(PLAYED_ON):
        if batch.seat[0] < 0:
            return
        if not batch.action_mask[0].any():
            raise AssertionError("a player is to decide and has no legal action")
        batch.play_random(1)


# --- saved states


@cache
def environment(name: str) -> Any:
    """An environment to put states into."""
    env = environments_of(name).raw_env()
    env.reset(seed=1)
    return env


def states(name: str, folder: Path) -> list[bytes]:
    """Saved states of a random game."""
    env = environments_of(name).raw_env()
    env.reset(seed=2)
    found: list[bytes] = []
    rng = np.random.default_rng(0)
    while env.agents and len(found) < 40:
        found.append(env.get_state())
        for _ in range(9):
            if not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
                env.step(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))
    return found


def damaged_state(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Damage what the checksum covers, and make the checksum agree; now and then damage any bytes."""
    if rng.random() < 0.1:
        return damaged_bytes(rng, data, others)
    header, _, position = data[len(MAGIC) + DIGEST :].partition(b"\n")
    if rng.random() < 0.3:
        header = dump(damaged_value(rng, json.loads(header)))
    else:
        content = bytearray(position)
        for place in rng.integers(len(content), size=rng.integers(1, 5)):
            content[place] = rng.choice([0, 1, 2, 5, 60, 127, 128, 254, 255])
        position = bytes(content)
    body = header + b"\n" + position
    return MAGIC + hashlib.sha256(body).digest() + body


def use_state(name: str, data: bytes, folder: Path) -> None:
    """Put a state into an environment, and play on."""
    env = environment(name)
    before = env.get_state()
    try:
        env.set_state(data)
    except ValueError:
        if env.get_state() != before:
            raise AssertionError("it was refused, and changed the environment") from None
        raise
    play_on(env.batch)
    env.set_state(before)


# --- files


def put(folder: Path, name: str, data: bytes) -> Path:
    """The input as a file of this name."""
    path = folder / name
    path.write_bytes(data)
    return path


def read_folder(folder: Path) -> list[bytes]:
    """What all files of a folder hold."""
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def texts(*content: str) -> Callable[[Path], Sequence[bytes]]:
    """Good inputs that are given as text."""
    return lambda folder: [text.encode() for text in content]


def use_track(kind: Any, data: bytes, folder: Path) -> None:
    """Read an entry of a track that trains, beside the tables of cards that it may name."""
    for cards in (ROOT / "configs" / "benchmark" / "generalisation").glob("*.csv"):
        put(folder, cards.name, cards.read_bytes())
    load_track(put(folder, "track.yaml", data), kind)


def files(*names: str) -> Callable[[Path], Sequence[bytes]]:
    """Good inputs that the package ships."""
    return lambda folder: [path.read_bytes() for name in names for path in sorted(ROOT.glob(name))]


def agents(folder: Path) -> list[bytes]:
    """Agents of both kinds of networks."""
    game, rng = game_named("timeline"), np.random.default_rng(0)
    pieces = tuple(game.layout(4).pieces)
    board, plain, actions = Board(game, 4, pieces), len(game.layout(4).columns(READ)), game.num_actions(4)
    graph = [*((into, 4) for into in board.inputs(4, 1)), (board.width(4), actions)]
    for kind, read, shapes in (("mlp", READ, [(plain, 8), (8, actions)]), ("graph", pieces, graph)):
        layers = [
            (rng.normal(size=(out, into)).astype("f4"), rng.normal(size=out).astype("f4")) for into, out in shapes
        ]
        convolutions = int(kind == "graph")
        about = About("timeline", game.rules_version, 4, read, "relu", 7, kind=kind, convolutions=convolutions)
        Agent(about, layers).save(folder / f"{kind}.npz")
    return read_folder(folder)


def use_agent(data: bytes, folder: Path) -> None:
    """Let an agent decide."""
    path = put(folder, "agent.npz", data)
    batch = deal_batch("timeline", 4)
    NetworkPlayer(read_agent(path, batch.setting)).act(Decisions.of(batch, np.zeros(1, np.int64)))


def tournaments(folder: Path) -> list[bytes]:
    """The games of two small tournaments."""
    for name, seats in (("timeline", 3), ("twilight_struggle", 2)):
        game = game_named(name)
        wanted = tournament.plan(game, ["random", list(game.baselines)[1]], seats, 12)
        (folder / name).mkdir()
        tournament.play_part(wanted, 0, folder / name)
    return [path.read_bytes() for path in sorted(folder.glob("*/*.npz"))]


def use_games(data: bytes, folder: Path) -> None:
    """Read a tournament's games, say how everybody did, and read their first decisions."""
    path = put(folder, "games.npz", data)
    statistics.standings(played.read(path))
    next(open_dataset(path).batches(64))


@cache
def small_tournament() -> Any:
    """The plan of a small tournament."""
    return tournament.plan(game_named("timeline"), ["random", "greedy"], 2, 8)


def plans(folder: Path) -> list[bytes]:
    """The plan of a tournament."""
    write_json(folder / "plan.json", small_tournament().as_dict())
    return read_folder(folder)


def use_plan(data: bytes, folder: Path) -> None:
    """See whether a tournament can be resumed."""
    put(folder, "plan.json", data)
    tournament.check_plan("tournament", small_tournament().as_dict(), folder)


def variants(folder: Path) -> list[bytes]:
    """Timeline's numbers, all and some."""
    some = (
        b"[player]\nincome = 16\n",
        b"[rounds]\n4 = [1, 2, 3, 3, 3]\n",
        b"[flexible]\nattacking_radii = [[1], [1, 2]]\n",
    )
    return [*files("timeline_env/data/timeline/numbers.toml")(folder), *some]


def use_variant(name: str, data: bytes, folder: Path) -> None:
    """Play by a variant."""
    play_on(Batch(Setting(game_named(name), rules=put(folder, "variant.toml", data)), 1))


def use_cards(data: bytes, folder: Path) -> None:
    """Play with another table of cards."""
    put(folder, "cards.csv", data)
    use_variant("timeline", b'cards = "cards.csv"', folder)


def saved_games(folder: Path) -> list[bytes]:
    """Saved games of random moves."""
    for name in PACKAGES:
        setting, rng = Setting(game_named(name)), np.random.default_rng(0)
        actions: list[int] = []
        batch = replay.deal_batch(setting, 3)
        while len(actions) < 60:
            actions.append(int(rng.choice(np.flatnonzero(batch.action_mask[0]))))
            batch.step(actions[-1:])
        replay.save(folder / name, replay.record_game(setting, 3, actions))
    return read_folder(folder)


def use_saved_game(data: bytes, folder: Path) -> None:
    """Follow a saved game."""
    replay.replay(replay.load(put(folder, "game.json", data)))


def use_perft(data: bytes, folder: Path) -> None:
    """Read the cases of a perft file, and begin at the first: positions are a kind of their own."""
    for case in perft.read_cases(put(folder, "file.perft", data))[:1]:
        with suppress(ValueError):
            perft.start_position(game_named("timeline"), case.start)


def use_name(data: bytes, folder: Path) -> None:
    """Ask for a player by its name."""
    load_player(data.decode(errors="surrogateescape"), game_named("timeline"), num_players=4)


def use_log(data: bytes, folder: Path) -> None:
    """Replay a recorded game; a line that does not agree with the game is not a refusal."""
    check_game(put(folder, "log.txt", data))


def use_converted_game(data: bytes, folder: Path) -> None:
    """Play a converted game."""
    for _ in conversion.headlines(conversion.load(put(folder, "game.json", data))):
        pass


# --- the files of training


def damaged_yaml(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Other values, other words, or an alias of aliases."""
    if rng.random() < 0.5:
        return damaged_text(rng, data, others)
    if rng.random() < 0.05:
        return data + LAUGHS.encode()
    return dump(damaged_value(rng, yaml.safe_load(data)))


def runs(name: str, folder: Path) -> list[bytes]:
    """A file of the folder of a run."""
    for config in sorted((ROOT / "configs").glob("*.yaml")):
        run_folder.create(folder / config.stem, load_config(config), ["train"])
    return [path.read_bytes() for path in sorted(folder.glob(f"*/{name}"))]


@cache
def begin_run() -> dict[str, bytes]:
    """The files of a new run by their names."""
    with tempfile.TemporaryDirectory() as folder:
        run = run_folder.create(Path(folder) / "run", load_config(ROOT / "configs" / "timeline.yaml"), ["train"])
        return {path.name: path.read_bytes() for path in run.path.iterdir() if path.is_file()}


def use_run(name: str, data: bytes, folder: Path) -> None:
    """Resume a run whose file of this name was damaged."""
    for each, content in (begin_run() | {name: data}).items():
        put(folder, each, content)
    run_folder.open_run(folder, ["train"])


@cache
def learner() -> Any:
    """A small learner."""
    config = parse_config(
        {
            "learner": "ppo",
            "opponents": {"self": 1},
            "envs": 2,
            "network": {"pieces": list(READ), "hidden": [8]},
            "ppo": {"n_steps": 2},
        }
    )
    return PPO(config, League(config.setting, config.opponents, None), 0)


def learners(folder: Path) -> list[bytes]:
    """The state of a learner, to resume from."""
    run = run_folder.create(folder / "run", learner().config, ["train"])
    run.save(learner().state(), run_folder.Progress(4, 1.0))
    return [(run.path / run_folder.LEARNER_FILE).read_bytes()]


def damaged_learner(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Other values in the file, or other bytes."""
    if rng.random() < 0.6:
        return damaged_bytes(rng, data, others)
    state = torch.load(io.BytesIO(data), weights_only=True)
    for _ in range(rng.integers(1, 4)):
        inside = state
        while True:
            key = list(inside)[rng.integers(len(inside))]
            if not isinstance(inside[key], dict) or not inside[key] or rng.random() < 0.3:
                break
            inside = inside[key]
        inside[key] = deepcopy(VALUES[rng.integers(len(VALUES))])
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


def use_learner(data: bytes, folder: Path) -> None:
    """Resume from the state of a learner."""
    run = run_folder.create(folder / "run", learner().config, ["train"])
    put(run.path, run_folder.LEARNER_FILE, data)
    run.progress()
    with run.load_state() as state:
        learner().restore(state)


def pools(folder: Path) -> list[bytes]:
    """The table of a pool."""
    names = ["000000000007", "000000000900"]
    beat = {"random": [3.5, 9.0]}
    snapshots = {
        names[0]: Snapshot(7, 12.5, beat),
        names[1]: Snapshot(900, -3.0, beat | {names[0]: [2.0, 4.0]}, 1.5, 6.0),
    }
    write_json(folder / TABLE, {name: asdict(snapshot) for name, snapshot in snapshots.items()})
    return read_folder(folder)


def use_pool(data: bytes, folder: Path) -> None:
    """Draw from a pool."""
    put(folder, TABLE, data)
    Pool(folder, Setting(game_named("timeline"), 4), 3, ["random"]).chances()


def use_metrics(data: bytes, folder: Path) -> None:
    """Draw a curve of a run's rows."""
    curve.points(metrics.read(put(folder, "metrics.csv", data)))


def journals(folder: Path) -> list[bytes]:
    """The journal of a sweep of three trials."""
    study = sweep.study(folder / "journal.log")
    for _ in range(3):
        study.tell(study.ask(SPACE), 0.5)
    return read_folder(folder)


def use_journal(data: bytes, folder: Path) -> None:
    """Resume a sweep."""
    study = sweep.study(put(folder, "journal.log", data))
    study.tell(study.ask(SPACE), 0.5)


LAUGHS = "\na: &a [1,1,1,1,1,1,1,1,1]" + "".join(
    f"\n{name}: &{name} [{','.join([f'*{before}'] * 9)}]" for before, name in pairwise("abcdefghi")
)
"""Nine aliases of nine aliases of nine …: more values than fit into any memory, in 271 bytes."""
SPACE: Any = {"x": optuna.distributions.FloatDistribution(0, 1)}
METRICS = ",".join(metrics.KINDS) + "\n512,3.5,9,0.25,2.5,10.5,0.125,60.5\n1024,7.0,8,0.5,2.0,11.0,0.25,61.0\n"
NAMES = (
    "random",
    "projector",
    "shipped",
    "shipped@sampled",
    "mcts:20",
    "puct:5ms@projector",
    "json:dumps",
    "runs/none",
)


@cache
def populations() -> dict[str, suite.Population]:
    """The populations of the suite."""
    return {file.stem: suite.load_population(file) for file in (ROOT / "configs/benchmark/populations").glob("*.yaml")}


def use_entry(data: bytes, folder: Path) -> None:
    """Load a tournament of the suite."""
    suite.load_entry(put(folder, "suite.yaml", data), populations())


KINDS = {
    **{f"positions_{name}": Kind(partial(positions, name), damaged_position, partial(use_position, name)) for name in PACKAGES},
    **{f"states_{name}": Kind(partial(states, name), damaged_state, partial(use_state, name)) for name in PACKAGES},
    "agents": Kind(agents, damaged_arrays, use_agent),
    "games": Kind(tournaments, damaged_arrays, use_games),
    "plans": Kind(plans, damaged_json, use_plan),
    "variants": Kind(variants, damaged_text, partial(use_variant, "timeline")),
    "variants_twilight_struggle": Kind(texts("[setup]\nus_bonus = 2\n[deck]\noptional_cards = false\n"), damaged_text, partial(use_variant, "twilight_struggle")),
    "cards": Kind(files("timeline_env/data/timeline/cards.csv"), damaged_text, use_cards),
    "saved_games": Kind(saved_games, damaged_json, use_saved_game),
    "perft": Kind(files("tests/perft/*.perft"), damaged_text, use_perft),
    "names": Kind(texts(*NAMES), damaged_text, use_name),
    "suites": Kind(files("configs/benchmark/playing/*.yaml"), damaged_yaml, use_entry),
    "populations": Kind(files("configs/benchmark/populations/*.yaml"), damaged_yaml, lambda data, folder: suite.load_population(put(folder, "population.yaml", data))),
    "learning_track": Kind(files("configs/benchmark/learning/*.yaml"), damaged_yaml, partial(use_track, LearningEntry)),
    "generalisation_track": Kind(files("configs/benchmark/generalisation/*.yaml"), damaged_yaml, partial(use_track, GeneralisationEntry)),
    "configs": Kind(files("configs/*.yaml"), damaged_yaml, lambda data, folder: load_config(put(folder, "config.yaml", data))),
    "spaces": Kind(files("configs/spaces/*.yaml"), damaged_yaml, lambda data, folder: sweep.read_space(put(folder, "space.yaml", data))),
    "run_configs": Kind(partial(runs, "config.yaml"), damaged_yaml, partial(use_run, "config.yaml")),
    "run_notes": Kind(partial(runs, "run.json"), damaged_json, partial(use_run, "run.json")),
    "learners": Kind(learners, damaged_learner, use_learner),
    "pools": Kind(pools, damaged_json, use_pool),
    "logs": Kind(texts(GAME, *(log for _, log in PIECES.values())), damaged_text, use_log),
    "converted_games": Kind(files("tests/twilight_struggle/games/*.json"), damaged_json, use_converted_game),
    "metrics": Kind(texts(METRICS), damaged_text, use_metrics),
    "journals": Kind(journals, damaged_text, use_journal),
}  # fmt: skip
"""Every kind by its name."""
