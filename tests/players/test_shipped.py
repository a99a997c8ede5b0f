"""The agents that come with the package: strong, and with a record of how they were made."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from timeline_env import timeline_v0
from timeline_env.arena.evaluation import evaluate
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents import shipped
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.agents.shipped import DATA, NAMES, RECORD, SHIPPED, record_key, shipped_agent
from timeline_env.timeline import GAME
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE

MADE = {game: json.loads((DATA / game.name / RECORD).read_text(encoding="utf-8")) for game in (GAME, TWILIGHT_STRUGGLE)}
COUNTS = sorted(int(key) for key in MADE[GAME] if key.isdigit())
"""The numbers of Timeline's players for which there is a strong one."""
ALL = [(GAME, SHIPPED, count) for count in COUNTS] + [(TWILIGHT_STRUGGLE, SHIPPED, 2)]
ALL += [(game, name, count) for name in NAMES[1:] for game, count in ((GAME, 2), (GAME, 4), (TWILIGHT_STRUGGLE, 2))]


def test_there_is_one_for_four_players_and_none_without_a_record() -> None:
    assert 4 in COUNTS
    assert [count for count in GAME.players if shipped_agent("timeline", count).is_file()] == COUNTS
    for game, made in MADE.items():
        there = {file.stem.removeprefix("shipped_") for file in (DATA / game.name).glob("*.npz")}
        assert there == set(made) == {record_key(count, name) for one, name, count in ALL if one is game}


@pytest.mark.parametrize(("game", "name", "num_players"), ALL)
def test_it_is_recorded_how_it_was_made(game: Game, name: str, num_players: int) -> None:
    player = load_player(name, game, num_players=num_players)
    assert isinstance(player, NetworkPlayer) and not player.sampled
    assert player.agent.about.num_players == num_players and player.agent.about.rules_version == game.rules_version
    made = MADE[game][record_key(num_players, name)]
    assert made["decisions"] == player.agent.about.steps and made["minutes"] > 0
    assert re.fullmatch("[0-9a-f]{40}", made["commit"]) and made["finished"] and made["machine"]
    assert made["settings"]["num_players"] == num_players and "seed" in made["settings"]


@pytest.mark.parametrize("num_players", COUNTS)
def test_with_any_number_of_players_it_wins_more_than_twice_as_often_as_at_random(num_players: int) -> None:
    found = evaluate(GAME, "shipped", ["random"], games=300, num_players=num_players, seed=7).overall.win
    assert found.low > (0.9 if num_players == 2 else 2 / num_players)


@pytest.mark.parametrize(("num_players", "least"), [(2, 0.97), (3, 0.88), (4, 0.72), (5, 0.62), (6, 0.52)])
def test_it_is_much_better_than_a_player_that_looks_one_decision_ahead(num_players: int, least: float) -> None:
    assert evaluate(GAME, "shipped", ["projector"], games=600, num_players=num_players, seed=7).overall.win.low > least


def test_from_either_side_of_twilight_struggle_it_is_better_than_the_best_scripted_player() -> None:
    found = evaluate(TWILIGHT_STRUGGLE, "shipped", ["heuristic"], games=100, seed=7)
    assert found.overall.win.low > 0.55
    assert [row.win.low > 0.5 for row in found.by_seat] == [True, True]


def test_its_policy_can_be_drawn_from() -> None:
    batch = Batch(Setting(GAME, 4), 200)
    batch.play_random(40)
    asked = Decisions.of(batch, np.arange(200))
    best, again, drawn = (
        load_player(name, GAME, seed, 4).act(asked)
        for seed, name in enumerate(("shipped", "shipped", "shipped@sampled"))
    )
    assert (best == again).all() and 0.2 < (best == drawn).mean() < 1


def test_where_none_is_shipped_it_is_said_for_how_many_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    agent_of = shipped.shipped_agent
    monkeypatch.setattr(shipped, "shipped_agent", lambda game, players, name: agent_of(game, players + 1, name))
    there = ", ".join(str(players - 1) for players in COUNTS[1:])
    with pytest.raises(ValueError, match=f"no agent is shipped for 6 players of timeline; available: {there}$"):
        load_player("shipped", GAME, num_players=6)


def test_a_variant_is_refused() -> None:
    with pytest.raises(ValueError, match="is for the game as it is, not the changes"):
        timeline_v0.single_seat_env(num_players=4, opponents=["shipped"], rules={"start_energy": {"4": 9}}).reset()


def test_where_no_small_one_is_shipped_it_is_said_for_how_many_there_is_one() -> None:
    with pytest.raises(
        ValueError, match=r"^player 'held_out': no agent is shipped for 3 players of timeline; available: 2, 4$"
    ):
        load_player("held_out", GAME, num_players=3)


def test_all_of_them_are_a_few_megabytes() -> None:
    assert sum(shipped_agent("timeline", count).stat().st_size for count in COUNTS) < 8_000_000
    sizes = {
        name: [shipped_agent(game.name, count, name).stat().st_size for game, one, count in ALL if one == name]
        for name in NAMES
    }
    assert max(sizes["shipped_small"]) < 200_000 and max(sizes["shipped_medium"] + sizes["held_out"]) < 700_000
