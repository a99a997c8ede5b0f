"""A game in the shape of TextArena: observations and actions are text. That library is not needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine.batch import Batch, seed_or_any
from timeline_env.engine.replay import deal_batch
from timeline_env.engine.setting import Setting
from timeline_env.games import DEFAULT, game_named
from timeline_env.reading import check_integer
from timeline_env.words.question import Question, ask


class TextGame:
    """One game, played by text, with the methods of an environment of TextArena::

        env = TextGame("twilight_struggle")
        env.reset(num_players=2, seed=0)
        done = False
        while not done:
            player_id, observation = env.get_observation()
            done, info = env.step(agents[player_id](observation))
        rewards, game_info = env.close()

    An observation is the whole prompt of the decision, each time. If an answer is refused, the next observation says why;
    after too many refusals a random legal move is played, as a player that asks a command does.

    Args:
        game: its name.
        retries: how many more answers may be given after one that was refused, at least 0.
        rules: a variant, see the game's `load_rules`.

    Raises:
        ValueError: there is no such game, or `retries` is not such a number.
    """

    def __init__(self, game: str = DEFAULT, retries: int = 2, rules: Any = None) -> None:
        self.game, self.retries, self.rules = game_named(game), check_integer("retries", retries, 0), rules
        self.batch: Batch | None = None

    def reset(self, num_players: int | None = None, seed: int | None = None) -> None:
        """Deal a game; None stands for the usual number of players, or a random seed. Raises ValueError for what is not allowed."""
        seed = seed_or_any(seed)
        self.batch = deal_batch(Setting(self.game, num_players, self.rules), seed)
        self.rng = np.random.default_rng(seed)
        self.rewards = np.zeros(self.batch.num_players)
        self.infos: dict[int, dict[str, Any]] = {
            seat: {"role": self.game.seat_names[seat], "turn_count": 0, "refused": 0, "random": 0}
            for seat in range(self.batch.num_players)
        }
        self.error, self.refused = "", 0

    def get_observation(self) -> tuple[int, str]:
        """Who is to act, and the prompt. Raises ValueError if the game is over or was not reset."""
        question = self._question()
        return question.seat, question.prompt(error=self.error)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Answer the prompt; gives whether the game is over, and a dict that says as ``error`` why the answer was refused, if it was."""
        question = self._question()
        info, told = self.infos[question.seat], {}
        try:
            chosen = question.read(action)
        except ValueError as error:
            self.error = told["error"] = str(error)
            self.refused += 1
            info["refused"] += 1
            if self.refused <= self.retries:
                return False, told
            chosen = int(self.rng.choice(question.actions))
            info["random"] += 1
        batch = self._dealt()
        batch.step([chosen], restart=False)
        self.rewards += batch.reward[0]
        info["turn_count"] += 1
        self.error, self.refused = "", 0
        return bool(batch.done[0]), told

    def close(self) -> tuple[dict[int, float], dict[int, dict[str, Any]]]:
        """What each player earned, from 1 for the first place to -1 for the last, and each player's info.

        Raises ValueError if no game was dealt.
        """
        self._dealt()
        return dict(enumerate(self.rewards.round(6).tolist())), self.infos

    def _question(self) -> Question:
        return ask(self._dealt())

    def _dealt(self) -> Batch:
        if self.batch is None:
            raise ValueError("no game was dealt: call reset first")
        return self.batch
