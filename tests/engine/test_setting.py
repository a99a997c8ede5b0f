"""What is played: checked once, and compared with what something was made for."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE

VARIANT = {"player": {"income": 12}}
MADE = {"game": "timeline", "rules_version": GAME.rules_version, "num_players": 3, "rules": VARIANT}


def test_a_setting_holds_the_numbers_that_all_its_batches_share(tmp_path):
    (tmp_path / "variant.toml").write_text("player.income = 12")
    setting = Setting(GAME, 3, tmp_path / "variant.toml")
    assert setting.changes == VARIANT and setting.rules[0].income == 12
    assert Batch(setting, 1).rules is Batch(setting, 2).rules is setting.rules
    assert Setting(GAME).num_players == GAME.usual_players and Setting(GAME).changes == {}


def test_a_setting_stays_as_it_was_made_whatever_becomes_of_the_dict():
    told = {"player": {"income": 12}}
    setting = Setting(GAME, 3, told)
    told["player"]["income"] = 30
    assert setting.changes == VARIANT and setting.rules[0].income == 12


def test_what_cannot_be_played_is_no_setting():
    with pytest.raises(ValueError, match="num_players 7 must be an integer from 2 to 6"):
        Setting(GAME, 7)
    with pytest.raises(ValueError, match="rules 5 must be a file, a dict of numbers, or None"):
        Setting(GAME, 3, 5)


def test_numbers_of_a_variant_are_such_as_json_can_hold():
    with pytest.raises(ValueError, match=r"impact_energy \[1, 3, .*6.*\] must be an integer from 0 to 100"):
        Setting(GAME, 3, {"prices": {"impact_energy": [1, 3, np.int64(6)]}})
    with pytest.raises(ValueError, match=r"us_bonus .*2.* must be an integer from 0 to 10"):
        Setting(TWILIGHT_STRUGGLE, 2, {"setup": {"us_bonus": np.int64(2)}})


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"game": "chess"}, "^it is for game 'chess', not 'timeline'$"),
        ({"rules_version": -1}, f"^it is for rules_version -1, not {GAME.rules_version}$"),
        ({"num_players": 4}, "^it is for num_players 4, not 3$"),
        ({"rules": {}}, "^it is for the game as it is, not the changes {'player': {'income': 12}}$"),
        ({"rules": {"speed": 1}}, "^it: the rules that it is for cannot be read: key of the rules 'speed' is unknown"),
    ],
)
def test_what_was_made_for_other_games_is_refused_in_one_line(made, message):
    setting = Setting(GAME, 3, VARIANT)
    setting.check("it", SimpleNamespace(**MADE))
    with pytest.raises(ValueError, match=message):
        setting.check("it", SimpleNamespace(**MADE | made))


def test_a_variant_that_changes_nothing_is_the_game_as_it_is():
    income = int(GAME.load_rules(3)[0].income)
    Setting(GAME, 3).check("it", SimpleNamespace(**MADE | {"rules": {"player": {"income": income}}}))


def test_a_setting_is_shown_in_one_line():
    assert repr(Setting(GAME, 3, VARIANT)) == "Setting('timeline', num_players=3, changes={'player': {'income': 12}})"
