"""A decision in words, as the seat that takes it sees it, and the answer to it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.engine.variants import without_place
from timeline_env.engine.verbs import Game
from timeline_env.play.pages import page_of
from timeline_env.play.paths import Path
from timeline_env.reading import check_integer, quote
from timeline_env.view import to_ansi

HOW_TO_ANSWER = (
    "Answer with one move and nothing else: its number, or the move as it is written before the colon; or a JSON object that "
    'holds either of them as "move", such as {"thoughts": "…", "move": 1}.'
)
MOST_ANSWERED = 60
"""The most characters of an answer that a message quotes, so that the reason after it is not cut off."""
NOT_SHOWN = ("legal", "seed", "rng", "filler")
"""Fields of a record that the position as JSON leaves out: the moves are listed, and nobody knows the generator."""


@dataclass(frozen=True)
class Question:
    """A decision that a seat is asked for; it knows no more than the seat does.

    Attributes:
        game: which game.
        rules: the game's numbers, a record array [1].
        s: the position without what the seat does not know, one record.
        seat: who decides.
        actions: int64 [k], the legal actions.
        moves: the same actions in the notation; a number in an answer counts them from 1.
        variant: the numbers that were given for a variant, see the game's `load_rules`; empty for the game as it is.
    """

    game: Game
    rules: Any
    s: Any
    seat: int
    actions: NDArray[np.int64]
    moves: tuple[str, ...]
    variant: dict[str, Any]

    @classmethod
    def of(cls, batch: Batch, s: Any, seat: int, mask: NDArray[np.int8]) -> Question:
        """The question of a position of this batch from which `hide` has wiped what the seat does not know; `mask` is int8 [A]."""
        game, rules = batch.game, batch.rules
        actions = np.flatnonzero(mask)
        moves = tuple(game.notation.action_to_text(rules, s, int(action)) for action in actions)
        return cls(game, rules, s, seat, actions, moves, without_place(batch.setting.changes))

    @property
    def position(self) -> str:
        """The position in the notation, with ``?`` for what the seat does not know."""
        return str(self.game.notation.to_text(self.rules, self.s, self.seat))

    def fields(self) -> dict[str, Any]:
        """The position's record for JSON: each field of the game's ``STATE`` with its numbers; what is hidden is wiped out."""
        found: dict[str, Any] = {}
        end = 0
        for name in self.s.dtype.names:
            kind, at = self.s.dtype.fields[name][:2]
            if at >= end and name not in NOT_SHOWN:  # a field that lies over others says nothing new
                found[name] = np.asarray(self.s[name]).tolist()
            end = max(end, at + kind.itemsize)
        return found

    def prompt(self, as_json: bool = False, error: str = "") -> str:
        """All that a player needs to be told.

        Args:
            as_json: whether the position is shown as JSON, see `fields`, in place of a drawing in letters.
            error: what was wrong with the answer before.
        """
        seats = self.game.seat_names[: int(self.rules[0].num_players)]
        page = page_of(self.game) if self.game.page else None
        asked = page.prompt(self.rules, self.s, self.seat) if page else ""
        shown = json.dumps(self.fields()) if as_json else self._drawing()
        parts = [
            f"You play {self.game.title} as {seats[self.seat]}; the seats are {', '.join(seats)}. {asked}".rstrip(),
            *(
                [
                    f"It is a variant; these numbers were given for it, all others are those of the game as it is: {json.dumps(self.variant)}"
                ]
                if self.variant
                else []
            ),
            *([shown] if shown else []),
            f"The position in the notation:\n{self.position}",
            "\n".join(["Your legal moves:", *self._numbered(page.paths(self.rules, self.s) if page else {})]),
            HOW_TO_ANSWER,
        ]
        return "\n\n".join([*parts, *([f"Your last answer was refused: {error}"] if error else [])])

    def _drawing(self) -> str:
        """The position drawn in letters; empty for a game without a view."""
        return to_ansi(self.rules[0], self.s, self.seat, colour=False).rstrip() if self.game.view else ""

    def _numbered(self, paths: dict[int, Path]) -> list[str]:
        """The moves, a line each."""
        said: dict[str, str] = {}
        lines = []
        for number, (action, move) in enumerate(zip(self.actions.tolist(), self.moves, strict=True), 1):
            words = describe(paths[action], said) if action in paths else ""
            lines.append(f"{number}. {move}" + (f": {words}" if words else ""))
        return lines

    def read(self, answer: str) -> int:
        """The action that an answer names. Raises ValueError, with a message of one line, unless it names exactly one legal move."""
        wanted = _move_in(answer)
        if isinstance(wanted, str):
            text = " ".join(wanted.split())
            wanted = int(text) if re.fullmatch("[0-9]{1,9}", text) else text
        if isinstance(wanted, int) and 1 <= wanted <= len(self.moves):
            return int(self.actions[wanted - 1])
        if wanted in self.moves:
            return int(self.actions[self.moves.index(wanted)])
        raise ValueError(
            f"{quote(wanted, MOST_ANSWERED)} is not a legal move; give a number from 1 to {len(self.moves)}, or one of the moves as listed"
        )


def ask(source: Any, number: int = 0) -> Question:
    """The decision that is pending in an environment, or in a game of a batch.

    Args:
        source: one of the package's environments, or a batch.
        number: of a batch: which game.

    Raises:
        ValueError: there is no such game, or it is over, truncated or not dealt; or no legal action of the seat that decides is known,
            as in a position of Twilight Struggle in which its own hand is not known; in Timeline only the moves of unknown cards
            are missing.
    """
    environment = getattr(source, "unwrapped", None)
    batch = source if isinstance(source, Batch) else getattr(environment, "batch", None)
    if batch is None:
        raise ValueError(f"{quote(source)} is neither an environment of this package nor a batch")
    check_integer("game", number, 0, batch.num_games - 1)
    over = getattr(
        environment, "over", None
    )  # of a vector environment: games that were truncated, or ended illegally, too
    if batch.seat[number] < 0 or (over is not None and over[number]):
        raise ValueError(f"game {number} is over: nobody is asked")
    if not getattr(environment, "is_pending", True):
        if getattr(environment, "truncated", False):
            raise ValueError(f"game {number} was truncated: nobody is asked")
        raise ValueError("nobody is asked: call reset() first")
    seat = int(batch.seat[number])
    if not batch.action_mask[number].any():
        raise ValueError(
            f"game {number}: the legal moves of {batch.game.seat_names[seat]} are not known in this position"
        )
    known = copy_for_viewer(batch.rules, batch.states[number], seat)
    return Question.of(batch, known, seat, batch.action_mask[number])


def describe(path: Path, said: dict[str, str]) -> str:
    """A path of clicks in words; `said` is the detail that was told last of each click, by its text.

    The detail of any click but the last is left out where it is that one.
    """
    words = []
    for place, target in enumerate(path, 1):
        known = place < len(path) and said.get(target.text) == target.detail
        said[target.text] = target.detail
        words.append(target.text + (f" [{target.detail}]" if target.detail and not known else ""))
    return ", ".join(words)


def _move_in(answer: Any) -> Any:
    """The move of an answer: what a JSON object holds as ``move``, or the answer itself."""
    if not isinstance(answer, str):  # a model may answer with nothing at all
        raise ValueError(f"{quote(answer, MOST_ANSWERED)} is no text")
    if not answer.strip().startswith("{"):
        return answer
    try:
        pairs = json.loads(answer, object_pairs_hook=list)
    except (ValueError, RecursionError):
        raise ValueError(f"{quote(answer, MOST_ANSWERED)} is not valid JSON") from None
    found = [value for key, value in pairs if key == "move"]
    if len(found) != 1 or type(found[0]) not in (int, str):
        raise ValueError(f'{quote(answer, MOST_ANSWERED)} must hold "move" once, a number of the list or a move')
    return found[0]
