"""The recipe of docs/own_game.md: Kuhn poker from `examples`, which the package does not know, in everything that plays a game."""

from __future__ import annotations

import dataclasses
import importlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import yaml
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from examples.kuhn_poker import GAME, environments, from_text, to_text
from tests.commands import python_in
from timeline_env import view
from timeline_env.arena.evaluation import evaluate
from timeline_env.engine import loops, perft, record, replay, verbs
from timeline_env.engine.jit import PLAIN_PYTHON
from timeline_env.engine.setting import Setting
from timeline_env.games import PACKAGES, game_named

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "own_game.md").read_text(encoding="utf-8")
DEALS = np.array(list(permutations(range(3), 2)), np.int8)
FIRST, SECOND, RESULTS = -1 / 18, 1 / 18, {"rank", "points", "seat", "seat_name"}


@dataclass
class Node:
    """A history of actions, in all six deals at once.

    Attributes:
        seat: who decides; -1 at the end.
        won: float64 [6], the chips of the first seat.
        after: the nodes that the actions lead to.
        regrets, weights: float64 [3, 2], of the actions with each card of whoever decides, for `improve`.
    """

    seat: int
    won: np.ndarray[Any, Any]
    after: list[Node]
    regrets: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros((3, 2)))
    weights: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros((3, 2)))

    @property
    def cards(self):
        """The card of whoever decides, in each deal."""
        return DEALS[:, self.seat]

    def policy(self, weights):
        """Probabilities of the actions in each deal, in proportion to the weights of the card; [6, 2]."""
        total = weights.sum(axis=1, keepdims=True)
        return np.where(total > 0, weights / np.where(total > 0, total, 1), 0.5)[self.cards]


def tree():
    """Every history of the game, played by the engine."""
    batch = environments.batch(num_games=len(DEALS), reward="score")
    batch.states["card"][:] = DEALS
    batch.refresh()

    def grow(states, won):
        seat, after = int(batch.seat[0]), []
        assert (batch.seat == seat).all() and (batch.action_mask == (seat >= 0)).all()
        for action in range(2) if seat >= 0 else ():
            batch.states[:] = states
            batch.refresh()
            batch.step(np.full(len(DEALS), action), restart=False)
            after.append(grow(batch.states.copy(), batch.reward[:, 0].astype(float)))
        return Node(seat, won, after)

    return grow(batch.states.copy(), np.zeros(len(DEALS)))


def value(node):
    """What the first seat wins in each deal if both play by the average policy."""
    if node.seat < 0:
        return node.won
    return (node.policy(node.weights) * np.stack([value(after) for after in node.after], axis=1)).sum(axis=1)


def best_response(node, seat, reach):
    """What `seat` wins in each deal by its best response to the other's average policy; `reach`: how likely that comes here."""
    if node.seat < 0:
        return node.won if seat == 0 else -node.won
    if node.seat != seat:
        policy = node.policy(node.weights)
        return sum(
            best_response(after, seat, reach * policy[:, action]) * policy[:, action]
            for action, after in enumerate(node.after)
        )
    values = np.stack([best_response(after, seat, reach) for after in node.after], axis=1)
    by_card = np.zeros((3, 2))
    np.add.at(by_card, node.cards, values * reach[:, None])
    return values[np.arange(len(DEALS)), by_card.argmax(axis=1)[node.cards]]


def nash_conv(root):
    """What both seats could win by their best responses, together."""
    return sum(best_response(root, seat, np.ones(len(DEALS))).mean() for seat in range(2))


def improve(node, reach, iteration):
    """An iteration of CFR+ (Tammelin 2014) from this node on; gives what the first seat wins in each deal."""
    if node.seat < 0:
        return node.won
    policy, sign = node.policy(node.regrets), 1 - 2 * node.seat
    values = []
    for action, after in enumerate(node.after):
        further = [row.copy() for row in reach]
        further[node.seat] *= policy[:, action]
        values.append(improve(after, further, iteration))
    values = np.stack(values, axis=1)
    mean = (policy * values).sum(axis=1)
    np.add.at(node.regrets, node.cards, sign * (values - mean[:, None]) * reach[1 - node.seat][:, None])
    np.maximum(node.regrets, 0, out=node.regrets)
    np.add.at(node.weights, node.cards, iteration * policy * reach[node.seat][:, None])
    return mean


def played(env):
    """A game of random legal actions in an AEC environment; the rewards of both agents."""
    rng, earned = np.random.default_rng(1), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        earned[agent] += reward
        mask = observation["action_mask"]
        env.step(None if termination or truncation else int(rng.choice(np.flatnonzero(mask))))
    return earned


def test_it_lies_elsewhere_and_is_found_by_name_in_at_most_150_lines():
    lines = [len(path.read_text().splitlines()) for path in (ROOT / "examples" / "kuhn_poker").glob("*.py")]
    assert len(lines) == 2 and sum(lines) <= 150
    assert "kuhn_poker" not in PACKAGES and game_named("kuhn_poker") is GAME


def test_uniform_play_can_be_exploited_as_openspiel_knows():
    assert nash_conv(tree()) == pytest.approx(0.9166667, abs=1e-6)


def test_counterfactual_regret_minimization_finds_the_value():
    root = tree()
    for iteration in range(1, 301):
        improve(root, [np.ones(len(DEALS))] * 2, iteration)
    assert value(root).mean() == pytest.approx(-1 / 18, abs=2e-3)
    assert 0 <= nash_conv(root) < 0.02


def test_pettingzoos_environments():
    api_test(environments.env(), num_cycles=30)
    parallel_api_test(environments.parallel_env(), num_cycles=30)
    env = environments.env(reward="score")
    env.reset(seed=1)
    earned = played(env)
    assert sum(earned.values()) == 0 and abs(earned["player_0"]) in (1, 2)


def test_gymnasiums_environments():
    check_env(environments.single_seat_env(), skip_render_check=True)
    envs = environments.vector_env(num_envs=8)
    assert isinstance(envs, gymnasium.vector.VectorEnv)
    observation, _ = envs.reset(seed=1)
    for _ in range(10):
        observation, reward, *_ = envs.step(observation["action_mask"].argmax(axis=1))
        assert observation in envs.observation_space and set(reward.tolist()) <= {-1, 0, 1}


def test_the_vector_environment_of_stable_baselines3():
    pytest.importorskip("stable_baselines3")
    envs = environments.vec_env(8, reward="score")
    assert envs.reset().shape == (8, 9)
    assert {reward for _ in range(10) for reward in envs.step(np.ones(8, np.int64))[1]} <= {-2, -1, 1, 2}


def test_a_batch_deals_every_pair_of_cards_and_shares_the_chips():
    batch = environments.batch(num_games=600, seed=1, reward="score")
    _, counts = np.unique(batch.states["card"], axis=0, return_counts=True)
    assert len(counts) == 6 and counts.min() > 60
    batch.play_random(50)
    assert (batch.reward.sum(axis=1) == 0).all()


def test_states_are_saved_and_put_back():
    env, other = environments.raw_env(), environments.raw_env()
    env.reset(seed=3)
    env.step(0)
    other.set_state(env.get_state())
    assert other.batch.states.tobytes() == env.batch.states.tobytes()
    with pytest.raises(ValueError, match=r"^this saved state is damaged: its checksum does not match$"):
        other.set_state(env.get_state()[:-1])


@pytest.mark.parametrize("cards", ["01", "2?", "?0"])
@pytest.mark.parametrize("done", ["-", "pass", "pass,bet", "bet"])
def test_positions_are_written_and_read(cards, done):
    rules = GAME.load_rules(2)
    S = from_text(rules, f"{cards} {done} 1f:2a")
    assert to_text(rules, S[0]) == f"{cards} {done} 1f:2a"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "^position '' must be as in 20 pass,bet 1f:2a or "),
        ("00 - 0:0", "^position '00 - 0:0' must be as in 20 pass,bet 1f:2a or "),
        ("01 - 0:x", "^position '01 - 0:x' must be as in 20 pass,bet 1f:2a or "),
        ("0123 - 0:0", "^position '0123 - 0:0' must be as in 20 pass,bet 1f:2a or "),
        ("01 fold 0:0", "^move 'fold' is not legal; legal: pass, bet$"),
        ("01 bet,bet,bet 0:0", "^move 'bet' is not legal; legal: nothing, the game is over$"),
    ],
)
def test_what_is_no_position_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        from_text(GAME.load_rules(2), text)


def test_saved_games_and_perft(tmp_path):
    saved = replay.record_game(Setting(GAME, 2), 5, [0, 1, 1])
    replay.save(tmp_path / "game.json", saved)
    assert saved.moves == ["pass", "bet", "bet"]
    assert replay.replay(replay.load(tmp_path / "game.json"))["won"][0] in (-2, 2)
    rules, S = perft.deal_position(Setting(GAME, 2), 5)
    assert [sum(perft.perft(GAME, rules, S, depth).values()) for depth in (1, 2, 3)] == [2, 4, 2]


def test_what_is_hidden_is_dealt_anew_evenly():
    rules, S = GAME.load_rules(2), from_text(GAME.load_rules(2), "12 pass 1f:2a")
    worlds = record.new(GAME.state, 400)
    worlds[:] = S
    loops.determinize_games(rules, worlds, np.ones(400, np.int64), np.arange(400, dtype=np.uint64) * 977 + 1)
    assert set(worlds["card"][:, 1]) == {2} and set(worlds["card"][:, 0]) == {0, 1}
    assert 150 < (worlds["card"][:, 0] == 0).sum() < 250 and (worlds["seed"] == 0).all()
    assert to_text(rules, S[0], viewer=1) == "?2 pass 0:0"


def test_searches_and_evaluation_find_it_by_its_name():
    row = evaluate(game_named("kuhn_poker"), "mcts:64", ["random"], games=200).overall
    assert row.win.mean > 0.5


def test_the_bridge_to_openspiel_plays_it_and_openspiels_own_game_pays_the_same():
    pyspiel = pytest.importorskip("pyspiel")
    from timeline_env.bridges.openspiel import register

    register("python_own_kuhn_poker", "kuhn_poker")
    pyspiel.random_sim_test(pyspiel.load_game("python_own_kuhn_poker"), num_sims=3, serialize=False, verbose=False)

    def same(node, states):
        assert [state.is_terminal() for state in states] == [node.seat < 0] * len(DEALS)
        if node.seat < 0:
            assert [state.returns()[0] for state in states] == node.won.tolist()
        for action, after in enumerate(node.after):
            same(after, [state.child(action) for state in states])

    dealt = [pyspiel.load_game("kuhn_poker").new_initial_state() for _ in DEALS]
    for state, cards in zip(dealt, DEALS.tolist(), strict=True):
        for card in cards:
            state.apply_action(card)
    same(tree(), dealt)


def test_a_learner_is_trained_by_its_name(tmp_path):
    pytest.importorskip("sb3_contrib")
    settings = {
        "game": "kuhn_poker", "num_players": 2, "steps": 512, "envs": 16, "threads": 1, "network": {"hidden": [8]},
        "ppo": {"n_steps": 16, "batch_size": 64, "n_epochs": 1}, "evaluation": {"against": ["random"], "games": 20},
    }  # fmt: skip
    (tmp_path / "kuhn.yaml").write_text(yaml.safe_dump(settings))
    (command,) = re.findall(r'python -c "(.*?)" train kuhn\.yaml', PAGE)
    done = subprocess.run(
        [sys.executable, "-c", command, "train", str(tmp_path / "kuhn.yaml"), "--out", str(tmp_path / "run")],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    evaluated = evaluate(GAME, str(tmp_path / "run"), ["random"], games=20)
    assert evaluated.games == 20


@pytest.mark.parametrize("draw", [view.to_ansi, view.to_svg, view.to_rgb])
def test_it_has_no_view_and_says_so(draw):
    with pytest.raises(ValueError, match=r"^game 'kuhn_poker' has no view, so there are no pictures of it$"):
        draw(GAME.load_rules(2)[0], environments.batch(1).states[0])


def test_the_recipes_example_runs():
    (example,) = python_in("docs/own_game.md")
    exec(compile(example, "docs/own_game.md", "exec"), {})


def test_a_second_game_with_the_same_record_is_refused():
    twin = dataclasses.replace(GAME, name="kuhn_twin")
    with pytest.raises(ValueError, match="game 'kuhn_twin' has the same record as 'kuhn_poker'"):
        verbs.register(twin)
    assert "kuhn_twin" not in verbs.GAMES
    verbs.register(GAME)  # the same again, as when its module is loaded anew


@pytest.fixture
def variant(tmp_path, monkeypatch):
    """Imports a copy of the game under a name of its own, with a record of its own, in which one text is replaced by another."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # it does not notice two edits within a second
    monkeypatch.setattr(verbs, "GAMES", dict(verbs.GAMES))
    monkeypatch.setattr(verbs, "COMPILED_FROM", dict(verbs.COMPILED_FROM))

    def make(name, old="", new=""):
        folder = shutil.copytree(
            ROOT / "examples" / "kuhn_poker", tmp_path / name, ignore=shutil.ignore_patterns("__py*")
        )
        for file in folder.glob("*.py"):
            text = file.read_text().replace("examples.kuhn_poker", name).replace("kuhn_poker", name)
            file.write_text(re.sub(r"\bwon\b", f"{name}_won", text))
        edit(folder / "rules.py", old, new)
        return importlib.import_module(name)

    yield make
    for name in [name for name in sys.modules if name.partition(".")[0].startswith("kuhn_")]:
        del sys.modules[name]


def edit(file, old, new):
    text = file.read_text()
    assert not old or text.count(old) == 1
    file.write_text(text.replace(old, new) if old else text)


def test_a_deal_that_does_not_keep_its_seed_is_refused(variant):
    game = variant("kuhn_unseeded", "s.rng, s.seed, s.count", "s.rng, s.rng, s.count").environments
    for _ in range(2):
        with pytest.raises(
            ValueError, match=r"^game 'kuhn_unseeded': deal must keep its seed in the field seed, of type u8$"
        ):
            game.batch(num_games=1)


def test_a_deal_that_leaves_something_of_the_game_before_is_refused(variant):
    game = variant(
        "kuhn_untidy", "s.card[:], s.done[:], s.legal[:] = HIDDEN, HIDDEN, 1", "s.card[:], s.legal[:] = HIDDEN, 1"
    )
    with pytest.raises(ValueError, match=r"^game 'kuhn_untidy': deal must set every field; .* it leaves done$"):
        game.environments.env()


def test_a_record_without_a_field_for_the_seed_is_refused():
    state = np.dtype([(name, *GAME.state.fields[name][:1]) for name in GAME.state.names if name != "seed"])
    with pytest.raises(ValueError, match=r"^game 'kuhn_seedless' must have a field 'seed' in its STATE"):
        verbs.register(dataclasses.replace(GAME, name="kuhn_seedless", state=state))


@pytest.mark.skipif(PLAIN_PYTHON, reason="plain Python keeps no rules")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s.legal[:] = s.NAME_won == 0", "s.legal[:] = s.NAME_won < 1"),
        ("rng.draw(s, 3)", "rng.draw(s, 3) * 1"),
        ("HIDDEN, PASS, BET = -1, 0, 1", "HIDDEN, PASS, BET = -2, 0, 1"),
        ('("NAME_won", "i1", ()', '("more", "i1", (), "of its own"),\n    ("NAME_won", "i1", ()'),
        ('("num_players", "i8", (), "2")', '("num_players", "i8", (), "2"), ("more", "i8", (), "of its own")'),
    ],
    ids=["verb", "helper", "constant", "record", "numbers"],
)
def test_changed_rules_under_a_taken_name_are_refused(old, new, variant):
    module = variant("kuhn_edited")
    importlib.reload(sys.modules["kuhn_edited.rules"])
    sys.modules["kuhn_edited.rules"].count = 7  # a global that no rule reads, though a field has its name
    importlib.reload(module)  # as it was: the same rules
    file = Path(module.__file__).with_name("rules.py")
    file.write_text(f"# moved by a line\n{file.read_text()}")
    importlib.reload(sys.modules["kuhn_edited.rules"])
    before = importlib.reload(module).GAME
    edit(file, *(text.replace("NAME", "kuhn_edited") for text in (old, new)))
    importlib.reload(sys.modules["kuhn_edited.rules"])
    with pytest.raises(
        ValueError, match=r"^game 'kuhn_edited' is already registered with other rules: start Python anew"
    ):
        importlib.reload(module)
    assert verbs.GAMES["kuhn_edited"] is before


def test_an_argument_that_is_no_switch_of_the_game_is_refused():
    with pytest.raises(TypeError, match="kuhn_poker_v0 got an unexpected keyword argument 'pledges'"):
        environments.env(pledges=False)
