"""Twilight Struggle, version 0: the module that users import, ``from timeline_env import twilight_struggle_v0``.

``player_0`` is the USSR, ``player_1`` the US. The arguments that several of its functions share:

* ``num_players``: 2, or None for 2;
* ``reward``: ``"rank"``, ``"score"`` or ``"win"``, see `timeline_env.twilight_struggle.scoring.rewards`;
* ``render_mode``: ``"human"``, ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None;
* ``rules``: a variant, as a TOML file or a dict, see `timeline_env.twilight_struggle.numbers.load_rules`; None for the game as it is;
* ``max_turns``: the game is truncated after this many decisions (in the Gymnasium environments, decisions of the
  learner); None for never, since every game ends by itself;
* ``normalize``: whether every number of the observation is divided by its scale, see `Layout.scale`; this gives float32
  values from -1 to 1, which networks learn from best;
* ``common``: has no effect here, since there are always two players.

All functions raise ValueError for a value that is not allowed; the message names the value and what is allowed. For the
other arguments see `timeline_env.wrappers.module.Environments`.
"""

from __future__ import annotations

from timeline_env.twilight_struggle import GAME
from timeline_env.wrappers.module import Environments

__all__ = ["batch", "common_form", "env", "parallel_env", "raw_env", "single_seat_env", "vec_env", "vector_env"]

_environments = Environments(GAME, "twilight_struggle_v0")
env = _environments.env
raw_env = _environments.raw_env
parallel_env = _environments.parallel_env
single_seat_env = _environments.single_seat_env
vec_env = _environments.vec_env
vector_env = _environments.vector_env
batch = _environments.batch
common_form = _environments.common_form
