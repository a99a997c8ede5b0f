"""Timeline, version 0: the module that users import, ``from timeline_env import timeline_v0``.

The arguments that several of its functions share:

* ``num_players``: 2 to 6; None for 4;
* ``reward``: ``"rank"``, ``"score"``, ``"win"`` or ``"lead"``, see `timeline_env.timeline.score.rewards`;
* ``render_mode``: ``"human"``, ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None;
* ``rules``: a variant, as a TOML file or a dict, see `timeline_env.timeline.numbers.load_rules`; None for the game as it is;
* ``max_turns``: the game is truncated after this many decisions (in the Gymnasium environments, decisions of the
  learner); None for never, since every game ends by itself;
* ``normalize``: whether every number of the observation is divided by its scale, see `Layout.scale`; this gives float32
  values from -1 to 1, which networks learn from best;
* ``common``: whether observations and masks have the same form for every number of players, that of six players;
* ``pledges``: whether players may pledge whom they will name (T28); False plays the variant without pledges, whatever
  `rules` says.

All functions raise ValueError for a value that is not allowed; the message names the value and what is allowed. For the
other arguments see `timeline_env.wrappers.module.Environments`.
"""

from __future__ import annotations

from timeline_env.timeline import GAME
from timeline_env.wrappers.module import Environments

__all__ = ["batch", "common_form", "env", "parallel_env", "raw_env", "single_seat_env", "vec_env", "vector_env"]

_environments = Environments(GAME, "timeline_v0")
env = _environments.env
raw_env = _environments.raw_env
parallel_env = _environments.parallel_env
single_seat_env = _environments.single_seat_env
vec_env = _environments.vec_env
vector_env = _environments.vector_env
batch = _environments.batch
common_form = _environments.common_form
