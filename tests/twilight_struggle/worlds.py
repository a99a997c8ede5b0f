"""Positions to look at: out of random games, and the same with everything changed that a side cannot see."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.jit import entry
from timeline_env.engine.loops import hide_games, observe_games
from timeline_env.engine.setting import Setting
from timeline_env.twilight_struggle import GAME, frames
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.cards import CHINA
from timeline_env.twilight_struggle.legal import list_legal
from timeline_env.twilight_struggle.state import DRAW_PILE, HANDS, HEADLINES, LOOKED_AT


@entry
def list_anew(rules, S):
    if S[0].over == 0:
        list_legal(rules[0], S[0])


def positions(games: int = 12, decisions: int = 600, every: int = 7, seed: int = 0) -> tuple[Any, list[Any]]:
    """The rules, and records out of random games that are dealt anew when they end: every so many decisions one of each."""
    batch = Batch(Setting(GAME), games, seed)
    seen: list[Any] = []
    for _ in range(decisions // every):
        seen.extend(np.array(batch.states))
        batch.play_random(every)
    return batch.rules, seen


def states_of(s: Any) -> Any:
    """One record as an array that the rules take, a copy."""
    return record.make_readable(np.array([s]))


def seen_by(rules: Any, s: Any, seat: int) -> Any:
    """The observation of one record."""
    out = np.full((1, GAME.layout(2).size), 99, np.int8)
    observe_games(rules, states_of(s), np.zeros(1, np.int64), np.array([seat]), out)
    return out[0]


def hidden_from(rules: Any, s: Any, seat: int) -> Any:
    """What `hide` leaves of one record: a record array."""
    states = states_of(s)
    hide_games(rules, states, np.array([seat]))
    return states


def secrets(s: Any, seat: int) -> list[int]:
    """The cards of which `seat` does not know where they are, by the rules of the game and not by ours."""
    other = 1 - seat
    found = []
    for card in range(1, 111):
        place = s["place"][card]
        in_hand = place == HANDS + other and card != CHINA and not s["known"][seat, card]
        laid = place == HEADLINES + other and not s["open_headline"][other] and not s["known"][seat, card]
        looked_at = place == LOOKED_AT and seat != US
        if place == DRAW_PILE or in_hand or laid or looked_at:
            found.append(card)
    return found


def other_world(rules: Any, s: Any, seat: int, generator: np.random.Generator) -> Any:
    """A copy of the record in which everything differs that `seat` does not know. The other's legal moves are listed anew."""
    world = s.copy()
    cards = np.array(secrets(s, seat), dtype=np.int64)
    turned = generator.permutation(cards)
    world["place"][turned] = s["place"][cards]
    # What the other knows of the viewer's hand stays; nothing is known of cards that the viewer cannot see.
    lay_another_headline(world, 1 - seat, generator)
    world["seed"], world["rng"] = generator.integers(1, 2**63, 2)
    return ask_anew(rules, world)


def lay_another_headline(s: Any, seat: int, generator: np.random.Generator) -> None:
    """If the seat has laid a headline that is not shown, it may be any card that it had, whatever the other side knew of them."""
    laid = np.flatnonzero(s["place"] == HEADLINES + seat)
    if len(laid) and not s["open_headline"][seat]:
        hand = np.setdiff1d(np.flatnonzero(s["place"] == HANDS + seat), [CHINA])
        chosen = generator.choice(np.append(hand, laid))
        s["place"][laid] = HANDS + seat
        s["place"][chosen] = HEADLINES + seat
        s["headline"][seat] = chosen


def ask_anew(rules: Any, s: Any) -> Any:
    """The same record with its legal moves as its own cards give them."""
    states = states_of(s)
    list_anew(rules, states)
    return np.asarray(states)[0]


def asked(s: Any) -> tuple[int, int]:
    """Kind of the question pending, and who is asked; (-1, -1) if none is."""
    if not s["depth"]:
        return -1, -1
    top = s["question"][s["depth"] - 1]
    return int(top[frames.KIND]), int(top[frames.SEAT])
