"""The argument `pledges` of Timeline's environments: the variant in which nobody pledges (R18)."""

from __future__ import annotations

import shutil

import gymnasium
import numpy as np
import pytest

from timeline_env import timeline_v0
from timeline_env.timeline.actions import PLEDGE, RIVAL
from timeline_env.timeline.numbers import DATA

KINDS = [kind for kind in timeline_v0.__all__ if kind != "common_form"]  # which says where numbers lie, by no rules
FEW = {"batch": {"num_games": 2}, "vec_env": {"num_envs": 2}, "vector_env": {"num_envs": 2}}
"""Where several games are usual, some."""
IDS = {
    "timeline/Timeline-v0": lambda **settings: gymnasium.make("timeline/Timeline-v0", **settings).unwrapped,
    "a vector": lambda **settings: gymnasium.make_vec(
        "timeline/Timeline-v0", num_envs=2, vectorization_mode="vector_entry_point", **settings
    ),
}


def rules_of(made):
    """The numbers that an environment plays by."""
    return getattr(getattr(made, "unwrapped", made), "batch", made).rules[0]


def made(kind, **settings):
    """One of the module's environments, or its batch."""
    if kind == "vec_env":
        pytest.importorskip("stable_baselines3")
    return getattr(timeline_v0, kind)(num_players=3, **FEW.get(kind, {}), **settings)


@pytest.mark.parametrize("kind", KINDS)
def test_r18_without_pledges_nobody_can_pledge_and_all_else_stays(kind):
    usual, without = rules_of(made(kind)).copy(), rules_of(made(kind, pledges=False))
    assert (usual.pledges, without.pledges) == (1, 0)
    usual.pledges = 0
    assert usual.tobytes() == without.tobytes()


@pytest.mark.parametrize("name", IDS)
def test_r18_gymnasiums_ids_take_it_too(name):
    assert rules_of(IDS[name](num_players=3, pledges=False)).pledges == 0
    assert rules_of(IDS[name](num_players=3)).pledges == 1


@pytest.mark.parametrize("pledges", [True, False])
def test_r18_the_mask_offers_pledges_or_not(pledges):
    batch = made("batch", pledges=pledges)
    offered = batch.action_mask[:, RIVAL + PLEDGE :: 3]
    assert offered.shape == (2, 2) and (offered == pledges).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_variants_own_changes_stay(kind, tmp_path):
    shutil.copy(DATA / "cards.csv", tmp_path / "other.csv")
    (tmp_path / "rules.toml").write_text('cards = "other.csv"\n[player]\nincome = 7\n[agreements]\npledges = 1\n')
    rules = rules_of(made(kind, rules=tmp_path / "rules.toml", pledges=False))
    assert (rules.income, rules.pledges) == (7, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pledges": "no"}, "pledges 'no' must be True or False"),
        ({"pledges": np.int8(0)}, "must be True or False"),
        ({"pledges": False, "rules": {"agreements": 3}}, "agreements 3 must be of the same kind"),
        ({"pledges": False, "rules": 5}, "rules 5 must be a file, a dict of numbers, or None"),
    ],
)
def test_bad_values_are_named(kind, settings, message):
    with pytest.raises(ValueError, match=message):
        made(kind, **settings)
