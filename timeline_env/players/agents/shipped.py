"""The strong agents that come with the package: one for each number of players, and a record of how each was made."""

from __future__ import annotations

from pathlib import Path

from timeline_env.engine.setting import Setting
from timeline_env.reading import label_errors, quote

SHIPPED = "shipped"
"""The name that they are asked for by."""
DATA = Path(__file__).resolve().parents[2] / "data"
RECORD = "shipped.json"
"""A file next to the agents: for each number of players the settings, the commit, the time and the machine that made the agent."""


def shipped_agent(game: str, num_players: int) -> Path:
    """Where the agent of a game for a number of players is, or would be."""
    return DATA / game / f"{SHIPPED}_{num_players}.npz"


def agent_path(name: str, setting: Setting) -> Path | None:
    """Where a trained agent is: the shipped one if the name is `SHIPPED`, else at this path; None if nothing is there.

    Raises:
        ValueError: none is shipped for this number of players, the message names those available; or no file is named so.
    """
    game, path = setting.game, Path(name)
    if name == SHIPPED:
        path = shipped_agent(game.name, setting.num_players)
        there = [str(count) for count in game.players if shipped_agent(game.name, count).is_file()]
        if not path.is_file():
            raise ValueError(
                f"player {SHIPPED!r}: no agent is shipped for {setting.num_players} players of {game.name}; "
                f"available: {', '.join(there) or 'none'}"
            )
    with label_errors(f"player {quote(name)}"):
        return path if name and path.exists() else None
