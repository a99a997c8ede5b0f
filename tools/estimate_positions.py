"""Positions of games that the estimates are fitted to, and how these games ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.games import finish_games
from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.jit import entry
from timeline_env.engine.ranks import win_shares
from timeline_env.engine.setting import Setting
from timeline_env.players.registry import player_from
from timeline_env.players.search.rollout import RANDOM_DECISIONS
from timeline_env.players.twilight_struggle.rollout import is_choosing_card
from timeline_env.timeline import estimate as of_timeline
from timeline_env.twilight_struggle import estimate as of_twilight_struggle
from timeline_env.twilight_struggle.board import US


@dataclass(frozen=True)
class Positions:
    """`n` comparisons of two seats in positions of games.

    Attributes:
        features: what speaks for the one seat, less what speaks for the other; float32 [n, features].
        won: 1 where the one ended ahead, 0 where the other did, 0.5 if they shared; float32 [n].
        game: of which game; int64 [n].
        phase: which set of weights applies; int64 [n].
    """

    features: NDArray[np.float32]
    won: NDArray[np.float32]
    game: NDArray[np.int64]
    phase: NDArray[np.int64]


Progress = Callable[[int], None]


# --- Twilight Struggle ------------------------------------------------------------------------------------------------

SIDES = {"heuristic": 0.35, "shipped@sampled": 0.45, "shipped": 0.2}
"""Who sits in each seat of Twilight Struggle, and how often."""
NOTED = 0.35
"""Share of the positions of Twilight Struggle that are noted: neighbours are nearly alike."""


@entry
def find_card_choices(S, noted):
    """Write into `noted` (bool [k]) whether a card is to be chosen in each position (records [k])."""
    for k in range(noted.shape[0]):
        noted[k] = is_choosing_card(S[k])


@entry
def write_features_for_the_us(S, out):
    """Write the features of positions of Twilight Struggle (records [k]) into `out` (float32 [k, features])."""
    x = np.zeros(of_twilight_struggle.FEATURES)
    for k in range(out.shape[0]):
        x[:] = 0.0
        of_twilight_struggle.features(S[k], x)
        out[k] = x


def play_twilight_struggle(setting: Setting, games: int, seed: int, progress: Progress) -> Positions:
    """The US compared with the USSR, in positions in which a card is to be chosen."""
    rng = np.random.default_rng(seed)
    players = [player_from(name, setting, seed + index) for index, name in enumerate(SIDES)]
    seating = rng.choice(len(players), (games, 2), p=list(SIDES.values()))
    batch = Batch(setting, games)
    batch.deal(game_seeds(seed, games))
    rows, whose = [], []

    def look(running: NDArray[np.int64]) -> None:
        positions = record.take(batch.states, running)
        noted = np.empty(len(running), np.bool_)
        find_card_choices(positions, noted)
        noted &= rng.random(len(running)) < NOTED
        found = np.empty((int(noted.sum()), of_twilight_struggle.FEATURES), np.float32)
        write_features_for_the_us(record.take(positions, np.flatnonzero(noted)), found)
        rows.append(found)
        whose.append(running[noted])

    finish_games(batch, players, seating, progress, look)
    game = np.concatenate(whose)
    won = win_shares(batch.rank)[game, US].astype(np.float32)
    return Positions(np.concatenate(rows), won, game, np.zeros(len(game), np.int64))


# --- Timeline ---------------------------------------------------------------------------------------------------------

SEATED = ("shipped", "shipped@sampled", "planner", "projector")
"""Who plays a game of Timeline, in all seats, all equally often: between unequals, weights tell who plays, not what a position is worth."""
RANDOM_WITHIN = 44
"""Random decisions begin within so many decisions a seat: about the first four fifths of a game."""
EARLY = 0.1
"""Share of the games whose random decisions are among the first, or phase 0, which is short, would hardly be seen."""
NOTED_LATER = 0.1
"""Share of the positions after the random decisions that are noted, beside the first of them."""


@entry
def write_features_of_seats(rules, S, phases, out):
    """Write the features of positions of Timeline (records [k], which it changes) into `out` (float64 [k, seats * features]).

    Also which phase's weights apply to each, into `phases` (int64 [k]).
    """
    for k in range(out.shape[0]):
        phases[k] = of_timeline.phase_to_play(S[k])
        of_timeline.features(rules[0], S[k], out[k])


def play_timeline(setting: Setting, games: int, seed: int, progress: Progress) -> Positions:
    """Every two seats compared, in positions like those at the end of a rollout: after random decisions somewhere in a game.

    Of later positions of the game a few are noted, too; a game that ends during the random decisions, or before them, tells nothing.
    """
    rng = np.random.default_rng(seed)
    batch = Batch(setting, games)
    seats = batch.num_players
    players = [player_from(name, setting, seed + index) for index, name in enumerate((*SEATED, "random"))]
    at_random = len(SEATED)
    batch.deal(game_seeds(seed, games))
    usual = np.repeat(rng.integers(len(SEATED), size=(games, 1)), seats, axis=1)
    seating = usual.copy()
    begin = rng.integers(np.where(rng.random(games) < EARLY, RANDOM_DECISIONS, RANDOM_WITHIN * seats))
    end = begin + RANDOM_DECISIONS
    taken = 0
    rows, whose, phases = [], [], []

    def look(running: NDArray[np.int64]) -> None:
        nonlocal taken
        later = (end[running] < taken) & (rng.random(len(running)) < NOTED_LATER)
        noted = running[later | (end[running] == taken)]
        found = np.zeros((len(noted), seats * of_timeline.FEATURES))
        in_phase = np.empty(len(noted), np.int64)
        write_features_of_seats(batch.rules, record.take(batch.states, noted), in_phase, found)
        rows.append(found.reshape(len(noted), seats, of_timeline.FEATURES).astype(np.float32))
        whose.append(noted)
        phases.append(in_phase)
        seating[begin == taken] = at_random
        seating[end == taken] = usual[end == taken]
        taken += 1

    finish_games(batch, players, seating, progress, look)
    features, game, phase = np.concatenate(rows), np.concatenate(whose), np.concatenate(phases)
    one, other = np.triu_indices(seats, 1)
    rank = batch.rank[game]
    won = (1 + np.sign(rank[:, other] - rank[:, one])) / 2
    return Positions(
        (features[:, one] - features[:, other]).reshape(-1, of_timeline.FEATURES),
        won.astype(np.float32).ravel(),
        np.repeat(game, len(one)),
        np.repeat(phase, len(one)),
    )
