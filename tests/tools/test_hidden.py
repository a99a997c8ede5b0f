"""The players that ignore what is hidden, or see it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.games import game_named
from timeline_env.players import Decisions
from timeline_env.players.names import Budget
from timeline_env.players.registry import player_from
from timeline_env.timeline import GAME
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE
from tools.hidden import BLANKED, Blanked, OneWorld, Open, contestants


def asked(game: Game) -> Decisions:
    """Positions in the midst of games."""
    batch = Batch(Setting(game, 2), 6)
    batch.play_random(30)
    return Decisions.of(batch, np.arange(6))


@pytest.mark.parametrize("game", [GAME, TWILIGHT_STRUGGLE], ids=lambda game: game.name)
def test_only_one_of_them_sees_what_is_hidden(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, searched = asked(game), []
    monkeypatch.setattr("tools.hidden.search_world", lambda rules, root, *rest: searched.append(root.tobytes()))
    assert Open(**vars(decisions)).states().tobytes() == np.asarray(decisions.batch.states).tobytes()
    states = decisions.batch.states
    other = [player for _, player, _ in contestants(game, 2, 30, 1)]
    for number, (player, sees) in enumerate(zip(other[:2], (False, True), strict=True)):
        assert isinstance(player, OneWorld) and player.sees == sees
        chosen = player.act(decisions)
        assert decisions.action_mask[np.arange(6), chosen].all(), number
        true = {states[row : row + 1].tobytes() for row in range(6)}
        assert len(searched) == 6 and (set(searched) == true if sees else not set(searched) & true)
        searched.clear()


def test_a_guess_does_not_depend_on_what_is_hidden_and_the_batch_stays_as_it_was() -> None:
    decisions = asked(TWILIGHT_STRUGGLE)
    before, seats = np.asarray(decisions.batch.states).tobytes(), decisions.seat.tolist()
    first = OneWorld(Budget(40, float("inf")), 3, False).act(decisions)
    states = decisions.batch.states
    assert np.asarray(states).tobytes() == before and decisions.seat.tolist() == seats
    hidden = decisions.states()
    for row in range(6):
        states[row] = hidden[row]
    assert (OneWorld(Budget(40, float("inf")), 3, False).act(decisions) == first).all()
    assert before != np.asarray(states).tobytes(), "something was hidden"


def test_blanked_inputs_are_zero_for_the_player_and_stay_for_everybody_else() -> None:
    decisions, kept = asked(GAME), []
    before = decisions.observation.copy()
    columns = np.asarray(GAME.layout(2).columns(("hand",)))

    class Keeper:
        def act(self, decisions: Decisions) -> object:
            kept.append(decisions.observation)
            return decisions.action_mask.argmax(axis=1)

    Blanked(Keeper(), columns).act(decisions)  # type: ignore[arg-type]
    assert before[:, columns].any() and not kept[0][:, columns].any()
    rest = np.setdiff1d(np.arange(before.shape[1]), columns)
    assert (kept[0][:, rest] == before[:, rest]).all() and (decisions.observation == before).all()


@pytest.mark.parametrize("name", BLANKED)
def test_what_is_blanked_is_read_by_the_agent_that_is_shipped(name: str) -> None:
    agent = player_from("shipped", Setting(game_named(name), 2)).agent  # type: ignore[attr-defined]
    assert {piece for pieces in BLANKED[name] for piece in pieces} <= set(agent.about.pieces)


@pytest.mark.parametrize(
    ("words", "message"),
    [("--simulations 0", "--simulations '0'"), ("--game chess", "game 'chess'"), ("--games 1", "games 1 must")],
)
def test_a_wrong_command_line_is_refused(words: str, message: str) -> None:
    assert message in refusal(run_here("tools/hidden.py", *words.split()))


def test_it_prints_its_table() -> None:
    done = run_here("tools/hidden.py", "--games", "4", "--simulations", "4")
    assert done.returncode == 0 and "flat:4, sees everything" in done.stdout and "pledges blanked" in done.stdout
