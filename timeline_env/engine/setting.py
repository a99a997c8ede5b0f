"""What is played: a game, how many seats it has, and the numbers it is played by."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from timeline_env.engine.variants import changes
from timeline_env.engine.verbs import Game, check_game
from timeline_env.reading import label_errors, quote


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Setting:
    """A game as it is to be played, checked when it is made.

    Args:
        game: which game.
        num_players: how many seats; None for the usual number.
        rules: a variant: a TOML file or a dict, see the game's `load_rules`; None for the game as it is.

    Raises:
        ValueError: it is no game, or there is no such variant for this number of players.
    """

    game: Game
    num_players: int
    changes: dict[str, Any]
    """What differs from the game as it is; empty if nothing does."""
    rules: Any
    """The game's numbers, a record array [1], shared by everything that plays in this setting; nothing may write to them."""

    def __init__(self, game: Game, num_players: int | None = None, rules: Any = None) -> None:
        check_game(game)
        seats = game.usual_players if num_players is None else num_players
        record = game.load_rules(seats, rules)
        vars(self).update(game=game, num_players=int(seats), changes=changes(rules), rules=record)

    @property
    def rules_digest(self) -> str:
        """SHA-256 of the numbers, hexadecimal: results of settings that differ in it cannot be put together."""
        return hashlib.sha256(self.rules.tobytes()).hexdigest()

    def __repr__(self) -> str:
        return f"Setting({self.game.name!r}, num_players={self.num_players}, changes={quote(self.changes)})"

    def check(self, what: str, made: Any, common: bool = False) -> None:
        """Raises ValueError, which begins with `what`, if something was made for games other than these.

        `made` says for which, as an agent's `About` does: ``game``, ``rules_version``, ``num_players``, ``rules``. With
        `common` the number of players and the rules may differ: what was made takes the common form.
        """
        wanted: dict[str, Any] = {"game": self.game.name, "rules_version": self.game.rules_version}
        wanted |= {} if common else {"num_players": self.num_players}
        for key, value in wanted.items():
            if getattr(made, key) != value:
                raise ValueError(f"{what} is for {key} {quote(getattr(made, key))}, not {value!r}")
        if common:
            return
        with label_errors(f"{what}: the rules that it is for cannot be read"):
            rules = self.game.load_rules(self.num_players, made.rules)
        if rules.tobytes() != self.rules.tobytes():
            its, ours = (
                f"the changes {quote(found)}" if found else "the game as it is" for found in (made.rules, self.changes)
            )
            raise ValueError(f"{what} is for {its}, not {ours}")
