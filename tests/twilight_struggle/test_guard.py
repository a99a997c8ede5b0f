"""What keeps agents from losing at once: on positions written for it, and over games."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twilight_struggle.test_people_dominated import COUP, SUICIDE, TRAPPED, WINNING
from tests.twilight_struggle.worlds import other_world, states_of
from timeline_env.arena.twilight_struggle.dominated import LOSES, MISSES, player_counts
from timeline_env.engine.batch import Batch
from timeline_env.engine.questions import asked_seats
from timeline_env.engine.setting import Setting
from timeline_env.players import load_player
from timeline_env.players.interface import Decisions
from timeline_env.players.twilight_struggle.fates import Guard
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.notation import action_to_text, from_text

SETTING = Setting(GAME)


REALIGNING = (
    "t2.r6 ussr stage:end-round defcon:2 vp:us1 milops:3/3 space:1/1 attempts:1/0 Canada:0/4 UK:0/5 Norway:0/1 Finland:1/0 "
    "France:0/1 Spain/Portugal:0/2 Italy:0/4 Turkey:0/1 West_Germany:0/4 East_Germany:4/0 Austria:0/1 Poland:4/0 Lebanon:2/0 "
    "Syria:1/0 Iraq:1/0 Iran:2/0 Egypt:2/0 Pakistan:2/0 Australia:0/4 Japan:0/4 South_Korea:0/3 North_Korea:3/0 "
    "Laos/Cambodia:1/0 Thailand:2/3 Vietnam:2/0 Malaysia:0/1 Philippines:0/2 Panama:4/0 Cuba:3/0 Colombia:1/0 Nigeria:1/0 "
    "Zaire:1/0 Angola:1/1 South_Africa:0/2 Sudan:1/0 hand.ussr:4,12 hand.us:10,11,33 "
    "discards:1,2,5,7,14,17,18,20,22,24,26,29,30,34,103,105 removed:8,9,15,19,23,25,27,35 china:ussr.down lasting:23,27 "
    "ask:play.ussr tally:1 dice:1"
)
"""Card 4 lowers DEFCON from 2, before its operations or after; the first roll of a realignment may end these, or not."""


def allowed(position: str, seed: int | None = None) -> set[str]:
    """The moves that the guard leaves; with a seed in another world that the seat cannot tell from this one."""
    states = from_text(SETTING.rules, position)
    batch = Batch(SETTING, 1)
    if seed is not None:
        seat = int(asked_seats(states)[0])
        states = states_of(other_world(SETTING.rules[0], states[0], seat, np.random.default_rng(seed)))
    batch.states[:] = states
    batch.refresh()
    kept = Guard().allow(Decisions.of(batch, np.arange(1)))[0]
    return {action_to_text(SETTING.rules, states[0], int(action)) for action in np.flatnonzero(kept)}


def test_what_loses_for_certain_is_left_out() -> None:
    assert "card 4" not in allowed(SUICIDE) and "card 7" in allowed(SUICIDE)
    assert "card 4" in allowed(SUICIDE.replace("defcon:2", "defcon:3"))
    coup = COUP + " ask:dispose.us.26,coup.us.26/ops=1/allowed=icr/within=everywhere"
    assert allowed(coup) == {"Cameroon"}


def test_a_roll_on_the_way_decides_nothing_about_a_loss_that_is_certain() -> None:
    assert allowed(REALIGNING) == {"card 12"}


def test_a_sure_win_is_all_that_is_left() -> None:
    assert allowed(WINNING) == {"event"}
    assert {"event", "operations"} <= allowed(WINNING.replace("us18", "us17"))


def test_where_everything_loses_everything_is_left() -> None:
    assert allowed(SUICIDE.replace("hand.ussr:4,7", "china:us hand.ussr:4")) == {"event", "operations"}
    coup = COUP.replace("Cameroon:2/0 ", "") + " ask:dispose.us.26,coup.us.26/ops=1/allowed=icr/within=everywhere"
    assert allowed(coup) == {"Mexico"}


@pytest.mark.parametrize("position", [SUICIDE, WINNING, TRAPPED, REALIGNING])
def test_hidden_cards_do_not_matter(position: str) -> None:
    assert len({frozenset(allowed(position, seed)) for seed in range(8)}) == 1


def test_shipped_never_loses_or_leaves_a_win_at_once() -> None:
    """Over more games: `timeline-env people dominated shipped`."""
    found = player_counts("shipped", games=4, seed=3)
    assert found.chances[LOSES] > 0 and found.chances[MISSES] > 0
    assert found.done[LOSES] == found.done[MISSES] == 0


def test_who_is_guarded() -> None:
    agent = "timeline_env/data/twilight_struggle/shipped_2.npz"
    guards = {name: load_player(name, GAME).guard for name in ("shipped", "shipped@sampled", agent, f"{agent}@guarded")}  # type: ignore[attr-defined]
    assert [name for name, guard in guards.items() if guard] == ["shipped", f"{agent}@guarded"]
    with pytest.raises(ValueError, match="timeline has no guard; leave out @guarded"):
        load_player("shipped@guarded", TIMELINE)
