"""The common form: the same numbers at the places of the most players, zeros for absent seats; and an agent that reads it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from timeline_env import timeline_v0, twilight_struggle_v0
from timeline_env.engine.common import CommonForm, Reading, common_layout, most_players
from timeline_env.timeline import GAME
from timeline_env.timeline.observe import SEAT_PLANE_NAMES


def batch_of(num_players: int):
    batch = timeline_v0.batch(num_games=16, num_players=num_players, seed=num_players)
    batch.play_random(40)
    return batch


@pytest.mark.parametrize("num_players", GAME.players)
def test_every_number_keeps_its_meaning_and_absent_seats_are_zeros(num_players: int) -> None:
    batch, form = batch_of(num_players), timeline_v0.common_form(num_players)
    seen = form.observation(batch.observation)
    assert seen.dtype == np.int8 and seen.shape == (16, GAME.layout(6).size)
    n = num_players
    for name, own in batch.layout.views(batch.observation).items():
        common = form.layout.view(seen, name)
        rest = common.copy()
        if name == "hand":
            faces = own.shape[-1] - 2 * n
            pieces = [(slice(0, faces), slice(0, faces))]
            pieces += [
                (slice(faces + arc * n, faces + arc * n + n), slice(faces + 6 * arc, faces + 6 * arc + n))
                for arc in (0, 1)
            ]
            for ours, theirs in pieces:
                assert (common[..., theirs] == own[..., ours]).all()
                rest[..., theirs] = 0
        elif name == "planes":
            own_names, names = batch.layout[name].names, form.layout[name].names
            for plane, told in enumerate(own_names):
                assert (common[:, names.index(told)] == own[:, plane]).all(), told
                rest[:, names.index(told)] = 0
            assert len(own_names) == len(names) - (6 - n) * len(SEAT_PLANE_NAMES)
        else:
            inside = (slice(None), *map(slice, own.shape[1:]))
            assert (common[inside] == own).all(), name
            rest[inside] = 0
        assert not rest.any(), name
    mask = form.mask(batch.action_mask)
    assert mask.shape == (16, GAME.num_actions(6))
    assert (mask[:, : batch.num_actions] == batch.action_mask).all() and not mask[:, batch.num_actions :].any()


def test_what_is_of_another_number_of_players_is_refused() -> None:
    batch, form = batch_of(2), timeline_v0.common_form(3)
    with pytest.raises(
        ValueError, match=r"^observations of shape \(16, \d+\) must have \d+ numbers in the last place$"
    ):
        form.observation(batch.observation)
    with pytest.raises(ValueError, match=r"^masks of shape \(16, \d+\) must have \d+ numbers in the last place$"):
        form.mask(batch.action_mask)


def test_of_the_most_players_the_common_form_is_the_own_one() -> None:
    batch, form = batch_of(6), CommonForm(GAME, 6)
    assert (form.observation(batch.observation) == batch.observation).all()
    seen = twilight_struggle_v0.batch(num_games=4)
    assert (twilight_struggle_v0.common_form().observation(seen.observation) == seen.observation).all()


def test_no_scale_is_smaller_than_that_of_fewer_players() -> None:
    layout = common_layout(GAME)
    for count in GAME.players:
        assert (layout.scale[GAME.places(count, 6)] >= GAME.layout(count).scale).all()
    assert GAME.layout(6).scale is not layout.scale


def test_a_reading_is_the_pieces_of_the_common_observation() -> None:
    batch, form = batch_of(3), CommonForm(GAME, 3)
    pieces = ("hand", "clock", "seats", "pledges")
    wanted = form.observation(batch.observation)[:, form.layout.columns(pieces)]
    assert (Reading(GAME, 3, 6, pieces).read(batch.observation) == wanted).all()
    own = Reading(GAME, 3, 3, pieces)
    assert (own.read(batch.observation) == batch.observation[:, batch.layout.columns(pieces)]).all()


def test_a_game_that_does_not_tell_its_places_has_no_common_form() -> None:
    with pytest.raises(ValueError, match="common True must be False: timeline has no common form"):
        most_players(replace(GAME, places=None))
