"""OpenSpiel's bots as players: legal moves in both games, with their rules, and what each of them sees."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from tests.games import pending
from tests.players.test_twilight_struggle import swap_hidden
from timeline_env.bridges import openspiel_bots
from timeline_env.bridges.openspiel_bots import OpenSpielBot
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.games import game_named
from timeline_env.players import load_player


class Blind(OpenSpielBot):
    SIMULATIONS, SEES_ALL = 3, False


class Seeing(OpenSpielBot):
    SIMULATIONS, SEES_ALL = 3, True


@pytest.mark.parametrize("bot", [Blind, Seeing])
@pytest.mark.parametrize("name", ["timeline", "twilight_struggle"])
def test_it_chooses_legal_actions_of_games_with_rules_of_their_own(bot, name):
    rules = {"setup": {"us_bonus": 2}} if name == "twilight_struggle" else None
    batch = Batch(Setting(game_named(name), rules=rules), 2, seed=3)
    player = bot(7)
    for _ in range(3):
        decisions = pending(batch)
        before = np.asarray(batch.states).tobytes()
        actions = player.act(decisions)
        assert np.asarray(batch.states).tobytes() == before
        assert decisions.action_mask[np.arange(len(actions)), actions].all()
        batch.step(actions, decisions.games, restart=False)
    assert player.game.table.batch.rules.tobytes() == batch.rules.tobytes()


def test_a_seed_gives_the_same_choices():
    batch = Batch(Setting(game_named("twilight_struggle")), 3, seed=5)
    assert (Blind(1).act(pending(batch)) == Blind(1).act(pending(batch))).all()


def test_ismcts_decides_alike_in_worlds_that_differ_only_in_what_it_cannot_see():
    batch = Batch(Setting(game_named("twilight_struggle")), 4, seed=9)
    chooser = load_player("cautious", batch.game, 5)
    for _ in range(40):
        decisions = pending(batch)
        batch.step(chooser.act(decisions), decisions.games)
    decisions = pending(batch)
    here = Blind(2).act(decisions)
    swapped = sum(swap_hidden(batch.states[i], int(decisions.seat[k]), 77) for k, i in enumerate(decisions.games))
    assert swapped > 0
    assert (Blind(2).act(pending(batch)) == here).all()


def test_the_names_say_which_bot_with_how_many_simulations():
    for simulations in (10, 25, 100, 400):
        for kind, sees in (("Ismcts", False), ("Mcts", True)):
            bot = getattr(openspiel_bots, f"{kind}{simulations}")
            assert (simulations, sees) == (bot.SIMULATIONS, bot.SEES_ALL)
    player = load_player("timeline_env.bridges.openspiel_bots:Ismcts10", game_named("timeline"), 0)
    assert isinstance(player, openspiel_bots.Ismcts10)


@pytest.mark.parametrize("bot", [Blind, Seeing])
def test_a_copy_chooses_as_it_would_have(bot):
    batch = Batch(Setting(game_named("timeline")), 2, seed=3)
    player = bot(7)
    player.act(pending(batch))
    expected = copy.deepcopy(player.random).randint(2**31)
    for copied in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert copied.random.randint(2**31) == expected
        assert batch.action_mask[np.arange(2), copied.act(pending(batch))].all()
