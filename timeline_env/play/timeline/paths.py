"""Timeline: the path of targets of every legal action, with prices and effects in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine import questions
from timeline_env.play.paths import Path, Target
from timeline_env.play.timeline import words
from timeline_env.timeline import actions, board, numbers, state
from timeline_env.timeline.impact import impact_price
from timeline_env.timeline.move import move_price
from timeline_env.timeline.text import names
from timeline_env.timeline.text.move_text import card_in_hand
from timeline_env.view.counts import count

SIGNS = ("✓", "✗")
SIDES = ("yes", "no")
"""Keys of the two signs of the card in the deciding player's node."""
ARTIFACTS = {
    actions.SURGE: "surge",
    actions.CELL: "cell",
    actions.WINGS: "wings",
    actions.SWITCH: "switch",
}


def paths(rules: Any, s: Any) -> dict[int, Path]:
    """The path of every legal action.

    Args:
        rules: record array [1].
        s: the position as the seat to act sees it, one record.
    """
    asking = Asking(rules, s)
    found = {}
    for action in np.flatnonzero(s.legal).tolist():
        name, indices = actions.CODEC.decode(action)
        found[action] = tuple(getattr(asking, f"at_{name}")(*indices))
    return found


class Asking:
    """The pending question: one method for each range of actions gives the path of an action in it."""

    def __init__(self, rules: Any, s: Any) -> None:
        self.rules, self.s, self.r = rules, s, rules[0]
        row = s.question[s.depth - 1]
        self.kind, self.seat = int(row[questions.KIND]), int(row[questions.SEAT])
        self.node = int(s.pawn[self.seat])

    def at_pass(self) -> list[Target]:
        """The end of the turn; a second click confirms it while there are action units left."""
        end = Target("pass", "end the turn", f"{count(self.s.au, 'action unit')} will be lost" if self.s.au else "")
        if not self.s.au:
            return [end]
        return [end, Target("sure", "yes, end the turn", end.detail)]

    def at_move(self, direction: int) -> list[Target]:
        there = int(board.NEIGHBOUR[self.node, direction])
        price = "free of charge"
        if self.kind == state.TURN:
            price = words.price(self.r.move_au, move_price(self.r, self.s))
        lies = words.describe_node(self.rules, self.s, there)
        return [Target(f"node-{there}", f"move to {names.NODE_NAMES[there]}", f"{price}; {lies}")]

    def at_impact(self, side: int, value: int) -> list[Target]:
        price = words.price(self.r.impact_au, impact_price(self.r, self.s, self.seat, value + 1))
        standing = words.describe_standing(self.rules, self.s, self.node)
        sign = Target(SIDES[side], f"impact beside {SIGNS[side]}", f"{words.ENDS[side]}; {standing}")
        return [sign, Target(f"{SIDES[side]}-{value + 1}", f"value {value + 1}", price)]

    def at_reinforce(self, direction: int, strength: int) -> list[Target]:
        price = ""
        if self.kind == state.TURN:
            price = words.price(self.r.reinforce_au, self.r.reinforce_energy[strength])
        token = Target(f"plus-{strength + 1}-{direction}", f"+{strength + 1}", price or "a token and no mark")
        return [self.junction(direction), token]

    def at_artifact(self, use: int) -> list[Target]:
        effects = {
            actions.SURGE: f"{count(self.r.surge_au, 'action unit')} more",
            actions.CELL: f"{self.r.cell_energy} energy more, {self.r.most_energy} at most",
            actions.WINGS: "moves cost no energy for the rest of the turn",
            actions.SWITCH: "the stance of the event here goes to the other side",
        }
        return [Target(f"use-{ARTIFACTS[use]}", f"use {ARTIFACTS[use]}", effects[use])]

    def at_amplifier(self, side: int) -> list[Target]:
        value = self.r.amplifier_impact
        use = Target("use-amplifier", "use amplifier", f"an impact of value {value} on the event here, for nothing")
        return [use, Target(SIDES[side], f"beside {SIGNS[side]}", words.ENDS[side])]

    def at_organize(self, place: int, turn: int, side: int) -> list[Target]:
        card = words.card_at(self.s, self.seat, place)
        told = words.card(self.rules, card)
        price = words.price(numbers.ORGANIZE_AU, numbers.ORGANIZE_ENERGY)
        hand = Target(f"hand-{place}", f"organize {card_in_hand(self.s, place)}", f"{price}; {told}")
        links = words.links(self.rules, card, self.node, turn)
        laid = Target(f"turn-{turn}", f"turned by {turn} sixths" if turn else "not turned", links, turn)
        return [hand, laid, Target(SIDES[side], f"stance beside {SIGNS[side]}", words.TIES[side])]

    def at_link(self, direction: int, hindrance: int, strength: int) -> list[Target]:
        colour = ("cause", "hindrance")[hindrance]
        token = f"reinforced by {strength}" if strength else "as it is"
        mark = Target(f"{colour}-{direction}", colour, words.link(self.node, direction, hindrance))
        return [
            self.junction(direction),
            mark,
            Target(
                f"plus-{strength}-{direction}",
                token,
                f"the link pulls with {words.pull(self.s, self.node, direction) + strength}",
            ),
        ]

    def at_done(self) -> list[Target]:
        return [
            Target(
                "done",
                "no more links",
                f"strength {words.linked_strength(self.s, self.node)} of {numbers.LOGISTIC_TOTAL} set",
            )
        ]

    def at_rival(self, offset: int, choice: int) -> list[Target]:
        seat = (self.seat + 1 + offset) % int(self.r.num_players)
        who = Target(f"seat-{seat}", state.SEAT_NAMES[seat], words.describe_points(self.s, seat))
        if choice == actions.PLEDGE:
            return [Target("pledge", "pledge to name a player", "public, costs nothing and binds nobody"), who]
        if self.kind == state.SUPPORT:
            return [
                Target(
                    SIDES[choice],
                    f"the arc under {SIGNS[choice]}",
                    f"the player gains a point if it {words.HAPPENS[choice]}",
                ),
                who,
            ]
        return [who]

    def junction(self, direction: int) -> Target:
        """The edge of the deciding player's node in a direction."""
        other = int(board.NEIGHBOUR[self.node, direction])
        to = f"to {names.NODE_NAMES[other]}" if other >= 0 else f"beyond the field, {names.COMPASS[direction]}"
        told = words.edge(self.s, self.node, direction)
        return Target(f"junction-{direction}", f"the link {to}", told)
