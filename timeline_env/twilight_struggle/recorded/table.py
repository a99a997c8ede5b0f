"""The table at which a recorded game is played again: a position moved by the engine's smallest steps.

`play` goes from decision to decision; a log also says what happens in between. So here each step of the engine's own
loop is taken by itself, a forced choice is a question like any other, and dice and draws are given beforehand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine.batch import Batch
from timeline_env.engine.dice import Draw, generator
from timeline_env.engine.jit import entry
from timeline_env.engine.setting import Setting
from timeline_env.twilight_struggle import GAME, cards, frames, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.events.program import war_modifier
from timeline_env.twilight_struggle.events.words import war_row
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.hands import put
from timeline_env.twilight_struggle.lasting import coup_modifier, ops_of, realign_modifier
from timeline_env.twilight_struggle.operations import ops_left, realign_bonus
from timeline_env.twilight_struggle.play import answer, end_question, work
from timeline_env.twilight_struggle.text.read_position import list_legal_one
from timeline_env.twilight_struggle.turn import carry_on

Variant = dict[str, dict[str, Any]]
"""The rules that a game was played by, as `GAME.load_rules` takes them."""


@entry
def work_on(rules, S):
    """One step of what the engine does unasked; it changes the position, a record array [1]."""
    if S[0].depth == 0:
        carry_on(rules[0], S[0])
    else:
        work(S[0])


@entry
def give_answer(S, action):
    """Answer the question on top; it changes the position."""
    answer(S[0], action)


@entry
def end_question_one(S):
    """Drop the question on top; it changes the position."""
    end_question(S[0])


@entry
def put_card(S, card, place):
    """Put a card somewhere; it changes the position."""
    put(S[0], card, place)


@entry
def ops_worth(S, seat, printed):
    """What `printed` operations are worth to a seat (25, 31, 51)."""
    return ops_of(S[0], seat, printed)


@entry
def coup_ops(S, c):
    """The operations of a coup in a country."""
    return ops_left(S[0], c)


@entry
def coup_change(S, c):
    """What is added to the die of a coup in a country."""
    return coup_modifier(S[0], top(S[0], frames.SEAT), c)


@entry
def realign_change(S, side, c):
    """What is added to a side's die of a realignment in a country, 93 left out."""
    return realign_bonus(S[0], side, c) - realign_modifier(S[0], side)


@entry
def war_least(S):
    """The least sum that wins the war on top."""
    return war_row(top(S[0], frames.VALUE), 2)


@entry
def war_change(S, c):
    """What is added to the die of the war on top in a country."""
    return war_modifier(S[0], top(S[0], frames.SEAT), top(S[0], frames.VALUE), c)


class RecordedTable:
    """A game from its deal on; `s` is its position."""

    def __init__(self, variant: Variant) -> None:
        self.batch = Batch(Setting(GAME, 2, variant), 1)
        self.s = self.batch.states[0]

    # ---- the engine's steps

    @property
    def is_asked(self) -> bool:
        """True if a question is on top: then `choices`, `answer` and `pass_over` are for it; else `work` is next."""
        return self.s.depth > 0 and self.top(frames.KIND) >= frames.FIRST_QUESTION

    def top(self, part: int) -> int:
        """One column of the frame on top."""
        return int(self.s.question[self.s.depth - 1, part])

    def is_running(self, card: int) -> bool:
        """True if the event of a card is on top, under way."""
        return self.s.depth > 0 and self.top(frames.KIND) == frames.RUN and self.top(frames.VALUE) == card

    def choices(self) -> list[int]:
        """The legal actions."""
        list_legal_one(self.batch.rules, self.batch.states)
        return [int(action) for action in np.flatnonzero(self.s.legal)]

    def work(self) -> None:
        """Take one step of what the engine does unasked."""
        self.s.rolled = 0
        work_on(self.batch.rules, self.batch.states)

    def answer(self, action: int) -> None:
        """Answer the question on top with a player's choice."""
        self.s.rolled = 0
        give_answer(self.batch.states, action)

    def pass_over(self) -> None:
        """Drop a question that has no answer."""
        end_question_one(self.batch.states)

    def draw_next(self, *draws: Draw) -> None:
        """Make the generator draw these numbers next."""
        self.s.rng = generator(draws)

    def score_after(self, *draws: Draw) -> int | None:
        """The score if the engine's next step drew these numbers and no others; None if it draws more. Nothing is changed."""
        before = self.batch.states.tobytes()
        self.s.rng, self.s.rolled = generator(draws), 0
        work_on(self.batch.rules, self.batch.states)
        score = int(self.s.vp) if self.s.rolled == len(draws) else None
        self.batch.states[:] = np.frombuffer(before, self.batch.states.dtype)
        return score

    # ---- what the engine adds to dice and operations, for the question on top

    def ops_of(self, seat: int, printed: int) -> int:
        """What `printed` operations are worth to a seat (25, 31, 51)."""
        return int(ops_worth(self.batch.states, seat, printed))

    def coup_terms(self, country: int) -> tuple[int, int]:
        """The operations of a coup in a country, and what is added to its die."""
        return int(coup_ops(self.batch.states, country)), int(coup_change(self.batch.states, country))

    def realign_bonus(self, seat: int, country: int) -> int:
        """What is added to a seat's die in a realignment, 93 left out."""
        return int(realign_change(self.batch.states, seat, country))

    def war_terms(self, country: int) -> tuple[int, int]:
        """What is added to the die of a war in a country, and the least sum that wins it."""
        return int(war_change(self.batch.states, country)), int(war_least(self.batch.states))

    # ---- the hidden cards

    def hand(self, seat: int) -> list[int]:
        """The cards of a hand, in order, without the China Card."""
        return self.cards_in(state.HANDS + seat)

    def cards_in(self, place: int) -> list[int]:
        return [int(card) for card in np.flatnonzero(self.s.place == place) if card != cards.CHINA]

    def hidden_cards(self) -> list[int]:
        """The cards of both hands and of the draw pile: which of them lies where, the log does not say."""
        return sorted(self.hand(USSR) + self.hand(US) + self.cards_in(state.DRAW_PILE))

    def put(self, card: int, place: int) -> None:
        put_card(self.batch.states, card, place)

    def deal(self, hands: tuple[list[int], list[int]]) -> None:
        """Lay the hidden cards out so that these are the hands; a card that stays is not touched."""
        for card in range(1, cards.CARDS):
            if card in hands[USSR] or card in hands[US] or self.s.place[card] in (state.HANDS + USSR, state.HANDS + US):
                place = next((state.HANDS + seat for seat in (USSR, US) if card in hands[seat]), state.DRAW_PILE)
                if card != cards.CHINA and self.s.place[card] != place:
                    self.put(card, place)
