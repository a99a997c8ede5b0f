"""What guides a search: an object that gives logits for the decisions at the leaves of a tree, or at the root and in the worlds of a race.

A trained agent does, see `timeline_env.players.agents.network_player.NetworkPlayer`; so does a scripted player that says what actions are
worth. They are put to it as decisions like any other, except that they are pending in worlds that the search dealt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.ranks import place_returns, win_shares
from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.agents.prior import appraisers, load_appraiser, prior_logits
from timeline_env.players.agents.shipped import NAMES, agent_path
from timeline_env.players.interface import Appraiser, Decisions
from timeline_env.reading import unknown_name

SCALE = 1.0
"""By how many logits a point raises an action, where a scripted player guides."""


Foretell = Callable[[Batch, Any, NDArray[np.int64], NDArray[np.int8]], NDArray[np.float32]]
"""``foretell(batch, positions, seats, views)``: what each of the seats (int64 [k]) can expect, given its view (int8 [k, d]) of a
position (records [k], or None for a game whose priors have no outlook) in a game like the batch's; float32 [k], -1 to 1."""


class Guide(Protocol):
    """Says where a search should look first."""

    guidance: float
    """PUCT's constant with this guide, for values from -1 to 1."""

    @property
    def foretell(self) -> Foretell | None:
        """Tells what seats can expect; None for a guide that cannot tell. An agent has learned this for the seat that is to act."""
        ...

    @property
    def for_wins(self) -> bool:
        """Whether only the first place is worth something to it: a win counts as 1 and anything else as -1."""
        ...

    @property
    def plays_on(self) -> bool:
        """Whether a race should let it play on and believe what it foretells, instead of the usual rollout and the estimate."""
        ...

    def logits(self, decisions: Decisions) -> NDArray[np.float32]:
        """Its policy's logits, float32 [k, A], all finite.

        Those of actions that are not legal count, too: at the same node they may be legal in other worlds that the search deals.
        """
        ...


def expectations(
    foretell: Foretell, batch: Batch, positions: Any, seats: NDArray[np.int64], views: NDArray[np.int8]
) -> NDArray[np.float32]:
    """What every seat can expect, float32 [k, players], -1 to 1.

    With two seats, a guide tells it for the one to act, as it has learned to, and the other expects the opposite. With more
    seats it tells it for each by itself.

    Args:
        foretell: the guide's, see `Foretell`.
        batch: describes the games.
        positions: records [k], as the seat to act sees them, or None, see `Foretell`.
        seats: who is to act; int64 [k].
        views: what the seat to act sees, int8 [k, 1, d]; with more than two players what each seat sees, [k, players, d].
    """
    count, viewers, size = views.shape
    asked = np.tile(np.arange(viewers), count) if viewers > 1 else seats
    each = None if positions is None else np.repeat(positions, viewers)
    told = foretell(batch, each, asked, views.reshape(-1, size)).reshape(count, viewers)
    return told if viewers > 1 else np.where(np.arange(2) == seats[:, None], told, -told)


def worth_of_ranks(rank: NDArray[Any], for_wins: bool) -> NDArray[np.float64]:
    """What final ranks (1 is best) are worth to every seat, in the terms in which a guide foretells; float64 [k, players], -1 to 1."""
    return 2 * win_shares(rank) - 1 if for_wins else place_returns(rank, rank.shape[1])


class ScriptedGuide:
    """A scripted player's opinion of the actions as a policy."""

    foretell, for_wins, plays_on = None, False, False
    guidance = 0.3
    """Smaller than a trained agent's, so that what simulations find counts for more against the script's opinion."""

    def __init__(self, appraiser: Appraiser) -> None:
        self.appraiser = appraiser

    def logits(self, decisions: Decisions) -> NDArray[np.float32]:
        """See `Guide`."""
        values = self.appraiser.values(decisions.batch.rules, decisions.states(), decisions.action_mask, decisions.seat)
        return prior_logits(values, SCALE)


@dataclass(frozen=True)
class Leaves(Decisions):
    """Decisions at the leaves of a search, in worlds of their own; `games` is empty, since these are no games of the batch.

    Attributes:
        positions: records [k], each without what its seat does not know.
    """

    positions: Any

    @classmethod
    def room(cls, batch: Batch, count: int) -> Leaves:
        """Room for this many leaves of games like the batch's."""
        return cls(
            batch=batch,
            games=np.zeros(0, np.int64),
            observation=np.zeros((count, batch.layout.size), np.int8),
            action_mask=np.zeros((count, batch.num_actions), np.int8),
            seat=np.zeros(count, np.int64),
            positions=record.new(batch.game.state, count),
        )

    def first(self, count: int) -> Leaves:
        """The first `count` of them; no copies."""
        cut = {name: getattr(self, name)[:count] for name in ("observation", "action_mask", "seat", "positions")}
        return replace(self, **cut)

    def states(self) -> np.recarray:
        """The positions, records [k]."""
        return self.positions


def load_guide(name: str, setting: Setting) -> Guide:
    """The guide of this name: a baseline that says what actions are worth, an agent that comes with the package, or an agent's path.

    Raises:
        ValueError: it does not exist, or is for another game, number of players or variant.
    """
    if name in appraisers(setting.game):
        return ScriptedGuide(load_appraiser(setting.game, name))
    path = agent_path(name, setting)
    if path is None:
        raise unknown_name("guide", name, [*appraisers(setting.game), *NAMES, "the path of a trained agent"])
    return NetworkPlayer(read_agent(path, setting))
