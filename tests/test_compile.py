"""What is compiled ahead is all that any named player needs, so that "once" is true."""

from __future__ import annotations

from tests.games import each_game
from timeline_env.commands.compile import players_of
from timeline_env.engine.setting import Setting
from timeline_env.players.agents.shipped import SHIPPED, shipped_agent
from timeline_env.players.names import SEARCHES, PlayerName
from timeline_env.players.search.guides import load_guide


@each_game
def test_a_player_of_every_kind_is_among_those_to_be_compiled(table):
    game = table.game
    players = game.players[0]
    setting = Setting(game, players)
    named = players_of(setting)
    assert {*game.baselines, *([SHIPPED] if shipped_agent(game.name, players).is_file() else [])} <= set(named)
    searches = [name for name in map(PlayerName.read, named) if name.search]
    assert {name.search for name in searches} == set(SEARCHES) - {"value"}, "which plays by the code of puct"
    guides = {type(load_guide(name.agent, setting)) for name in searches if name.agent}
    assert len(guides) == 2, "a scripted guide and a trained one"
    races = {type(load_guide(name.agent, setting)) for name in searches if name.search == "race"}
    assert races == guides, "an agent may play on itself"
