"""What is compiled ahead is all that any named player needs, so that "once" is true."""

from __future__ import annotations

from tests.games import each_game
from timeline_env.commands.compile import players_of
from timeline_env.players.agents.shipped import SHIPPED, shipped_agent
from timeline_env.players.search.guides import load_guide
from timeline_env.players.search.players import SEARCHES


@each_game
def test_a_player_of_every_kind_is_compiled(table):
    game = table.game
    players = game.players[0]
    named = players_of(game, players)
    assert {*game.baselines, *([SHIPPED] if shipped_agent(game.name, players).is_file() else [])} <= set(named)
    searches = [name for name in named if name.partition(":")[0] in SEARCHES]
    assert {name.partition(":")[0] for name in searches} == set(SEARCHES)
    guides = {type(load_guide(name.partition("@")[2], game, players, None)) for name in searches if "@" in name}
    assert len(guides) == 2, "a scripted guide and a trained one"
