"""Players by name."""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game, check_game
from timeline_env.failures import PlayerFailed
from timeline_env.games import DEFAULT, game_named, known_games
from timeline_env.players.agents.agent import About
from timeline_env.players.agents.agent_files import AGENT_FILE, agent_at, agent_file, checkpoint_folders, read_agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.agents.shipped import NAMES, SHIPPED, agent_path
from timeline_env.players.fingerprint import fingerprint
from timeline_env.players.interface import Decisions, FunctionPlayer, Guard, Player
from timeline_env.players.names import GUARDED, SEARCHES, PlayerName, import_name, look_here
from timeline_env.players.search.players import search_player
from timeline_env.reading import check_integer, cut, flatten, nearest_hint, quote, unknown_name

Entrant = str | Player | Callable[[Decisions], Any]
"""What can play: a player's name, a player, or a function of the decisions that gives a legal action for each."""
COMMAND_PLAYER = "timeline_env.words.player:CommandPlayer"
"""What plays by asking a command; imported when one is named, since it needs the games' words."""

LOADERS = (__file__, import_name.__code__.co_filename, importlib.__file__)
"""Where an error comes from if there is no such module or class, or if it is not made as players are."""


def load_player(name: str, game: Game, seed: int = 0, num_players: int | None = None, rules: Any = None) -> Player:
    """The player of this name.

    Args:
        name: see `timeline_env.players.names`. ``module:Class`` imports that module; a trained agent's path is that of
            a run folder, of one of its checkpoints, or of an ``agent.npz``.
        game: the game to be played.
        seed: for whatever the player draws, at least 0.
        num_players: seats of the games to be played; None for a trained agent's own number, else the usual one.
        rules: the variant to be played, see the game's `load_rules`; None for the game as it is.

    Raises:
        ValueError: there is no such player, or it is for other games; the message names it and what is allowed.
        PlayerFailed: the code of a user's own player failed while it was imported or the player made.
    """
    if not isinstance(name, str):
        raise ValueError(f"player {quote(name)} must be a name")
    check_game(game)
    _, num_players = find_game([name], game.name, num_players)
    return player_from(name, Setting(game, num_players, rules), seed)


def pin(name: str, setting: Setting, known: str = "") -> str:
    """The same player, named by its agent's file instead of a run or a checkpoint: a run that goes on will have a later agent.

    The file is that of the agent whose `fingerprint` is `known`, if the run still has it; else of the latest.
    """
    read = PlayerName.read(name)
    place = own_agent(read, setting)
    if place is None:
        return name
    latest, earlier = agent_file(place), (folder / AGENT_FILE for folder in checkpoint_folders(place))
    named = (read.with_agent(str(file)) for file in earlier if known and file.is_file())
    same = (found for found in named if fingerprint(PlayerName.read(found), setting) == known)
    return next(same, name if latest == place else read.with_agent(str(latest)))


def make_absolute(name: str, setting: Setting) -> str:
    """The same player, with an agent's path made absolute, so that it means the same in every folder."""
    read = PlayerName.read(name)
    place = own_agent(read, setting)
    # A name with ":" is read as something else.
    return name if place is None or ":" in str(place.absolute()) else read.with_agent(str(place.absolute()))


def own_agent(name: PlayerName, setting: Setting) -> Path | None:
    """Where the trained agent is that plays, or guides the search; None if there is none, or if it comes with the package."""
    return None if name.agent in NAMES else agent_path(name.agent, setting)


def read_about(name: str) -> About | None:
    """What the agent of this name, or the guide of this search, is for; None if the name is not a trained agent's."""
    try:
        agent = PlayerName.read(name).agent
        about = agent_at(Path(agent)).about if agent and agent not in NAMES else None
    except ValueError:
        return None
    # Checked last, since it loads every game: a folder with a baseline's name hardly ever exists.
    return None if about and any(agent in game_named(game).baselines for game in known_games()) else about


def find_game(names: Iterable[str], game: str | None, num_players: int | None) -> tuple[Game, int | None]:
    """The game that these players are to play, and its number of players (None for the usual one), where one or both are not given.

    What is not given is taken from the first trained agent among them, the number only if that agent is for the game. Without
    a trained agent the game is `DEFAULT`. Raises ValueError if there is no such game.
    """
    agent = next(filter(None, map(read_about, names)), None)
    played = game_named(game if game is not None else agent.game if agent else DEFAULT)
    if num_players is None and agent is not None and agent.game == played.name:
        num_players = agent.num_players
    return played, num_players


def player_from(who: Entrant, setting: Setting, seed: int = 0) -> Player:
    """The player of this name, see `load_player`; or the player itself, or a function as one.

    Raises:
        ValueError: there is no such player, or it is for other games; or what was given cannot play.
    """
    check_integer("seed", seed, 0)
    if isinstance(who, str):
        return _load_named(PlayerName.read(who), setting, seed)
    if callable(who) and not isinstance(who, type) and not hasattr(who, "act"):
        return FunctionPlayer(who)
    return check_player(who, repr(who))


def _load_named(name: PlayerName, setting: Setting, seed: int) -> Player:
    if name.search:
        return search_player(name, setting, seed)
    if name.command:
        return check_player(import_name(COMMAND_PLAYER)(name.text, name.command, seed), name.text)
    baselines = setting.game.baselines
    if name.place:
        look_here()
    if place := baselines.get(name.text, name.place):
        return _load_own(place, seed)
    path = None if name.agent.endswith(".py") else agent_path(name.agent, setting)
    if path is None:
        raise _explain_unknown(name.text, setting)
    return NetworkPlayer(read_agent(path, setting), seed, name.sampled, guard_for(name, setting.game))


def guard_for(name: PlayerName, game: Game) -> Guard | None:
    """The game's guard, which keeps this agent from actions that are certain to be worse: where the name asks for it, and for
    ``shipped`` unless it is sampled, if the game has one; else None. Raises ValueError if the name asks for one and the game has none."""
    if name.guarded and not game.guard:
        raise ValueError(f"player {quote(name.text)}: {game.name} has no guard; leave out {GUARDED}")
    is_meant = name.guarded or (name.agent == SHIPPED and not name.sampled)
    return import_name(game.guard)() if is_meant and game.guard else None


def _explain_unknown(name: str, setting: Setting) -> ValueError:
    """The error for a name that no player has, with what may have been meant."""
    for game in known_games():
        if name in game_named(game).baselines:
            return ValueError(f"player {quote(name)} is one of {game}, not of {setting.game.name}: give that game")
    if name.endswith(".py"):
        return ValueError(
            f"player {quote(name)}: name a class in a file by module and class, as in {Path(name).stem}:Class"
        )
    if "/" in name:
        return ValueError(f"player {quote(name)}: there is neither a run nor a trained agent at this path")
    known = [
        *setting.game.baselines,
        *NAMES,
        *SEARCHES.values(),
        "module:Class",
        "process:COMMAND",
        "the path of a trained agent",
    ]
    return unknown_name("player", name, known)


def check_player(player: Any, name: str) -> Player:
    """The player itself. Raises ValueError if it cannot play."""
    if isinstance(player, type):
        raise ValueError(f"player {name} is a class; give one of its objects, as in {player.__name__}()")
    if not callable(getattr(player, "act", None)):
        raise ValueError(f"player {name} is not a player: it has no method `act(decisions)`")
    return player


def is_path(name: str) -> bool:
    """Whether a file or a folder has this name."""
    with suppress(OSError, ValueError):  # it may be too long to ask for, or hold a null character
        return Path(name).exists()
    return False


def _load_own(place: str, seed: int) -> Player:
    try:
        player = import_name(place)(seed=seed)
    except (Exception, SystemExit) as error:
        file, line, _, _ = traceback.extract_tb(error.__traceback__)[-1]
        is_missing = isinstance(error, ImportError | AttributeError | TypeError) and (
            file in LOADERS or file.startswith("<frozen importlib")
        )
        if not is_missing:
            raise PlayerFailed(
                f"player {cut(place)} cannot be loaded: {type(error).__name__}: {flatten(error)} ({file} line {line})"
            ) from error
        if is_path(place):
            raise ValueError(f"player {cut(place)} is a path; give an agent a path without ':' to name it") from None
        _, _, rest = place.partition(":")
        searches = [f"{kind}:{rest}" for kind in SEARCHES if rest[0].isdigit()]  # no class begins with a digit
        told = flatten(error)
        if isinstance(error, TypeError):
            told += "; a player is a class that is called with seed=…"
        raise ValueError(f"player {cut(place)} cannot be loaded: {told}{nearest_hint(place, searches)}") from None
    return check_player(player, place)
