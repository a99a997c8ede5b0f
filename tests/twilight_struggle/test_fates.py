"""Fates against games played on: what is lost is lost whatever comes, what is won can be won."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.questions import asked_seats
from timeline_env.engine.setting import Setting
from timeline_env.players.twilight_struggle.fates import LOSS, WIN, find_fates
from timeline_env.twilight_struggle import GAME

SETTING = Setting(GAME)


def play_on(position: Any, action: int, rng: np.random.Generator, wanted: int) -> int:
    """The seat that has won, or -1, where the seat goes on until another is asked, at random or by actions of the fate that is wanted."""
    batch = Batch(SETTING, 1)
    batch.states[:] = position
    batch.states["rng"] = rng.integers(2**64, dtype=np.uint64)
    batch.refresh()
    seat = batch.seat[0]
    while batch.seat[0] == seat:
        batch.step(np.array([action]), restart=False)
        mask = batch.action_mask
        if wanted == WIN and batch.seat[0] == seat:
            mask = find_fates(batch.rules, batch.states, mask) == WIN
        action = int(rng.choice(np.flatnonzero(mask[0]))) if mask.any() else -1
    return int(batch.states[0].winner) if batch.states[0].over else -1


def test_what_is_lost_is_lost_and_what_is_won_can_be_won_whatever_the_dice() -> None:
    rng, seen = np.random.default_rng(0), {LOSS: 0, WIN: 0}
    batch = Batch(SETTING, 48, seed=3)
    while min(seen.values()) < 40:
        batch.play_random(1)
        fates = find_fates(batch.rules, batch.states, batch.action_mask)
        for row, action in np.argwhere((fates == LOSS) | (fates == WIN))[::5]:
            fate, position = int(fates[row, action]), record.take(batch.states, np.array([row]))
            seat = int(asked_seats(position)[0])
            seen[fate] += 1
            for _ in range(3):
                assert play_on(position, int(action), rng, fate) == (seat if fate == WIN else 1 - seat)
