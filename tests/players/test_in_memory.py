"""Players that are in memory, and what is told of those that fail."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.refusals import refusal
from timeline_env import timeline_v0
from timeline_env.arena.evaluation import evaluate
from timeline_env.failures import PlayerFailed
from timeline_env.players import load_player
from timeline_env.timeline import GAME

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "evaluate.py"
SHORT = ROOT / "timeline_env" / "data" / "timeline" / "tiny.toml"
"""A game of few decisions."""


class First:
    """Takes the first legal action."""

    def act(self, decisions):
        return decisions.action_mask.argmax(axis=1)


def first(decisions):
    return First().act(decisions)


class Answers:
    """Gives what it was made with, or calls it."""

    def __init__(self, answer):
        self.answer = answer

    def act(self, decisions):
        return self.answer(decisions)


def played(player, against=("random",)):
    return evaluate(GAME, player, against, games=4, num_players=2, rules=SHORT)


def test_names_objects_and_functions_play_alike():
    by_name = played(f"{__name__}:Named")
    for player in (First(), first, lambda decisions: decisions.action_mask.argmax(axis=1)):
        assert played(player).overall == by_name.overall
    assert played("random", [First()]).table == played("random", [first]).table


def test_what_a_player_writes_into_is_its_own():
    def scribble(decisions):
        actions = decisions.action_mask.argmax(axis=1)
        for array in (decisions.games, decisions.observation, decisions.action_mask, decisions.seat):
            array[:] = 100
        return actions

    assert played(scribble).overall == played(first).overall
    positions = []
    for player in (first, scribble):
        env = timeline_v0.single_seat_env(2, opponents=(player,), seat=1, rules=SHORT)
        env.reset(seed=1)
        while env.is_pending:
            env.step(int(env.action_masks().argmax()))
        positions.append(env.batch.states.tobytes())
    assert positions[0] == positions[1]


class Named(First):
    def __init__(self, seed=0):
        pass


def test_they_are_named_by_module_and_class_or_function():
    result = played(First(), ["random", first])
    assert (result.player, result.against) == (f"{__name__}:First", ["random", f"{__name__}:first"])


def test_a_class_and_what_cannot_act_are_refused():
    with pytest.raises(ValueError, match=r"First'> is a class; give one of its objects, as in First\(\)"):
        played(First)
    with pytest.raises(ValueError, match=r"player 5 is not a player: it has no method `act\(decisions\)`"):
        played("random", [5])


def failing(decisions):
    np.zeros(3).reshape(2, 2)


LINE = failing.__code__.co_firstlineno + 1


@pytest.mark.parametrize("player", [failing, Answers(failing)])
def test_an_error_in_a_player_tells_who_and_where(player):
    with pytest.raises(PlayerFailed) as error:
        played(player)
    name = getattr(player, "__name__", "Answers")
    told = f"player {__name__}:{name} failed in failing, {__file__} line {LINE}: ValueError: cannot reshape array"
    assert str(error.value).startswith(told)
    assert isinstance(error.value.__cause__, ValueError)


def test_a_player_that_ends_the_program_is_told():
    with pytest.raises(PlayerFailed, match=r"failed in .*: SystemExit: 0"):
        played(lambda decisions: sys.exit(0))


def test_what_a_player_says_of_its_failure_is_one_line():
    def act(decisions):
        raise RuntimeError("one line\n  and another")

    with pytest.raises(PlayerFailed, match=r"RuntimeError: one line and another$"):
        played(act)


@pytest.mark.parametrize("seed", [-1, True, "x"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(ValueError, match=rf"^seed {seed!r} must be an integer of at least 0$"):
        load_player("random", GAME, seed)


def test_an_act_with_other_arguments_is_told():
    with pytest.raises(PlayerFailed, match=r"<lambda> failed when its act was called: TypeError: .*takes 0 positional"):
        played(lambda: 0)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda d: d.action_mask.argmax(axis=1)[:-1],
            r"answered with int64 of shape \(1,\); expected .* of shape \(2,\)",
        ),
        (lambda d: d.action_mask.argmax(axis=1)[:, None], r"answered with int64 of shape \(2, 1\); expected"),
        (lambda d: d.action_mask.argmax(axis=1) * 1.0, r"answered with float64 of shape \(2,\); expected are integers"),
        (lambda d: None, r"answered with object of shape \(\); expected"),
        (
            lambda d: np.full(2, 10**6),
            r"answered decision 0 with action 1000000, which is not legal; legal are [0-9 ]+$",
        ),
        (lambda d: np.full(2, -1), r"answered decision 0 with action -1, which is not legal"),
        (lambda d: d.action_mask.argmin(axis=1), r"answered decision 0 with action [0-9]+, which is not legal"),
    ],
)
def test_a_wrong_answer_names_the_player_and_what_is_expected(answer, message):
    with pytest.raises(PlayerFailed, match=f"^player {__name__}:Answers {message}"):
        played(Answers(answer), [Answers(answer)])


def test_opponents_of_a_single_seat_may_be_functions_and_their_failures_are_told():
    env = timeline_v0.single_seat_env(num_players=2, opponents=[first], seat=1)
    assert env.reset(seed=1)[0]["action_mask"].any()
    env = timeline_v0.single_seat_env(num_players=2, opponents=[failing], seat=1)
    with pytest.raises(PlayerFailed, match=re.escape(f"{__file__} line {LINE}")):
        env.reset(seed=1)


def test_opponents_of_vector_environments_may_be_in_memory():
    player = First()
    env = timeline_v0.vec_env(2, num_players=2, rules=SHORT, opponents={player: 1, first: 1})
    env.reset()
    assert env.seats.opponents.players[0] is player
    met = set()
    while len(met) < 2:
        infos = env.step(env.action_masks().argmax(axis=1))[3]
        met.update(name for info in infos if "result" in info for name in info["result"]["opponents"])
    assert met == {f"{__name__}:First", f"{__name__}:first"}
    many = timeline_v0.vector_env(2, num_players=2, rules=SHORT, opponents=[first])
    assert many.reset(seed=1)[0]["action_mask"].any()


def test_the_command_line_tells_the_players_file_and_line(tmp_path):
    lines = [
        "class Mine:",
        "    def __init__(self, seed=0): ...",
        "    def act(self, decisions):",
        "        open('no')",
    ]
    (tmp_path / "mine.py").write_text("\n".join(lines))
    command = [
        sys.executable,
        SCRIPT,
        "mine:Mine",
        "--against",
        "random",
        "--games",
        "8",
        "--players",
        "2",
        "--rules",
        SHORT,
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    line = refusal(done)
    assert "player mine:Mine failed in act, " in line and "mine.py line 4: FileNotFoundError" in line


def test_what_a_player_writes_into_its_mask_changes_nothing_of_what_is_legal():
    def forbid_all(decisions):
        chosen = decisions.action_mask.argmax(axis=1)
        decisions.action_mask[:] = 0
        return chosen

    def allow_all(decisions):
        chosen = (decisions.action_mask == 0).argmax(axis=1)
        decisions.action_mask[:] = 1
        return chosen

    assert played(forbid_all).overall == played(first).overall
    with pytest.raises(PlayerFailed, match=r"allow_all answered decision 0 with action \d+, which is not legal"):
        played(allow_all)
