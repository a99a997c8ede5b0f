"""Play the same games of Twilight Struggle in this engine and in struggler: ``python tools/cross_check.py --struggler FOLDER --games 200``.

Every decision is taken in both; dice and cards come from this engine. Before each one the tables are compared: influence,
DEFCON, victory points, space race, who decides and what is allowed; at every choice of a headline or of a card to play also
military operations, hands, piles, the China Card and lasting events. What differs is counted by cause; if it is a table, or if
the two no longer ask the same, the rest of the card is left out, and struggler is set to this engine's position at the next one.
`cross_check.csv` explains the causes, each with the rule of docs/rules/twilight_struggle.md that decides it; what it does not
explain is printed last, and the exit code is 1.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import typer

from timeline_env import cli
from timeline_env.arena.markdown import markdown_table
from timeline_env.bridges.struggler import COUNTRIES, SIDES, Greedy, Peer, table_of, word_of
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.players import load_player
from timeline_env.players.interface import Decisions
from timeline_env.twilight_struggle import GAME, actions, cards, frames, state
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.operations import ops_left
from timeline_env.twilight_struggle.text.read_position import list_legal_one, reach_of

TABLES = (
    ("random", "greedy"),
    ("cautious", "random"),
    ("greedy", "cautious"),
    ("cautious", "cautious"),
    ("greedy", "greedy"),
)
"""Who sits where, USSR first, in turn."""
ALWAYS = ("influence", "defcon", "vp", "space_race")
AT_CARDS = (
    *ALWAYS, "turn", "action_round", "military_ops", "space_race_attempts", "hands", "discard_pile", "removed_cards", "draw_pile",
    "china_card_owner", "china_card_available", "turn_effects", "game_effects",
)  # fmt: skip
SETS = ("discard_pile", "removed_cards", "draw_pile")
THEIRS = {
    "headline_play": frames.HEADLINE, "action_round_play": frames.PLAY, "play_mode": frames.USE,
    "ops_type": frames.OPERATION, "place_influence": frames.PLACE, "coup_target": frames.COUP,
    "realignment_target": frames.REALIGN, "war_target": frames.WAR, "quagmire_discard": frames.TRAP,
    "held_card_discard": frames.LEAVE_HAND,
}  # fmt: skip
"""For each of struggler's questions, ours; its ``event_…`` questions are those that an event asks."""
OF_EVENTS = (
    frames.ADD, frames.TAKE, frames.TAKE_ALL, frames.MATCH, frames.DOUBLE, frames.YES_NO, frames.PICK, frames.LEVEL,
)  # fmt: skip
BEFORE_COMPANION = (frames.USE, cards.UN_INTERVENTION), (frames.PICK, cards.UN_INTERVENTION)
DEFUSE = "Cuban_Missile_Crisis_defuse"
WITHOUT_US = {"Missile_Envy_use": "event", "play_mode": "ops"}
"""What is answered where only struggler asks."""
MOST_STEPS = 200
EXPLANATIONS = Path(__file__).with_name("cross_check.csv")
TRAPS = cards.QUAGMIRE, cards.BEAR_TRAP
AT_NEXT_CARD = ("action_round_play", "headline_play", "quagmire_discard", "held_card_discard")
AFTER_NORAD = frames.ADD, cards.NORAD
"""Our question at the end of a round, which struggler asks at once."""
UNASKED = "only struggler asks"
ABOVE_5 = "military_ops above 5"
AWACS = "AWACS Sale to Saudis is of another period"
WHENEVER = (ABOVE_5, AWACS)
"""What does not depend on the card before."""
OPTIONAL_SPACE = "Chinese_Civil_War"
"""On struggler's map, not on ours."""
LATER_REACH = "there reach is that of the first point"
OP_MORE = "there with an Op more"
BETWEEN = ", "
"""In the headline phase a cause is named after both headlines: often it shows only after the second. So it is after a round whose card is
forced (a Missile Envy received), where nobody is asked for a card, so that hands and military operations are not compared."""


@dataclass
class Token:
    """A decision taken here that struggler has still to take."""

    seat: int
    kind: int
    card: int
    action: int


@dataclass
class Found:
    """What differed: how often by cause, where first, and in how many decisions the two were compared."""

    causes: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    decisions: int = 0
    followed: int = 0

    def add(self, cause: str, where: str) -> None:
        self.causes[cause] += 1
        self.examples.setdefault(cause, where)


class Mirror:
    """One game in both engines.

    Args:
        peer: struggler.
        seed: of the deal.
        found: where differences go.
    """

    def __init__(self, peer: Peer, seed: int, found: Found) -> None:
        self.peer, self.found, self.seed = peer, found, seed
        self.batch = Batch(Setting(GAME), 1)
        self.batch.deal(game_seeds(seed, 1))
        self.tokens: list[Token] = []
        self.looked: list[str] = []
        self.discarded: set[str] = set()
        self.headlines: list[str] = []
        self.gone: dict[str, list[str]] = {side: [] for side in SIDES}
        """The cards that left each hand by our last decision."""
        self.order = ""
        self.played = ""
        """The card of the last round, if what is compared at the choice of a card has not been since."""
        self.under_way = ""
        """The card under way with what `name_discard` or `name_handed` told of it."""
        peer.ask("new")
        self.view = peer.ask("force", **table_of(peer, self.s), at="")
        self.lost = False
        self.dice: list[int] = []
        self.last = "the deal"
        self.reach = self.s.reach.copy()

    @property
    def s(self) -> Any:
        return self.batch.states[0]

    @property
    def asked(self) -> tuple[int, int]:
        """The kind and the card of our question."""
        return int(frames.top(self.s, frames.KIND)), int(frames.top(self.s, frames.VALUE))

    def play(self, players: list[Any], found: Found) -> None:
        """Play the game to its end."""
        while self.batch.seat[0] >= 0:
            seat = int(self.batch.seat[0])
            found.decisions += 1
            found.followed += self.compare(seat)
            self.follow(seat, int(players[seat].act(Decisions.of(self.batch, np.array([0])))[0]))
        self.compare_end()

    # ---- comparing

    def note(self, cause: str, detail: str = "") -> None:
        s = self.s
        self.found.add(
            cause, f"seed {self.seed}, turn {s.turn}, round {s.action_round}{'; ' if detail else ''}{detail}"
        )

    def compare(self, seat: int) -> bool:
        """Compare the tables and what may be done; where tables differ, set struggler's to ours. Gives whether both were compared: not where
        struggler asks at another time, and not where the rest of a card is left out.
        """
        kind, card = self.asked
        at_cards = self.s.depth == 1 and (kind in (frames.HEADLINE, frames.TRAP) or (kind == frames.PLAY and not card))
        if kind == frames.HEADLINE:
            at_cards = True
        if at_cards:
            self.played = ""
        if self.lost and not at_cards:
            return False
        if (kind, card) == AFTER_NORAD or kind == frames.ESCAPE or self.holds():
            return False
        if kind == frames.LEAVE_HAND:
            self.note("a card may be left after DEFCON has risen, there")
            return False
        same = True
        if not self.lost and self.view["over"]:
            self.lose(f"only struggler has ended: {self.view['reason']}{self.buried}")
        if not self.lost and self.view["dice"]:
            self.note(f"dice are left over there after {self.last}")
        if not self.lost:
            same = self.compare_tables(AT_CARDS if at_cards else ALWAYS)
        if at_cards and (self.lost or not same):
            self.restart(seat, kind)
        elif not same:
            self.leave()
        return not self.lost and self.compare_choices(seat, kind, card)

    def compare_tables(self, names: tuple[str, ...]) -> bool:
        """Whether both tables are the same; what is not is noted."""
        if names == ALWAYS and self.looks_alike():
            return True
        ours, same = table_of(self.peer, self.s), True
        if ours["draw_pile"] and not self.view["draw_pile"]:
            self.note("reshuffled here, not there")
            same, names = False, tuple(name for name in names if name not in ("draw_pile", "discard_pile"))
        for name in names:
            for cause, detail in differences(name, ours[name], self.view[name]):
                same = False
                if name == "vp" and ours[name] == self.view[name] - 3:
                    cause += self.buried
                self.note(cause if cause in WHENEVER else f"{cause} after {self.last}", detail)
        return same

    def looks_alike(self) -> bool:
        """Whether what is compared at every decision is the same; a quick check."""
        s, view = self.s, self.view
        influence = [[view["influence"][country][side] for country in COUNTRIES] for side in SIDES]
        return (
            (int(s.defcon), int(s.vp)) == (view["defcon"], view["vp"])
            and s.influence.tolist() == influence
            and s.space.tolist() == [view["space_race"][side] for side in SIDES]
        )

    @property
    def buried(self) -> str:
        """Told with victory points: card 50 is in effect there."""
        return " of We Will Bury You" if self.view["turn_effects"].get("we_will_bury_you") else ""

    def compare_choices(self, seat: int, kind: int, card: int) -> bool:
        """Compare what each engine allows, where both ask the same; gives whether they do."""
        pending = self.view["pending"]
        if not pending or pending["context"]["event"] in (DEFUSE, "Our_Man_In_Tehran"):
            return False
        if not self.corresponds(pending):
            self.lose(f"another question is asked there: {pending['context']['event'] or pending['kind']}")
            return False
        if pending["kind"] == "ops_type" and pending["context"]["ops"] != frames.top(self.s, frames.OPS):
            self.lose(f"Ops: {frames.top(self.s, frames.OPS)} there {pending['context']['ops']}")
            return False
        theirs = {str(option) for option in pending["options"]}
        label = pending["context"]["event"] or pending["kind"]
        if OPTIONAL_SPACE in theirs:
            self.note(f"{label}: only there {OPTIONAL_SPACE}", self.last)
            theirs.remove(OPTIONAL_SPACE)
        ours = self.named(self.batch.action_mask[0], seat, theirs)
        for more, cause in enumerate((LATER_REACH, OP_MORE) if kind == frames.PLACE else ()):
            if self.named(self.places_there(seat, more), seat, theirs) == theirs != ours:
                self.note(f"{label}: {cause}", self.last)
                return True
        if kind == frames.USE:
            label += ", an opponent's card" if cards.SIDE[card] == 1 - seat else ", another card"
        for whose, only in (("here", ours - theirs), ("there", theirs - ours)):
            if only:
                names = ", ".join(sorted(only))
                short = (
                    names if kind not in (frames.PLACE, frames.PLAY, frames.HEADLINE) or len(only) == 1 else "several"
                )
                short, after = short if len(only) < 3 else "several", ""
                if kind == frames.REALIGN:
                    after = f" after {cards.CARD_NAMES[card]}"
                    if whose == "there" and all(ops_left(self.s, COUNTRIES.index(name)) <= 0 for name in only):
                        short = "where the last Op may not go"
                self.note(f"{label}: only {whose} {short}{after}", f"{names}; {self.last}")
        return True

    def named(self, mask: Any, seat: int, theirs: set[str]) -> set[str]:
        """What a mask allows, but for buying off, in struggler's words."""
        named = set()
        for action in np.flatnonzero(mask[: actions.BUY_OFF]):
            words = self.words(Token(seat, *self.asked, int(action)))
            named.add(next((word for word in words if word in theirs), words[0]))
        return named

    def places_there(self, seat: int, more: int) -> Any:
        """Where influence could be placed if reach were, as there, that of the operation's first point, not of the round's start; and if
        there were so many Ops more, where 25 or 51 would give more than 4.
        """
        other = Batch(self.batch.setting, 1)
        other.states[:] = self.batch.states
        if not frames.top(self.s, frames.SPENT):
            self.reach = reach_of(self.s)
        other.states[0].reach[:] = self.reach
        adds = self.s.lasting[cards.CONTAINMENT if seat == US else cards.BREZHNEV]
        if adds and frames.top(self.s, frames.OPS) == 4:
            other.states[0].question[self.s.depth - 1, frames.OPS] += more
        list_legal_one(other.rules, other.states)
        other.refresh()
        return other.action_mask[0]

    def corresponds(self, pending: dict[str, Any]) -> bool:
        """Whether struggler's question is ours."""
        kind, card = self.asked
        if pending["actor"] != SIDES[self.batch.seat[0]]:
            return False
        if pending["context"]["setup"] or pending["kind"] not in THEIRS:
            if pending["kind"] in THEIRS:
                return kind == frames.ADD
            event = pending["context"]["event"] or ""
            name = self.peer.cards[card]
            influence = pending["kind"] == "event_influence"
            kinds = OF_EVENTS if influence else (*OF_EVENTS, frames.OPERATION, frames.COUP, frames.PLAY)
            return bool(name) and event.startswith(name) and kind in kinds
        if kind == frames.USE and pending["context"]["card"] != self.peer.cards[card]:
            return False
        return THEIRS[pending["kind"]] == kind and not (kind == frames.PLAY and card)

    # ---- following

    def words(self, token: Token) -> list[str]:
        """What struggler may call a decision of ours."""
        if token.kind == frames.PLAY and token.card == cards.GRAIN_SALES and token.action < actions.COUNTRY:
            return ["take"]
        return word_of(self.peer, token.kind, token.card, token.action)

    def follow(self, seat: int, action: int) -> None:
        """Take a decision here, and there with the same dice and cards."""
        before = self.s.copy()
        kind, card = self.asked
        number = action + 1 if kind in (frames.PLAY, frames.HEADLINE) and action < actions.COUNTRY else card
        self.last = cards.CARD_NAMES[number or int(before.card)] or frames.KIND_NAMES[kind]
        if action >= actions.BUY_OFF:
            self.last = "buying off the Cuban Missile Crisis"
        elif kind == frames.REALIGN and before.lasting[cards.IRAN_CONTRA]:
            self.last = "a realignment under Iran-Contra Scandal"
        if kind in (frames.PLAY, frames.HEADLINE):
            self.under_way = ""
        elif self.under_way.startswith(f"{self.last} with "):
            self.last = self.under_way
        if kind == frames.HEADLINE:
            self.headlines = [*(self.headlines if before.headline.any() else []), self.last]
        if self.headlines and not before.action_round:
            self.last = BETWEEN.join(dict.fromkeys([*self.headlines, self.last]))
        if kind == frames.PLAY:
            self.played = self.last
        elif self.last == cards.CARD_NAMES[cards.MISSILE_ENVY] and self.played not in ("", self.last):
            self.last = f"{self.played}{BETWEEN}{self.last}"
        token = Token(seat, kind, card, action)
        self.batch.step([action], restart=False)
        if self.lost or self.s.ending == state.BY_MISSILES:  # here no die is rolled for the coup that ends the game
            self.lost = True
            return
        event = (self.view["pending"] or {"context": {"event": ""}})["context"]["event"]
        elsewhere = (
            kind == frames.ESCAPE or (kind, card) == AFTER_NORAD or (action >= actions.BUY_OFF and event != DEFUSE)
        )
        if not elsewhere:  # struggler asks for these at another time: comparing the tables covers them
            self.tokens.append(token)
        after, peer = self.s, self.peer
        hands = [{side: peer.hand(s, state.HANDS + seat) for seat, side in enumerate(SIDES)} for s in (before, after)]
        looked = peer.hand(after, state.LOOKED_AT)
        if looked and not self.looked:
            self.looked, self.discarded = looked[::-1], set()
        if kind == frames.PICK and card == cards.OUR_MAN_IN_TEHRAN and action < actions.COUNTRY:
            self.discarded.add(peer.cards[action + 1])
        self.gone = {side: [card for card in hands[0][side] if card not in hands[1][side]] for side in SIDES}
        if self.last == cards.CARD_NAMES[cards.FIVE_YEAR_PLAN]:
            self.name_discard()
        elif self.last == cards.CARD_NAMES[cards.MISSILE_ENVY]:
            self.name_handed()
        kept = self.view["dice"] if elsewhere else 0  # dice of an earlier decision, which are rolled later there
        self.dice = self.dice[len(self.dice) - kept :] + [int(die) for die in after.dice[: after.rolled]]
        if self.ask("load", dice=self.dice, hands=hands[1], gone=self.gone, looked=looked):
            self.drive()

    def ask(self, do: str, **request: Any) -> bool:
        """Ask struggler to do something; gives whether it did."""
        answer = self.peer.ask(do, **request)
        if "error" in answer:
            asked = f" at {self.view['pending']['kind']}" if self.view["pending"] else ""
            self.lose(f"struggler stops: {answer['error']}{asked}")
            return False
        self.view = answer
        return True

    def lose(self, why: str) -> None:
        """Note that the two no longer ask the same; the rest of this card is left out."""
        trap = next((cards.CARD_NAMES[card] for card in TRAPS if self.s.lasting[card]), "")
        rounds = self.view["pending"] and self.view["pending"]["kind"] in AT_NEXT_CARD
        self.note(f"{why} after {self.last}{f' under {trap}' if trap and rounds else ''}")
        self.leave()

    def leave(self) -> None:
        """Leave out the rest of this card."""
        self.lost, self.tokens, self.order, self.looked = True, [], "", []

    def drive(self) -> None:
        """Let struggler go on until it asks what we ask."""
        self.intervene()
        for _ in range(MOST_STEPS):
            pending = self.view["pending"]
            if self.lost or not pending or self.holds():
                return
            value = self.answer(pending)
            if value is None:
                return
            if not self.ask("step", value=value):
                return
        self.lose("struggler asks without end")

    def holds(self) -> bool:
        """Card 32, UN Intervention: struggler is told of it only when it is known which card it is played with."""
        return bool(self.tokens) and self.is_intervention(self.tokens[0]) and self.asked in BEFORE_COMPANION

    @staticmethod
    def is_intervention(token: Token) -> bool:
        return token.kind == frames.PLAY and not token.card and token.action + 1 == cards.UN_INTERVENTION

    def intervene(self) -> None:
        """Card 32, UN Intervention, with its companion is one card and one use there."""
        if self.tokens and self.is_intervention(self.tokens[0]) and self.asked not in BEFORE_COMPANION:
            table = [
                card for card in np.flatnonzero(self.s.place == state.TABLE) if card not in (0, cards.UN_INTERVENTION)
            ]
            if table and self.s.place[cards.UN_INTERVENTION] == state.TABLE:
                first = self.tokens[0]
                self.tokens = [Token(first.seat, frames.PLAY, 0, int(table[0]) - 1)]
                self.order = "un_intervention"

    def answer(self, pending: dict[str, Any]) -> Any:
        """What struggler is to do with its question; None to wait, or if there is no answer."""
        options, kind, event = pending["options"], pending["kind"], pending["context"]["event"]
        if pending["actor"] == "CHANCE":
            if pending["context"]["purpose"] == "five_year_plan":
                self.name_discard()
            return options[0]
        if event == "NORAD":
            if self.asked == AFTER_NORAD:  # what comes next may be a new turn, whose cards are not known yet
                return None
            self.note("NORAD acts at once, there")
            self.ask("drop")
            return self.answer(self.view["pending"]) if self.view["pending"] and not self.lost else None
        if event == DEFUSE:
            return self.defuse()
        if event == "Our_Man_In_Tehran":
            if self.asked == (frames.PICK, cards.OUR_MAN_IN_TEHRAN):
                return None
            self.tokens = []
            return "remove" if self.looked and self.looked.pop(0) in self.discarded else "keep"
        if kind == "play_mode" and self.order == "un_intervention" and self.order in options:
            return self.order
        if kind == "event_ops_order" and self.order:
            return self.order
        if self.tokens and SIDES[self.tokens[0].seat] == pending["actor"]:
            token = self.tokens[0]
            words = self.words(token)
            if token.kind == frames.USE and cards.SIDE[token.card] == 1 - token.seat and token.action < actions.USE + 2:
                self.order = ("event_first", "ops_first")[token.action - actions.USE]
                words = ["ops"]
            value = next((word for word in words if word in options), None)
            if value is not None:
                self.tokens.pop(0)
                return value
        if not self.tokens and self.batch.seat[0] >= 0 and self.corresponds(pending) and not self.was_forced(options):
            return None
        if not self.tokens and (self.asked[0] == frames.ESCAPE or self.asked == AFTER_NORAD) and kind in AT_NEXT_CARD:
            return None
        if self.tokens and self.tokens[0].action == actions.STOP:
            self.tokens.pop(0)
            self.note(f"only here it may be left: {event or kind}", self.last)
            self.ask("drop")
            return self.answer(self.view["pending"]) if self.view["pending"] and not self.lost else None
        if len(options) == 1:
            number = next(
                (card for card, name in enumerate(self.peer.cards) if name and (event or "").startswith(name)), 0
            )
            if cards.CARD_NAMES[cards.FIVE_YEAR_PLAN] not in self.last:  # which fires another card
                self.last = cards.CARD_NAMES[number] or self.last
            return options[0]
        default = WITHOUT_US.get(event or kind)
        if default in options:
            self.note(f"{UNASKED}: {event or kind} after {self.last}")
            if kind == "play_mode":
                self.order = "ops_first"
            return default
        if not self.tokens and self.batch.seat[0] < 0:  # the game is over here: `compare_end` tells it
            return None
        self.lose(f"{'no answer to' if self.tokens else UNASKED}: {event or kind}")
        return None

    def name_discard(self) -> None:
        """Name card 5, Five Year Plan, with whose card it has discarded: that decides in which of the two an event follows."""
        plan = cards.CARD_NAMES[cards.FIVE_YEAR_PLAN]
        discarded = next((name for name in self.gone["USSR"] if name != self.peer.cards[cards.FIVE_YEAR_PLAN]), None)
        self.last = plan
        if discarded:
            self.last += f" with a {(*SIDES, 'neutral')[cards.SIDE[self.peer.cards.index(discarded)]]} card"
        self.under_way = self.last
        self.headlines = [self.last if name == plan else name for name in self.headlines]

    def name_handed(self) -> None:
        """Name card 49, Missile Envy, with whose card was handed over for it: the event of one that is not the giver's happens at once."""
        for giver, side in enumerate(SIDES):
            for name in self.gone[side]:
                if name != self.peer.cards[cards.MISSILE_ENVY] and cards.SIDE[self.peer.cards.index(name)] != giver:
                    self.last = self.under_way = f"{cards.CARD_NAMES[cards.MISSILE_ENVY]} with a card that acts at once"

    def was_forced(self, options: list[Any]) -> bool:
        """Whether a question with one option was answered here unasked: there are dice for it, or influence that has moved."""
        if len(options) > 1:
            return False
        ours = table_of(self.peer, self.s)["influence"]
        return self.view["dice"] > 0 or ours != {country: self.view["influence"][country] for country in ours}

    def defuse(self) -> str | None:
        """Card 40, Cuban Missile Crisis: struggler's question before a round, which is part of our question about the card."""
        if not self.tokens:
            return None if self.asked[0] in (frames.PLAY, frames.TRAP) else "skip"
        if self.tokens[0].action < actions.BUY_OFF:
            return "skip"
        token = self.tokens.pop(0)
        return self.words(token)[0]

    def restart(self, seat: int, kind: int) -> None:
        """Set struggler to our position, at the choice of a card."""
        s = self.s
        headline = {side: self.peer.cards[max(0, int(s.headline[k]))] or None for k, side in enumerate(SIDES)}
        at = "headline" if kind == frames.HEADLINE else "round"
        self.view = self.peer.ask(
            "force", **table_of(self.peer, s), at=at, side=SIDES[seat], headline=headline,
            ars_played=2 * (max(1, int(s.action_round)) - 1) + seat + 1,
        )  # fmt: skip
        self.leave()
        self.lost = "error" in self.view
        if self.lost:
            self.note(f"struggler cannot be set: {self.view['error']}")

    def compare_end(self) -> None:
        """Compare who won."""
        s = self.s
        if self.lost:
            return
        winner = SIDES[s.winner] if s.winner >= 0 else None
        if not self.view["over"]:
            self.note(f"only here the game has ended: {state.ENDING_NAMES[s.ending]}{self.buried} after {self.last}")
        elif winner != self.view["winner"]:
            self.note(f"the winner: {state.ENDING_NAMES[s.ending]}, there {self.view['reason']}")


def differences(name: str, ours: Any, theirs: Any) -> list[tuple[str, str]]:
    """What differs in a part of the table: the cause as far as it can be told, and the detail."""
    if name == "influence":
        wrong = [country for country in ours if ours[country] != theirs[country]]
        where = f" in {wrong[0]}" if len(wrong) == 1 else ""
        detail = f"{', '.join(wrong)}: {[ours[c] for c in wrong]} there {[theirs[c] for c in wrong]}"
        return [(f"influence{where}", detail)] if wrong else []
    if name == "hands":
        return [
            (f"hand of {side}: {moved}", moved) for side in SIDES if (moved := moved_cards(ours[side], theirs[side]))
        ]
    if name == "military_ops" and ours == {side: min(5, number) for side, number in theirs.items()} != theirs:
        return [(ABOVE_5, f"there {theirs}")]
    if name == "draw_pile" and set(ours) ^ set(theirs) == {"AWACS_Sale_to_Saudis"}:
        return [(AWACS, "")]
    if name in SETS:
        moved = moved_cards(ours, theirs)
        return [(f"{name}: {moved}", moved)] if moved else []
    if isinstance(ours, dict):
        wrong = [key for key in sorted({*ours, *theirs}) if ours.get(key) != theirs.get(key)]
        return [(f"{name} {key}", f"{ours.get(key)} there {theirs.get(key)}") for key in wrong]
    return [(name, f"{ours} there {theirs}")] if ours != theirs else []


@dataclass(frozen=True)
class Explained:
    """A kind of difference: which causes it covers, whose rule is right, the rule, and why."""

    causes: re.Pattern[str]
    right: str
    rule: str
    why: str


def read_explanations(path: Path = EXPLANATIONS) -> list[Explained]:
    """The rows of the list. Raises ValueError for a row that is not valid."""
    rows = []
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            if set(row) != {"cause", "right", "rule", "why"} or not all(row.values()):
                raise ValueError(f"{path.name} line {number} must have the columns cause, right, rule, why")
            if row["right"] not in ("here", "there", "both"):
                raise ValueError(f"{path.name} line {number}: right {row['right']!r} must be here, there or both")
            rows.append(Explained(re.compile(row["cause"]), row["right"], row["rule"], row["why"]))
    return rows


def explain(cause: str, explanations: list[Explained]) -> Explained | None:
    """The row that covers a cause; one that came to light after both headlines is looked for under either."""
    what, after, headlines = cause.partition(" after ")
    either = [f"{what}{after}{card}" for card in headlines.split(BETWEEN)] if after else []
    return next((row for one in (cause, *either) for row in explanations if row.causes.fullmatch(one)), None)


def report(found: Found, explanations: list[Explained]) -> tuple[list[str], list[str]]:
    """Tables of what is explained, a row for each kind, and of what is not; the latter is empty if everything is."""
    of = {cause: explain(cause, explanations) for cause in found.causes}
    kinds: Counter[Explained] = Counter()
    for cause, row in of.items():
        if row:
            kinds[row] += found.causes[cause]
    known = [(f"{times:,}", row.right, row.rule, row.why) for row, times in kinds.most_common()]
    open_ones = [
        (f"{times}", cause, found.examples[cause]) for cause, times in found.causes.most_common() if not of[cause]
    ]
    return (
        markdown_table(("times", "right is", "rule", "what differs"), known, 4),
        markdown_table(("times", "not explained", "first seen"), open_ones, 3) if open_ones else [],
    )


def moved_cards(ours: list[str], theirs: list[str]) -> str:
    """The cards of a place that are only here or only there; "several" for more than two, "" for none."""
    here, there = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
    if len(here + there) > 2:
        return "several"
    return " ".join(f"{word} {', '.join(names)}" for word, names in (("here", here), ("there", there)) if names)


def check(peer: Peer, adviser: Peer, games: int, seed: int) -> Found:
    """Play games and give what differed; `adviser` is asked for the moves of struggler's player."""
    found = Found()
    with cli.progress("games", games) as advance:
        for game in range(seed, seed + games):
            names = TABLES[game % len(TABLES)]
            players = [
                Greedy(game, adviser) if name == "greedy" else load_player(name, GAME, game + place)
                for place, name in enumerate(names)
            ]
            Mirror(peer, game, found).play(players, found)
            advance(1)
    return found


def main(
    struggler: Annotated[Path, typer.Option(help="a checkout of github.com/alekpinel/struggler")],
    games: Annotated[int, typer.Option(min=1, help="how many")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="the first game's; every game has the next one")] = 0,
) -> None:
    """Play the same games in both engines and print what differs, by cause."""
    explanations = read_explanations()
    found = check(Peer.at(struggler, "--struggler"), Peer.at(struggler, "--struggler"), games, seed)
    known, unknown = report(found, explanations)
    print(f"{games} games, {found.decisions:,} decisions, {found.followed:,} of them compared")
    print("\n".join(known))
    if unknown:
        print("\n".join(unknown))
        raise typer.Exit(1)


if __name__ == "__main__":
    cli.run(main)
