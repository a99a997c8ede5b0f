"""The agents that come with the package: strong ones, one for each number of players, and smaller ones for the benchmark's populations."""

from __future__ import annotations

from pathlib import Path

from timeline_env.engine.setting import Setting
from timeline_env.reading import label_errors, quote

SHIPPED = "shipped"
"""The name by which the strong ones are asked for."""
NAMES = (SHIPPED, "shipped_medium", "shipped_small", "held_out")
"""All of them: the strong one; two of the same kind, smaller and made in less time; and one with other settings and another seed,
which only a benchmark's final table meets."""
DATA = Path(__file__).resolve().parents[2] / "data"
RECORD = "shipped.json"
"""A file next to the agents: for each the settings, the commit, the time and the machine that made it, see `record_key`."""


def shipped_agent(game: str, num_players: int, name: str = SHIPPED) -> Path:
    """Where the agent of a game for a number of players is, or would be; `name` is one of `NAMES`."""
    return DATA / game / f"{name}_{num_players}.npz"


def record_key(num_players: int, name: str = SHIPPED) -> str:
    """The key of an agent in `RECORD`: ``2`` for the strong one for two players, ``small_2`` for the small one, ``held_out_2``."""
    return f"{name}_{num_players}".removeprefix(f"{SHIPPED}_")


def agent_path(name: str, setting: Setting) -> Path | None:
    """Where a trained agent is: one that comes with the package if the name is one of `NAMES`, else at this path.

    None if nothing is there, or if the name is a baseline's: what lies at such a path is never meant.

    Raises:
        ValueError: none is shipped for this number of players (the message names those available), or no file can have this name.
    """
    game, path = setting.game, Path(name)
    if name in NAMES:
        path = shipped_agent(game.name, setting.num_players, name)
        there = [str(count) for count in game.players if shipped_agent(game.name, count, name).is_file()]
        if not path.is_file():
            raise ValueError(
                f"player {name!r}: no agent is shipped for {setting.num_players} players of {game.name}; "
                f"available: {', '.join(there) or 'none'}"
            )
    with label_errors(f"player {quote(name)}"):
        return path if name and name not in game.baselines and path.exists() else None
