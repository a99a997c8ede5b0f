"""Players by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from timeline_env.engine.verbs import Game
from timeline_env.games import DEFAULT, game_named
from timeline_env.players.agents.agent import About, NetworkPlayer, agent_at, read_agent
from timeline_env.players.agents.shipped import SHIPPED, agent_path
from timeline_env.players.interface import Called, Decisions, Player
from timeline_env.players.search.players import SEARCHES, search_player
from timeline_env.reading import cut, naming, shown, told

Entrant = str | Player | Callable[[Decisions], Any]
"""What can play: a player's name, a player, or a function of the decisions that gives a legal action for each."""
SAMPLED = "@sampled"
"""After the path of a trained agent: draw from its policy."""


def load_player(name: str, game: Game, seed: int = 0, num_players: int | None = None, rules: Any = None) -> Player:
    """The player of this name.

    Args:
        name: a baseline of the game; a search and its budget, such as ``mcts:200`` or ``puct:50ms@heuristic``, see `timeline_env.players.search.players`;
            ``module:Class`` for a player of your own (which imports that module); or a trained agent: ``shipped``, or the
            path of a run folder, of one of its checkpoints, or of an ``agent.npz``. It takes the action it thinks best;
            with ``@sampled`` after the name it draws from its policy.
        game: the game to be played.
        seed: for whatever the player draws.
        num_players: seats of the games to be played, so that an agent for another number is refused at once.
        rules: the variant to be played, see the game's `load_rules`, so that an agent for another is refused at once.

    Raises:
        ValueError: there is no such player, or it is for another game; the message names it and what is allowed.
    """
    if name.partition(":")[0] in SEARCHES:
        return search_player(name, game, seed, num_players, rules)
    module, colon, attribute = game.baselines.get(name, name).partition(":")
    if colon and module and attribute:
        return _own(module, attribute, seed)
    path = agent_path(agent_in(name), game, num_players)
    with naming(f"player {shown(name)}"):  # the name of a file may be too long to ask for it
        there = path.exists()
    if there:
        return NetworkPlayer(read_agent(path, game, num_players, rules), seed, sampled=name.endswith(SAMPLED))
    raise ValueError(
        f"unknown player {shown(name)}; known: {', '.join([*game.baselines, SHIPPED])}, mcts:200, puct:200@GUIDE, module:Class, the path of a trained agent"
    )


def agent_in(name: str) -> str:
    """Of a player's name what names its trained agent, or the guide of its search, see `agent_path`; all of it if there is none."""
    if name.partition(":")[0] in SEARCHES:
        return name.partition("@")[2] or name
    return name.removesuffix(SAMPLED)


def trained_for(name: str) -> About | None:
    """What the agent of this name, or the guide of this search, is for; None if the name is not a trained agent's."""
    try:
        return agent_at(Path(agent_in(name))).about
    except ValueError:
        return None


def what_is_played(names: Iterable[str], game: str | None, num_players: int | None) -> tuple[Game, int | None]:
    """The game that these players are to play, and its number of players (None: as is usual), where not all of it is given.

    What is not given is that of the first trained agent among them; the number only if it is an agent for the game. Where
    there is none the game is `DEFAULT`. Raises ValueError if there is no such game.
    """
    agent = next(filter(None, map(trained_for, names)), None)
    played = game_named(game or (agent.game if agent else DEFAULT))
    if num_players is None and agent is not None and agent.game == played.name:
        num_players = agent.num_players
    return played, num_players


def player_from(who: Entrant, game: Game, seed: int = 0, num_players: int | None = None, rules: Any = None) -> Player:
    """The player of this name, see `load_player`; or the player itself, or a function as one.

    Raises:
        ValueError: there is no such player, or it is for another game; or what was given cannot play.
    """
    if isinstance(who, str):
        return load_player(who, game, seed, num_players, rules)
    if callable(who) and not isinstance(who, type) and not hasattr(who, "act"):
        return Called(who)
    return checked_player(who, repr(who))


def checked_player(player: Any, name: str) -> Player:
    """The player itself. Raises ValueError if it cannot play."""
    if isinstance(player, type):
        raise ValueError(f"player {name} is a class; give one of its objects, as in {player.__name__}()")
    if not callable(getattr(player, "act", None)):
        raise ValueError(f"player {name} is not a player: it has no method `act(decisions)`")
    return player


def _own(module: str, attribute: str, seed: int) -> Player:
    try:
        player = getattr(importlib.import_module(module), attribute)(seed=seed)
    except (ImportError, AttributeError, TypeError) as error:
        raise ValueError(f"player {cut(f'{module}:{attribute}')} cannot be loaded: {told(error)}") from None
    return checked_player(player, f"{module}:{attribute}")
