"""Players that follow a rule without a thought; named by module and class."""

from __future__ import annotations

import numpy as np

from timeline_env.players import Decisions


class Last:
    """Takes the last legal action: it never passes if it can help it."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, decisions: Decisions) -> np.ndarray:
        mask = decisions.action_mask
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


class Folds(Last):
    """Takes the first legal action: in Kuhn poker it passes and folds."""

    def act(self, decisions: Decisions) -> np.ndarray:
        return decisions.action_mask.argmax(axis=1)


LAST, FOLDS = (f"{__name__}:{player.__name__}" for player in (Last, Folds))
