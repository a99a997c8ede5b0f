"""What a player thinks of a position: a policy, the worth of each action, the visits of a search, or its choice alone.

A player is asked about a world that is dealt from what the seat knows, so that nothing hidden reaches the player,
nor the seat through it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.engine.ranks import place_returns
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.failures import PlayerFailed
from timeline_env.play.steps import asked_seat
from timeline_env.players.agents.shipped import SHIPPED, shipped_agent
from timeline_env.players.asking import answers, name_of
from timeline_env.players.interface import Decisions, Player
from timeline_env.players.names import PlayerName
from timeline_env.players.search.guides import expectations

SEARCHES = ("mcts:200", "mcts:2000")
"""Searches that the page offers; a player on the command line may search for longer."""
POLICY, VALUES, VISITS, CHOICE = "policy", "values", "visits", "choice"


@dataclass(frozen=True)
class Thoughts:
    """What a player thinks of the legal actions.

    Attributes:
        kind: `POLICY`, `VALUES`, `VISITS` or `CHOICE`: where the shares come from.
        actions: int64 [k], the legal actions, the best first.
        share: float64 [k], how likely each is, or with `VISITS` how often it was tried; they sum to 1.
        value: float64 [k], what each is worth to the player, in points or, from a search, from -1 (sure to be last or, with a guide
            that learned for wins alone, sure not to win) to 1 (sure to be first); nan where the player does not say.
        expected: what the value of an agent, or of a search's guide, says of each seat, from -1 to 1; None for players without one.
    """

    kind: str
    actions: NDArray[np.int64]
    share: NDArray[np.float64]
    value: NDArray[np.float64]
    expected: list[float] | None


def has_shipped(game: Game, num_players: int, changed: Mapping[str, Any]) -> bool:
    """Whether an agent is shipped for this game; `changed` is what a variant changes: a variant has none."""
    return not changed and shipped_agent(game.name, num_players).is_file()


def names(game: Game, num_players: int, seats: tuple[str, ...], changed: Mapping[str, Any]) -> list[str]:
    """The players whose thoughts the page offers: those of the game or variant, searches, and those that sit at the table."""
    shipped = [SHIPPED] * has_shipped(game, num_players, changed)
    asked = [name for name in seats if not PlayerName.read(name).command]  # nobody's click may run a command
    return list(dict.fromkeys([*shipped, *reversed(game.baselines), *SEARCHES, *asked]))


def think(player: Player, setting: Setting, s: Any) -> Thoughts:
    """What a player thinks of the pending decision.

    Args:
        player: the player.
        setting: what is played.
        s: the whole position, one record.

    Raises:
        PlayerFailed: the code of a user's own player failed.
    """
    decisions = imagine(setting, s)
    legal = np.flatnonzero(decisions.action_mask[0])
    try:
        kind, share, value = _asked(player, decisions, legal)
        expected = _expected(player, decisions)
    except PlayerFailed:
        raise
    except Exception as error:  # from a user's own player
        raise PlayerFailed(f"player {name_of(player)} failed: {type(error).__name__}: {error}") from error
    order = np.lexsort((-np.nan_to_num(value), -share))
    return Thoughts(
        kind, legal[order], np.asarray(share, np.float64)[order], np.asarray(value, np.float64)[order], expected
    )


def _asked(player: Any, decisions: Decisions, legal: NDArray[np.int64]) -> tuple[str, Any, Any]:
    """The kind of the thoughts, and share and value of each legal action."""
    if hasattr(player, "grow"):
        return _visits(player, decisions, legal)
    unknown = np.full(len(legal), np.nan)
    if hasattr(player, "logits"):
        guard = getattr(player, "guard", None)
        allowed = (guard.allow(decisions) if guard else decisions.action_mask)[0][legal] != 0
        return POLICY, softmax(np.where(allowed, player.logits(decisions)[0][legal], -np.inf)), unknown
    if hasattr(player, "values"):
        rules, mask, seat = decisions.batch.rules, decisions.action_mask, decisions.seat
        value = player.values(rules, decisions.states(), mask, seat)[0][legal]
        return VALUES, (value == value.max()) / (value == value.max()).sum(), value
    return CHOICE, (legal == answers(player, decisions)[0]).astype(np.float64), unknown


def _expected(player: Any, decisions: Decisions) -> list[float] | None:
    """See `Thoughts`; by what each seat would see in the world that was dealt."""
    guide, batch = getattr(player, "guide", player), decisions.batch
    foretell = getattr(guide, "foretell", None)
    if foretell is None:
        return None
    viewers = np.arange(batch.num_players) if batch.num_players > 2 else decisions.seat
    views = batch.observe(np.zeros_like(viewers), viewers)[None]
    expected = expectations(foretell, batch, decisions.states(), decisions.seat, views)
    return [round(float(value), 3) for value in expected[0]]


def imagine(setting: Setting, s: Any) -> Decisions:
    """The pending decision in a world that its seat might be in."""
    seat = asked_seat(s)
    states = record.new(s.dtype)
    states[0] = s
    determinize_games(setting.rules, states, np.array([seat], np.int64), np.zeros(1, np.uint64))
    return decision_in(setting, states[0])


def decision_in(setting: Setting, s: Any) -> Decisions:
    """The pending decision of a position, in a batch of its own."""
    batch = Batch(setting, 1)
    np.asarray(batch.states)[0] = s
    batch.refresh()
    return Decisions.of(batch, np.zeros(1, np.int64))


def _visits(player: Any, decisions: Decisions, legal: NDArray[np.int64]) -> tuple[str, Any, Any]:
    """Visits and means of the root's children."""
    batch, seat = decisions.batch, int(decisions.seat[0])
    root = decisions.states()
    question = batch, root[:1], seat, np.uint64(1), legal
    if not player.is_ready:
        player.get_ready(*question)
    tree = player.grow(*question)
    visits, total = np.zeros(len(legal)), np.zeros(len(legal))
    for child in np.flatnonzero(tree["parent"] == 0):
        place = int(np.searchsorted(legal, tree["action"][child]))
        visits[place], total[place] = tree["visits"][child], tree["total"][child]
    value = np.where(visits > 0, total / np.maximum(visits, 1), np.nan)
    return VISITS, visits / max(visits.sum(), 1), value


def softmax(logits: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities of logits."""
    raised = np.exp(logits.astype(np.float64) - logits.max())
    return raised / raised.sum()


def judge_standing(game: Game, rules: Any, s: Any, viewer: int | None) -> list[float]:
    """What each seat may expect here, by what the viewer knows: -1 (last) to 1 (first)."""
    count = int(rules[0].num_players)
    if s.over:
        points, rank = np.zeros((2, count), np.float32)
        game.verbs["standings"](rules[0], s, points, rank)
        return [round(float(value), 3) for value in place_returns(rank, count)]
    values = np.zeros(count)
    game.verbs["estimate"](rules[0], copy_for_viewer(rules, s, viewer), values)
    return [round(float(value), 3) for value in values]
