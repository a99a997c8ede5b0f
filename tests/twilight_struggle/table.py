"""A position of Twilight Struggle that a test lays out and plays on, in the game's own words.

t = Table(influence={"Iran": (0, 2)}, ussr=[11], phasing="ussr")
t.play("card 34", "operations", "coup", "Iran", dice=[4])
assert t.influence("Iran") == (2, 0)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

import numpy as np

from timeline_env.engine.batch import Batch
from timeline_env.engine.jit import entry
from timeline_env.engine.setting import Setting
from timeline_env.twilight_struggle import GAME, actions, frames
from timeline_env.twilight_struggle.board import COUNTRY_NAMES, ID, SEAT_NAMES
from timeline_env.twilight_struggle.cards import CARDS, CHINA, KIND, OPS, PERIOD, SCORING, SIDE, UN_INTERVENTION
from timeline_env.twilight_struggle.hands import put
from timeline_env.twilight_struggle.state import (
    BEGIN_ROUND,
    BEGIN_TURN,
    BOX,
    CHOOSE_HEADLINES,
    DISCARDS,
    DRAW_PILE,
    END_TURN,
    ENDING_NAMES,
    HANDS,
    NEXT_TURN,
    REMOVED,
)
from timeline_env.twilight_struggle.text.read_position import settle_one

USES = ("event", "operations", "space")
OPERATIONS = ("influence", "coup", "realign")
STAGES = {"round": BEGIN_ROUND, "headline": CHOOSE_HEADLINES, "turn": BEGIN_TURN, "end": END_TURN, "next": NEXT_TURN}


@entry
def put_cards(S, cards, place):
    for k in range(cards.shape[0]):
        put(S[0], cards[k], place)


class Table:
    """A position at the beginning of an action round (or another `stage`), the map empty but for `influence`.

    Args:
        influence: country: (USSR, US).
        ussr, us: cards in hand by number. Fillers that change nothing are added so that choices are asked: cards of the
            holder's own side or neutral; ``fillers=0`` leaves them out.
        phasing: whose round it is.
        lasting: card: value of the field.
        discards, removed: cards by number; all other cards up to the period of `turn` are in the draw pile.
        fields: any other field of the record: ``defcon=3, vp=-4, milops=(2, 0), space=(1, 0), turn=5, action_round=2``.
    """

    def __init__(
        self,
        influence: Mapping[str, tuple[int, int]] | None = None,
        ussr: Iterable[int] = (),
        us: Iterable[int] = (),
        phasing: str = "ussr",
        lasting: Mapping[int, int] | None = None,
        discards: Iterable[int] = (),
        removed: Iterable[int] = (),
        fillers: int = 2,
        stage: str = "round",
        rules: Any = None,
        **fields: Any,
    ) -> None:
        self.batch = Batch(Setting(GAME, rules=rules), 1, seed=1)
        self.s = s = self.batch.states[0]
        for name in (
            "question",
            "chosen",
            "depth",
            "influence",
            "known",
            "lasting",
            "held",
            "headline",
            "open_headline",
        ):
            s[name] = 0
        s.turn, s.action_round, s.defcon = 1, 1 if stage == "round" else 0, 5
        for name, value in fields.items():
            s[name] = value
        s.phasing, s.stage = SEAT_NAMES.index(phasing), STAGES[stage]
        self._lay_cards(list(ussr), list(us), list(discards), list(removed), fillers, "china" in fields)
        for name, both in (influence or {}).items():
            s.influence[:, ID[name]] = both
        for card, value in (lasting or {}).items():
            s.lasting[card] = value
        self.settle()

    def settle(self) -> None:
        """Go on to the next decision, after the test has changed the record."""
        settle_one(self.batch.rules, self.batch.states)
        self.batch.refresh()

    @classmethod
    def dealt(cls, seed: int = 1, rules: Any = None) -> Table:
        """A game at its beginning."""
        table = cls.__new__(cls)
        table.batch = Batch(Setting(GAME, rules=rules), 1, seed=seed)
        table.s = table.batch.states[0]
        return table

    def _lay_cards(
        self, ussr: list[int], us: list[int], discards: list[int], removed: list[int], n: int, china: bool
    ) -> None:
        s = self.s
        in_play = np.flatnonzero((s.turn >= 4) * 1 + (s.turn >= 8) * 1 >= PERIOD)[1:]
        s.place[:] = BOX
        self._put(in_play, DRAW_PILE)
        taken = {*ussr, *us, *discards, *removed, CHINA, UN_INTERVENTION}
        spare = [c for c in range(1, CARDS) if c not in taken and KIND[c] != SCORING and OPS[c] == 2 and c in in_play]
        for seat, hand in enumerate((ussr, us)):
            fillers = [c for c in spare if SIDE[c] in (seat, 2)][:n]
            spare = [c for c in spare if c not in fillers]
            self._put([*hand, *fillers], HANDS + seat)
        self._put(discards, DISCARDS)
        self._put(removed, REMOVED)
        if not china:
            s.china, s.china_up = 0, 1
        self._put([CHINA], HANDS + int(s.china))

    def _put(self, cards: Any, place: int) -> None:
        put_cards(self.batch.states, np.array(cards, dtype=np.int64), place)

    # ---- playing

    def play(self, *moves: str, dice: Iterable[int] | None = None) -> Table:
        """Play the moves; with `dice` the last one is played so that these dice come up, all of them and no other."""
        *first, last = moves
        for move in first:
            self.batch.step([self.action(move)], restart=False)
        if dice is None:
            self.batch.step([self.action(last)], restart=False)
        else:
            self._play_with_dice(self.action(last), list(dice))
        return self

    def _play_with_dice(self, action: int, dice: list[int]) -> None:
        before = np.array(self.batch.states)
        for state in count(1):
            self.batch.states[:] = before
            self.s.rng = state
            self.batch.refresh()
            self.batch.step([action], restart=False)
            if list(self.s.dice[: self.s.rolled]) == dice:
                return
            assert state < 100_000, f"dice {dice} never come up; last were {self.s.dice[: self.s.rolled]}"

    def action(self, move: str) -> int:
        """``card 7``, a country, ``event``, ``operations``, ``space``, ``influence``, ``coup``, ``realign``,
        ``option 0``, ``stop``, ``buy_off 0``."""
        word, _, number = move.partition(" ")
        if move in ID:
            return actions.COUNTRY + ID[move]
        if word in USES:
            return actions.USE + USES.index(word)
        if word in OPERATIONS:
            return actions.OPERATION + OPERATIONS.index(word)
        if word == "card":
            return actions.CARD + int(number) - 1
        return GAME.codec.encode(word, *([int(number)] if number else []))

    def legal(self, of: str = "") -> list[str]:
        """The legal moves; `of` one range of the actions: ``card``, ``country``, …"""
        return [
            self.move(int(a))
            for a in np.flatnonzero(self.batch.action_mask[0])
            if of in ("", GAME.codec.decode(int(a))[0])
        ]

    @staticmethod
    def move(action: int) -> str:
        name, indices = GAME.codec.decode(action)
        if name == "country":
            return COUNTRY_NAMES[indices[0]]
        if name == "use":
            return USES[indices[0]]
        if name == "operation":
            return OPERATIONS[indices[0]]
        if name == "card":
            return f"card {indices[0] + 1}"
        return " ".join([name, *map(str, indices)])

    # ---- looking

    @property
    def turn(self) -> str:
        """Who is asked; ``nobody`` when the game is over."""
        seat = int(self.batch.seat[0])
        return "nobody" if seat < 0 else SEAT_NAMES[seat]

    @property
    def asked(self) -> str:
        """The kind of the question pending."""
        return "" if self.s.depth == 0 else frames.KIND_NAMES[int(self.s.question[self.s.depth - 1, 0])]

    def influence(self, name: str) -> tuple[int, int]:
        """(USSR, US)."""
        return int(self.s.influence[0, ID[name]]), int(self.s.influence[1, ID[name]])

    def place(self, card: int) -> int:
        return int(self.s.place[card])

    @property
    def vp(self) -> int:
        """Above 0 the US leads."""
        return int(self.s.vp)

    @property
    def winner(self) -> str:
        """``ussr``, ``us``, ``draw``, or "" while the game is on."""
        if not self.s.over:
            return ""
        return "draw" if self.s.winner < 0 else SEAT_NAMES[self.s.winner]

    @property
    def ending(self) -> str:
        return ENDING_NAMES[self.s.ending]

    def cards_at(self, place: int) -> list[int]:
        """The cards in one of the places of ``state.py``."""
        return [int(card) for card in np.flatnonzero(self.s.place == place) if card > 0]

    def in_hand(self, side: str) -> list[int]:
        """The cards that a side holds, the China Card too."""
        return self.cards_at(HANDS + SEAT_NAMES.index(side))

    def seen_by(self, side: str) -> bytes:
        """The whole observation of a side."""
        return self.batch.observe([0], [SEAT_NAMES.index(side)]).tobytes()


def mid(**position: Any) -> Table:
    """A position in turn 5."""
    return Table(turn=5, **position)


def event(card: int, *moves: str, by: str = "", dice: Iterable[int] | None = None, **position: Any) -> Table:
    """The position after a card was played as its event in an action round of its own side (a neutral one: `by`),
    in the first turn of its period, and after `moves`; the last has these `dice`."""
    by = by or SEAT_NAMES[SIDE[card]]
    hands = {side: [*position.pop(side, ()), *([card] if side == by else [])] for side in SEAT_NAMES}
    table = Table(**{"turn": (1, 4, 8)[PERIOD[card]], "phasing": by, **hands, **position})
    words = [f"card {card}", *([] if KIND[card] == SCORING else ["event"]), *moves]
    return table.play(*words, dice=dice)


def headlines(ussr: int, us: int, *moves: str, dice: Iterable[int] | None = None, **position: Any) -> Table:
    """The position after both sides chose these headlines, and after `moves`."""
    hands = {side: [*position.pop(side, ()), card] for side, card in zip(SEAT_NAMES, (ussr, us), strict=True)}
    table = Table(**{"stage": "headline", "action_round": 0, **hands, **position})
    first = (ussr, us) if table.turn == "ussr" else (us, ussr)
    return table.play(*(f"card {card}" for card in first), *moves, dice=dice)
