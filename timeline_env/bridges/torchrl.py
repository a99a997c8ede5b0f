"""What TorchRL's `PettingZooWrapper` needs of an AEC environment."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils import BaseWrapper


class WithoutInfos(BaseWrapper):
    """An AEC environment with empty infos.

    TorchRL makes a tensor of every info and expects the same ones at every step; ours hold the seat's name, and at the end of
    the game its points and rank.
    """

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {} for agent in self.env.infos}
