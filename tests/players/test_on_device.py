"""Players' kernels in CUDA's simulator: they think and choose as their functions on the CPU."""

from __future__ import annotations

import pytest

from tests.simulator import simulate
from timeline_env.games import PACKAGES, game_named
from timeline_env.players.agents.prior import appraisers, device_appraisers

APPRAISED = """
    import sys
    import numpy as np
    from timeline_env import timeline_v0, twilight_struggle_v0
    from timeline_env.players import Decisions
    from timeline_env.players.agents.cuda_appraiser import CudaAppraiser
    from timeline_env.players.agents.prior import device_appraisers, load_appraiser

    v0 = {"timeline": timeline_v0, "twilight_struggle": twilight_struggle_v0}[sys.argv[1]]
    for name, player in device_appraisers(v0.GAME).items():
        here, there = (v0.batch(3, seed=2, device=device) for device in ("cpu", "cuda"))
        here.play_random(60)
        there.play_random(60, observed=False)
        appraiser = CudaAppraiser(player, there)
        appraiser.look()
        asked = Decisions.of(here, np.arange(3))
        expected = load_appraiser(v0.GAME, name).values(here.rules, asked.states(), asked.action_mask, asked.seat)
        assert np.isfinite(expected).sum() > 3
        assert appraiser.values.copy_to_host().tobytes() == expected.tobytes(), name
        assert there.states.copy_to_host().tobytes() == here.states.tobytes()
    print("same values")
"""

SEARCHED = """
    import sys
    import numpy as np
    from timeline_env import timeline_v0, twilight_struggle_v0
    from timeline_env.players import Decisions
    from timeline_env.players.names import Budget
    from timeline_env.players.search import on_device
    from timeline_env.players.search.on_device import DeviceFlat
    from timeline_env.players.search.players import Flat

    on_device.WORLDS_A_LAUNCH = 2  # so that more than one is needed
    v0 = {"timeline": timeline_v0, "twilight_struggle": twilight_struggle_v0}[sys.argv[1]]
    for budget in map(Budget.read, sys.argv[2:]):
        batch = v0.batch(2, seed=4)
        batch.play_random(45)
        asked = Decisions.of(batch, np.arange(2))
        expected, found = Flat(budget, 7), DeviceFlat(budget, 7)
        for _ in range(2):  # the second time from where the first has left its generator
            assert (found.act(asked) == expected.act(asked)).all()
    try:
        DeviceFlat(Budget.read("50ms"))
    except ValueError as error:
        assert str(error) == "budget 50ms must be in simulations on a GPU, such as 200"
    else:
        raise AssertionError("a time was taken")
    print("same choices")
"""


@pytest.mark.parametrize("game", PACKAGES)
def test_players_that_value_actions_do_so_on_a_gpu_but_the_planner(game):
    assert simulate(APPRAISED, game) == "same values"
    there, all_of_them = device_appraisers(game_named(game)), appraisers(game_named(game))
    assert {name: player for name, player in all_of_them.items() if name != "planner"} == there


@pytest.mark.parametrize("arguments", [("timeline", "3", "40"), ("twilight_struggle", "3")], ids=" ".join)
def test_flat_search_chooses_as_on_the_cpu(arguments):
    assert simulate(SEARCHED, *arguments) == "same choices"
