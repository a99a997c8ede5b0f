"""A copy of a position to try things out: any seat decides, everything can be taken back, nothing flows back into a game."""

from __future__ import annotations

import itertools
import secrets
from typing import Any

import numpy as np

from timeline_env.engine import positions
from timeline_env.engine.batch import Batch
from timeline_env.engine.loops import determinize_games, hide_games
from timeline_env.engine.setting import Setting
from timeline_env.play.table import PERSON, Refused, Table
from timeline_env.play.thoughts import decision_in
from timeline_env.players.asking import answers
from timeline_env.players.interface import Player
from timeline_env.reading import check_integer, cut

_COPIES = itertools.count(1)
MOST_TEXT = 10_000
"""The most characters of a position; the longest have some hundred."""


class Analysis(Table):
    """A table at which whoever asks decides for every seat. May be asked by several threads at once.

    Args:
        setting: what is played.
        states: the position to begin with, a record array [1].
    """

    def __init__(self, setting: Setting, states: Any) -> None:
        self.number = next(_COPIES)
        super().__init__(setting.game, [PERSON] * setting.num_players, 0, setting.changes)
        self._batch = Batch(self.setting, 1)
        self._begin(states)

    @property
    def cookie(self) -> str:
        """See `Table.cookie`; differs from that of every game, and no two decisions share one."""
        return f"copy {self.number}.{self.version}"

    def _begin(self, states: Any) -> None:
        with self._lock:
            self.log.clear()
            np.asarray(self.batch.states)[:] = np.asarray(states)
            self.batch.refresh()
            self.version += 1

    def _check_turn(self, seat: int | None) -> None:
        if self.to_act < 0:
            raise Refused("the game is over")

    def why_no_undo(self, seat: int | None) -> str:
        """Everything can be taken back."""
        return "" if self.played else "nothing was decided yet"

    def view(self, viewer: int | None = None, look: int | None = None, whole_log: bool = False) -> dict[str, Any]:
        """What the seat that decides sees; see `Table.view`."""
        with self._lock:
            played = self.played
            back = look is not None and 0 <= look < len(played)
            seat = played[look].seat if back and look is not None else max(self.to_act, 0)
            return super().view(seat, look, whole_log) | {"analysis": True, "undo": bool(played) and not back}

    def edit(self, text: str) -> None:
        """Set up a position in the notation, as somebody knows it whole or as a seat sees it; what that seat does not know is dealt at random.

        Raises:
            Refused: the text is no position of this game with so many players, no seat sees it so, or the game is over in it.
        """
        if len(text) > MOST_TEXT:
            raise Refused(f"a position has at most {MOST_TEXT} characters")
        notation, count = self.game.notation, len(self.seats)
        try:
            if notation.num_players_in(text) != count:
                raise ValueError(f"it is for {notation.num_players_in(text)} players; {count} sit here")
            states = notation.from_text(self.rules, text)
            if self.batch.seats_in(states)[0] < 0:
                raise ValueError("the game is over there")
            if "?" in text or not states.legal.any():  # what another side may do may be unknown, too
                states = self._completed(states)
            positions.check(self.game, self.rules.tobytes(), states.tobytes())
        except ValueError as error:
            raise Refused(f"this is not a position: {cut(str(error))}") from None
        self._begin(states)

    def _completed(self, states: Any) -> Any:
        """A position with what is unknown in it dealt for the seat that sees it so. Raises ValueError if there is none."""
        first = int(self.batch.seats_in(states)[0])
        for seat in sorted(range(len(self.seats)), key=lambda seat: seat != first):
            view = states.copy()
            hide_games(self.rules, view, np.array([seat], np.int64))
            if view.tobytes() == states.tobytes():
                dealt = deal_anew(self.rules, states, seat)
                if "?" not in self.game.notation.to_text(self.rules, dealt[0]):
                    return dealt
        raise ValueError("what is unknown (?) must be all that one seat does not know, and nothing else")

    def redeal(self) -> None:
        """Deal anew what the seat that decides does not know. Raises Refused if the game is over."""
        with self._lock:
            self._check_turn(None)
            self._begin(deal_anew(self.rules, self.batch.states, self.to_act))

    def decide(self, player: Player) -> None:
        """Let a player decide for the seat to act.

        Raises:
            Refused: the game is over, or the position changed while the player was thinking.
            PlayerFailed: the player failed.
        """
        # It thinks about a copy and without the lock: it may take long, and the page goes on meanwhile.
        cookie, s = self.pending(None)
        action = int(answers(player, decision_in(self.setting, s))[0])
        with self._lock:
            self._check_cookie(cookie)
            self.commit(action)


def deal_anew(rules: Any, states: Any, seat: int) -> Any:
    """A copy of a position (record array [1]) with all that a seat does not know dealt at random."""
    copies = states.copy()
    determinize_games(rules, copies, np.array([seat], np.int64), np.array([secrets.randbits(64)], np.uint64))
    return copies


def analysis_in(batch: Batch, number: int = 0) -> Analysis:
    """A copy of a game of a batch, with all that is hidden in it. Raises ValueError if there is no such game, or it is over."""
    number = check_integer("number", number, 0, batch.num_games - 1)
    if batch.seat[number] < 0:
        raise ValueError(f"game {number} is over: there is nothing to try out")
    return Analysis(batch.setting, batch.states[number : number + 1])


def analysis_of(table: Table, viewer: int | None, look: int | None) -> Analysis:
    """A copy of a position of a table, with what the viewer does not know dealt anew while the game is on.

    Args:
        table: the table.
        viewer: a seat; None for somebody who only watches.
        look: the position after this many decisions; None for the present one.

    Raises:
        Refused: there was no such position; or the game is on, and the viewer only watches.
    """
    states, is_on = table.states_at(look)
    if is_on:
        if viewer is None:
            raise Refused("who watches can try things out when the game is over")
        states = deal_anew(table.rules, states, viewer)
    return Analysis(table.setting, states)
