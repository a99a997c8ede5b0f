"""A game that people and players play at one table: who may see and do what, what has happened, what can be taken back.

It knows nothing of browsers and servers: a server, a test or a notebook asks it for `view` and tells it what was decided.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.batch import Batch, seed_or_any, seed_word
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.engine.replay import SavedGame, deal_batch, follow
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.play.pages import page_of, sentences
from timeline_env.play.paths import tree
from timeline_env.play.steps import asked_seat, copy_position
from timeline_env.play.thoughts import Thoughts, judge_standing, names, think
from timeline_env.players.asking import answers
from timeline_env.players.interface import Decisions, Player
from timeline_env.players.registry import load_player
from timeline_env.reading import quote
from timeline_env.view import to_ansi

PERSON = "person"
"""In place of a player's name: a person sits there."""
TOLD = 40
"""Decisions that a view tells of, unless the whole log is asked for."""
MOST_UNDONE = 200
"""The most decisions that were taken back which the log keeps: the oldest are let go."""
MOST_TYPED = 200
"""The most characters of a move that somebody sends."""


class Refused(ValueError):
    """What somebody asked for cannot be done; the message is one line for them."""


@dataclass
class Entry:
    """A decision in the log.

    Attributes:
        seat: who decided.
        before: the whole position before, one record.
        action: what was decided.
        move: the same in the notation.
        undone: whether it was taken back.
        told: for each viewer what happened, in sentences; written when somebody first asks.
        standing: likewise, how the seats stood before the decision, see `timeline_env.play.thoughts.judge_standing`.
    """

    seat: int
    before: Any
    action: int
    move: str
    undone: bool = False
    told: dict[int | None, list[str]] = field(default_factory=dict)
    standing: dict[int | None, list[float]] = field(default_factory=dict)


def check_seats(game: Game, count: int) -> None:
    """Raise ValueError if a game is not played by so many."""
    if count not in game.players:
        allowed = f"{game.players[0]} to {game.players[-1]}" if len(game.players) > 1 else f"{game.players[0]}"
        raise ValueError(f"{count} seats: {game.name} is played by {allowed}")


class Table:
    """One game with its seats.

    Attributes:
        game, page: which game, and its parts of the page.
        seats: for each seat a player's name, or `PERSON`.
        batch: the game, a batch of one.
        log: everything that was decided, including what was taken back.
        minds: the players that can be asked what they think.
        version: goes up with every change, also when a program goes on with a kept game; begins at the time in milliseconds.

    Args:
        game: which game.
        seats: for each seat a player's name, or `PERSON`.
        seed: of the deal; None for a random one.
        rules: a variant, see the game's `load_rules`.
        saved: a game to go on with, in place of a new one; then `seed` and `rules` are its own.

    Raises:
        ValueError: a number of seats, a player or a value that is not allowed.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str],
        seed: int | None = None,
        rules: Any = None,
        saved: SavedGame | None = None,
    ) -> None:
        check_seats(game, len(seats))
        if saved is not None and len(seats) != saved.num_players:
            raise ValueError(f"{len(seats)} seats: the saved game is one of {saved.num_players}")
        self.game, self.page, self.seats = game, page_of(game), tuple(seats)
        self.seed = int(seed_word(seed_or_any(seed)))
        if saved is not None:
            self.seed = saved.seed
        self.setting = Setting(game, len(seats), rules if saved is None else saved.rules)
        self.given = self.setting.changes
        self.rules = self.setting.rules
        self.players: dict[int, Player] = {}
        for seat, name in enumerate(self.seats):
            if name != PERSON:
                self.players[seat] = load_player(name, game, secrets.randbits(32), len(seats), self.given or None)
        people = tuple(name for name in self.seats if name != PERSON)
        self.minds = names(game, len(seats), people, self.given)
        self.log: list[Entry] = []
        # A page that did not notice that the program began anew still sees that this is newer than what it shows.
        self.version = time.time_ns() // 10**6
        self.saved = saved
        self._batch: Batch | None = None
        # The program, or a thread of the server, may ask while something else is being done.
        self._lock = threading.RLock()

    @property
    def batch(self) -> Batch:
        """The game; dealt, or replayed, when it is first asked for, since that may have to compile the rules."""
        with self._lock:
            if self._batch is None:
                batch = deal_batch(self.setting, self.seed)
                if self.saved is not None:
                    self._replay(batch, self.saved)
                self._batch = batch
        return self._batch

    def _replay(self, batch: Batch, saved: SavedGame) -> None:
        """Play a saved game's moves again. Raises ValueError if it is not as it was saved."""
        before = None
        for number, (states, action) in enumerate(follow(saved)):
            if action is not None:
                self.log.append(Entry(asked_seat(before), before, action, saved.moves[number - 1]))
            before = copy_position(states[0])
        np.asarray(batch.states)[0] = before
        batch.refresh()

    @property
    def played(self) -> list[Entry]:
        """The decisions that were not taken back."""
        return [entry for entry in self.log if not entry.undone]

    @property
    def now(self) -> Any:
        """The whole position, a copy."""
        with self._lock:
            return copy_position(self.batch.states[0])

    @property
    def to_act(self) -> int:
        """The seat that decides; -1 when the game is over."""
        return int(self.batch.seat[0])

    @property
    def waits_for_player(self) -> bool:
        """Whether it is for a player, not a person, to decide."""
        return self.to_act in self.players

    @property
    def cookie(self) -> str:
        """Names the decision that is pending: a move that was meant for another one is refused. No two have the same, also after a restart."""
        return str(self.version)

    def pending(self, seat: int | None) -> tuple[str, Any]:
        """The cookie of the decision that is pending, and the whole position. Raises Refused if it is not for the seat to decide."""
        with self._lock:  # a decision in between would show this seat the position of the next decision
            self._check_turn(seat)
            return self.cookie, self.now

    def states_at(self, look: int | None) -> tuple[Any, bool]:
        """The whole position after so many decisions, the present one for None, a record array [1]; and whether the game is on.

        Raises Refused if there was no such position.
        """
        with self._lock:
            played = self.played
            if look is not None and not 0 <= look <= len(played):
                raise Refused(f"there are {len(played)} decisions to look at, not {look}")
            states = self.batch.states.copy()
            if look is not None and look < len(played):
                np.asarray(states)[0] = played[look].before
            return states, self.to_act >= 0

    def think(self) -> int:
        """What the player to act decides; takes as long as the player needs, and changes nothing."""
        return int(answers(self.players[self.to_act], Decisions.of(self.batch, np.zeros(1, np.int64)))[0])

    def mind(self, name: str) -> Player:
        """A player that can be asked what it thinks. Raises Refused if it is none of `minds`."""
        if name not in self.minds:
            raise Refused(f"player {quote(name)} cannot be asked here; those that can: {', '.join(self.minds)}")
        return load_player(name, self.game, 0, len(self.seats), self.given or None)

    def thoughts(self, seat: int | None, name: str) -> dict[str, Any]:
        """What a player thinks of the pending decision, for JSON; takes as long as the player needs, and changes nothing.

        Args:
            seat: who asks: it must be for them to decide.
            name: one of `minds`.

        Raises:
            Refused: it is not for them to decide, or there is no such player.
        """
        cookie, s = self.pending(seat)
        found = think(self.mind(name), self.setting, s)
        return {"cookie": cookie, "name": name} | self.describe_thoughts(s, found)

    def describe_thoughts(self, s: Any, thoughts: Thoughts) -> dict[str, Any]:
        """Thoughts of a position, for JSON."""
        rows = [
            {
                "move": self.game.notation.action_to_text(self.rules, s, int(action)),
                "share": round(float(share), 4),
                "value": None if np.isnan(value) else round(float(value), 3),
            }
            for action, share, value in zip(thoughts.actions, thoughts.share, thoughts.value, strict=True)
        ]
        return {"kind": thoughts.kind, "rows": rows, "expected": thoughts.expected}

    def act(self, seat: int | None, cookie: str, move: str) -> None:
        """Take a person's decision.

        Args:
            seat: who decides; None for somebody who only watches.
            cookie: of the view in which it was decided.
            move: in the notation.

        Raises:
            Refused: it is not for them to decide, the move is not legal, or it was meant for a position that has passed.
        """
        with self._lock:
            self._check_turn(seat)
            self._check_cookie(cookie)
            if len(move) > MOST_TYPED:
                raise Refused(f"a move has at most {MOST_TYPED} characters")
            try:
                action = self.game.notation.action_from_text(self.rules, self.now, move)
            except ValueError:
                raise Refused(f"{quote(move)} is not a legal move here") from None
            self.commit(action)

    def commit(self, action: int) -> None:
        """Take this legal action for the seat to act."""
        with self._lock:
            before = self.now
            move = self.game.notation.action_to_text(self.rules, before, action)
            self.batch.step([action], restart=False)
            self.log.append(Entry(asked_seat(before), before, action, move))
            self.version += 1

    def _check_turn(self, seat: int | None) -> None:
        if self.to_act < 0:
            raise Refused("the game is over")
        if seat is None or seat in self.players:
            raise Refused("you are watching: this seat is not yours")
        if seat != self.to_act:
            raise Refused(f"it is not for you to decide now, but for {self.name(self.to_act)}")

    def _check_cookie(self, cookie: str) -> None:
        if cookie != self.cookie:
            raise Refused("the position has changed in the meantime: look again, then decide")

    def why_no_undo(self, seat: int | None) -> str:
        """Why a person cannot take back the last decision; empty if they can."""
        played = self.played
        if not played or played[-1].seat != seat or seat in self.players:
            return "the last decision was not yours"
        if self.to_act != seat:
            return "somebody else is asked by now"
        if self.page.learned(played[-1].before, self.now, seat):
            return "dice, a card or a token came to light"
        steps = self.page.steps(self.rules, played[-1].before, played[-1].action)
        if any(action is not None and asked_seat(before) != seat for before, _, action in steps):
            return "somebody else had to answer"
        return ""

    def undo(self, seat: int | None, cookie: str) -> None:
        """Take back a person's last decision.

        Args:
            seat: whose; None for somebody who only watches.
            cookie: of the view in which it was asked for.

        Raises:
            Refused: something was learned since, somebody else is asked, or it was meant for a position that has passed.
        """
        with self._lock:
            self._check_cookie(cookie)
            if why := self.why_no_undo(seat):
                raise Refused(f"this cannot be taken back: {why}")
            last = self.played[-1]
            last.undone = True
            undone = [place for place, entry in enumerate(self.log) if entry.undone]
            if len(undone) > MOST_UNDONE:
                del self.log[undone[0]]
            np.asarray(self.batch.states)[0] = last.before
            self.batch.refresh()
            self.version += 1

    def name(self, seat: int) -> str:
        """What a seat is called."""
        return self.page.piece(seat)[0]

    def sentences(self, entry: Entry, viewer: int | None) -> list[str]:
        """What a decision led to, as a viewer saw it."""
        if self.page.all_public:
            viewer = None
        if viewer not in entry.told:
            steps = self.page.steps(self.rules, entry.before, entry.action)
            entry.told[viewer] = sentences(
                self.page, self.rules, steps, viewer, lambda s: copy_for_viewer(self.rules, s, viewer)
            )
        return entry.told[viewer]

    def view(self, viewer: int | None, look: int | None = None, whole_log: bool = False) -> dict[str, Any]:
        """Everything that the page shows to a viewer, for JSON.

        Args:
            viewer: a seat, or None for somebody who only watches.
            look: the position after this many decisions, to look back; None for the present one.
            whole_log: whether everything that has happened is told; else only the last `TOLD` decisions.

        Raises:
            Refused: there was no such position.
        """
        played = self.played
        first_told = 0 if whole_log else max(0, len(self.log) - TOLD)
        states, _ = self.states_at(look)
        back = look is not None and look < len(played)
        s = copy_for_viewer(self.rules, states[0], viewer)
        deciding = asked_seat(s) if not s.over else -1
        mine = deciding == viewer and viewer is not None and not back and viewer not in self.players
        paths = self.page.paths(self.rules, s) if mine else {}
        moves = {action: self.game.notation.action_to_text(self.rules, s, action) for action in paths}
        board = self.page.draw(self.rules, s, self._compared(viewer, look if back else None), paths)
        trays = []
        if viewer is not None:
            trays.append(("Cards to choose from", self.page.offered(self.rules, s, viewer, paths)))
            trays.append((f"Hand of {self.name(viewer)}", self.page.hand(self.rules, s, viewer)))
        return {
            "version": self.version,
            "cookie": self.cookie,
            "game": self.game.name,
            "title": self.game.title,
            "viewer": viewer,
            "status": self._status(s, mine, back),
            "over": self.to_act < 0,
            "prompt": self.page.prompt(self.rules, s, viewer),
            "board": asdict(board),
            "trays": [
                {"title": title, "cards": [{"key": key} | asdict(picture) for key, picture in cards]}
                for title, cards in trays
                if cards
            ],
            "targets": tree(paths, moves),
            "undo": bool(mine and not self.why_no_undo(viewer)),
            "seats": [self._seat(s, seat, deciding) for seat in range(len(self.seats))],
            "panels": [panel.as_dict() for panel in self.page.panels(self.rules, s, viewer)],
            "untold": first_told,
            "log": self._told(viewer, first_told),
            "standings": self._standings(viewer),
            "minds": self.minds,
            "look": look if back else len(played),
            "decisions": len(played),
            "text": to_ansi(self.rules[0], s, viewer, colour=False),
            "position": self.game.notation.to_text(self.rules, s, viewer) if viewer is not None else "",
        }

    def _status(self, s: Any, mine: bool, back: bool) -> str:
        """``yours``, ``waiting``, ``thinking``, ``over`` or ``past``."""
        if back:
            return "past"
        if s.over:
            return "over"
        return "yours" if mine else "thinking" if self.waits_for_player else "waiting"

    def _seat(self, s: Any, seat: int, deciding: int) -> dict[str, Any]:
        name, letter, colour = self.page.piece(seat)
        return {
            "name": name,
            "letter": letter,
            "colour": colour,
            "player": self.seats[seat],
            "deciding": seat == deciding,
            "facts": self.page.facts(self.rules, s, seat),
        }

    def _told(self, viewer: int | None, first: int) -> list[dict[str, Any]]:
        """The log from an entry on."""
        return [
            {"seat": entry.seat, "told": self.sentences(entry, viewer), "undone": entry.undone}
            for entry in self.log[first:]
        ]

    def _standings(self, viewer: int | None) -> list[list[float]]:
        """How the seats stood in every position so far, by what the viewer knew."""
        for entry in self.played:
            if viewer not in entry.standing:
                entry.standing[viewer] = judge_standing(self.game, self.rules, entry.before, viewer)
        now = judge_standing(self.game, self.rules, self.now, viewer)
        return [*(entry.standing[viewer] for entry in self.played), now]

    def _compared(self, viewer: int | None, look: int | None) -> Any:
        """The position that the board is compared with: the one before everything that was decided since the viewer's own last decision."""
        played = self.played[:look]
        if not played:
            return None
        own = [place for place, entry in enumerate(played) if entry.seat == viewer]
        since = min(own[-1] + 1, len(played) - 1) if own else len(played) - 1
        return copy_for_viewer(self.rules, played[since].before, viewer)

    def as_saved(self) -> SavedGame:
        """The game so far, to be saved, replayed and watched."""
        moves = [entry.move for entry in self.played]
        digests = {str(len(moves)): record.digest(self.batch.states)}
        return SavedGame(
            self.game.name, self.game.rules_version, len(self.seats), self.given, self.seed, moves, digests
        )
