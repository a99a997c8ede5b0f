"""The names under which libraries find the environments."""

import gymnasium
import numpy as np
import pettingzoo
import pytest

from tests.games import each_game
from tests.simulator import run
from timeline_env import timeline_v0


def test_ids():
    env = pettingzoo.make("aec", "timeline/timeline-v0", num_players=3)
    assert str(env) == "timeline_v0"
    assert env.max_num_agents == 3
    assert isinstance(env.unwrapped, type(timeline_v0.raw_env()))
    parallel = pettingzoo.make("parallel", "timeline/timeline-v0", num_players=5)
    assert parallel.possible_agents == [f"player_{seat}" for seat in range(5)]
    single = gymnasium.make("timeline/Timeline-v0", num_players=2, seat=1)
    assert single.reset(seed=0)[1]["seat_name"] == "orange"


@each_game
def test_every_game_has_its_ids(table):
    name = table.game.name
    assert str(pettingzoo.make("aec", f"timeline/{name}-v0")) == f"{name}_v0"
    assert pettingzoo.make("parallel", f"timeline/{name}-v0").possible_agents[-1] == f"player_{table.num_players - 1}"
    assert gymnasium.make(table.gymnasium_id).unwrapped.metadata["name"] == f"{name}_v0"


def test_the_import_is_light():
    """The rules are imported with `timeline_v0`, and their compiler with them."""
    heavy = "{'numba', 'torch', 'stable_baselines3', 'pygame', 'PIL', 'matplotlib'}"
    assert run(f"import sys, timeline_env; print({heavy} & set(sys.modules))") == "set()"


def test_a_pettingzoo_without_a_registry_is_enough():
    code = (
        "import pettingzoo; del pettingzoo.register; from timeline_env import timeline_v0; "
        "import gymnasium; print(str(timeline_v0.env()), 'timeline/Timeline-v0' in gymnasium.registry)"
    )
    assert run(code) == "timeline_v0 True"


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_gymnasium_gives_the_pictures_of_all_decisions(mode):
    env = gymnasium.make("timeline/Timeline-v0", render_mode=f"{mode}_list")
    mask = env.reset(seed=1)[0]["action_mask"]
    env.step(int(mask.argmax()))
    first, second = env.render()
    assert type(first) is type(second) is (str if mode == "ansi" else np.ndarray)
    assert np.any(first != second)
