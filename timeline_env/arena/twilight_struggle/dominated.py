"""Decisions that another legal one dominates: counted exactly, for people and for players.

What is counted is in `CRITERIA`; `docs/people.md` gives the rules behind each. A fate is exact: the actions up to the end
of the game are tried in the engine with every face of the dice. It is left open wherever the other side decides, a card
is drawn, a hand that the seat does not know matters, or the round passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.deals import SEEDS
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.evaluation import MOST_GAMES
from timeline_env.arena.games import finish_games
from timeline_env.arena.twilight_struggle.people import PeopleGame
from timeline_env.arena.twilight_struggle.ratio import ratio
from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.loops import hide_games
from timeline_env.engine.questions import asked_seats, top_of_all
from timeline_env.engine.setting import Setting
from timeline_env.players.asking import answers, name_of
from timeline_env.players.interface import Decisions, Player
from timeline_env.players.registry import Entrant, player_from
from timeline_env.players.twilight_struggle.cautious import drop_reckless
from timeline_env.players.twilight_struggle.fates import BY_DEFCON, LOSS, OPEN, WIN, find_fates
from timeline_env.reading import check_integer
from timeline_env.twilight_struggle import GAME, actions, cards, frames, numbers, state
from timeline_env.twilight_struggle.recorded.table import ops_worth

LOSES, MISSES, RISKS, TRAP, SPACE, LOST = range(6)
CRITERIA = (
    "loses at once, where it need not",
    "leaves a win at once",
    "risks the game, where it need not",
    "own or neutral card to a trap",
    "own or neutral card to space",
    "games lost by such a risk",
)
"""What is counted. The last is of games, the others of decisions."""
GAMES_AT_ONCE = 256


@dataclass(frozen=True)
class Counts:
    """What one player, or people, did.

    Attributes:
        name: whose decisions.
        games: how many games were looked at.
        chances: int64 [6], how often each of `CRITERIA` could be met.
        done: int64 [6], how often it was.
        shares: done of chances, with intervals over games; None without a chance.
    """

    name: str
    games: int
    chances: NDArray[np.int64]
    done: NDArray[np.int64]
    shares: list[Estimate | None]

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON."""
        rows = zip(CRITERIA, self.chances.tolist(), self.done.tolist(), self.shares, strict=True)
        told = {name: {"chances": n, "done": k, "share": share and vars(share)} for name, n, k, share in rows}
        return {"name": self.name, "games": self.games, "criteria": told}


def people_counts(games: Sequence[PeopleGame], progress: Callable[[int], None] = lambda games: None) -> Counts:
    """What people did in recorded games, both sides together."""
    tally = Tally(len(games))
    judges: dict[str, Judge] = {}
    for number, game in enumerate(games):
        if (rules := str(game.rules)) not in judges:
            judges[rules] = Judge(Setting(GAME, 2, game.rules))
        found = judges[rules].judge(game.states, game.actions, game.told)
        tally.note(np.full(len(game.actions), number), game.states, *found)
        tally.close(np.array([number]), game.last, np.ones((1, 2), np.bool_))
        progress(1)
    return tally.counts("people")


def player_counts(
    player: Entrant,
    against: Entrant | None = None,
    games: int = 200,
    seed: int = 0,
    progress: Callable[[int], None] = lambda finished: None,
) -> Counts:
    """What a player does in games against itself, or against another from both sides; each game from a deal of its own.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
        PlayerFailed: a player failed, or answered wrongly.
    """
    games, seed = check_integer("games", games, 2, MOST_GAMES), check_integer("seed", seed, 0, SEEDS - 1)
    seeds, setting, judge, tally = game_seeds(seed, games), Setting(GAME), Judge(Setting(GAME)), Tally(games)
    watched = Watched(player_from(player, setting, seed), judge, tally)
    players: list[Player] = [watched, watched if against is None else player_from(against, setting, seed + 1)]
    for at in range(0, games, GAMES_AT_ONCE):
        deals = seeds[at : at + GAMES_AT_ONCE]
        batch = Batch(setting, len(deals))
        batch.deal(deals)
        seating = (np.arange(len(deals))[:, None] + np.arange(2)) % 2
        watched.first = at
        finish_games(batch, players, seating, progress)
        own = np.ones_like(seating, np.bool_) if against is None else seating == 0
        tally.close(at + np.arange(len(deals)), batch.states, own)
    return tally.counts(name_of(player))


@dataclass
class Watched:
    """A player each of whose decisions is judged."""

    player: Player
    judge: Judge
    tally: Tally
    first: int = 0
    """The number of the batch's first game."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """What the player chooses."""
        games, seat = decisions.games.copy(), decisions.seat.copy()  # the player may write into its own
        chosen = answers(self.player, decisions)
        states = record.take(decisions.batch.states, games)
        held = states.place == state.HANDS + seat[:, None]
        self.tally.note(self.first + games, states, *self.judge.judge(states, chosen, held))
        return chosen


@dataclass
class Tally:
    """What was counted in `games` games: chances and done, int64 [games, 6], and the last risk that each seat took."""

    games: int
    chances: NDArray[np.int64] = field(init=False)
    done: NDArray[np.int64] = field(init=False)
    risked: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.chances, self.done = (np.zeros((self.games, len(CRITERIA)), np.int64) for _ in range(2))
        self.risked = np.full((self.games, 2, 2), -1)  # game, seat: turn, action round

    def note(self, games: NDArray[np.int64], states: Any, chances: NDArray[np.bool_], done: NDArray[np.bool_]) -> None:
        """Count decisions, given in their order; `chances` and `done` are bool [k, 5]."""
        np.add.at(self.chances[:, :LOST], games, chances)
        np.add.at(self.done[:, :LOST], games, done)
        rows = np.flatnonzero(done[:, RISKS])
        seats = asked_seats(states)[rows]
        self.risked[games[rows], seats] = np.stack([states.turn, states.action_round], axis=1)[rows]

    def close(self, games: NDArray[np.int64], last: Any, own: NDArray[np.bool_]) -> None:
        """Count games that have come to their last position; `own` is bool [k, 2], the seats that count."""
        moment = np.stack([last.turn, last.action_round], axis=1)
        in_that_round = (self.risked[games] == moment[:, None]).all(axis=2)
        is_loser = (last.winner[:, None] == np.array([1, 0])) & np.isin(last.ending, BY_DEFCON)[:, None]
        self.chances[games, LOST] = own.any(axis=1)
        self.done[games, LOST] = (in_that_round & is_loser & own).any(axis=1)

    def counts(self, name: str) -> Counts:
        """The sums over all games, and their shares."""
        numbers = np.arange(self.games)
        shares = [
            ratio(self.games, numbers, self.done[:, which], self.chances[:, which])
            if self.chances[:, which].any()
            else None
            for which in range(len(CRITERIA))
        ]
        return Counts(name, self.games, self.chances.sum(axis=0), self.done.sum(axis=0), shares)


class Judge:
    """Says of decisions which of the criteria they could meet, and which they do meet; for games of one setting."""

    def __init__(self, setting: Setting) -> None:
        self.rules = setting.rules

    def judge(
        self, states: Any, chosen: NDArray[np.int64], told: NDArray[np.bool_]
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The chances and what was done of them, bool [k, 5] each.

        Args:
            states: positions, records [k], each with a decision pending.
            chosen: int64 [k], what was chosen.
            told: bool [k, 111], cards that are in the deciding hand for certain; others there count as not in it.
        """
        k, rows = len(states), np.arange(len(states))
        kind, seat = top_of_all(states, frames.KIND), asked_seats(states)
        mask = states.legal.copy()
        held = states.place == state.HANDS + seat[:, None]
        held[:, cards.CHINA] = False
        untold = held & ~told
        mask[:, actions.CARD : actions.CARD + cards.CARDS - 1] &= ~untold[:, 1:]
        mask[rows, chosen] = 1
        chances, done = (np.zeros((k, LOST), np.bool_) for _ in range(2))

        fates = find_fates(self.rules, states, mask)
        for which, fate in ((LOSES, LOSS), (MISSES, WIN)):
            other = fates >= OPEN if which == LOSES else fates != WIN
            chances[:, which] = ((fates == fate) & (mask == 1)).any(axis=1) & (other & (mask == 1)).any(axis=1)
            done[:, which] = chances[:, which] & ((fates[rows, chosen] == fate) == (which == LOSES))

        safe = mask.copy()
        known = record.take(states, rows)
        known.place[untold] = state.DRAW_PILE  # some events reveal or discard from the hand
        hide_games(self.rules, known, seat)
        drop_reckless(known, seat, safe)
        risky = (mask == 1) & (safe == 0)
        is_way_out = (safe == 1) & (fates >= OPEN)  # what adds no risk may be lost already, by an event to come
        chances[:, RISKS] = risky.any(axis=1) & is_way_out.any(axis=1) & (kind != frames.HEADLINE)
        done[:, RISKS] = chances[:, RISKS] & risky[rows, chosen]

        is_card = (chosen >= actions.CARD) & (chosen < actions.CARD + cards.CARDS - 1)  # not the way out of 40
        for row in np.flatnonzero((kind == frames.TRAP) & is_card):
            chances[row, TRAP] = True
            done[row, TRAP] = wastes_on_trap(int(seat[row]), int(chosen[row]), mask[row])
        for row in np.flatnonzero((kind == frames.USE) & (chosen == actions.USE + actions.SPACE)):
            position = states[row : row + 1]
            card = int(top_of_all(position, frames.VALUE)[0])
            if is_from_hand(states[row], int(seat[row]), card):
                chances[row, SPACE] = True
                done[row, SPACE] = wastes_on_space(position, int(seat[row]), card, told[row])
        return chances, done


def wastes_on_trap(seat: int, chosen: int, mask: NDArray[np.int8]) -> bool:
    """True if a card whose event is not the other side's goes to 42 or 44 while one of the other side's, of no more Ops, would do."""
    card = chosen - actions.CARD + 1
    if cards.SIDE[card] == 1 - seat:
        return False
    others = np.flatnonzero(mask[actions.CARD : actions.CARD + cards.CARDS - 1]) + 1
    return any(cards.SIDE[other] == 1 - seat and cards.OPS[other] <= cards.OPS[card] for other in others)


def is_from_hand(s: Any, seat: int, card: int) -> bool:
    """True if the card being used was chosen from the seat's own hand in its round, and not by an event such as 49 or 67."""
    return s.depth == 1 and (card == cards.CHINA or s.place[card] == state.HANDS + seat)


def wastes_on_space(position: Any, seat: int, card: int, told: NDArray[np.bool_]) -> bool:
    """True if a card whose event is not the other side's goes to space while one of the other side's in the hand, of no more Ops, would do."""
    s = position[0]
    if cards.SIDE[card] == 1 - seat:
        return False
    needed = numbers.SPACE_OPS[s.space[seat] + 1]
    return any(
        s.place[other] == state.HANDS + seat
        and cards.KIND[other] != cards.SCORING
        and cards.SIDE[other] == 1 - seat
        and cards.OPS[other] <= cards.OPS[card]
        and ops_worth(position, seat, int(cards.OPS[other])) >= needed
        for other in np.flatnonzero(told)
    )
