"""How often players choose what people chose, by kind of decision.

Each decision of a person is put to a player at the same position, of which it is given what `hide` leaves. The influence
of one operation, the countries of one event and its discards have no order: there the player is asked on from where the person began,
along its own course, and the two are compared as multisets. All intervals are 95 %, with a game as one sample.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.deals import SEEDS
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.twilight_struggle.people import PeopleGame
from timeline_env.arena.twilight_struggle.ratio import ratio
from timeline_env.engine.batch import Batch
from timeline_env.engine.questions import top_of_all
from timeline_env.engine.setting import Setting
from timeline_env.players.asking import answers, name_of
from timeline_env.players.interface import Decisions, Player
from timeline_env.players.random import Random
from timeline_env.players.registry import Entrant, player_from
from timeline_env.reading import check_integer
from timeline_env.twilight_struggle import GAME, cards, frames, state

KINDS = {
    "set-up": (),
    "headline": (frames.HEADLINE,),
    "card to play": (frames.PLAY,),
    "event, operations or space": (frames.USE,),
    "kind of operation": (frames.OPERATION,),
    "influence": (frames.PLACE,),
    "target of a coup": (frames.COUP,),
    "target of a realignment": (frames.REALIGN,),
    "countries of an event": (frames.ADD, frames.TAKE, frames.TAKE_ALL, frames.WAR, frames.MATCH, frames.DOUBLE),
    "other choices of an event": (frames.YES_NO, frames.PICK, frames.LEVEL),
    "discard to a trap": (frames.TRAP,),
    "other": (frames.ESCAPE, frames.LEAVE_HAND),
}
"""Kinds of decisions by name, with the questions they answer. A question about countries without a card is the set-up."""
UNORDERED = (frames.PLACE, frames.ADD, frames.TAKE, frames.TAKE_ALL, frames.MATCH, frames.DOUBLE)
"""Questions whose countries have no order."""
UNORDERED_PICKS = (cards.ASK_NOT, cards.OUR_MAN_IN_TEHRAN)
"""Cards that let any number of cards be discarded, in no order."""
SAME = (frames.KIND, frames.SEAT, frames.VALUE)
"""The parts of a question that do not change while one without order goes on."""
CHANCE = "chance"
"""The name of what a uniformly random player is expected to reach."""
RANDOM_COURSES = 10
"""Random courses over which chance's agreement on unordered countries is averaged."""
AT_ONCE = 256
"""Decisions that a player is asked for together."""


@dataclass(frozen=True)
class Asked:
    """`m` plays of people: single decisions, and the unordered countries or discards of one operation or event as one.

    Attributes:
        game: int64 [m], the game's number.
        kind: int64 [m], index into `KINDS`.
        decisions: int64 [m], how many decisions the play is.
    """

    game: NDArray[np.int64]
    kind: NDArray[np.int64]
    decisions: NDArray[np.int64]


@dataclass(frozen=True)
class Agreement:
    """How often a player chose what people chose.

    Attributes:
        player: its name, or `CHANCE`.
        by_kind: a share of the decisions for each of `KINDS` that people met.
        overall: the share of all decisions.
        by_play: the mean over plays, so that the influence of one operation counts once.
    """

    player: str
    by_kind: dict[str, Estimate]
    overall: Estimate
    by_play: Estimate


def agreement(
    games: Sequence[PeopleGame],
    players: Sequence[Entrant],
    seed: int = 0,
    progress: Callable[[int], None] = lambda asked: None,
) -> tuple[dict[str, int], list[Agreement]]:
    """How many decisions of each kind there are, and the agreement of chance and of each player.

    Args:
        games: what people played.
        players: names as `load_player` takes them, players, or functions.
        seed: for what players draw, 0 to 2**32 - 1.
        progress: called with the number of decisions that a player was asked for since the last call.

    Raises:
        ValueError: no game, a player that cannot be loaded, or a seed that is not allowed.
        PlayerFailed: a player failed, or answered wrongly.
    """
    seed = check_integer("seed", seed, 0, SEEDS - 1)
    if not games:
        raise ValueError("games [] must be at least one")
    found = [split(game, number) for number, game in enumerate(games)]
    plays = Asked(*(np.concatenate([getattr(each, name) for each, _ in found]) for name in Asked.__annotations__))
    names = list(KINDS)
    counts = {
        name: int(plays.decisions[plays.kind == number].sum())
        for number, name in enumerate(names)
        if (plays.kind == number).any()
    }
    results = [
        summarize(
            CHANCE,
            plays,
            np.concatenate([expect_of_chance(game, starts) for game, (_, starts) in zip(games, found, strict=True)]),
        )
    ]
    for number, who in enumerate(players):
        loaded: dict[str, Player] = {}
        agreed = []
        for game, (_, starts) in zip(games, found, strict=True):
            setting = asking_setting(game)
            if (rules := str(setting.changes)) not in loaded:
                loaded[rules] = player_from(who, setting, seed + number)
            agreed.append(count_agreed(game, starts, loaded[rules], progress))
        results.append(summarize(name_of(who), plays, np.concatenate(agreed)))
    return counts, results


def asking_setting(game: PeopleGame) -> Setting:
    """The setting that players are told: without the handicap, which is in the position once it is placed. Agents refuse other rules."""
    deck = game.rules.get("deck", {})
    return Setting(GAME, 2, None if deck.get("optional_cards", True) else {"deck": deck})


def split(game: PeopleGame, number: int) -> tuple[Asked, NDArray[np.int64]]:
    """The plays of a game, and where in its decisions each begins, int64 [m]."""
    n = len(game.states)
    begins = np.ones(n, np.bool_)
    begins[1:] = ~goes_on(game.states[:-1], game.states[1:])
    starts = np.flatnonzero(begins)
    lengths = np.diff(np.append(starts, n))
    return Asked(np.full(len(starts), number), kinds_of(game.states[starts]), lengths), starts


def kinds_of(states: Any) -> NDArray[np.int64]:
    """The kind of each decision, int64 [n]; an index into `KINDS`."""
    table = np.zeros(max(frames.QUESTIONS) + 1, np.int64)
    for number, questions in enumerate(KINDS.values()):
        table[list(questions)] = number
    found = table[top_of_all(states, frames.KIND)]
    found[(top_of_all(states, frames.KIND) == frames.ADD) & (top_of_all(states, frames.VALUE) == cards.NO_CARD)] = 0
    return found


def is_unordered(states: Any) -> NDArray[np.bool_]:
    """True where what is asked for has no order: the countries of an operation or an event, the discards to 77 or 108; bool [n]."""
    kind = top_of_all(states, frames.KIND)
    picks = (kind == frames.PICK) & np.isin(top_of_all(states, frames.VALUE), UNORDERED_PICKS)
    return np.isin(kind, UNORDERED) | picks


def goes_on(before: Any, after: Any) -> NDArray[np.bool_]:
    """True where the next decision is about one more country or discard of the same operation or event; bool [n]."""
    same = (before.depth == after.depth) & (after.over == 0) & is_unordered(after)
    for part in SAME:
        same &= top_of_all(before, part) == top_of_all(after, part)
    return same & (measure_progress(after) > measure_progress(before))


def measure_progress(states: Any) -> NDArray[np.int64]:
    """How far a question without order is: Ops used, choices made, or the cards that lie discarded; int64 [n]."""
    kind = top_of_all(states, frames.KIND)
    discarded = (states.place == state.DISCARDS).sum(axis=1)
    countries = np.where(kind == frames.PLACE, top_of_all(states, frames.SPENT), states.tally)
    return np.where(kind == frames.PICK, discarded, countries)


def count_agreed(
    game: PeopleGame,
    starts: NDArray[np.int64],
    player: Player,
    progress: Callable[[int], None] = lambda asked: None,
) -> NDArray[np.float64]:
    """How many decisions of each play the player would have taken as the person did; float64 [m]."""
    ends = np.append(starts[1:], len(game.actions))
    agreed = np.zeros(len(starts))
    for at in range(0, len(starts), AT_ONCE):
        rows = slice(at, at + AT_ONCE)
        for place, chosen in enumerate(courses(game, starts[rows], player), at):
            agreed[place] = count_alike(game.actions[starts[place] : ends[place]].tolist(), chosen)
        progress(int((ends[rows] - starts[rows]).sum()))
    return agreed


def courses(game: PeopleGame, starts: NDArray[np.int64], player: Player) -> list[list[int]]:
    """What the player chooses from each of these decisions on, to the end of an unordered question.

    The batch that it is given holds nothing but what the seats to act know.
    """
    if not len(starts):
        return []
    real, shown = Batch(Setting(GAME, 2, game.rules), len(starts)), Batch(asking_setting(game), len(starts))
    real.states[:] = game.states[starts]
    real.refresh()
    chosen: list[list[int]] = [[] for _ in starts]
    active = np.arange(len(starts))
    while len(active):
        shown.states[active] = Decisions.of(real, active).states()
        shown.refresh(active)
        actions = answers(player, Decisions.of(shown, active))
        for row, action in zip(active, actions, strict=True):
            chosen[row].append(int(action))
        is_open = is_unordered(real.states[active])
        active, actions = active[is_open], actions[is_open]
        before = real.states[active].copy()
        real.step(actions, active, restart=False)
        active = active[goes_on(before, real.states[active])]
    return chosen


def expect_of_chance(game: PeopleGame, starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """What `count_agreed` would give for a uniformly random player: exact for single decisions, else the mean of some courses; float64 [m]."""
    states = game.states[starts]
    chance = 1 / states.legal.sum(axis=1)
    rows = np.flatnonzero(is_unordered(states))
    ends = np.append(starts[1:], len(game.actions))
    for row in rows:
        chance[row] = 0
    for seed in range(RANDOM_COURSES):
        for row, chosen in zip(rows, courses(game, starts[rows], Random(seed)), strict=True):
            chance[row] += count_alike(game.actions[starts[row] : ends[row]].tolist(), chosen) / RANDOM_COURSES
    return chance


def count_alike(wanted: list[int], chosen: list[int]) -> float:
    """How many decisions of a person agree with a player's in any order; in proportion less where the player takes more."""
    same = (Counter(wanted) & Counter(chosen)).total()
    return same * len(wanted) / max(len(wanted), len(chosen))


def summarize(name: str, plays: Asked, agreed: NDArray[np.float64]) -> Agreement:
    """The shares, from how many decisions of each play agree (float64 [m])."""
    games = int(plays.game.max()) + 1
    ones = np.ones(len(agreed))
    by_kind = {
        kind: ratio(games, plays.game[rows], agreed[rows], plays.decisions[rows])
        for number, kind in enumerate(KINDS)
        if (rows := plays.kind == number).any()
    }
    return Agreement(
        name,
        by_kind,
        ratio(games, plays.game, agreed, plays.decisions),
        ratio(games, plays.game, agreed / plays.decisions, ones),
    )
