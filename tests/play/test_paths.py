"""Every legal action has one path of targets, in random games of every game and number of players."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.games import ENVIRONMENTS
from tests.play.games import SHORT
from timeline_env.engine.batch import Batch
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.play.pages import page_of
from timeline_env.play.paths import Path
from timeline_env.play.steps import copy_position
from timeline_env.play.timeline import words
from timeline_env.play.timeline.board import letters
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.timeline.text import names
from timeline_env.view.timeline.card import CARD_SIZE, draw_card
from timeline_env.view.timeline.face import face_in_hand
from timeline_env.view.timeline.field import draw_outcome

TABLES = [(v0.GAME, players) for v0 in ENVIRONMENTS for players in v0.GAME.players]
BUTTONS = {
    "timeline": {"pass", "sure", "pledge", "done", "use"},
    "twilight_struggle": {"event", "ops", "space", "influence", "coup", "realign", "option", "stop", "buy"},
}
"""Targets, by the first word of their keys, that lie nowhere: they are buttons alone."""


def positions(game: Game, players: int, every: int = 7):
    """Positions out of random games, with the seat to act."""
    timeline = game.name == "timeline"
    batch = Batch(Setting(game, players, SHORT if timeline else None), 1, seed=players)
    for _ in range((26 * players if timeline else 200) // every):
        yield batch.rules, copy_position(batch.states[0]), int(batch.seat[0])
        batch.play_random(every)


def complaints(paths: dict[int, Path]) -> list[str]:
    """What is wrong with the paths of a position."""
    keys = {action: tuple(target.key for target in path) for action, path in paths.items()}
    texts = [tuple(target.text for target in path) for path in paths.values()]
    found = [f"{a} is {b} or begins it" for a in keys for b in keys if a != b and keys[b][: len(keys[a])] == keys[a]]
    found += [f"{text} is said of two actions" for text in set(texts) if texts.count(text) > 1]
    return found + [f"{path} has an empty text" for path in paths.values() for target in path if not target.text]


@pytest.mark.parametrize("game, players", TABLES, ids=lambda value: getattr(value, "name", value))
def test_every_legal_action_has_one_path_and_every_target_is_there(game: Game, players: int) -> None:
    page = page_of(game)
    for number, (rules, s, seat) in enumerate(positions(game, players)):
        known = copy_for_viewer(rules, s, seat)
        paths = page.paths(rules, known)
        assert set(paths) == set(np.flatnonzero(s.legal).tolist())
        assert complaints(paths) == []
        if number % 3:  # drawing takes longer than all else
            continue
        drawn = page.draw(rules, known, None, paths).svg
        there = re.findall(r'data-target="([^"]+)"', drawn)
        assert [key for key in set(there) if there.count(key) > 1 and not key.startswith("region-")] == []
        cards = {key for key, _ in [*page.hand(rules, known, seat), *page.offered(rules, known, seat, paths)]}
        for target in {target for path in paths.values() for target in path}:
            on_the_board = f'data-target="{target.key}"' in drawn
            assert on_the_board or target.key in cards or target.key.split("-")[0] in BUTTONS[game.name], target


def test_a_link_is_told_from_the_earlier_event_to_the_later() -> None:
    """T17: towards the centre the other event is the earlier one; beyond the last ring there is none."""
    inner, outer = names.NODE_NAMES.index("1.0"), names.NODE_NAMES.index("4.0")
    assert words.link(inner, 0, 0) == "what happens here helps what happens there"
    assert words.link(inner, 3, 1) == "what happens there works against what happens here"
    assert words.link(outer, 0, 0) == "beyond it the field ends"


def test_no_number_lies_upon_an_outcome() -> None:
    rules = TIMELINE.load_rules(2)
    card = int(np.flatnonzero(rules[0].if_yes.any(axis=1))[0])
    laid = [*draw_card(face_in_hand(rules[0], card), (0, 0), CARD_SIZE, {"node": 3})]
    outcome = [*draw_outcome(1, (0, 0), {"node": 3})]
    numbers = [[shape.kind for shape in letters(shapes)].count("sign") for shapes in (laid, laid + outcome)]
    assert numbers == [1, 0]


@pytest.mark.parametrize("game, players", TABLES[:: len(TABLES) - 1], ids=lambda value: getattr(value, "name", value))
def test_the_steps_of_a_decision_end_where_the_game_does(game: Game, players: int) -> None:
    page = page_of(game)
    batch = Batch(Setting(game, players), 1, seed=1)
    batch.play_random(20)
    rng = np.random.default_rng(1)
    told = 0
    for number in range(25):
        before = copy_position(batch.states[0])
        action = int(rng.choice(np.flatnonzero(batch.action_mask[0])))
        steps = list(page.steps(batch.rules, before, action))
        batch.step([action], restart=False)
        assert not batch.done[0]
        assert steps[-1][1].tobytes() == batch.states[0].tobytes()
        viewer = (0, None)[number % 2]
        for start, end, taken in steps:
            step = copy_for_viewer(batch.rules, start, viewer), copy_for_viewer(batch.rules, end, viewer), taken
            told += len(page.tell(batch.rules, step, viewer))
    assert told > 20
