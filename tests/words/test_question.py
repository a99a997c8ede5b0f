"""What a seat is told in words, and which answers are taken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from examples.kuhn_poker import environments
from tests.games import Table, each_game
from timeline_env import timeline_v0, twilight_struggle, view, words
from timeline_env.commands.positions import lay_out
from timeline_env.engine.loops import determinize_games
from timeline_env.play.paths import Target
from timeline_env.words.player import message
from timeline_env.words.question import describe

KUHN = environments.batch(num_games=1)
QUESTION = words.ask(KUHN)


@each_game
@pytest.mark.parametrize("steps", [0, 75])
def test_worlds_that_the_seat_cannot_tell_apart_give_the_same_bytes(table: Table, steps: int) -> None:
    batch = table.make("batch", num_games=1, seed=3)
    batch.play_random(steps)
    seat, told = batch.seat.copy(), [sent(batch)]
    for world in range(1, 4):
        other = table.make("batch", num_games=1)
        np.asarray(other.states)[:] = np.asarray(batch.states)
        determinize_games(batch.rules, other.states, seat, np.array([world], np.uint64))
        other.refresh()
        assert other.states.tobytes() != batch.states.tobytes()
        told.append(sent(other))
    assert len(set(told)) == 1


def sent(batch) -> bytes:
    """All that a command could be sent of the decision in a batch's only game."""
    question = words.ask(batch)
    return json.dumps([message(question, question.prompt(as_json)) for as_json in (False, True)]).encode()


@each_game
def test_a_prompt_shows_the_seats_own_view_and_every_legal_move_once(table: Table) -> None:
    batch = table.make("batch", num_games=1, seed=5)
    batch.play_random(40)
    question = words.ask(batch)
    prompt = question.prompt()
    assert view.to_ansi(batch.rules[0], question.s, int(batch.seat[0]), colour=False).rstrip() in prompt
    assert question.position in prompt and question.position not in question.prompt(True).split("\n\n")[1]
    listed = re.findall(r"^(\d+)\. (.+?): ", prompt, re.MULTILINE)
    assert listed == [(str(number), move) for number, move in enumerate(question.moves, 1)]
    for (number, move), action in zip(listed, np.flatnonzero(batch.action_mask[0]), strict=True):
        assert question.read(number) == question.read(move) == question.read(json.dumps({"move": move})) == action


def test_the_position_as_json_is_the_record_without_what_is_hidden() -> None:
    question = words.ask(environments.batch(num_games=1))
    told = json.loads(question.prompt(True).split("\n\n")[1])
    assert told == {"card": [int(question.s.card[0]), -1], "done": [-1, -1, -1], "count": 0, "won": 0}


def test_a_variant_is_told() -> None:
    usual = words.ask(timeline_v0.batch(num_games=1, num_players=2))
    other = words.ask(timeline_v0.batch(num_games=1, num_players=2, rules={"player": {"most_energy": 30}}))
    assert usual.variant == message(usual, "")["variant"] == {} and "variant" not in usual.prompt()
    assert other.variant == message(other, "")["variant"] == {"player": {"most_energy": 30}}
    assert 'as it is: {"player": {"most_energy": 30}}' in other.prompt()
    assert other.position == usual.position and other.moves == usual.moves


def test_an_explanation_is_left_out_only_where_it_is_the_one_told_last() -> None:
    """The same place on another card, or the same turn of a card with other links, is not the same choice."""

    def path(card: str, links: str) -> tuple[Target, ...]:
        return (
            Target(f"hand-{card}", card, f"row {card}"),
            Target("turn-1", "turned", links),
            Target("yes", "yes", "last"),
        )

    said: dict[str, str] = {}
    assert [describe(path(*move), said) for move in [("a", "x"), ("a", "x"), ("b", "y"), ("c", "x"), ("c", "x")]] == [
        "a [row a], turned [x], yes [last]",
        "a, turned, yes [last]",
        "b [row b], turned [y], yes [last]",
        "c [row c], turned [x], yes [last]",
        "c, turned, yes [last]",
    ]


def test_a_game_without_pictures_and_words_is_told_in_its_notation() -> None:
    assert QUESTION.prompt() == (
        "You play Kuhn Poker as first; the seats are first, second.\n\n"
        f"The position in the notation:\n{'012'[KUHN.states.card[0, 0]]}? - 0:0\n\n"
        "Your legal moves:\n1. pass\n2. bet\n\n" + words.question.HOW_TO_ANSWER
    )


@pytest.mark.parametrize(
    "answer",
    ["2", " 2\t", "bet", "  bet ", '{"move": 2}', '{"thoughts": {"move": 1}, "move": "bet"}', ' {"move": "2"} '],
)
def test_exactly_one_move_is_taken(answer: str) -> None:
    assert QUESTION.read(answer) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "'' is not a legal move; give a number from 1 to 2, or one of the moves as listed"),
        ("0", "0 is not a legal move"),
        ("3", "3 is not a legal move"),
        ("-1", "'-1' is not"),
        ("1.", "'1.' is not"),
        ("pass bet", "'pass bet' is not"),
        ("Bet", "'Bet' is not"),
        ("²", "'²' is not"),
        ("[1]", "is not a legal move"),
        ("9" * 5000, "(5,002 characters) is not a legal move"),
        ("{", "'{' is not valid JSON"),
        ('{"a":' * 10**5, "is not valid JSON"),
        ("{}", "'{}' must hold \"move\" once"),
        ('{"move": 1, "move": 2}', 'must hold "move" once'),
        ('{"a": {"move": 1}}', 'must hold "move" once'),
        ('{"move": NaN}', 'must hold "move" once'),
        ('{"move": true}', 'must hold "move" once'),
        ('{"move": 1.0}', 'must hold "move" once'),
        ('{"move": [1]}', 'must hold "move" once'),
        ('{"move": 0}', "0 is not a legal move"),
    ],
)
def test_anything_else_is_refused_in_one_line(answer: str, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        QUESTION.read(answer)
    assert said in str(refused.value) and "\n" not in str(refused.value) and len(str(refused.value)) < 400


def test_an_environment_can_be_asked_and_one_that_is_over_cannot() -> None:
    env = environments.env()
    env.reset(seed=0)
    for answer in ("bet", "2"):
        env.step(words.ask(env).read(answer))
    with pytest.raises(ValueError, match="game 0 is over: nobody is asked"):
        words.ask(env)
    for number in (1, -1, True, 0.0):
        with pytest.raises(ValueError, match=f"game {number} must be an integer from 0 to 0"):
            words.ask(env, number)
    with pytest.raises(ValueError, match="'chess' is neither an environment"):
        words.ask("chess")


def test_a_seat_whose_own_hand_is_not_known_is_not_asked() -> None:
    """Such a position is what the other side sees."""
    text = "t2.r0 us stage:first-headline seen:ussr defcon:4 Iran:0/2 Poland:4/0 hand.us:7? hand.ussr:25,26,34 ask:headline.us"
    with pytest.raises(ValueError, match="game 0: the legal moves of us are not known in this position"):
        words.ask(lay_out(twilight_struggle.GAME, text))


MAKERS = [timeline_v0.env, timeline_v0.raw_env, timeline_v0.parallel_env, timeline_v0.single_seat_env]


@pytest.mark.parametrize("make", MAKERS)
def test_nobody_is_asked_before_a_game_is_dealt(make: Callable[..., Any]) -> None:
    env = make(num_players=2)
    with pytest.raises(ValueError, match=r"nobody is asked: call reset\(\) first"):
        words.ask(env)
    env.reset(seed=0)
    assert words.ask(env).moves


@pytest.mark.parametrize("make", [timeline_v0.env, timeline_v0.parallel_env, timeline_v0.single_seat_env])
def test_nobody_is_asked_after_an_illegal_action(make: Callable[..., Any]) -> None:
    env = make(num_players=2)
    env.reset(seed=0)
    question = words.ask(env)
    illegal = next(action for action in range(10**3) if action not in question.actions)
    env.step({f"player_{question.seat}": illegal} if make is timeline_v0.parallel_env else illegal)
    with pytest.raises(ValueError, match=r"nobody is asked: call reset\(\) first"):
        words.ask(env)
    if make is timeline_v0.env:
        for _ in env.possible_agents:
            env.step(None)
        with pytest.raises(ValueError, match=r"nobody is asked: call reset\(\) first"):
            words.ask(env)


@pytest.mark.parametrize(
    ("make", "by_agent"),
    [(timeline_v0.env, False), (timeline_v0.parallel_env, True), (timeline_v0.single_seat_env, False)],
)
def test_nobody_is_asked_in_a_game_that_was_truncated(make: Callable[..., Any], by_agent: bool) -> None:
    env = make(max_turns=1)
    env.reset(seed=0)
    question = words.ask(env)
    env.step({f"player_{question.seat}": question.read("1")} if by_agent else question.read("1"))
    with pytest.raises(ValueError, match="game 0 was truncated: nobody is asked"):
        words.ask(env)


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
def test_nobody_is_asked_in_one_of_many_games_that_was_truncated_or_ended_illegally(mode: str) -> None:
    env = timeline_v0.vector_env(3, 2, max_turns=2, autoreset_mode=mode)
    first, _ = env.reset(seed=0)
    actions = first["action_mask"].argmax(axis=1)
    actions[1] = first["action_mask"][1].argmin()
    env.step(actions)
    with pytest.raises(ValueError, match="game 1 is over: nobody is asked"):
        words.ask(env, 1)
    assert words.ask(env, 0).moves
    if mode == "Disabled":
        env.reset(options={"reset_mask": np.array([False, True, False])})
    env.step(env.batch.action_mask.argmax(axis=1))
    for number in (0, 2):
        with pytest.raises(ValueError, match=f"game {number} is over: nobody is asked"):
            words.ask(env, number)
    assert words.ask(env, 1).moves


@pytest.mark.parametrize("answer", [None, 1, b"1", ["1"]])
def test_an_answer_that_is_no_text_is_refused(answer: Any) -> None:
    with pytest.raises(ValueError, match="is no text"):
        QUESTION.read(answer)
