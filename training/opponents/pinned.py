"""Agents of other runs that a run meets or begins as: named by their files, so that they stay the same to its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent_files import AGENT_FILE, CHECKPOINTS, checkpoint_folders
from timeline_env.players.names import PlayerName
from timeline_env.players.registry import make_absolute, own_agent, pin
from timeline_env.reading import quote
from training.config import POOL, SELF, Config
from training.opponents.league import scripted_weights


def pin_players(config: Config, begun_with: Collection[str] = ()) -> Config:
    """The configuration with every trained agent in it named by its file, with an absolute path.

    Args:
        config: names of runs and checkpoints in it mean their latest agents.
        begun_with: what an earlier call made of such names; a run among them means the same agent as it did then.

    Raises:
        ValueError: there is no agent at a path, or two opponents, or two of `evaluation.against`, are the same agent.
    """
    return with_players(config, files_of(players_named(config), config.setting, begun_with))


def players_named(config: Config) -> list[str]:
    """The names of all players that a run meets, in training and at the end, but the learner and its snapshots; and whom it begins as."""
    return [*scripted_weights(config.opponents), *config.against, *([config.start] if config.start else [])]


def files_of(names: Iterable[str], setting: Setting, begun_with: Collection[str] = ()) -> dict[str, str]:
    """The names of those that are trained agents of one's own, each with the name by the agent's file; see `pin_players`."""
    return {name: file for name in names if (file := _by_file(name, setting, begun_with)) != name}


def _by_file(name: str, setting: Setting, begun_with: Collection[str]) -> str:
    read = PlayerName.read(name)
    place = own_agent(read, setting)
    if place is None or name in begun_with:
        return name
    # The latest first: that is what the name meant then, even if an earlier one is met, too.
    files = (folder / AGENT_FILE for folder in (*reversed(checkpoint_folders(place)), place))
    same = (found for file in files if (found := make_absolute(read.with_agent(str(file)), setting)) in begun_with)
    return next(same, make_absolute(pin(name, setting), setting))


def with_players(config: Config, files: Mapping[str, str]) -> Config:
    """The configuration with other names for the players in it, from `files_of`. Raises ValueError as `pin_players` does."""
    # Not those of the learner and its snapshots, even if folders are called so.
    opponents = {name: name if name in (SELF, POOL) else files.get(name, name) for name in config.opponents}
    against = {name: files.get(name, name) for name in config.against}
    for key, named in (("opponents", opponents), ("evaluation.against", against)):
        first = {file: name for name, file in reversed(named.items())}
        for name, file in named.items():
            if first[file] != name:
                raise ValueError(f"{key}: {quote(first[file])} and {quote(name)} are the same agent; name it once")
    wanted = config.evaluation.against
    evaluation = config.evaluation.model_copy(update={"against": wanted and [against[name] for name in wanted]})
    weights = {opponents[name]: weight for name, weight in config.opponents.items()}
    start = files.get(config.start, config.start) if config.start else None
    return config.model_copy(update={"opponents": weights, "evaluation": evaluation, "start": start})


def short_name(name: str) -> str:
    """A player's name for titles: an agent's path cut to its run and its decisions, as in ``first/250000``, or to its last two parts."""
    read = PlayerName.read(name)
    path = Path(read.agent)
    if not path.is_absolute():
        return name
    if path.name == AGENT_FILE and path.parent.parent.name == CHECKPOINTS:
        return read.with_agent(f"{path.parents[2].name}/{path.parent.name.lstrip('0')}")
    return read.with_agent("/".join(path.parts[-2:]))
