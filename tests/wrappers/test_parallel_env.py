"""The parallel environment: waiting, and the same game as through the AEC interface."""

import numpy as np
import pytest

from tests.games import each_game, each_reward


@each_game
def test_no_mask_is_all_zeros_and_only_waiting_agents_wait(table):
    env = table.make("parallel_env")
    rng = np.random.default_rng(1)
    observations, infos = env.reset(seed=1)
    assert infos["player_1"] == {"seat": 1, "seat_name": table.game.seat_names[1]}
    while env.agents:
        mover = env.possible_agents[env.batch.seat[0]]
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
            legal = np.flatnonzero(seen["action_mask"]).tolist()
            assert (legal == [env.noop]) == (agent != mover)
            assert agent != mover or env.noop not in legal
        actions = {a: int(rng.choice(np.flatnonzero(seen["action_mask"]))) for a, seen in observations.items()}
        observations, *_ = env.step(actions)
    assert all(seen["action_mask"].tolist() == [0] * env.noop + [1] for seen in observations.values())


@each_reward
def test_it_is_the_game_that_the_aec_environment_plays(table, reward, play):
    aec, env = table.make("raw_env", reward=reward), table.make("parallel_env", reward=reward)
    aec.reset(seed=2)
    env.reset(seed=2)
    while env.agents:
        mover = aec.agent_selection
        (action,) = play(aec, 1, seed=aec.turns)
        observations, rewards, terminations, truncations, infos = env.step({mover: action})
        assert (rewards, terminations, truncations, infos) == (
            aec.rewards,
            aec.terminations,
            aec.truncations,
            aec.infos,
        )
        for agent, seen in observations.items():
            assert seen["observation"].tobytes() == aec.observe(agent)["observation"].tobytes()
        assert env.state().tobytes() == aec.state().tobytes()


@each_game
def test_an_illegal_action_ends_the_game_for_all(table):
    env = table.make("parallel_env")
    env.reset(seed=3)
    mover = env.possible_agents[env.batch.seat[0]]
    position = env.batch.states.tobytes()
    _, rewards, terminations, truncations, infos = env.step(dict.fromkeys(env.agents, env.noop))
    assert rewards == {agent: -1.0 if agent == mover else 0.0 for agent in env.possible_agents}
    assert terminations == dict.fromkeys(env.possible_agents, True)
    assert truncations == dict.fromkeys(env.possible_agents, False)
    assert infos[mover]["illegal_action"].startswith(f"action {env.noop} is not legal for {mover}; legal are ")
    assert env.agents == []
    assert env.batch.states.tobytes() == position
    with pytest.raises(ValueError, match="call reset"):
        env.step({mover: 0})


@each_game
def test_the_mover_must_act(table):
    env = table.make("parallel_env")
    env.reset(seed=4)
    mover = env.possible_agents[env.batch.seat[0]]
    waiting = next(agent for agent in env.possible_agents if agent != mover)
    with pytest.raises(ValueError, match=f"the action of {mover}, who is to move, is missing; given: {waiting}$"):
        env.step({waiting: env.noop})
    with pytest.raises(ValueError, match=r"given: none$"):
        env.step({})
    for nothing in (None, 3, [env.noop]):
        with pytest.raises(ValueError, match=r"must give each agent's name an action"):
            env.step(nothing)


@each_game
def test_max_turns_cuts_the_game_short(table):
    env = table.make("parallel_env", max_turns=9)
    for _ in range(2):
        env.reset(seed=5)
        steps = 0
        while env.agents:
            mover = env.agents[env.batch.seat[0]]
            _, _, terminations, truncations, _ = env.step({mover: int(env.batch.action_mask[0].argmax())})
            steps += 1
        assert steps == 9
        assert all(truncations.values())
        assert not any(terminations.values())
