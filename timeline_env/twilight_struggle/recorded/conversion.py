"""Recorded games as decisions of our own: seed, cards laid out, generator, action. Small, and played without the log.

A converted game is an object: ``name``; ``rules`` that it was played by; ``seed`` of the deal; ``decisions``, each ``[action, generator, [card, place, …]]``:
first the cards are put there, then the generator's state is set (null: left as it is), then the action is taken;
``turns``, the position at the headlines of each turn, as the log has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.engine import dice, positions
from timeline_env.engine.dice import Draw, generator
from timeline_env.engine.replay import deal_batch
from timeline_env.engine.setting import Setting
from timeline_env.files import write_text
from timeline_env.reading import label_errors, quote, read_json, table_of
from timeline_env.twilight_struggle import GAME, board, cards, frames, state
from timeline_env.twilight_struggle.recorded.log import read_game
from timeline_env.twilight_struggle.recorded.play import Replay
from timeline_env.twilight_struggle.recorded.table import RecordedTable, Variant, put_card
from timeline_env.twilight_struggle.text.read_position import settle_one

SEED = 0
PUBLIC = ("turn", "action_round", "vp", "defcon", "milops", "space", "influence", "lasting", "depth", "question")
"""Fields that must be equal at both tables at every decision."""

Decision = tuple[int, int | None, list[int]]


class Player:
    """Plays decisions one after another through the engine as everybody else does."""

    def __init__(self, seed: int, variant: Variant) -> None:
        self.batch = deal_batch(Setting(GAME, 2, variant), seed)
        self.s = self.batch.states[0]

    def play(self, action: int, generator_state: int | None, moved: list[int]) -> None:
        """One decision of a converted game."""
        self.arrange(generator_state, moved)
        self.batch.step([action], restart=False)

    def arrange(self, generator_state: int | None, moved: list[int]) -> None:
        """Lay out what a decision is taken with: cards, and the dice to come."""
        for card, place in zip(moved[::2], moved[1::2], strict=True):
            put_card(self.batch.states, card, place)
        if generator_state is not None:
            self.s.rng = generator_state
        settle_one(self.batch.rules, self.batch.states)
        if moved:
            positions.check(GAME, self.batch.rules.tobytes(), self.batch.states.tobytes())
        self.batch.refresh()


class Recording(RecordedTable):
    """A table that writes the decisions down, and plays each at once at a second table, in one go."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self.variant = variant
        self.player = Player(SEED, variant)
        self.batch.states[:] = self.player.batch.states
        self.decisions: list[Decision] = []
        self.turns: list[dict[str, Any]] = []
        self.awaited: tuple[Draw, ...] = ()
        self.draws: list[Draw] = []
        self.begun: tuple[int, list[int]] | None = None

    def draw_next(self, *draws: Draw) -> None:
        super().draw_next(*draws)
        self.awaited = draws

    def work(self) -> None:
        self._draw()
        super().work()

    def answer(self, action: int) -> None:
        if np.count_nonzero(self.s.legal) > 1:
            self.finish()
            self._begin(action)
        self._draw()
        super().answer(action)

    def _draw(self) -> None:
        """Note that this step draws what was given beforehand."""
        self.draws += self.awaited
        self.awaited = ()

    def finish(self) -> None:
        """Play the decision under way at the second table, now that all it draws is known."""
        if self.begun is not None:
            action, moved = self.begun
            decision = (action, generator(tuple(self.draws)) if self.draws else None, moved)
            self.decisions.append(decision)
            self.player.play(*decision)
        self.begun, self.draws = None, []

    def _begin(self, action: int) -> None:
        """Begin a decision; both tables must be alike except for hidden cards, which are moved."""
        other = self.player.s
        unlike = [name for name in PUBLIC if not np.array_equal(self.s[name], other[name])]
        if unlike:
            raise ValueError(
                f"decision {len(self.decisions) + 1}: played in one go {', '.join(unlike)} come out otherwise"
            )
        moved = np.flatnonzero(self.s.place != other.place)
        self.begun = action, [int(value) for card in moved for value in (card, self.s.place[card])]
        if self.top(frames.KIND) == frames.HEADLINE and self.s.turn > len(self.turns):
            self.turns.append(position(self.s))


def position(s: Any) -> dict[str, Any]:
    """The tracks and the map, as {country: [USSR, US]}."""
    influence = {
        name: [int(s.influence[0, country]), int(s.influence[1, country])]
        for country, name in enumerate(board.COUNTRY_NAMES)
        if s.influence[:, country].any()
    }
    tracks = {"turn": int(s.turn), "vp": int(s.vp), "defcon": int(s.defcon), "space": [int(box) for box in s.space]}
    return {**tracks, "influence": influence}


def convert_game(path: Path) -> dict[str, Any]:
    """A recorded game as decisions.

    Raises:
        ValueError: the file is not a recorded game, the engine differs from it, or its decisions cannot be played in one go.
    """
    replay = Replay(path.name, read_game(path), Recording)
    played = replay.table
    assert isinstance(played, Recording)
    with label_errors(path.name):
        report = replay.run()
        if not report.difference:
            played.finish()
    if report.difference:
        raise ValueError(f"only a game that replays can be converted: {report.difference}")
    return {
        "name": path.stem,
        "rules": played.variant,
        "seed": SEED,
        "decisions": played.decisions,
        "turns": played.turns,
    }


def save(path: Path, converted: dict[str, Any]) -> None:
    """Write a converted game as JSON, in one step."""
    write_text(path, json.dumps(converted, separators=(",", ":")) + "\n")


def load(path: Path) -> dict[str, Any]:
    """Read a converted game. Raises ValueError if the file is none."""
    label = f"{str(path)!r} is not a converted game"
    converted = table_of(read_json(path, label), label, "name", "rules", "seed", "decisions", "turns")
    with label_errors(label):
        table_of(converted["rules"], "rules")
        if not isinstance(converted["name"], str):
            raise ValueError(f"name {quote(converted['name'])} must be a text")
        for decision in check_list(converted["decisions"]):
            check_decision(decision)
    return converted


def check_decision(decision: Any) -> None:
    """Raises ValueError if this is not a decision. Compiled code does not check the cards that it moves."""
    if len(check_list(decision)) == 3:
        action, generator_state, moved = decision
        is_word = generator_state is None or (type(generator_state) is int and 0 <= generator_state < dice.WORD)
        numbers, places = check_list(moved)[::2], moved[1::2]
        if (
            type(action) is int
            and is_word
            and len(numbers) == len(places)
            and all(type(card) is int and 0 < card < cards.CARDS for card in numbers)
            and all(type(place) is int and 0 <= place < state.PLACES for place in places)
        ):
            return
    raise ValueError(f"{quote(decision)} is not a decision")


def check_list(value: Any) -> list[Any]:
    """The value itself. Raises ValueError if it is not a list."""
    if not isinstance(value, list):
        raise ValueError(f"it must be a list, not {quote(value)}")
    return value


def headlines(converted: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Play a converted game; yield the position at the headlines of each turn."""
    player, turn = Player(converted["seed"], converted["rules"]), 0
    for decision in converted["decisions"]:
        if player.s.turn > turn and player.s.question[player.s.depth - 1, frames.KIND] == frames.HEADLINE:
            turn += 1
            yield position(player.s)
        player.play(*decision)
