"""The players of Twilight Struggle: what the cautious one never does, what the heuristic one does, and that neither peeks."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games import pending
from tests.twilight_struggle.table import Table, event
from timeline_env.arena.evaluation import evaluate
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.players import load_player
from timeline_env.players.twilight_struggle.card_values import VALUE, dangers_in, read_openings, values_in
from timeline_env.twilight_struggle import GAME, frames
from timeline_env.twilight_struggle.board import ID, read_table
from timeline_env.twilight_struggle.cards import CHINA, KIND, SCORING
from timeline_env.twilight_struggle.state import BY_DEFCON, BY_HELD_SCORING, BY_MISSILES, DRAW_PILE, HANDS

SCRIPTED = ("cautious", "heuristic")
LOWERS_DEFCON = {4, 5, 20, 45, 49, 50, 89}
"""Whoever plays them, DEFCON may fall."""
HELPS = ({26, 67, 85, 96}, {62, 91})
"""[seat]: events that let the other side, whose they are, coup or set DEFCON in the seat's round."""


def choice(table: Table, player: str, seed: int = 0) -> str:
    """The move of a player in a position."""
    (action,) = load_player(player, GAME, seed).act(pending(table.batch))
    assert table.batch.action_mask[0, action]
    return table.move(int(action))


def choices(table: Table, player: str) -> set[str]:
    """What a player does with many seeds."""
    return {choice(table, player, seed) for seed in range(40)}


Play = tuple[tuple[int, int], set[int]]
"""Turn and action round of a play, and the cards it was chosen from."""


def last_plays(player: str, games: int) -> tuple[Batch, list[Play]]:
    """Games of a player against itself, and each seat's last play of an action round that it was asked for."""
    batch = Batch(Setting(GAME), games)
    batch.deal(game_seeds(3, games))
    chooser = load_player(player, GAME, 1)
    last: list[Play] = [((0, 0), set()) for _ in range(2 * games)]
    while (batch.seat >= 0).any():
        asked = pending(batch)
        for k, i in enumerate(asked.games):
            s = batch.states[i]
            if s.question[s.depth - 1, frames.KIND] == frames.PLAY and s.depth == 1:
                cards = {int(a) + 1 for a in np.flatnonzero(asked.action_mask[k][:110])}
                last[2 * i + asked.seat[k]] = (int(s.turn), int(s.action_round)), cards
        actions = chooser.act(asked)
        assert asked.action_mask[np.arange(len(actions)), actions].all()
        batch.step(actions, asked.games, restart=False)
    return batch, last


def test_cautious_loses_by_defcon_in_its_own_round_only_without_another_card():
    batch, last = last_plays("cautious", 1000)
    endings = np.asarray(batch.states)["ending"]
    assert (endings == BY_MISSILES).sum() == 0
    assert (endings == BY_HELD_SCORING).sum() == 0
    lost = np.flatnonzero(endings == BY_DEFCON)
    assert 0 < len(lost) < 100
    for i in lost:
        s = batch.states[i]
        loser = 1 - int(s.winner)
        assert s.phasing == loser
        asked_in, cards = last[2 * i + loser]
        # Nothing but dangerous cards may be left; in the last rounds one card alone is played unasked.
        safe = cards - LOWERS_DEFCON - HELPS[loser] - {CHINA}
        unasked = s.action_round >= 6 and asked_in != (s.turn, s.action_round)
        assert not safe or unasked, (i, safe)


def at_2(seat: str, card: int) -> Table:
    hands = {"ussr": [card], "us": ()} if seat == "ussr" else {"ussr": (), "us": [card]}
    lands = {"Cuba": (1, 1), "Angola": (1, 1)}
    return Table(lands, ussr=hands["ussr"], us=hands["us"], phasing=seat, defcon=2, turn=5)


@pytest.mark.parametrize("player", SCRIPTED)
@pytest.mark.parametrize(("seat", "card"), [("ussr", 4), ("us", 50), ("ussr", 50), ("us", 4), ("us", 20), ("ussr", 49)])
def test_at_2_no_event_happens_that_lowers_defcon(player, seat, card):
    uses = choices(at_2(seat, card).play(f"card {card}"), player)
    assert uses <= ({"space"} if (seat, card) in (("ussr", 4), ("us", 50)) else {"space", "operations"})


@pytest.mark.parametrize("player", SCRIPTED)
@pytest.mark.parametrize(("seat", "card"), [("ussr", 26), ("us", 62)])
def test_at_2_no_card_is_played_that_lets_the_other_coup(player, seat, card):
    table = at_2(seat, card)
    assert f"card {card}" in table.legal("card")
    assert f"card {card}" not in choices(table, player)


@pytest.mark.parametrize("player", SCRIPTED)
def test_no_coup_in_a_battleground_at_2_nor_before_an_event_that_lowers_defcon(player):
    lands = {"Angola": (1, 1), "Zaire": (1, 1), "Zimbabwe": (1, 1)}
    low = Table(lands, ussr=[52], defcon=2, turn=5).play("card 52", "operations", "coup")
    assert {"Angola", "Zaire", "Zimbabwe"} <= set(low.legal())
    assert choices(low, player) == {"Zimbabwe"}
    before = Table(lands, ussr=[4], defcon=3, turn=5).play("card 4", "operations", "coup")
    assert choices(before, player) == {"Zimbabwe"}


@pytest.mark.parametrize("player", SCRIPTED)
def test_no_coup_under_the_missile_crisis(player):
    table = Table({"Zimbabwe": (1, 1)}, ussr=[52], lasting={40: 1}, defcon=3, turn=5).play("card 52", "operations")
    assert {"coup", "influence"} <= set(table.legal())
    assert "coup" not in choices(table, player)


@pytest.mark.parametrize("player", SCRIPTED)
def test_defcon_is_never_set_to_1_in_the_own_round(player):
    table = Table(ussr=[46], defcon=3, turn=5).play("card 46", "event")
    assert table.asked == "level"
    assert "option 0" not in choices(table, player)


@pytest.mark.parametrize("player", SCRIPTED)
def test_the_olympic_games_are_not_boycotted_at_2_in_the_own_round(player):
    """The US sponsors them by 85, which the USSR plays."""
    table = Table(ussr=[85], phasing="ussr", discards=[20], turn=9, defcon=2, space=(0, 3)).play("card 85", "event")
    assert table.turn == "ussr" and table.legal() == ["option 0", "option 1"]
    assert choices(table, player) == {"option 0"}


@pytest.mark.parametrize("player", SCRIPTED)
def test_nothing_dangerous_is_headlined(player):
    table = Table(ussr=[4, 50, 26, 20], us=[35, 22], stage="headline", turn=5)
    assert {"card 4", "card 50"} <= set(table.legal())
    assert not choices(table, player) & {"card 4", "card 50", "card 26", "card 20"}


@pytest.mark.parametrize("player", SCRIPTED)
def test_77_stands_in_for_no_scoring_card_since_it_may_draw_another(player):
    table = Table(us=[77, 1], phasing="us", turn=5, action_round=7)
    assert table.legal() == ["card 1", "card 77"]
    assert choices(table, player) == {"card 1"}


# ---- the heuristic player


OFFERS = {
    26: {"influence": {"Iran": (1, 1)}},
    62: {"influence": {"Iran": (1, 1)}},
    57: {"influence": {"Iran": (1, 1)}, "by": "us"},
    89: {"influence": {"South Korea": (0, 3)}},
    90: {"influence": {"Iran": (1, 1)}, "lasting": {87: 1}},
    66: {},
    94: {"influence": {"Poland": (3, 0)}},
    99: {"influence": {"UK": (0, 5), "France": (0, 3)}},
    104: {"us": [3, 37]},
}


@pytest.mark.parametrize("card", OFFERS)
def test_it_takes_what_an_event_offers(card):
    table = event(card, **OFFERS[card])
    assert table.legal()[-1] == "stop"
    assert choice(table, "heuristic") != "stop"


def test_it_leaves_operations_that_can_only_lose():
    """At 2, in its own round, all that the USSR can do with 62 is a coup in a battleground, or to realign against the odds."""
    near = dict.fromkeys(("Finland", "Poland", "Romania", "Afghanistan", "North Korea"), (0, 9))
    table = event(62, influence={**near, "Mexico": (3, 1)}, lasting={94: 4}, defcon=2)
    assert table.legal() == ["coup", "realign", "stop"]
    assert choice(table, "heuristic") == "stop"


def test_it_wins_by_a_coup_in_the_opponents_round():
    table = Table({"Angola": (1, 1), "Zimbabwe": (1, 1)}, ussr=[26], defcon=2, turn=5)
    table.play("card 26", "event")
    assert table.turn == "us"
    assert choice(table, "heuristic") == "coup"
    assert choice(table.play("coup"), "heuristic") == "Angola"


def test_it_sets_up_poland_and_east_germany_west_germany_and_italy():
    batch = Batch(Setting(GAME, rules={"setup": {"us_bonus": 2}}), 1, seed=4)
    player = load_player("heuristic", GAME)
    while batch.states[0].question[0, frames.KIND] != frames.HEADLINE:
        batch.step(player.act(pending(batch)), restart=False)
    influence = np.asarray(batch.states)["influence"][0]
    assert [influence[0, ID[name]] for name in ("Poland", "East Germany", "Austria")] == [4, 4, 1]
    assert [influence[1, ID[name]] for name in ("West Germany", "Italy", "Iran")] == [4, 3, 3]


def test_it_takes_a_battleground_that_is_there_for_the_taking():
    table = Table({"Ethiopia": (1, 0), "Saharan States": (1, 0)}, ussr=[52], defcon=2, turn=5)
    table.play("card 52", "operations")
    assert {"Algeria", "Nigeria", "Sudan"} < set(table.legal())
    assert choice(table, "heuristic") == "Nigeria"


def test_it_scores_a_region_that_it_leads_and_not_one_where_it_trails():
    lead = {"Nigeria": (1, 0), "Angola": (1, 0), "Zaire": (1, 0), "Ethiopia": (1, 0)}
    assert choice(Table(lead, ussr=[79], turn=5, defcon=2), "heuristic") == "card 79"
    behind = {name: (0, us) for name, (us, _) in lead.items()}
    assert choice(Table(behind, ussr=[79], turn=5, defcon=2), "heuristic") != "card 79"


# ---- all


@pytest.mark.parametrize("player", ["random", "ladder_bot", *SCRIPTED])
def test_a_player_decides_alike_in_worlds_that_differ_only_in_what_it_cannot_see(player):
    batch = Batch(Setting(GAME), 64, seed=9)
    chooser = load_player("cautious", GAME, 5)
    looked = 0
    for step in range(300):
        asked = pending(batch)
        here = load_player(player, GAME, step).act(asked)
        before = np.array(batch.states)
        for k, i in enumerate(asked.games):
            looked += swap_hidden(batch.states[i], int(asked.seat[k]), step)
        there = load_player(player, GAME, step).act(asked)
        assert (here == there).all()
        batch.states[:] = before
        batch.step(chooser.act(asked), asked.games)
    assert looked > 10_000


def swap_hidden(s, seat, step):
    """Another world: the opponent holds other cards that the seat has not seen, and other dice will come."""
    s.rng = step
    hand = [c for c in np.flatnonzero(s.place == HANDS + 1 - seat) if c != CHINA and not s.known[seat, c]]
    pile = [c for c in np.flatnonzero(s.place == DRAW_PILE)]
    swaps = min(len(hand), len(pile))
    s.place[hand[:swaps]] = DRAW_PILE
    s.place[pile[-swaps:] if swaps else []] = HANDS + 1 - seat
    return swaps


def test_the_heuristic_clearly_beats_the_cautious_and_that_the_random():
    assert evaluate(GAME, "heuristic", ["cautious"], 200).overall.win.low > 0.9
    assert evaluate(GAME, "cautious", ["random"], 400).overall.win.low > 0.7


def test_every_card_that_is_no_scoring_card_has_a_value_but_those_that_are_weighed_otherwise():
    without = {int(card) for card in np.flatnonzero(VALUE[1:] == 0) + 1 if KIND[card] != SCORING}
    assert without == {6, 32, 100}


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("value", "much", "'value' must be a number"),
        ("value", "11", "'value' must be from 0 to 10"),
        ("name", "Duck", "must have the 110 cards in order; wrong from 'Duck' on"),
        ("danger_played_by_owner", "6", "must be from 0 to 5"),
    ],
)
def test_a_table_of_values_that_cannot_be_is_refused(column, value, message):
    rows = read_table("card_values.csv")
    rows[3][column] = value
    with pytest.raises(ValueError, match=message):
        values_in(rows)
        dangers_in(rows)


def test_an_opening_in_no_country_is_refused():
    with pytest.raises(ValueError, match="country 'Atlantis' is unknown"):
        read_openings([{"country": "Atlantis", "ussr": "1", "us": "0"}])
