"""Tournaments: every table plays the same deals, in every seating, on all cores. A killed tournament resumes.

The work is cut into *parts*: some deals of one table. A part's games depend on the plan and the part's number alone,
so that neither the number of processes nor a kill changes a byte of the result, unless a player thinks for a time. The folder
of a tournament::

    plan.json            what is played
    parts/               a file for each part played so far, and one for the time it took; gone at the end
    games.npz            all games, see `timeline_env.arena.played`
    time.json            the seconds that all parts took together, each in one process, and on which processors
"""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.cluster import run_on_cluster
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.games import play_games
from timeline_env.arena.played import About, Played, join, read
from timeline_env.arena.processes import name_processor, run_parallel
from timeline_env.arena.schedule import Table, seat_in_circles, tables
from timeline_env.engine.batch import game_seeds, seed_word
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.files import LOCK_FILE, lock_folder, remove_partial, write_json
from timeline_env.players.fingerprint import fingerprint
from timeline_env.players.names import PlayerName
from timeline_env.players.registry import pin, player_from
from timeline_env.reading import as_list, check_players, quote, read_json, table_of

GAMES_FILE, PLAN_FILE, TIME_FILE = "games.npz", "plan.json", "time.json"


@dataclass(frozen=True)
class Plan:
    """What a tournament plays; `plan` makes one that is checked."""

    kind: ClassVar[str] = "tournament"

    setting: Setting
    players: tuple[str, ...]
    deals: int
    seed: int
    begun_with: Mapping[str, str] = field(default_factory=dict, kw_only=True, compare=False)
    """The fingerprints of the agents that a folder was begun with, by player."""

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return self.setting.num_players

    @cached_property
    def tables(self) -> list[Table]:
        """Who meets whom."""
        return tables(len(self.players), self.seats)

    @cached_property
    def pinned(self) -> tuple[str, ...]:
        """The players, named by their agents' files, looked up before the work is shared out: a run's latest agent may change."""
        return tuple(pin(name, self.setting, self.begun_with.get(name, "")) for name in self.players)

    def as_begun(self, folder: Path) -> Self:
        """The same, with the agents that the folder was begun with as far as their runs still have them.

        Raises ValueError if it is another kind of folder.
        """
        players = read_plan(self.kind, folder).get("players")
        told = players.items() if isinstance(players, dict) else ()
        return replace(self, begun_with={name: known for name, known in told if isinstance(known, str)})

    def check_players(self, least: int) -> None:
        """Raise ValueError if a player cannot be loaded, or two names mean the same agent's file; `least` (one or two) is told with it."""
        for name in self.players:
            player_from(name, self.setting)
        check_players(self.pinned, least)

    @property
    def deals_a_part(self) -> int:
        """Enough for a batch; but few where slow players have few deals in all, so that a kill costs little and all cores get some."""
        return min(max(self.deals // 16, 1), 64)

    @property
    def parts_a_table(self) -> int:
        return math.ceil(self.deals / self.deals_a_part)

    @property
    def parts(self) -> int:
        """How many parts the work is cut into."""
        return len(self.tables) * self.parts_a_table

    @property
    def games(self) -> int:
        """How many games are played in all."""
        return len(self.tables) * self.deals * self.seats

    def deals_of(self, number: int) -> range:
        """The deals of a part."""
        first = number % self.parts_a_table * self.deals_a_part
        return range(first, min(first + self.deals_a_part, self.deals))

    def size(self, number: int) -> int:
        """How many games a part has."""
        return len(self.deals_of(number)) * self.seats

    def schedule(self, number: int) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """A part's table, and for each of its games who sits where, int64 [n, seats], and the deal, int64 [n]."""
        index, deals = number // self.parts_a_table, self.deals_of(number)
        return index, seat_in_circles(self.tables[index], deals), np.repeat(np.asarray(deals), self.seats)

    def play(self, number: int) -> Played:
        """Play a part's games."""
        index, who, deal = self.schedule(number)
        present, seating = np.unique(who, return_inverse=True)
        return self.play_tables(number, index, present, seating.reshape(-1, self.seats), deal)

    def play_tables(
        self, number: int, index: int, present: NDArray[np.int64], seating: NDArray[np.int64], deal: NDArray[np.int64]
    ) -> Played:
        """Play a game for each row of `seating`, an index into the players who are `present`, from the deal in its row."""
        players = [player_from(self.pinned[who], self.setting, seed_at(self.seed, number, who)) for who in present]
        results = play_games(self.setting, players, seating, game_seeds(self.seed, self.deals)[deal])
        return Played(
            self.about,
            np.full(len(deal), index, np.int32),
            deal.astype(np.int32),
            present[results.seating],
            results.points,
            results.rank,
            results.decisions.astype(np.int32),
            results.actions,
        )

    def descriptions(self) -> dict[str, str]:
        """What each player is: the first line of its class's docstring."""
        found = [player_from(name, self.setting) for name in self.players]
        docs = [((type(player).__doc__ or "").strip() or "says nothing of itself").splitlines()[0] for player in found]
        return dict(zip(self.players, docs, strict=True))

    @property
    def about(self) -> About:
        game = self.setting.game
        return About(
            game.name, game.rules_version, game.seat_names[: self.seats], self.players, len(self.tables), self.deals, self.seed,
            self.setting.changes,
        )  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """What must be the same for a tournament to resume: names, numbers, and hashes of the rules and of the players' files."""
        game = self.setting.game
        return {
            "game": game.name,
            "rules_version": game.rules_version,
            "rules": self.setting.rules_digest,
            "players": {
                name: fingerprint(PlayerName.read(file), self.setting)
                for name, file in zip(self.players, self.pinned, strict=True)
            },
            "seats": self.seats,
            "deals": self.deals,
            "seed": self.seed,
        }


def plan(
    game: Game, players: Iterable[str], seats: int | None = None, games: int = 1000, seed: int = 0, rules: Any = None
) -> Plan:  # fmt: skip
    """Plan a tournament.

    Args:
        game: which game.
        players: names of at least two players, as `load_player` takes them.
        seats: players of each game; None for the game's usual number.
        games: how many each table plays; rounded up to whole deals, each played once for every seat.
        seed: the same seed gives the same deals and the same result.
        rules: a variant, see the game's `load_rules`.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """
    setting = Setting(game, seats, rules)
    names = names_in(players, 2)
    wanted = Plan(setting, names, deals_for(games, setting.num_players), int(seed_word(seed)))
    wanted.check_players(2)
    return wanted


def names_in(players: Iterable[str], least: int, what: str = "players") -> tuple[str, ...]:
    """The names of players. Raises ValueError, which says `what` they are, unless at least `least` (one or two) are named, each once."""
    listed = as_list(players)
    if listed is None:
        raise ValueError(f"{what} {quote(players)} must be a sequence of names")
    check_players(listed, least, what)
    return tuple(listed)


def run(
    wanted: Plan,
    folder: Path,
    processes: int,
    progress: Callable[[int], None] = lambda finished: None,
    address: str | None = None,
) -> Played:
    """Play a tournament, or what is left of it, and keep its games in `folder`.

    Args:
        wanted: what to play.
        folder: a new folder, or one of the same tournament.
        processes: how many run at once; the result does not depend on it.
        progress: called with the number of games that have ended since the last call, those of an earlier run included.
        address: of a Ray cluster that plays in place of this machine's processes; the result does not depend on it.

    Raises:
        ValueError: the folder holds something else, or another process is at work in it; or there is no such cluster.
        OSError: a process was killed; the same call resumes.
        PlayerFailed: a player failed, or answered wrongly.
        MissingExtra: an address is given, and Ray is not installed.
    """
    with open_folder(wanted, folder) as wanted:
        if not (folder / GAMES_FILE).exists():
            play_parts(wanted, folder / "parts", processes, progress, address)
            gather(wanted, folder)
        shutil.rmtree(folder / "parts", ignore_errors=True)
        with say_how_to_go_on("all games are"):
            return read_games(wanted, folder)


@contextmanager
def open_folder(wanted: Plan, folder: Path) -> Iterator[Plan]:
    """Make the folder of a tournament, or check that it is the folder of this one, and keep every other process out of it.

    Gives the plan to go on with: that of the folder, with the agents it was begun with. Raises ValueError if it holds something
    else, or another process is in it.
    """
    is_begun = folder.is_dir() and not is_new(folder)
    if is_begun:
        wanted = wanted.as_begun(folder)
    asked = wanted.as_dict()
    folder.mkdir(parents=True, exist_ok=True)
    if is_begun:  # before it is locked, so that no lock file is put into a folder of something else
        check_plan(wanted.kind, asked, folder)
    with lock_folder(folder, f"{wanted.kind} {str(folder)!r} is being played by another process"):
        remove_partial(folder)
        if is_new(folder):
            write_json(folder / PLAN_FILE, asked)
        check_plan(wanted.kind, asked, folder)
        yield wanted


@contextmanager
def say_how_to_go_on(what: str) -> Iterator[None]:
    """Add to an error about a file of games what is played again without that file."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{error}; without that file {what} played again") from None


def games_in(folder: Path) -> Played:
    """The games in the folder of any tournament or data set. Raises ValueError if there are none, or their file is damaged."""
    file = folder / GAMES_FILE
    if not file.exists():
        raise ValueError(f"{str(folder)!r} has no {GAMES_FILE}: nothing was played there to its end")
    return read(file)


def read_games(wanted: Plan, folder: Path) -> Played:
    """The games of a tournament that was played to its end. Raises ValueError if they are another's."""
    return read_own(wanted, folder / GAMES_FILE, wanted.games)


def read_own(wanted: Plan, file: Path, games: int) -> Played:
    """This many games of this tournament. Raises ValueError if they are another's."""
    played, asked = read(file), wanted.about
    # The rules are in the plan; another command line, or a later version, may ask for the same games.
    about = replace(played.about, rules=asked.rules, version=asked.version, command=asked.command)
    if about != asked or len(played.rank) != games:
        raise ValueError(f"{str(file)!r} holds the games of another {wanted.kind}")
    return played


def is_new(folder: Path) -> bool:
    """Whether nothing was kept in a folder yet."""
    return not any(path.suffix != ".partial" and path.name != LOCK_FILE for path in folder.iterdir())


def read_plan(kind: str, folder: Path, *keys: str) -> dict[str, Any]:
    """What a folder's plan says, with at least these keys. Raises ValueError if it is not a folder of this `kind`."""
    file = folder / PLAN_FILE
    label = f"{str(folder)!r} exists and is not a {kind}'s folder, give another; {quote(file.name)} in it"
    return table_of(read_json(file, label), label, *keys)


def check_plan(kind: str, asked: dict[str, Any], folder: Path) -> None:
    """Raise ValueError unless a folder holds the plan `asked`; `kind` says of what, such as a tournament."""
    found = read_plan(kind, folder, *asked)
    # The games number the players by their order, so it counts: as texts, tables in another order differ.
    changed = [key for key in asked if json.dumps(found[key]) != json.dumps(asked[key])]
    if "seats" in changed and "rules" in changed:
        changed.remove("rules")  # which follow from the seats
    if changed:
        told = "; ".join(f"{key} {quote(found[key])}, now {quote(asked[key])}" for key in changed)
        raise ValueError(f"{str(folder)!r} holds another {kind}: {told}; give another folder")


def play_parts(
    wanted: Plan, folder: Path, processes: int, progress: Callable[[int], None], address: str | None
) -> None:
    """Play the parts that are not in `folder` yet."""
    folder.mkdir(exist_ok=True)
    missing = [number for number in range(wanted.parts) if not part_file(folder, number).exists()]
    progress(wanted.games - sum(map(wanted.size, missing)))
    if address is None:
        run_parallel(play_part, [(wanted, number, folder) for number in missing], processes, progress)
        return

    def keep(done: tuple[int, Taken, Played]) -> None:
        keep_part(folder, *done)
        progress(wanted.size(done[0]))

    run_on_cluster(play_timed, [(wanted, number) for number in missing], address, keep)


def part_file(folder: Path, number: int) -> Path:
    """The file of a part's games."""
    return folder / f"{number:06d}.npz"


def time_file(folder: Path, number: int) -> Path:
    """The file of what a part's games took."""
    return folder / f"{number:06d}.json"


def play_part(wanted: Plan, number: int, folder: Path) -> int:
    """Play a part into its files; gives the number of its games."""
    keep_part(folder, *play_timed(wanted, number))
    return wanted.size(number)


@dataclass(frozen=True)
class Taken:
    """What games took: seconds of one process; and the names of the processors, none if the system does not tell them."""

    seconds: float
    processors: tuple[str, ...]


def play_timed(wanted: Plan, number: int) -> tuple[int, Taken, Played]:
    """Play a part without writing its files; gives its number, what it took, and its games."""
    begun = time.perf_counter()
    played = wanted.play(number)
    return number, Taken(time.perf_counter() - begun, tuple(filter(None, [name_processor()]))), played


def keep_part(folder: Path, number: int, taken: Taken, played: Played) -> None:
    """Write a part's files; that of its games last, since it says that the part is played."""
    write_json(time_file(folder, number), asdict(taken))
    played.save(part_file(folder, number))


def seed_at(*path: int) -> int:
    """A seed for what is drawn at this place of a tournament, 0 to 2**32 - 1."""
    return int(np.random.SeedSequence(path).generate_state(1)[0])


def gather(wanted: Plan, folder: Path) -> None:
    """Put the parts together in the order of their numbers."""
    parts, numbers = folder / "parts", range(wanted.parts)
    with say_how_to_go_on("it is"):
        played = [read_own(wanted, part_file(parts, number), wanted.size(number)) for number in numbers]
    try:
        taken = [read_taken(time_file(parts, number)) for number in numbers]
    except ValueError:
        taken = []  # not known of one part, so not told of all
    if taken:
        names = sorted({name for each in taken for name in each.processors})
        write_json(folder / TIME_FILE, asdict(Taken(round(sum(each.seconds for each in taken), 1), tuple(names))))
    join(wanted.about, played).save(folder / GAMES_FILE)


def read_taken(file: Path) -> Taken:
    """What the games beside this file took. Raises ValueError if it is gone or damaged."""
    label = quote(str(file))
    told = table_of(read_json(file, label), label, "seconds")
    seconds, names = told["seconds"], told.get("processors", [])  # older files name none
    if type(seconds) not in (int, float) or not 0 <= seconds < math.inf:
        raise ValueError(f"{label}: seconds {quote(seconds)} must be a number of at least 0")
    if type(names) is not list or not all(type(name) is str and name.isprintable() for name in names):
        raise ValueError(f"{label}: processors {quote(names)} must be a list of names")
    return Taken(seconds, tuple(names))


def read_total_time(folder: Path) -> Taken | None:
    """What all games of a folder took; None if the folder, filled elsewhere, does not tell. Raises ValueError for a damaged file."""
    file = folder / TIME_FILE
    return read_taken(file) if file.exists() else None


def describe_time(folder: Path) -> str:
    """What all games of a folder took, in words; nothing if the folder does not tell. Raises ValueError for a damaged file."""
    taken = read_total_time(folder)
    if taken is None:
        return ""
    where = f" on {' and '.join(taken.processors)}" if taken.processors else ""
    return f"played in {taken.seconds / 60:,.1f} minutes of one process{where}"
