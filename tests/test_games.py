"""The games by name: found without an import before, cheap until asked for."""

from __future__ import annotations

import pytest

from tests.simulator import run
from timeline_env.engine.verbs import GAMES
from timeline_env.games import DEFAULT, PACKAGES, game_named, known_games
from timeline_env.players import load_player
from timeline_env.view import view_of


@pytest.mark.parametrize("name", PACKAGES)
def test_a_game_is_found_by_its_name_and_has_what_tools_need(name: str) -> None:
    game = game_named(name)
    assert (game.name, known_games()[list(PACKAGES).index(name)]) == (name, name)
    assert game.usual_players in game.players
    assert callable(view_of(game, "text").to_ansi) and callable(view_of(game, "drawing").draw)
    assert next(iter(game.baselines)) == "random"
    assert all(callable(load_player(player, game, seed=1).act) for player in game.baselines)


def test_the_default_is_one_of_them() -> None:
    assert DEFAULT in PACKAGES


def test_one_that_is_not_there_is_named_beside_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"^game 'chess' is unknown; allowed: timeline"):
        game_named("chess")
    with pytest.raises(ValueError, match=r"^game \['timeline'\] is unknown; allowed: "):
        game_named(["timeline"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^piece \['hand'\] is unknown; allowed: "):
        game_named("timeline").layout(2).columns([["hand"]])  # type: ignore[list-item]


def test_a_game_from_elsewhere_is_known_once_it_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "elsewhere", game_named("timeline"))
    assert known_games()[-1] == "elsewhere"
    assert game_named("elsewhere") is GAMES["elsewhere"]


def test_the_table_of_games_is_light() -> None:
    assert run("import sys, timeline_env.games; print('numba' in sys.modules)") == "False"
    found = "import sys; from timeline_env.games import game_named; print(game_named('timeline').name)"
    assert run(found) == "timeline"
