"""``common=True``: the same environments, whose observations and masks have one form for every number of players."""

from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test, state_test

from tests.games import TABLES, each_table
from timeline_env import timeline_v0
from timeline_env.timeline import GAME

pytestmark = pytest.mark.filterwarnings("ignore:Observation")
fewer = pytest.mark.parametrize("table", [table for table in TABLES if table.num_players in (2, 3)], ids=str)


@each_table
def test_aec_interface(table):
    api_test(table.make("env", common=True), num_cycles=300)
    seed_test(partial(table.make, "env", common=True), num_cycles=100)


@fewer
def test_parallel_interface(table):
    parallel_api_test(table.make("parallel_env", common=True), num_cycles=500)
    parallel_seed_test(partial(table.make, "parallel_env", common=True))
    state_test(table.make("env", common=True), table.make("parallel_env", common=True))


@each_table
def test_the_same_game_is_seen_in_the_common_form(table, play):
    plain, env, form = table.make("raw_env"), table.make("raw_env", common=True), table.make("common_form")
    for one in (plain, env):
        one.reset(seed=3)
    for _ in range(40):
        for agent in plain.agents:
            ours, theirs = plain.observe(agent), env.observe(agent)
            wanted = form.observation(ours["observation"].astype(np.int8))
            assert theirs["observation"].dtype == np.float32 and (theirs["observation"] == wanted).all()
            assert (theirs["action_mask"] == form.mask(ours["action_mask"])).all()
            assert env.observation_space(agent).contains(theirs)
        action = int(np.flatnonzero(plain.observe(plain.agent_selection)["action_mask"])[-1])
        plain.step(action)
        env.step(action)
    assert env.get_state() == plain.get_state()


@pytest.mark.parametrize("kind", ["env", "parallel_env"])
def test_every_number_of_players_has_the_same_spaces(kind):
    made = [getattr(timeline_v0, kind)(num_players=count, common=True) for count in GAME.players]
    assert len({(str(env.observation_space("player_0")), str(env.action_space("player_0"))) for env in made}) == 1


def test_scaled_numbers_are_within_one():
    env = timeline_v0.raw_env(num_players=2, common=True, normalize=True)
    env.reset(seed=1)
    seen, layout = env.observe("player_0")["observation"], timeline_v0.common_form(2).layout
    deck = layout.index("clock", "cards left in the deck (127: or more)")
    assert 0 < seen[deck] <= 1 and np.abs(seen).max() <= 1


@pytest.mark.parametrize("kind", ["env", "raw_env", "parallel_env"])
def test_it_is_true_or_false(kind):
    with pytest.raises(ValueError, match="common 'yes' must be True or False"):
        getattr(timeline_v0, kind)(common="yes")
