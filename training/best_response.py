"""A best response: an agent trained against copies of one frozen player, to find out by how much that player can be beaten."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from timeline_env import cli
from timeline_env.arena.deals import FINAL_GAMES
from timeline_env.arena.evaluation import Evaluation
from timeline_env.arena.exploitability import bound
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.files import write_json
from timeline_env.players.fingerprint import fingerprint
from timeline_env.players.names import PlayerName
from timeline_env.players.registry import pin
from timeline_env.reading import quote, read_json, table_of
from training.config import POOL, SELF, Config, parse_config, refuse_own, usual_settings
from training.opponents.pinned import pin_players, players_named
from training.run import find_or_begin, measure, train
from training.run_folder import RunFolder, read_run
from training.start import PRIOR_KEYS, keep_prior, named_agent

ENDLESS = 10**12
"""Steps of a challenger, whose training ends by the clock."""
AGAINST = "against.json"
"""In a challenger's run folder: whom it is trained against, with a hash of that player's files."""
RESULT = "best_response.json"
"""In a challenger's run folder: how far it got."""


def challenger_config(
    player: str, game: Game, minutes: float | None, decisions: int | None, config: Path | None, **settings: Any
) -> Config:
    """How the challenger of `player` is trained; one that begins as an agent (`start`) keeps that agent's prior.

    Args:
        player: a name as `load_player` takes it.
        game: which game.
        minutes: for how long; None for as long as the decisions take.
        decisions: from how many it learns; None for as many as there is time for.
        config: a file of training settings; None for the quick ones of the game, if it has some, else the defaults.
        settings: keys that replace those of the file, such as `seed`; None leaves a key as it is.

    Raises:
        ValueError: the file is not readable, is for another game, a key or value is not allowed, or no agent `start` is there.
    """
    content = usual_settings(game, config)
    content["ppo"] = content.get("ppo", {}) | {"ahead": False}  # it needs the learner in every seat
    fixed = {
        "game": game.name,
        "opponents": {player: 1.0},
        "evaluation": {"against": [player]},
        "steps": decisions or ENDLESS,
        "minutes": minutes,
    }
    told = content | fixed | {key: value for key, value in settings.items() if value is not None}
    found = parse_config(told)
    start = named_agent(found)
    kept = {} if start is None else keep_prior(start.about)
    return meet(parse_config(told | kept), freeze(player, found.setting))


def freeze(player: str, setting: Setting) -> str:
    """The player by its agent's file, see `pin`. Raises ValueError for a name that means the challenger itself."""
    found = pin(player, setting)
    if found in (SELF, POOL):
        raise ValueError(
            f"player {quote(found)} would be the challenger itself; give {quote(str(Path(found).absolute()))}"
        )
    return found


def meet(config: Config, player: str) -> Config:
    """The configuration with this player as the only opponent, in training and in the evaluation."""
    evaluation = config.evaluation.model_copy(update={"against": [player]})
    return config.model_copy(update={"opponents": {player: 1.0}, "evaluation": evaluation})


def begin_or_resume_challenger(player: str, config: Config, path: Path, command: list[str]) -> RunFolder:
    """The run of `player`'s challenger, see `find_or_begin`; it meets the same agent of that player as when it was begun,
    and has begun as the same.

    Raises:
        ValueError: the folder holds something else, or the files of that agent have changed.
    """
    file = path / AGAINST
    before = table_of(read_json(file, str(file)), str(file), "player", "files") if file.is_file() else None
    if before is not None:
        if before["player"] != player:
            raise ValueError(
                f"{str(path)!r} holds another run: player {quote(before['player'])}, now {quote(player)}; give another folder"
            )
        own = read_run(path)[0].config
        refuse_own(own, [player], f"run {quote(str(path))}")
        if len(own.opponents) == 1:
            config = meet(config, next(iter(own.opponents)))
        if own.start is not None and pin_players(config, players_named(own)).start == own.start:
            # The run that it began as may have a later agent by now, with less of its prior.
            config = config.model_copy(update={key: getattr(own, key) for key in PRIOR_KEYS})
    run = find_or_begin(config, path, command)
    (met,) = run.config.opponents
    files = fingerprint(PlayerName.read(met), config.setting)
    if before is None:
        write_json(file, {"player": player, "files": files})
    elif before["files"] != files:
        raise ValueError(
            f"{str(path)!r} holds another run: the files of player {quote(met)} have changed; give another folder"
        )
    return run


@dataclass(frozen=True)
class Response:
    """A best response to a player, as far as it got.

    Attributes:
        evaluation: the challenger against copies of the player, on deals that no training has seen.
        decisions: of the challenger, from which it learned.
        seconds: of its training.
    """

    evaluation: Evaluation
    decisions: int
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON."""
        found = {"decisions": self.decisions, "seconds": self.seconds, "bound": asdict(bound(self.evaluation))}
        return found | {"evaluation": self.evaluation.as_dict()}


def respond(player: str, config: Config, path: Path, games: int, command: list[str]) -> Response:
    """Train the challenger of `player` at `path`, or go on with it, and play the final games.

    Args:
        player: whose copies it meets.
        config: from `challenger_config`.
        path: the run's folder.
        games: as for `evaluate`.
        command: what is noted in the run.

    Raises:
        ValueError: the folder holds something else, or the player's files have changed since it was begun.
    """
    run = begin_or_resume_challenger(player, config, path, command)
    with run.lock():
        train(run)
        (met,) = run.config.opponents
        with cli.progress("final games", games) as advance:
            result = measure(path, config.setting, met, games, config.seed + FINAL_GAMES, advance)
        so_far = run.progress()
        found = Response(result, so_far.steps, so_far.seconds)
        write_json(path / RESULT, found.as_dict())
    return found
