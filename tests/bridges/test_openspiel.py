"""The games as games of OpenSpiel: played by its own checks and bots, and the same games that a batch plays."""

from __future__ import annotations

import copy
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pyspiel
import pytest
from open_spiel.python import observation
from open_spiel.python.algorithms import ismcts, mcts

import timeline_env.bridges.openspiel  # noqa: F401  (registers the games)
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.games import game_named

NAMES = ("python_timeline(players=2,outcomes=8)", "python_timeline(players=4)", "python_twilight_struggle(outcomes=6)")
each_game = pytest.mark.parametrize("name", NAMES)


def play_on(state, decisions, generator):
    """Take so many random decisions, chance in between, or fewer if the game ends."""
    while decisions and not state.is_terminal():
        chance = state.is_chance_node()
        actions = [outcome for outcome, _ in state.chance_outcomes()] if chance else state.legal_actions()
        state.apply_action(int(generator.choice(actions)))
        decisions -= not chance
    return state


def drawn(state, generator):
    """The state after the chance nodes that come next."""
    while state.is_chance_node():
        state.apply_action(int(generator.choice([outcome for outcome, _ in state.chance_outcomes()])))
    return state


@each_game
def test_it_passes_openspiels_own_check(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


@each_game
def test_a_state_is_a_function_of_its_history(name):
    game = pyspiel.load_game(name)
    state = play_on(game.new_initial_state(), -1, np.random.default_rng(3))
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert state.is_terminal() and str(again) == str(state)
    assert again.returns() == state.returns() and sum(state.returns()) == pytest.approx(0)
    assert again.information_state_string(1) == state.information_state_string(1)


def test_timeline_is_the_game_that_a_batch_plays():
    state = play_on(pyspiel.load_game(NAMES[0]).new_initial_state(), -1, np.random.default_rng(4))
    deal, *actions = state.history()
    batch = Batch(Setting(game_named("timeline"), 2), 1)
    batch.deal(game_seeds(0, 8)[deal : deal + 1])
    for action in actions:
        batch.step([action], restart=False)
    assert batch.done[0] and state.returns() == batch.reward[0].tolist()


def test_dice_are_chance_nodes_of_their_own():
    game, generator = pyspiel.load_game(NAMES[2]), np.random.default_rng(5)
    state = drawn(game.new_initial_state(), generator)
    while not state.is_chance_node():
        assert not state.is_terminal(), "it ended without a throw"
        state = play_on(state, 1, generator)
    assert sum(probability for _, probability in state.chance_outcomes()) == pytest.approx(1)
    results = {str(state.child(outcome)) for outcome, _ in state.chance_outcomes()}
    assert len(results) == 6  # the generator goes on differently after each


@each_game
def test_a_copy_goes_its_own_way(name):
    generator = np.random.default_rng(6)
    state = drawn(play_on(pyspiel.load_game(name).new_initial_state(), 9, generator), generator)
    before, copy = str(state), state.clone()
    play_on(copy, 5, generator)
    assert str(state) == before and str(copy) != before


@each_game
def test_what_a_seat_does_not_know_is_dealt_anew_and_it_cannot_tell(name):
    generator = np.random.default_rng(7)
    state = drawn(play_on(pyspiel.load_game(name).new_initial_state(), 9, generator), generator)
    seat = state.current_player()
    others = [state.resample_from_infostate(seat, generator.random) for _ in range(4)]
    assert len({str(other) for other in [state, *others]}) == 5
    assert {other.information_state_string(seat) for other in others} == {state.information_state_string(seat)}
    assert {other.observation_string(seat) for other in others} == {state.observation_string(seat)}
    assert all(other.legal_actions() == state.legal_actions() for other in others)


def test_an_information_state_tells_decisions_apart_that_the_observation_forgets():
    game, generator = pyspiel.load_game(NAMES[0]), np.random.default_rng(8)
    state = drawn(game.new_initial_state(), generator)
    strings = [state.information_state_string(0)]
    for _ in range(6):
        state = play_on(state, 1, generator)
        strings.append(state.information_state_string(0))
    assert len(set(strings)) == 7


def test_observations_are_the_engines():
    state = drawn(pyspiel.load_game(NAMES[1]).new_initial_state(), np.random.default_rng(9))
    batch = Batch(Setting(game_named("timeline"), 4), 1)
    batch.deal(game_seeds(0, 1024)[state.history()[0] :][:1])
    for seat in range(4):
        assert state.observation_tensor(seat) == batch.observe([0], [seat])[0].tolist()


@each_game
def test_its_searches_run_unmodified(name):
    game, random = pyspiel.load_game(name), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    state = drawn(game.new_initial_state(), np.random.default_rng(2))
    bots = (
        mcts.MCTSBot(game, 1.4, 5, evaluator, random_state=random),
        ismcts.ISMCTSBot(game, evaluator, 1.4, 5, random_state=random),
    )
    assert all(bot.step(state) in state.legal_actions() for bot in bots)


@each_game
def test_an_illegal_action_is_an_error_of_openspiels_and_changes_nothing(name):
    """Programs for OpenSpiel, RLlib's among them, catch no other."""
    state = drawn(pyspiel.load_game(name).new_initial_state(), np.random.default_rng(10))
    before, legal = str(state), state.legal_actions()
    illegal = next(action for action in range(1000) if action not in legal)
    with pytest.raises(pyspiel.SpielError, match=f"action {illegal} is not legal for player {state.current_player()};"):
        state.apply_action(illegal)
    assert (str(state), state.legal_actions()) == (before, legal)


def test_an_impossible_chance_outcome_is_an_error_of_openspiels_and_changes_nothing():
    for name, moves in (("python_timeline(players=2,outcomes=8)", 0), ("python_twilight_struggle(outcomes=8)", 60)):
        state, rng = pyspiel.load_game(name).new_initial_state(), np.random.default_rng(11)
        while moves > len(state.history()) or not state.is_chance_node():
            state.apply_action(int(rng.choice(state.legal_actions())))
        for outcome in (8, 99):
            with pytest.raises(pyspiel.SpielError, match=f"chance outcome {outcome} must be from 0 to 7"):
                state.apply_action(outcome)
        state.apply_action(7)


def test_what_a_seat_did_is_part_of_what_it_knows_and_of_nobody_elses():
    state = drawn(pyspiel.load_game("python_timeline(players=2)").new_initial_state(), np.random.default_rng(3))
    moment = state.moment
    first, second = (replace(moment, before=moment, mover=moment.seat, action=action, _told={}) for action in (1, 2))
    for seat in range(2):
        same = first.hash_for(state.table, seat) == second.hash_for(state.table, seat)
        assert same == (seat != moment.seat)


@each_game
def test_games_and_states_are_pickled(name):
    game = pyspiel.load_game(name)
    state = play_on(game.new_initial_state(), 9, np.random.default_rng(11))
    again, there = pickle.loads(pickle.dumps((game, state)))
    assert str(again) == str(game) and again.num_players() == game.num_players()
    assert (str(there), there.history()) == (str(state), state.history())


def test_a_game_of_a_variant_is_pickled_wherever_its_file_lies(tmp_path):
    file = tmp_path / "a,b=c.toml"
    file.write_text("[player]\nincome = 12\n")
    game = pyspiel.load_game("python_timeline", {"players": 2, "rules": str(file)})
    state = play_on(game.new_initial_state(), 9, np.random.default_rng(11))
    again, there = pickle.loads(pickle.dumps((game, state)))
    assert again.get_parameters() == game.get_parameters() and str(there) == str(state)


def test_a_state_is_serialized_however_long_its_game_was():
    """OpenSpiel pickles what the state holds: every position before it, one inside the other."""
    game = pyspiel.load_game("python_timeline(players=6)")
    state = play_on(game.new_initial_state(), -1, np.random.default_rng(0))
    assert state.move_number() > 350
    there, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(there) == str(game) and str(again) == str(state) and again.returns() == state.returns()
    assert again.information_state_string(3) == state.information_state_string(3)


@each_game
def test_what_a_state_hands_out_changes_no_state(name):
    state = drawn(
        play_on(pyspiel.load_game(name).new_initial_state(), 9, np.random.default_rng(5)), np.random.default_rng(5)
    )
    before, copied = state.returns(), state.clone()
    state.returns()[0] += 5
    assert state.returns() == copied.returns() == before


@each_game
def test_a_player_has_no_actions_while_chance_decides(name):
    state = pyspiel.load_game(name).new_initial_state()
    count = state.num_distinct_actions()
    for player in range(state.num_players()):
        assert state.legal_actions(player) == []
        assert state.legal_actions_mask(player) == [0] * count
    outcomes = [outcome for outcome, _ in state.chance_outcomes()]
    assert state.legal_actions() == state.legal_actions(pyspiel.PlayerId.CHANCE) == outcomes
    state = drawn(state, np.random.default_rng(5))
    seat = state.current_player()
    assert state.legal_actions(seat) == state.legal_actions() != []
    assert np.flatnonzero(state.legal_actions_mask(seat)).tolist() == state.legal_actions()
    assert state.legal_actions(1 - seat) == [] and state.legal_actions_mask(1 - seat) == [0] * count


def test_an_observer_of_less_or_more_than_a_seat_knows_is_refused():
    """One of public information alone would hold the hand."""
    game, kind, private = pyspiel.load_game(NAMES[0]), pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    for wrong in (
        kind(public_info=True, perfect_recall=False, private_info=private.NONE),
        kind(public_info=True, perfect_recall=True, private_info=private.ALL_PLAYERS),
        kind(public_info=False, perfect_recall=False, private_info=private.SINGLE_PLAYER),
    ):
        with pytest.raises(pyspiel.SpielError, match="must be of public_info=True, private_info=SINGLE_PLAYER"):
            observation.make_observation(game, wrong)
    with pytest.raises(pyspiel.SpielError, match="without params"):
        observation.make_observation(game, None, {"more": 1})
    right = kind(public_info=True, perfect_recall=False, private_info=private.SINGLE_PLAYER)
    state = drawn(game.new_initial_state(), np.random.default_rng(5))
    seen = observation.make_observation(game, right)
    seen.set_from(state, 0)
    assert seen.tensor.tolist() == state.observation_tensor(0)


@each_game
def test_a_resampled_state_is_not_pickled_with_the_true_hidden_cards(name):
    state = drawn(pyspiel.load_game(name).new_initial_state(), np.random.default_rng(11))
    other = state.resample_from_infostate(state.current_player(), lambda: 0.5)
    assert str(other) != str(state) and str(other.clone()) == str(other)
    for each in (other, other.clone()):
        for way in (pickle.dumps, copy.deepcopy):
            with pytest.raises(pyspiel.SpielError, match="it can be cloned, not pickled"):
                way(each)


def test_an_information_state_has_no_tensor():
    """What was handed out for one was the observation, which forgets."""
    game = pyspiel.load_game(NAMES[0])
    state = drawn(game.new_initial_state(), np.random.default_rng(12))
    assert not game.get_type().provides_information_state_tensor
    with pytest.raises(pyspiel.SpielError, match="a string and no tensor"):
        state.information_state_tensor(0)


@each_game
def test_observations_may_be_normalized(name):
    game = pyspiel.load_game(
        name.replace("outcomes=", "normalize=True,outcomes=").replace("players=4", "players=4,normalize=True")
    )
    state = play_on(drawn(game.new_initial_state(), np.random.default_rng(13)), 9, np.random.default_rng(13))
    seen = np.array(state.observation_tensor(0))
    assert np.abs(seen).max() == 1 and len(set(seen.tolist())) > 4


@pytest.mark.parametrize("setting", ["outcomes=0", "players=7", "rules=none.toml", "seed=-1"])
def test_what_is_not_allowed_is_refused(setting):
    with pytest.raises(ValueError, match=setting.split("=")[0]):
        pyspiel.load_game(f"python_timeline({setting})")


def test_a_position_that_is_over_is_refused(tmp_path):
    (tmp_path / "text").write_text("t5.r3 over:us.vp")
    with pytest.raises(ValueError, match=r"text': the game is over$"):
        pyspiel.load_game(f"python_twilight_struggle(position={tmp_path / 'text'})")


def test_a_position_in_which_nobody_knows_what_may_be_done_is_refused(tmp_path):
    (tmp_path / "text").write_text("t5.r3 us stage:end-round seen:ussr hand.ussr:7 hand.us:2? ask:round.us")
    with pytest.raises(ValueError, match="its viewer is not the side to decide"):
        pyspiel.load_game(f"python_twilight_struggle(position={tmp_path / 'text'})")


@each_game
def test_states_of_one_game_may_be_played_in_threads(name):
    """They share a batch; each must still be what its own history makes of it."""
    game = pyspiel.load_game(name)

    def play(seed):
        state, generator, seen = game.new_initial_state(), np.random.default_rng(seed), []
        for _ in range(60):
            state = play_on(state, 1, generator)
            seen += [state.observation_tensor(player) for player in range(game.num_players())]
        return state.history(), seen

    alone = [play(seed) for seed in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(play, range(4)))
    finally:
        sys.setswitchinterval(interval)
    assert together == alone


@each_game
def test_an_observer_is_pickled(name):
    game = pyspiel.load_game(name)
    state = play_on(game.new_initial_state(), 10, np.random.default_rng(2))
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    again = pickle.loads(pickle.dumps(observer))
    assert np.array_equal(observer.tensor, again.tensor) and again.tensor.any()
    for each in (observer, again):
        each.set_from(state, 1)
    assert np.array_equal(observer.tensor, again.tensor) and observer.tensor.any()
