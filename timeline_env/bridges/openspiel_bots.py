"""OpenSpiel's search, unmodified, as players of either game, wherever a player is named by ``module:Class``.

``timeline_env.bridges.openspiel_bots:Ismcts25`` is its `ISMCTSBot` with 25 simulations a decision, which deals again what the
seat cannot see; ``…:Mcts25`` is its `MCTSBot`, **which sees all hidden cards**, as it does in every game of OpenSpiel. Both
exist with 10, 25, 100 and 400 simulations. A simulation is played on at random to the end of the game, with OpenSpiel's usual
constant 1.4 for exploration; the search begins anew at every decision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.bridges.openspiel import Moment, pyspiel
from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.extras import require
from timeline_env.players.interface import Decisions

EXPLORATION = 1.4


class OpenSpielBot:
    """A bot of OpenSpiel that is asked about positions as they come; `SIMULATIONS` and `SEES_ALL` are set for each class.

    Args:
        seed: of the search's chance.
    """

    SIMULATIONS: int
    SEES_ALL: bool

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.RandomState(seed % 2**32)
        self.of: Batch | None = None
        self.game: Any = None
        self.bot: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """A copy, of which OpenSpiel's objects are none, begins a bot of its own with the same chance."""
        return self.__dict__ | {"of": None, "game": None, "bot": None}

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        batch = decisions.batch
        if self.of is not batch:
            self._begin(batch)
        states = record.take(batch.states, decisions.games) if self.SEES_ALL else decisions.states()
        actions = np.empty(len(decisions.games), np.int64)
        for row in range(len(actions)):
            state = self.game.new_initial_state()
            state.moment = Moment(
                None, -1, -1, record.make_readable(states[row : row + 1].copy()), int(decisions.seat[row]),
                decisions.action_mask[row].copy(), [0.0] * batch.num_players,
            )  # fmt: skip
            actions[row] = self.bot.step(state)
        return actions

    def _begin(self, batch: Batch) -> None:
        """The same game with the same rules in OpenSpiel, and the bot that plays it."""
        self.of = batch
        self.game = pyspiel.load_game(f"python_{batch.game.name}(players={batch.num_players})")
        self.game.table.batch = Batch(batch.setting, 1)
        mcts = require("open_spiel.python.algorithms.mcts", "openspiel")
        evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=self.random)
        if self.SEES_ALL:
            self.bot = mcts.MCTSBot(self.game, EXPLORATION, self.SIMULATIONS, evaluator, random_state=self.random)
        else:
            ismcts = require("open_spiel.python.algorithms.ismcts", "openspiel")
            self.bot = ismcts.ISMCTSBot(
                self.game, evaluator, uct_c=EXPLORATION, max_simulations=self.SIMULATIONS, random_state=self.random
            )
            # Its own sampler has no seed.
            self.bot.set_resampler(
                lambda state, player: state.resample_from_infostate(player, self.random.random_sample)
            )


class Ismcts10(OpenSpielBot):
    """`ISMCTSBot` with 10 simulations."""

    SIMULATIONS, SEES_ALL = 10, False


class Ismcts25(Ismcts10):
    """`ISMCTSBot` with 25 simulations."""

    SIMULATIONS = 25


class Ismcts100(Ismcts10):
    """`ISMCTSBot` with 100 simulations."""

    SIMULATIONS = 100


class Ismcts400(Ismcts10):
    """`ISMCTSBot` with 400 simulations."""

    SIMULATIONS = 400


class Mcts10(OpenSpielBot):
    """`MCTSBot`, which sees hidden cards, with 10 simulations."""

    SIMULATIONS, SEES_ALL = 10, True


class Mcts25(Mcts10):
    """`MCTSBot`, which sees hidden cards, with 25 simulations."""

    SIMULATIONS = 25


class Mcts100(Mcts10):
    """`MCTSBot`, which sees hidden cards, with 100 simulations."""

    SIMULATIONS = 100


class Mcts400(Mcts10):
    """`MCTSBot`, which sees hidden cards, with 400 simulations."""

    SIMULATIONS = 400
