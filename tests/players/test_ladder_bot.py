"""The bot of others' ladder, written from its description: that it does what the description says."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games import pending
from tests.twilight_struggle.table import Table
from timeline_env.arena.evaluation import evaluate
from timeline_env.players import load_player
from timeline_env.players.twilight_struggle.card_values import OPENING
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.board import BATTLEGROUND, COUNTRY_NAMES, ID, STABILITY


def choice(table: Table) -> str:
    (action,) = load_player("ladder_bot", GAME, 0).act(pending(table.batch))
    assert table.batch.action_mask[0, action]
    return table.move(int(action))


def placing(lands: dict[str, tuple[int, int]]) -> Table:
    table = Table(lands, us=[23], phasing="us", turn=1).play("card 23", "operations")
    return table.play("influence") if table.asked == "operation" else table


def test_it_sets_up_as_the_opening_says():
    table = Table.dealt()
    while table.asked == "add":
        table.play(choice(table))
    differs = np.asarray(table.s.influence) != OPENING
    assert {COUNTRY_NAMES[c] for c in np.flatnonzero(differs.any(axis=0))} == {"Iran"}  # where a bonus would go


def test_it_headlines_its_own_event_with_the_most_ops():
    assert choice(Table(ussr=[8, 16, 1, 23], stage="headline")) == "card 16"


@pytest.mark.parametrize(
    ("hand", "first"),
    [([4, 24], "card 24"), ([24, 34], "card 34"), ([23, 4, 1], "card 4"), ([1, 25, 4], "card 4"), ([2, 1], "card 1")],
)
def test_without_an_own_event_neutral_goes_before_the_opponents_and_that_before_scoring(hand, first):
    # 4, 25: the US's with 3 Ops, 23: with 4; 24, 34: neutral with 2 and 4; 1, 2: scoring.
    assert choice(Table(ussr=hand, fillers=0, stage="headline")) == first


def test_it_plays_the_most_ops_for_ops_and_scoring_only_if_it_must():
    table = Table(us=[23, 17, 1], phasing="us")
    assert choice(table) == "card 23"
    assert choice(table.play("card 23")) == "operations"
    forced = Table(us=[23, 1, 2], phasing="us", action_round=5)
    assert choice(forced) in ("card 1", "card 2")


def test_influence_goes_before_a_coup_and_that_before_realignment():
    open_land = Table({"Iran": (1, 1)}, us=[23], phasing="us").play("card 23", "operations")
    assert {"influence", "coup", "realign"} <= set(open_land.legal())
    assert choice(open_land) == "influence"
    junta = Table({"Brazil": (0, 1)}, ussr=[47], turn=5).play("card 47", "event", "Venezuela")
    assert junta.legal() == ["coup", "realign", "stop"]
    assert choice(junta) == "coup"


def test_battlegrounds_nearest_to_control_come_first_then_buffer_then_the_rest():
    assert choice(placing({"Iran": (0, 1), "Pakistan": (0, 0), "Lebanon": (0, 0)})) == "Iran"
    # An uncontrolled battleground goes before the buffer of a controlled one, and that before other countries.
    all_held = {COUNTRY_NAMES[c]: (0, int(STABILITY[c]) + 1) for c in np.flatnonzero(BATTLEGROUND)}
    assert choice(placing(all_held | {"Iran": (0, 2), "Libya": (0, 0)})) == "Libya"
    assert choice(placing(all_held | {"Iran": (0, 2)})) == "Iran"
    assert choice(placing(all_held)) not in all_held


def test_it_never_overcontrols_if_it_has_another_way():
    table = Table.dealt(seed=5)
    seen = 0
    while table.s.turn < 3 and not table.s.over:
        move = choice(table)
        if table.asked == "operation" and move == "influence":
            seen += 1
        if table.asked == "place":
            seat = table.turn == "us"
            own, other = table.influence(move)[seat], table.influence(move)[1 - seat]
            assert own - other < STABILITY[ID[move]] + BATTLEGROUND[ID[move]]
        table.play(move)
    assert seen > 10


def test_random_wins_a_few_games_in_a_hundred():
    won = evaluate(GAME, "random", ["ladder_bot"], 400).overall.win
    assert won.high > 0.01 and won.low < 0.06


def test_it_gives_up_a_card_rather_than_what_the_card_would_save():
    blockade = Table({"West Germany": (0, 4)}, ussr=[10], us=[23], phasing="ussr").play("card 10", "event")
    assert blockade.legal() == ["card 23", "stop"]
    assert choice(blockade) == "card 23"


def test_it_uses_the_operations_of_an_event():
    ortega = Table({"Honduras": (0, 2)}, ussr=[91], phasing="ussr", turn=8).play("card 91", "event")
    assert "stop" in ortega.legal() and choice(ortega) in ("coup", "Honduras")
    realigning = Table({"Honduras": (1, 2), "Guatemala": (0, 3)}, ussr=[11], phasing="ussr")
    realigning.play("card 11", "operations", "realign", "Guatemala", dice=[1, 1])
    assert "stop" in realigning.legal() and choice(realigning) == "Guatemala"
