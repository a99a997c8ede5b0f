"""Twilight Struggle in an independent engine, struggler (github.com/alekpinel/struggler, MIT), which runs in its own process.

None of its code is here: a checkout of it is named by the user, as ``STRUGGLER=FOLDER`` in the environment for its player,
as ``--struggler FOLDER`` for ``tools/cross_check.py``, where both engines play the same games.

``timeline_env.bridges.struggler:Greedy`` is its `GreedyPlayer` wherever a player is named.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.failures import PlayerFailed
from timeline_env.players.interface import Decisions
from timeline_env.reading import quote
from timeline_env.twilight_struggle import GAME, actions, board, cards, frames, space, state
from timeline_env.twilight_struggle.space import has_power

SIDES = ("USSR", "US")
PEER = Path(__file__).with_name("struggler_side.py")
LOCATION = "STRUGGLER"
"""The variable of the environment that names the checkout."""
COUNTRIES = tuple(name.replace(" ", "_").replace("/", "_") for name in board.COUNTRY_NAMES)
REGIONS = tuple(name.upper() for name in board.REGION_NAMES)
USES = ("event", "ops", "space_race")
OPERATIONS = ("influence", "coup", "realignment")
NEITHER = ("none", "done", "stop", "refuse", "return", "skip")
"""Values of struggler's options that stand for stopping; a question has one of them at most."""

TURN_EFFECTS = {
    cards.CONTAINMENT: "containment",
    cards.BREZHNEV: "brezhnev",
    cards.RED_SCARE: "red_scare",
    cards.NUCLEAR_SUBS: "nuclear_subs",
    cards.VIETNAM_REVOLTS: "vietnam_revolts",
    cards.DEATH_SQUADS: "la_death_squads",
    cards.IRAN_CONTRA: "iran_contra",
    cards.CHERNOBYL: "chernobyl",
    cards.SALT: "salt",
    cards.CUBAN_MISSILES: "cuban_missile_crisis",
    cards.WE_WILL_BURY_YOU: "we_will_bury_you",
}
"""Lasting events that struggler keeps for a turn: its key for each of our cards."""
GAME_EFFECTS = {
    cards.NATO: "nato",
    cards.JAPAN_PACT: "us_japan_pact",
    cards.WILLY_BRANDT: "willy_brandt",
    cards.DE_GAULLE: "degaulle_france",
    68: "john_paul",
    cards.CAMP_DAVID: "camp_david",
    cards.IRANIAN_HOSTAGES: "iranian_hostage",
    83: "iron_lady",
    cards.FLOWER_POWER: "flower_power",
    97: "evil_empire",
    cards.NORTH_SEA_OIL: "north_sea_oil",
    110: "awacs",
    cards.REFORMER: "reformer",
    cards.FORMOSAN: "formosan_resolution",
    cards.SHUTTLE_DIPLOMACY: "shuttle_diplomacy",
    cards.NORAD: "norad",
    cards.BEAR_TRAP: "bear_trap",
    cards.QUAGMIRE: "quagmire",
    cards.YURI: "yuri_samantha",
    cards.MISSILE_ENVY: "missile_envy_forced",
}
"""Lasting events that struggler keeps longer: its key for each of our cards."""
POWERS = {
    space.ANIMAL: "space_race_double_attempt_holder",
    space.MAN_IN_ORBIT: "space_race_headline_reveal_holder",
    space.EAGLE_BEAR: "space_race_discard_holder",
    space.STATION: "space_race_extra_round_holder",
}


class Peer:
    """struggler in its own process.

    Args:
        command: what starts it: the interpreter, ``struggler_side.py`` and the checkout.

    Attributes:
        cards: [card number] the name that struggler gives it; "" for none.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        weakref.finalize(self, _end, self.child)
        told = self.ask("names")
        numbers = {int(number): name for number, name in told["cards"].items()}
        self.cards = tuple(numbers.get(card, "") for card in range(cards.CARDS))
        if missing := set(COUNTRIES) - set(told["countries"]):
            raise ValueError(f"struggler has no country {quote(min(missing))}; is it a version that is not known yet?")

    @classmethod
    def at(cls, folder: str | Path, source: str) -> Peer:
        """Start struggler from a checkout. Raises ValueError if there is none; `source` says who named it."""
        if not (Path(folder) / "src" / "struggler" / "engine").is_dir():
            raise ValueError(
                f"{source} {quote(str(folder))} must be a checkout of github.com/alekpinel/struggler, with src/struggler/engine"
            )
        return cls([sys.executable, str(PEER), str(folder)])

    def __reduce__(self) -> tuple[type[Peer], tuple[Sequence[str]]]:
        """A copy has a process of its own, without the game that may be under way in this one's."""
        return type(self), (self.command,)

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        """Its answer to a request, see `timeline_env.bridges.struggler_side`. Raises ValueError if it ended."""
        assert self.child.stdin and self.child.stdout
        line = ""
        if self.child.poll() is None:
            try:
                self.child.stdin.write(json.dumps({"do": do} | request) + "\n")
                self.child.stdin.flush()
                line = self.child.stdout.readline()
            except BrokenPipeError:
                pass
            except BaseException:  # a late answer would be taken for the one to the next request
                self.child.kill()
                self.child.wait()
                raise
        if not line:
            raise ValueError(f"struggler's process ended (exit status {self.child.wait()})")
        return json.loads(line)

    def hand(self, s: Any, place: int) -> list[str]:
        """The names of the cards that lie in a place, the China Card not counted."""
        return [self.cards[card] for card in np.flatnonzero(s.place == place) if card not in (0, cards.CHINA)]


def _end(child: subprocess.Popen[str]) -> None:
    assert child.stdin
    with suppress(OSError):  # it may have ended: then what was not sent cannot be
        child.stdin.close()
    child.terminate()  # a process that was forked may keep the pipe open
    child.wait()


def table_of(peer: Peer, s: Any) -> dict[str, Any]:
    """Our position in struggler's words; a request ``force`` without ``at``."""
    in_effect = s.lasting.tolist()
    lasting = {key: lasting_value(in_effect, card) for card, key in TURN_EFFECTS.items() if in_effect[card]}
    if s.extra_round[board.US]:
        lasting["north_sea_oil_extra"] = True
    game = {key: lasting_value(in_effect, card) for card, key in GAME_EFFECTS.items() if in_effect[card]}
    if in_effect[cards.WARSAW_PACT] or in_effect[23]:
        game["marshall_or_warsaw"] = True
    for box, key in POWERS.items():
        for seat in range(2):
            if has_power(s, seat, box):
                game[key] = SIDES[seat]
    in_front = [int(card) for card in np.flatnonzero(s.place == state.IN_FRONT)]
    return {
        "defcon": int(s.defcon),
        "vp": int(s.vp),
        "turn": int(s.turn),
        "action_round": max(1, int(s.action_round)),
        "china_card_owner": SIDES[s.china],
        "china_card_available": bool(s.china_up),
        "influence": {
            name: {"USSR": ussr, "US": us} for name, ussr, us in zip(COUNTRIES, *s.influence.tolist(), strict=True)
        },
        "space_race": both(s.space),
        "space_race_attempts": both(s.attempts),
        "military_ops": both(s.milops),
        "turn_effects": lasting,
        "game_effects": game,
        "hands": {side: peer.hand(s, state.HANDS + seat) for seat, side in enumerate(SIDES)},
        "draw_pile": peer.hand(s, state.DRAW_PILE),
        "discard_pile": peer.hand(s, state.DISCARDS)
        + [peer.cards[card] for card in in_front if not cards.STARRED[card]],
        "removed_cards": peer.hand(s, state.REMOVED) + [peer.cards[card] for card in in_front if cards.STARRED[card]],
    }


def both(pair: Any) -> dict[str, int]:
    """A number for each side, by the side's name."""
    return {side: int(pair[seat]) for seat, side in enumerate(SIDES)}


def lasting_value(in_effect: list[int], card: int) -> Any:
    """What struggler keeps for a lasting event: a side, a region, or just that it lasts."""
    if card == cards.CHERNOBYL:
        return REGIONS[in_effect[card] - 1]
    return SIDES[in_effect[card] - 1] if card in cards.SIDED else True


def word_of(peer: Peer, kind: int, card: int, action: int) -> list[str]:
    """What an action of ours may be called among struggler's options; `kind` and `card` are the question's."""
    name, indices = GAME.codec.decode(action)
    index = indices[0] if indices else 0
    if name == "card":
        return [peer.cards[index + 1]]
    if name == "country":
        return [COUNTRIES[index]]
    if name == "use":
        return [USES[index]]
    if name == "operation":
        return [OPERATIONS[index], OPERATIONS[index][:7]]
    if name == "stop":
        return list(NEITHER)
    if name == "buy_off":
        return [("Cuba", "West_Germany", "Turkey")[index]]
    return option_words(kind, card, index)


def option_words(kind: int, card: int, index: int) -> list[str]:
    """What an option of an event is called."""
    if kind == frames.LEVEL:
        if card == cards.CHERNOBYL:
            return [REGIONS[index]]
        return [("lower", "raise", "none")[index]] if card == cards.SUMMIT else [str(index + 1)]
    words = {
        cards.WARSAW_PACT: ("remove", "add"),
        cards.OLYMPIC_GAMES: ("participate", "boycott"),
        cards.WARGAMES: ("end_game", "decline"),
        53: ("south_africa_only", "and_adjacent"),
    }
    return [words[card][index]] if card in words else []


KINDS = {
    frames.HEADLINE: "headline_play",
    frames.PLAY: "action_round_play",
    frames.USE: "play_mode",
    frames.OPERATION: "ops_type",
    frames.PLACE: "place_influence",
    frames.COUP: "coup_target",
    frames.REALIGN: "realignment_target",
}
"""Our questions that `GreedyPlayer` has an opinion on; of any other it takes the first option."""


class Greedy:
    """struggler's `GreedyPlayer`, asked in struggler's process about every decision with its words and rules of thumb.

    It has an opinion on headlines, cards, their use, operations and their countries, and on the card that 98 discards.
    Elsewhere it takes the first option: that is the first of struggler's where those have an order of their own, and our
    first elsewhere. So it lets 40 be bought off at once, declines free coups, and lets the opponent's event come before its
    Ops.

    Raises ValueError when made if ``STRUGGLER`` does not name a checkout.
    """

    def __init__(self, seed: int = 0, peer: Peer | None = None) -> None:
        self.peer = peer or Peer.at(os.environ.get(LOCATION, ""), f"the environment's {LOCATION}")

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]. Raises PlayerFailed if struggler fails."""
        states = decisions.states()
        return np.array(
            [
                self.choose(s, int(decisions.seat[row]), np.flatnonzero(decisions.action_mask[row]).tolist())
                for row, s in enumerate(states)
            ],
            np.int64,
        )

    def choose(self, s: Any, seat: int, legal: list[int]) -> int:
        """One of the legal actions."""
        asked = question_for(self.peer, s, seat, legal)
        chosen = asked["actions"][0]
        if len(asked["actions"]) > 1:
            request = {key: value for key, value in asked.items() if key != "actions"}
            answer = self.peer.ask("choose", **table_of(self.peer, s), **request)
            if "error" in answer:
                raise PlayerFailed(f"struggler's player failed: {answer['error']}")
            chosen = asked["actions"][answer["chosen"]]
        event_first = actions.USE + actions.EVENT
        if chosen == actions.USE + actions.OPERATIONS and event_first in legal and is_opponents(s, seat):
            return event_first  # the first of struggler's two orders
        return chosen


def is_opponents(s: Any, seat: int) -> bool:
    """Whether the card whose use is asked is the opponent's."""
    return bool(cards.SIDE[frames.top(s, frames.VALUE)] == 1 - seat)


def question_for(peer: Peer, s: Any, seat: int, legal: list[int]) -> dict[str, Any]:
    """Our question as a decision of struggler's: its ``kind``, ``options``, ``context``, and our action for each option."""
    kind, card = int(frames.top(s, frames.KIND)), int(frames.top(s, frames.VALUE))
    free = kind == frames.OPERATION and frames.top(s, frames.FREE)
    name = "event_choice" if free or (kind == frames.PLAY and card) else KINDS.get(kind, "event_choice")
    buy_offs = [action for action in legal if action >= actions.BUY_OFF]
    if buy_offs and kind in (frames.PLAY, frames.TRAP):
        name, legal = "event_choice", buy_offs
    else:
        legal = [action for action in legal if action < actions.BUY_OFF]
    if kind == frames.USE and is_opponents(s, seat):
        legal = [action for action in legal if action != actions.USE + actions.EVENT] or legal
    if kind == frames.USE:  # struggler's order: Ops, event, space race
        legal = sorted(legal, key=lambda action: (1, 0, 2)[action - actions.USE])
    if free:
        legal = sorted(legal, key=lambda action: action != actions.STOP)
    if kind == frames.LEVEL and card == cards.SUMMIT:
        legal = [legal[1], legal[0], *legal[2:]]
    if name in ("coup_target", "realignment_target") and actions.STOP in legal:
        legal = [action for action in legal if action != actions.STOP]
    keys = {"play_mode": "mode", "ops_type": "type", "headline_play": "card", "action_round_play": "card"}
    key = keys.get(name, "choice" if name == "event_choice" else "country")
    options = [{key: word_of(peer, kind, card, action)[0]} for action in legal]
    return {
        "kind": name,
        "side": SIDES[seat],
        "options": options,
        "context": context_of(peer, s, seat, kind, card),
        "actions": legal,
    }


def context_of(peer: Peer, s: Any, seat: int, kind: int, card: int) -> dict[str, Any]:
    """What struggler's decision says beside its options."""
    context: dict[str, Any] = {"event": peer.cards[card], "card": peer.cards[card], "side": SIDES[seat]}
    if kind in (frames.OPERATION, frames.PLACE, frames.COUP, frames.REALIGN):
        context["ops"] = int(frames.top(s, frames.OPS) - frames.top(s, frames.SPENT))
        asia = card == cards.CHINA
        context["bonus"] = "asia" if asia else "se_asia" if seat == 0 and s.lasting[cards.VIETNAM_REVOLTS] else None
    return context
