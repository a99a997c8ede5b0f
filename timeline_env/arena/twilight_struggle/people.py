"""Games that people played, decision by decision: read from their logs, as far as each goes.

A log shows a card when it is used, so a hand is known by what comes out of it later. `PeopleGame.told` says which cards
of the hand those are; the others are filled in, see `timeline_env.twilight_struggle.recorded.hands`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import record
from timeline_env.engine.questions import asked_seats, top_of_all
from timeline_env.reading import label_errors, quote
from timeline_env.twilight_struggle import GAME, actions, cards, frames, state
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.recorded import conversion
from timeline_env.twilight_struggle.recorded.conversion import Recording
from timeline_env.twilight_struggle.recorded.log import read_game
from timeline_env.twilight_struggle.recorded.play import Replay, describe_phase
from timeline_env.twilight_struggle.recorded.table import Variant

SUFFIXES = (".txt", ".json")
"""The suffixes of the files that are read in a folder: logs, and converted games."""
OPEN_PLACES = (state.DISCARDS, state.REMOVED, state.TABLE, state.IN_FRONT, state.HEADLINES, state.HEADLINES + 1)
"""Where a card lies that has come out of a hand."""


@dataclass(frozen=True, eq=False)
class PeopleGame:
    """A game that people played, of `n` decisions.

    Attributes:
        name: its file's, without the suffix.
        rules: the variant that it was played by.
        states: the positions, records [n], each before its decision. Hidden cards and the generator are the log's: a
            player must be given what `hide` leaves.
        actions: int64 [n], what was chosen.
        last: the position after the last decision, a record array [1].
        told: bool [n, 111], the cards of the deciding hand that the log shows to be there, see `told_cards`.
    """

    name: str
    rules: Variant
    states: Any
    actions: NDArray[np.int64]
    last: Any
    told: NDArray[np.bool_]


class Kept(Replay):
    """A replay that counts the decisions taken before the phase under way."""

    before = 0

    def play_phase(self) -> None:
        """Play the phase as `Replay` does, after counting the decisions before it."""
        assert isinstance(self.table, Recording)
        self.before = len(self.table.decisions) + (self.table.begun is not None)
        super().play_phase()


def read_games(paths: Sequence[str | Path], tell: Callable[[str], None] = lambda line: None) -> list[PeopleGame]:
    """The games of these files, and of the files ``*.txt`` and ``*.json`` of these folders.

    A file is a log or, with the suffix ``.json``, a converted game. A game that breaks off is used up to there, one
    that the engine differs from up to the phase before the difference. A file that cannot be read is left out, and so is a
    log whose decisions are all in another log of the same game.

    Args:
        paths: files and folders.
        tell: called with a line for each file that is left out or cut short.

    Raises:
        ValueError: a path does not exist, or no game is left.
    """
    games: dict[Path, PeopleGame] = {}
    for path in _files(paths):
        try:
            game = read_people_game(path, tell)
            if not len(game.actions):
                raise ValueError("it has no decision")
        except ValueError as error:
            tell(f"{path.name}: left out: {error}")
        else:
            games[path] = game
    kept = [game for path, game in games.items() if not _is_told_elsewhere(path, games, tell)]
    if not kept:
        raise ValueError(f"no recorded game can be read in {', '.join(quote(str(path)) for path in paths)}")
    return kept


def _is_told_elsewhere(path: Path, games: Mapping[Path, PeopleGame], tell: Callable[[str], None]) -> bool:
    """True if another game goes as far and begins with the same decisions: two logs of one game may break off at different points."""
    actions, before = games[path].actions, True
    for other, game in games.items():
        before &= other != path
        goes_further = len(game.actions) > len(actions) or (len(game.actions) == len(actions) and before)
        if goes_further and np.array_equal(game.actions[: len(actions)], actions):
            tell(f"{path.name}: left out: all its decisions are in {quote(str(other))}")
            return True
    return False


def _files(paths: Iterable[str | Path]) -> list[Path]:
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found += sorted(each for each in path.iterdir() if each.suffix in SUFFIXES)
        elif path.is_file():
            found.append(path)
        else:
            raise ValueError(f"there is no file and no folder {quote(str(path))}")
    return found


def read_people_game(path: Path, tell: Callable[[str], None] = lambda line: None) -> PeopleGame:
    """One game, see `read_games`. Raises ValueError if the file holds none."""
    if path.suffix == ".json":
        converted = conversion.load(path)
        rules, seed, decisions = converted["rules"], converted["seed"], converted["decisions"]
    else:
        seed, (rules, decisions) = conversion.SEED, _convert(path, tell)
    with label_errors(f"{quote(str(path))} cannot be played"):
        return play_through(path.stem, rules, seed, decisions)


def _convert(path: Path, tell: Callable[[str], None]) -> tuple[Variant, list[conversion.Decision]]:
    """The variant of a log, and its decisions as far as the engine agrees and can play them in one go."""
    replay = Kept(path.name, read_game(path), Recording)
    played = replay.table
    assert isinstance(played, Recording)
    try:
        report = replay.run()
        played.finish()
        reached, wrong = report.reached, report.difference
    except ValueError as error:
        reached, wrong = describe_phase(replay.page, played.s), str(error)
    if wrong:
        tell(f"{path.name}: used up to {reached}: {wrong}")
    return played.variant, played.decisions[: replay.before] if wrong else played.decisions


def play_through(name: str, rules: Variant, seed: int, decisions: Sequence[conversion.Decision]) -> PeopleGame:
    """Play the decisions of a converted game, and keep every position. Raises ValueError if they cannot be played."""
    player = conversion.Player(seed, rules)
    states = record.new(GAME.state, len(decisions))
    for number, (action, generator_state, moved) in enumerate(decisions):
        player.arrange(generator_state, moved)
        states[number] = player.s
        player.batch.step([action], restart=False)
    chosen = np.array([action for action, _, _ in decisions], np.int64)
    last = player.batch.states.copy()
    return PeopleGame(name, rules, states, chosen, last, told_cards(states, chosen, last))


def told_cards(states: Any, chosen: NDArray[np.int64], last: Any) -> NDArray[np.bool_]:
    """Which cards of the deciding hands are chosen there or come out of them by the next turn's first position; bool [n, 111].

    Not told are cards that may not have been there yet: what 108 looks at, and what the US shows after 77 has drawn cards for it.

    Args:
        states: the positions, records [n], each before its decision.
        chosen: int64 [n], the actions.
        last: the position after the last decision, a record array [1].
    """
    seats, is_drawn = asked_seats(states), draws_cards(states, chosen, last)
    places = np.concatenate([states.place, last.place])
    turns = np.concatenate([states.turn, last.turn])
    comes_out, held = np.isin(places, OPEN_PLACES), states.place == state.HANDS + seats[:, None]
    is_chosen = held & (np.arange(cards.CARDS) == chosen[:, None] - actions.CARD + 1)
    told, ahead = np.zeros_like(comes_out[:-1]), np.zeros((2, cards.CARDS), np.bool_)
    for at in range(len(states) - 1, -1, -1):
        if turns[at] != turns[at + 1]:
            ahead[:] = False
        ahead |= comes_out[at + 1]
        ahead &= places[at + 1] != state.LOOKED_AT
        if is_drawn[at]:
            ahead[US] = False
        ahead[seats[at]] |= is_chosen[at]
        told[at] = ahead[seats[at]]
    return told & held


def draws_cards(states: Any, chosen: NDArray[np.int64], last: Any) -> NDArray[np.bool_]:
    """Where a decision is the last about 77's discards, for which the US then draws; bool [n]."""
    kind, card = (
        np.concatenate([top_of_all(each, part) for each in (states, last)]) for part in (frames.KIND, frames.VALUE)
    )
    is_pick = (kind == frames.PICK) & (card == cards.ASK_NOT)
    has_discarded = (top_of_all(states, frames.LEFT) > 0) | (chosen != actions.STOP)
    return is_pick[:-1] & ~is_pick[1:] & has_discarded
