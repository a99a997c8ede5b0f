"""The games behind the table of mechanics: cut into blocks, a file each, played in parallel; after a kill they resume.

The folder of a measurement has a folder for each number of players::

    4_players/settings.json                          what the games are dealt from: seed, rules
    4_players/mcts_200-f0e1d2c3/whole/0-16.npz       the first 16 deals with this player in every seat
    4_players/mcts_200-f0e1d2c3/reinforce/0-4.npz    the first 4 deals of the player without reinforcing against whole ones
    mechanics.json                                   what the games show, written by the script
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.processes import run_parallel
from timeline_env.arena.tournament import seed_at
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.files import lock_folder, new_folder, remove_partial, write_file, write_json
from timeline_env.players.fingerprint import fingerprint
from timeline_env.players.names import PlayerName
from timeline_env.players.registry import player_from
from timeline_env.reading import check_players, quote, read_arrays, read_json, table_of
from timeline_env.timeline import GAME
from tools.mechanics_measures import loss, measures, own_wins, watch
from tools.mechanics_players import mechanics

WHOLE = "whole"
"""Stands in for a mechanic's name where nothing is forbidden to anybody."""
GAMES_A_BLOCK = 512
SEARCHED_GAMES_A_BLOCK = 16
"""For players that search: few, so that a kill costs little."""


@dataclass(frozen=True)
class Job:
    """The deals of one player at one number of players, without a mechanic, or with all of them (`WHOLE`)."""

    player: str
    setting: Setting
    mechanic: str
    deals: int
    seed: int

    @property
    def games_a_deal(self) -> int:
        return 1 if self.mechanic == WHOLE else self.setting.num_players

    @property
    def games(self) -> int:
        return self.deals * self.games_a_deal

    def blocks(self) -> Iterator[range]:
        """The deals of each block."""
        games = SEARCHED_GAMES_A_BLOCK if PlayerName.read(self.player).search else GAMES_A_BLOCK
        step = math.ceil(games / self.games_a_deal)
        return (range(start, min(start + step, self.deals)) for start in range(0, self.deals, step))

    def file(self, out: Path, block: range) -> Path:
        """Where a block is kept; if a trained agent has changed since, it is another place, for other games."""
        made_of = self.player + fingerprint(PlayerName.read(self.player), self.setting)
        player = re.sub(r"\W+", "_", self.player) + "-" + hashlib.sha256(made_of.encode()).hexdigest()[:8]
        folder = out / f"{self.setting.num_players}_players" / player / self.mechanic.replace(" ", "_")
        return folder / f"{block.start}-{block.stop}.npz"


@dataclass(frozen=True)
class Plan:
    """What is to be measured: games of each player in every seat, and for some numbers of players games without each mechanic."""

    players: tuple[str, ...]
    numbers: tuple[int, ...]
    games: int
    ablated: tuple[int, ...]
    ablation_games: int
    seed: int
    rules: dict[str, Any]

    def check(self) -> None:
        """Raises ValueError if a value is not allowed; the message names it and what is."""
        if self.games < 2:
            raise ValueError(f"games {self.games!r} must be at least 2")
        check_players(self.players, 1)
        for what, numbers in (("numbers", self.numbers), ("ablated", self.ablated)):
            if len(set(numbers)) < len(numbers):
                raise ValueError(f"{what} {quote(' '.join(map(str, numbers)))} must be different")
        for number in {*self.numbers, *self.ablated}:
            setting = Setting(GAME, number, self.rules)
            for player in self.players:
                player_from(player, setting)
        for number in self.ablated:
            deals_for(self.ablation_games, number)
        game_seeds(self.seed, 1)

    def jobs(self) -> list[Job]:
        """All that is to be played."""
        settings = {number: Setting(GAME, number, self.rules) for number in {*self.numbers, *self.ablated}}
        whole = [
            Job(player, settings[number], WHOLE, self.games, self.seed)
            for number in self.numbers
            for player in self.players
        ]
        return whole + [
            Job(player, settings[number], mechanic, deals_for(self.ablation_games, number), self.seed)
            for number in self.ablated
            for player in self.players
            for mechanic in mechanics()
        ]


def run(
    plan: Plan, out: Path, processes: int, progress: Callable[[int], None] = lambda finished: None
) -> dict[str, Any]:
    """Play what is not in `out` yet, and say what all the games show.

    Args:
        plan: what to measure.
        out: a new folder, or one of a measurement by the same rules and seed.
        processes: how many run at once; the result does not depend on it.
        progress: called with the number of games that have ended since the last call, those of an earlier run included.

    Raises:
        ValueError: the folder holds something else, or another process is at work in it.
        OSError: a process was killed; the same call resumes.
    """
    plan.check()
    out.mkdir(parents=True, exist_ok=True)
    with lock_folder(out, f"{str(out)!r}: another process is measuring there"):
        begin(plan, out)
        remove_partial(out)
        blocks = [(job, block) for job in plan.jobs() for block in job.blocks()]
        missing = [(job, block, out) for job, block in blocks if not job.file(out, block).exists()]
        progress(
            sum(job.games for job in plan.jobs()) - sum(len(block) * job.games_a_deal for job, block, _ in missing)
        )
        run_parallel(play_block, missing, processes, progress)
        return gather(plan, out)


def begin(plan: Plan, out: Path) -> None:
    """Make the folders of a measurement, or check that they are those of this one. Raises ValueError if not."""
    for number in {*plan.numbers, *plan.ablated}:
        asked = {
            "rules_version": GAME.rules_version,
            "rules": Setting(GAME, number, plan.rules).rules_digest,
            "seed": plan.seed,
        }
        file = out / f"{number}_players" / "settings.json"
        if not file.parent.exists():
            with new_folder(file.parent) as folder:
                write_json(folder / file.name, asked)
        label = f"{str(file.parent)!r} exists and holds no measurement; give another folder"
        found = table_of(read_json(file, label), label, *asked)
        changed = [f"{key} {quote(found[key])}, now {asked[key]!r}" for key in asked if found[key] != asked[key]]
        if changed:
            raise ValueError(
                f"{str(file.parent)!r} holds another measurement: {'; '.join(changed)}; give another folder"
            )


def play_block(job: Job, block: range, out: Path) -> int:
    """Play a block into its file; gives the number of its games."""
    seeds = game_seeds(job.seed, job.deals)[block.start : block.stop]
    seed = seed_at(job.seed, job.setting.num_players, block.start)
    if job.mechanic == WHOLE:
        counts, results = watch(job.player, job.setting, seeds, seed)
        arrays: dict[str, Any] = {"counts": np.asarray(counts), "points": results.points, "rank": results.rank}
    else:
        arrays = {"wins": own_wins(job.player, job.setting, job.mechanic, seeds, seed)}
    file = job.file(out, block)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, lambda opened: np.savez(opened, **arrays))
    return len(block) * job.games_a_deal


def gather(plan: Plan, out: Path) -> dict[str, Any]:
    """What was measured, and as ``results`` for each number of players and each player its measures and what it loses without a mechanic."""
    results: dict[str, Any] = {}
    for job in plan.jobs():
        row = results.setdefault(str(job.setting.num_players), {}).setdefault(job.player, {})
        if job.mechanic == WHOLE:
            counts, points, rank = (join_blocks(job, out, name) for name in ("counts", "points", "rank"))
            row["measures"] = measures(counts, points, rank)
        else:
            row.setdefault("losses", {})[job.mechanic] = vars(
                loss(join_blocks(job, out, "wins"), job.setting.num_players)
            )
    return {"rules_version": GAME.rules_version, **asdict(plan), "results": results}


def join_blocks(job: Job, out: Path, name: str) -> Any:
    """An array of all blocks of a job, one after the other."""
    files = [job.file(out, block) for block in job.blocks()]
    return np.concatenate(
        [read_arrays(file, f"{str(file)!r} holds no games", lambda arrays: arrays[name]) for file in files]
    )
