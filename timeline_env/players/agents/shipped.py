"""The strong agents that come with the package: one for each number of players, and a record of how each was made."""

from __future__ import annotations

from pathlib import Path

from timeline_env.engine.verbs import Game

SHIPPED = "shipped"
"""The name that they are asked for by."""
DATA = Path(__file__).resolve().parents[2] / "data"
RECORD = "shipped.json"
"""A file next to the agents: for each number of players the settings, the commit, the time and the machine that made the agent."""


def shipped_agent(game: str, num_players: int) -> Path:
    """Where the agent of a game for a number of players is, or would be."""
    return DATA / game / f"{SHIPPED}_{num_players}.npz"


def agent_path(name: str, game: Game, num_players: int | None) -> Path:
    """Where a trained agent is: the shipped one if the name is `SHIPPED`, else the name is its path.

    Raises:
        ValueError: none is shipped for this number of players, see `shipped_file`.
    """
    return shipped_file(game, num_players) if name == SHIPPED else Path(name)


def shipped_file(game: Game, num_players: int | None) -> Path:
    """The agent's file; for the game's usual number of players if none is given.

    Raises:
        ValueError: none is shipped for this number of players; the message names those available.
    """
    wanted = num_players or game.usual_players
    file = shipped_agent(game.name, wanted)
    if not file.is_file():
        there = [str(count) for count in game.players if shipped_agent(game.name, count).is_file()]
        raise ValueError(
            f"player {SHIPPED!r}: no agent is shipped for {wanted} players of {game.name}; available: {', '.join(there) or 'none'}"
        )
    return file
