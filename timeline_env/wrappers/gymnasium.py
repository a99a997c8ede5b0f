"""Gymnasium's interface: one seat is the learner's, other players answer for all other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import DTypeLike, NDArray

from timeline_env.engine.batch import seed_word
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions, Player
from timeline_env.players.asking import answers
from timeline_env.players.registry import Entrant, player_from
from timeline_env.wrappers.one_game import ILLEGAL_REWARD, THE_GAME, OneGame, check_seat, mask_when_over


class SingleSeatEnv(OneGame, gymnasium.Env):
    """A game as seen from one seat. A step is the learner's decision and all decisions until its next one or the end.

    The reward of a step is all that the learner earned in it, during the others' decisions, too. An illegal action
    ends the episode with reward -1 and ``illegal_action`` in the info.

    Args:
        setting, name, reward, render_mode, normalize, dtype: see `OneGame`.
        opponents: who plays the other seats: names (see `load_player`), players, or functions of the decisions. They are dealt to the seats like
            cards, in a new random order each episode: nobody sits down twice before everybody sits.
        seat: the learner's; None for a random one each episode.
        max_turns: after this many decisions of the learner the episode is truncated; None for never.

    Raises:
        ValueError: a value is not allowed; the message names it and what is allowed.
    """

    def __init__(
        self,
        setting: Setting,
        name: str,
        opponents: Sequence[Entrant] = ("random",),
        seat: int | None = None,
        reward: str = "rank",
        render_mode: str | None = None,
        max_turns: int | None = None,
        normalize: bool = False,
        dtype: DTypeLike = "float32",
    ) -> None:
        super().__init__(setting, name, reward, render_mode, max_turns, normalize, dtype)
        check_seat(seat, setting.num_players)
        if isinstance(opponents, str) or not isinstance(opponents, Sequence) or not len(opponents):
            raise ValueError(f"opponents {opponents!r} must be a sequence of at least one player, without weights")
        self.fixed_seat, self.opponents = None if seat is None else int(seat), tuple(opponents)
        self.players = self.load_players(np.random.default_rng())
        self.observation_space = self.new_observation_space(self.batch.num_actions)
        self.action_space = spaces.Discrete(self.batch.num_actions)
        self.decisions = 0
        self.seating: dict[int, int] = {}  # who sits in the other seats, by index

    def load_players(self, generator: np.random.Generator) -> list[Player]:
        """The opponents, each with a seed of its own; those given as players stay as they are."""
        seeds = generator.integers(2**31, size=len(self.opponents)).tolist()
        return [player_from(who, self.batch.setting, seed) for who, seed in zip(self.opponents, seeds, strict=True)]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode and play on to the learner's first decision.

        Args:
            seed: the same deals, seats and opponents' decisions from here on (opponents that were given as players,
                not as names, draw from generators of their own); None to continue the streams of the last seed.
            options: not used.

        Returns:
            The observation; an info with the learner's ``seat`` and ``seat_name``.

        Raises:
            ValueError: the seed is not from 0 to 2**64 - 1.
        """
        super().reset(seed=None if seed is None else int(seed_word(seed)))
        # Without a seed the generator is made only here, so that each copy of an environment has one of its own.
        if seed is not None or not self.dealt:
            self.players = self.load_players(self.np_random)
        self.decisions = 0
        self.begin()
        while self.terminated:  # a game that ended before the learner's first decision is no episode
            self.begin()
        answer = self.observation(), self.info(self.seat)
        self.running = True
        return answer

    def begin(self) -> None:
        """Deal a game with new seats, and play on to the learner's first decision or the end."""
        self.sit_down()
        self.deal(int(self.np_random.integers(2**63)))
        self.unpaid = self.play_others()

    def sit_down(self) -> None:
        """Draw the learner's seat, unless it is fixed, and who sits in each of the others."""
        players = self.batch.num_players
        self.seat = int(self.np_random.integers(players)) if self.fixed_seat is None else self.fixed_seat
        others = [seat for seat in range(players) if seat != self.seat]
        dealt: list[int] = []
        while len(dealt) < len(others):
            dealt += self.np_random.permutation(len(self.players)).tolist()
        self.seating = dict(zip(others, dealt, strict=False))

    def play_others(self) -> float:
        """Play on to the learner's next decision or the end; gives what the learner earned meanwhile."""
        earned = 0.0
        while not self.terminated and self.batch.seat[0] != self.seat:
            player = self.players[self.seating[int(self.batch.seat[0])]]
            self.play(answers(player, Decisions.of(self.batch, THE_GAME))[0])
            earned += float(self.batch.reward[0, self.seat])
            self.show()
        return earned

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take the learner's decision, and play on to its next one or the end.

        Returns:
            Observation, reward, whether the episode ended, whether it was truncated, info; at the end of the game the
            info has the learner's ``points`` and ``rank``.

        Raises:
            ResetNeeded: no game is under way, or a step was broken off.
        """
        if not self.running:
            raise ResetNeeded("the episode is over: call reset() first")
        try:
            number = self.legal_number(action)
        except ValueError as error:
            self.running = False
            return (
                self.observation(),
                ILLEGAL_REWARD,
                True,
                False,
                self.info(self.seat) | {"illegal_action": str(error)},
            )
        self.play(number)
        self.decisions += 1
        self.show()
        reward = self.unpaid + float(self.batch.reward[0, self.seat]) + self.play_others()
        self.unpaid = 0.0
        answer = self.observation(), reward, self.terminated, self.truncated, self.info(self.seat)
        self.running = not (self.terminated or self.truncated)
        return answer

    @property
    def truncated(self) -> bool:
        """Whether the episode was truncated by `max_turns`, which counts the learner's decisions."""
        return not self.terminated and self.max_turns is not None and self.decisions >= self.max_turns

    def observation(self) -> dict[str, np.ndarray]:
        """What the learner sees and may do."""
        return {"observation": self.observe_seat(self.seat), "action_mask": self.mask()}

    def mask(self) -> NDArray[np.int8]:
        """The learner's legal actions, int8 [actions]; see `mask_when_over`."""
        return mask_when_over(self.batch.num_actions) if self.terminated else self.batch.action_mask[0].copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, as sb3-contrib's MaskablePPO asks for them; bool [actions]."""
        return self.mask().astype(np.bool_)

    @property
    def viewer(self) -> int | None:
        """The learner's seat: pictures show its hand. Raises ResetNeeded before the first `reset`."""
        if not self.seating:
            raise ResetNeeded("there is no game to show: call reset() first")
        return self.seat
