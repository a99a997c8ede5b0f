"""The last move is told and marked, as far as the viewer knows it."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from tests.games import ENVIRONMENTS
from tests.view.pictures import Picture
from timeline_env import view
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.timeline.actions import CODEC
from timeline_env.timeline.board import NODES
from timeline_env.timeline.text.names import NODE_NAMES
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE
from timeline_env.twilight_struggle import frames
from timeline_env.twilight_struggle.cards import CARD_NAMES


def moves(game, num_players, seed, count):
    """A random game: the rules, and for each move the position after it and the move."""
    batch, rng = Batch(Setting(game, num_players), 1, seed), np.random.default_rng(seed)
    found = []
    for _ in range(count):
        action, before = int(rng.choice(np.flatnonzero(batch.action_mask[0]))), batch.states.copy()[0]
        batch.step([action])
        found.append((batch.states.copy()[0], view.Move(before, action)))
    return batch.rules, found


def last_line(rules, s, viewer, move):
    """What the text says of the last move, in one line."""
    text = view.to_ansi(rules[0], s, viewer, move, colour=False)
    first, *more = text.partition("\nlast: ")[2].split("\n")
    return " ".join([first, *(line.strip() for line in itertools.takewhile(lambda line: line.startswith("  "), more))])


@pytest.fixture(scope="module")
def timeline():
    return moves(TIMELINE, 4, 3, 300)


@pytest.fixture(scope="module")
def twilight_struggle():
    return moves(TWILIGHT_STRUGGLE, 2, 3, 300)


def test_timeline_rings_the_nodes_that_changed(timeline):
    rules, made = timeline
    for s, move in made:
        changed = {int(s.pawn[i]) for i in range(4) if s.pawn[i] != move.before.pawn[i]}
        for name in ("event", "realized", "outcome", "stance"):
            changed |= set(np.flatnonzero(s[name] != move.before[name]).tolist())
        for name in ("mark", "reinforcement", "organizer", "impact", "if_yes", "if_no"):
            changed |= set(np.flatnonzero((s[name] != move.before[name]).any(axis=0)).tolist())
        ringed = Picture(view.to_svg(rules[0], s, None, move)).data("changed", "node")
        assert ringed == [(node,) for node in sorted(changed)]
        told = last_line(rules, s, None, move).partition("; changed: ")[2]
        assert told == (" ".join(NODE_NAMES[node] for node in range(NODES) if node in changed) or "no node")


def test_timeline_tells_the_move_but_not_where_in_the_hand_a_card_was(timeline):
    rules, made = timeline
    kinds = set()
    for s, move in made:
        kind, seat = CODEC.decode(move.action)[0], int(move.before.question[move.before.depth - 1, 1])
        text = TIMELINE.notation.action_to_text(rules, move.before, move.action)
        for viewer in (None, seat, (seat + 1) % 4):
            told = last_line(rules, s, viewer, move).partition(", ")[2].partition(";")[0]
            assert told == re.sub("@[0-9]", "", text)
        kinds.add(kind)
    assert {"organize", "move", "rival"} <= kinds


def test_twilight_struggle_frames_the_countries_whose_influence_changed(twilight_struggle):
    rules, made = twilight_struggle
    met = 0
    for s, move in made:
        changed = np.flatnonzero((s["influence"] != move.before["influence"]).any(axis=0)).tolist()
        assert Picture(view.to_svg(rules[0], s, None, move)).data("changed", "country") == [(c,) for c in changed]
        met += len(changed)
    assert met


def test_a_headline_that_lies_face_down_is_told_to_nobody_else(twilight_struggle):
    rules, made = twilight_struggle
    hidden = 0
    for s, move in made:
        kind, seat = move.before.question[move.before.depth - 1, :2].tolist()
        if kind != frames.HEADLINE:
            continue
        name = CARD_NAMES[move.action + 1]
        assert name in last_line(rules, s, seat, move)
        face_down = s["headline"][seat] == move.action + 1 and not s["open_headline"][seat]
        for viewer in (None, 1 - seat):
            assert (name in last_line(rules, s, viewer, move)) != face_down
            assert (name in view.to_svg(rules[0], s, viewer, move)) != face_down
        hidden += face_down
    assert hidden


@pytest.mark.parametrize("known", [0, 3, 8])
def test_other_actions_look_alike_while_the_headline_is_hidden(twilight_struggle, known):
    rules, _ = twilight_struggle
    batch, pictures = Batch(Setting(TWILIGHT_STRUGGLE), 1, 3), []
    while batch.states[0].question[batch.states[0].depth - 1, 0] != frames.HEADLINE:
        batch.step([np.flatnonzero(batch.action_mask[0])[0]])
    seat = int(batch.seat[0])
    held = np.flatnonzero(batch.action_mask[0])
    batch.states[0].known[1 - seat, 1 + held[:known]] = 1
    before = batch.states.copy()
    for action in held:
        batch.states[:] = before
        batch.refresh()
        batch.step([action])
        move = view.Move(before[0], int(action))
        for viewer in (1 - seat, None):
            pictures.append(
                (viewer, *(draw(rules[0], batch.states[0], viewer, move) for draw in (view.to_svg, view.to_ansi)))
            )
    assert len(pictures) > 10 and len(set(pictures)) == 2


@pytest.mark.parametrize("module", ENVIRONMENTS)
def test_environments_show_the_last_move_until_the_next_deal(module):
    env = module.raw_env(render_mode="ansi")
    env.reset(seed=1)
    assert "\nlast: " not in env.render()
    env.step(int(np.flatnonzero(env.batch.action_mask[0])[0]))
    assert "\nlast: " in env.render() and "\nlast: " in env.clone().render()
    env.set_state(env.get_state())
    assert "\nlast: " not in env.render()
    env.step(int(np.flatnonzero(env.batch.action_mask[0])[0]))
    env.reset(seed=2)
    assert "\nlast: " not in env.render()
