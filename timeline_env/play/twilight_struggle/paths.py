"""Twilight Struggle: the path of targets of every legal action, with odds and effects in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine import questions
from timeline_env.play.paths import Path, Target
from timeline_env.play.twilight_struggle import words
from timeline_env.twilight_struggle import actions, board, cards, frames
from timeline_env.view.twilight_struggle.words import pending_question

USES = ("event", "ops", "space")
OPERATIONS = ("influence", "coup", "realign")


def paths(rules: Any, s: Any) -> dict[int, Path]:
    """The path of every legal action; each is one click.

    Args:
        rules: record array [1].
        s: the position as the seat to act sees it, one record.
    """
    asking = Asking(s)
    found: dict[int, Path] = {}
    for action in np.flatnonzero(s.legal).tolist():
        name, indices = actions.CODEC.decode(action)
        found[action] = (getattr(asking, f"at_{name}")(*indices),)
    return found


class Asking:
    """The pending question: one method for each range of actions gives the target of an action in it."""

    def __init__(self, s: Any) -> None:
        self.s = s
        self.kind, self.seat = pending_question(s)
        self.row = s.question[s.depth - 1]
        self.source = int(self.row[questions.VALUE])

    def at_card(self, index: int) -> Target:
        card = index + 1
        own = self.kind in (frames.HEADLINE, frames.PLAY)
        told = words.card_to_play(self.s, self.seat, card) if own else words.card(card)
        return Target(f"card-{card}", words.title(card), told)

    def at_country(self, c: int) -> Target:
        told = {
            frames.PLACE: lambda: words.describe_placement(self.s, self.seat, c),
            frames.COUP: lambda: words.coup(self.s, self.seat, c),
            frames.REALIGN: lambda: words.describe_realignment(self.s, c),
            frames.WAR: lambda: words.war(self.s, self.seat, self.source, c),
        }.get(self.kind, lambda: words.influence(self.s, c))
        return Target(f"country-{c}", board.COUNTRY_NAMES[c], told())

    def at_use(self, use: int) -> Target:
        text, told = words.uses(self.s, self.seat, self.source, bool(self.row[frames.FREE]))[use]
        return Target(USES[use], text, told)

    def at_operation(self, operation: int) -> Target:
        return Target(OPERATIONS[operation], *words.operations(self.s)[operation])

    def at_option(self, option: int) -> Target:
        if self.kind != frames.LEVEL:
            return Target(f"option-{option}", *words.choice(self.s, self.source, option))
        text = words.LEVELS[self.source][option]
        if self.source == cards.CHERNOBYL:
            return Target(f"region-{option}", text, "no USSR influence there by operations this turn")
        level = words.level_after(self.s, self.source, option)
        dies = words.loses(self.s) if level == 1 else ""
        return Target(f"defcon-{level}" if self.source == cards.STOP_WORRYING else f"level-{option}", text, dies)

    def at_stop(self) -> Target:
        return Target("stop", *words.stop(self.kind, self.source))

    def at_buy_off(self, which: int) -> Target:
        place = words.BUY_OFFS[which]
        return Target(f"buy-off-{which}", f"end the Cuban Missile Crisis with 2 from {place}", "DEFCON stays")
