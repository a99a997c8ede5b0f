"""Twilight Struggle in words: cards, odds, prices, what is asked."""

from __future__ import annotations

from typing import Any

from timeline_env.twilight_struggle import board, cards, frames, numbers
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.card_play import is_event_possible
from timeline_env.twilight_struggle.events import words as event_words
from timeline_env.twilight_struggle.events.program import war_modifier, war_row
from timeline_env.twilight_struggle.lasting import acts_on, coup_keeps_defcon, coup_modifier, ops_of
from timeline_env.twilight_struggle.operations import cost, ops_left, realign_bonus
from timeline_env.view.counts import count, times_more
from timeline_env.view.twilight_struggle import words

SIDES = words.SIDE_NAMES
CHOICES = {
    cards.WARSAW_PACT: (
        ("remove all US influence from four countries", "of Eastern Europe"),
        ("add 5 influence in Eastern Europe", "at most 2 in a country"),
    ),
    cards.OLYMPIC_GAMES: (
        ("take part", "each rolls, the sponsor adds 2, the higher gains 2 VP; ties again"),
        ("boycott", "DEFCON falls by 1; the sponsor may conduct operations of 4 Ops"),
    ),
    53: (
        ("add 2 in South Africa", ""),
        ("add 1 in South Africa and 2 next to it", "in neighbouring countries"),
    ),
    cards.WARGAMES: (
        ("end the game", "the opponent first gains 6 VP"),
        ("go on", "nothing happens"),
    ),
}
"""The two options of each card that offers a choice: their text, and what they mean."""
REGIONS = tuple(name.replace("_", " ").title() for name in board.REGION_NAMES)
HAS = ("nothing", "presence", "domination", "control")
"""What a side may have in a region."""
LEVELS = {
    cards.SUMMIT: ("lower DEFCON by 1", "raise DEFCON by 1", "leave DEFCON as it is"),
    cards.STOP_WORRYING: tuple(f"set DEFCON to {level}" for level in range(1, 6)),
    cards.CHERNOBYL: REGIONS,
}
BUY_OFFS = ("Cuba", "West Germany", "Turkey")


def level_after(s: Any, source: int, option: int) -> int:
    """Where DEFCON would be after one of a card's `LEVELS`."""
    if source == cards.STOP_WORRYING:
        return option + 1
    return max(1, min(5, int(s.defcon) + (-1, 1, 0)[option]))


def choice(s: Any, source: int, option: int) -> tuple[str, str]:
    """One of a card's two options: its text, and what it means here."""
    text, told = CHOICES[source][option]
    boycott = source == cards.OLYMPIC_GAMES and option == 1
    return text, f"DEFCON falls to 1: {loses(s)}" if boycott and s.defcon == 2 else told


def loses(s: Any) -> str:
    """Who loses when DEFCON falls to 1."""
    return f"the {SIDES[s.phasing]} would lose the game"


def title(card: int) -> str:
    """``Fidel (8)``."""
    return f"{cards.CARD_NAMES[card]} ({card})"


def card(number: int) -> str:
    """What can be read on a card."""
    kind = "scoring card" if cards.KIND[number] == cards.SCORING else count(cards.OPS[number], "Op")
    side = "" if words.side_of(number) == 2 else f", {SIDES[words.side_of(number)]} event"
    gone = ", removed after the event" if cards.STARRED[number] else ""
    text = event_words.TEXTS[number]
    return f"{kind}{side}{gone}" + (f": {text}" if text else "")


def card_to_play(s: Any, seat: int, number: int) -> str:
    """A card of a player's own hand: what can be read on it, and whether the opponent's event would happen."""
    told = card(number)
    if cards.SIDE[number] == 1 - seat and number != cards.CHINA:
        happens = bool(is_event_possible(s, seat, number))
        told += " Your opponent's event happens too." if happens else " Your opponent's event cannot happen now."
    return told


def uses(s: Any, seat: int, number: int, bare: bool) -> list[tuple[str, str]]:
    """The three uses of a card: their text, and what they mean."""
    ops = count(int(ops_of(s, seat, cards.OPS[number])), "Op")
    opposing = cards.SIDE[number] == 1 - seat and not bare and bool(is_event_possible(s, seat, number))
    happens = f"the {SIDES[1 - seat]} event happens too: {event_words.TEXTS[number]}" if opposing else ""
    box = min(int(s.space[seat]) + 1, numbers.BOXES)
    die = int(numbers.SPACE_DIE[box])
    event = f"the event, then {ops}" if opposing else "the event"
    return [
        (event, event_words.TEXTS[number]),
        (f"{ops}, then the event" if opposing else ops, happens),
        ("space race", f"box {box} on a die of 1 to {die}; the event does not happen" if die > 1 else f"box {box}"),
    ]


def operations(s: Any) -> list[tuple[str, str]]:
    """The three operations."""
    number = int(s.question[s.depth - 1, frames.OPS])
    ops = count(number, "Op")
    return [
        ("place influence", f"{ops}: 1 for each point, 2 where the opponent controls"),
        ("a coup", f"one roll with {ops}"),
        ("realignment", f"up to {count(number, 'roll')}, 1 Op each"),
    ]


def influence(s: Any, c: int) -> str:
    """Battleground, stability, ``USSR 2, US 1``, and who controls the country."""
    side = words.controller(s, c)
    control = f"; {SIDES[side]}-controlled" if side >= 0 else "; nobody controls it"
    mark = "battleground, " if board.BATTLEGROUND[c] else ""
    return f"{mark}stability {board.STABILITY[c]}, USSR {s.influence[USSR, c]}, US {s.influence[US, c]}{control}"


def describe_placement(s: Any, seat: int, c: int) -> str:
    """What a point of influence costs."""
    return f"costs {cost(s, seat, c)} of {count(int(ops_left(s, c)), 'Op')}; {influence(s, c)}"


def coup(s: Any, seat: int, c: int) -> str:
    """What a coup would do: odds, DEFCON."""
    least = 2 * int(board.STABILITY[c]) - int(ops_left(s, c)) - int(coup_modifier(s, seat, c)) + 1
    least = max(1, least)
    odds = "cannot succeed" if least > 6 else f"succeeds on a die of {least} or more ({7 - least} of 6)"
    if acts_on(s, cards.CUBAN_MISSILES, seat):
        odds = "would lose the game (Cuban Missile Crisis)"
    told = f"{odds}; {influence(s, c)}"
    free = int(s.question[s.depth - 1, frames.FREE])
    if board.BATTLEGROUND[c] and not coup_keeps_defcon(s, seat, free):
        told += f"; DEFCON falls to {s.defcon - 1}"
        if s.defcon == 2:
            told += f": {loses(s)}"
    return told


def describe_realignment(s: Any, c: int) -> str:
    """What each side adds to its die."""
    ussr, us = (int(realign_bonus(s, seat, c)) for seat in (USSR, US))
    return f"USSR die {ussr:+d}, US die {us:+d}; {influence(s, c)}"


def war(s: Any, seat: int, source: int, c: int) -> str:
    """The odds of a war."""
    least = int(war_row(source, 2)) - int(war_modifier(s, seat, source, c))
    if least > 6:
        return f"cannot be won; {influence(s, c)}"
    return f"won on a die of {max(1, least)} or more ({7 - max(1, least)} of 6); {influence(s, c)}"


def ops_still(s: Any) -> str:
    """The Ops that are left for placing influence or realigning."""
    left, most = words.ops_to_use(s)
    return f"{count(left, 'Op')} left" + (f", {most} where a region adds to them" if most > left else "")


def prompt(rules: Any, s: Any, viewer: int | None) -> str:
    """What is asked of whom, as a sentence."""
    kind, seat = words.pending_question(s)
    if kind < 0:
        return f"The game is over: {words.decision(s)}, VP {words.points(s)}."
    row = s.question[s.depth - 1]
    source = int(row[frames.VALUE])
    now = words.time(s)[0].upper() + words.time(s)[1:]
    if seat != viewer:
        return f"{now}. The {words.decision(s)}."
    side = SIDES[int(row[frames.SIDE])] if frames.ADD <= kind <= frames.DOUBLE else ""
    left, ops = times_more(int(row[frames.LEFT])), ops_still(s)
    by = f"{cards.CARD_NAMES[source]}: " if source else ""
    asks = {
        frames.HEADLINE: "Choose your headline.",
        frames.PLAY: "Play a card.",
        frames.TRAP: f"{by}discard a card of 2 Ops or more to get out.",
        frames.USE: f"How do you use {cards.CARD_NAMES[source]}?",
        frames.OPERATION: f"{by}which operation?",
        frames.PLACE: f"{by}place influence, {ops}.",
        frames.COUP: f"{by}where do you attempt the coup?",
        frames.REALIGN: f"{by}where do you realign? {ops}; a roll takes one.",
        frames.ADD: f"{by}add {side} influence, {left}.",
        frames.TAKE: f"{by}remove {side} influence, {left}.",
        frames.TAKE_ALL: f"{by}remove all {side} influence, {left}.",
        frames.WAR: f"{by}where is the war?",
        frames.MATCH: f"{by}match the influence of the USSR.",
        frames.DOUBLE: f"{by}double the influence of the USSR, {left}.",
        frames.YES_NO: f"{by}choose one.",
        frames.PICK: f"{by}choose a card.",
        frames.LEVEL: f"{by}choose.",
        frames.ESCAPE: "Will you end the Cuban Missile Crisis? Until then a coup of yours would lose the game.",
        frames.LEAVE_HAND: "You may discard a held card.",
    }
    if kind == frames.PLAY and source == cards.GRAIN_SALES:
        return f"{by}play the card that was drawn, or give it back."
    if kind == frames.ADD and not source:
        return f"Set-up: place influence, {left}."
    return f"{now}. {asks[kind]}"


def stop(kind: int, source: int) -> tuple[str, str]:
    """What it means to stop: a text, and what follows."""
    if kind == frames.ESCAPE:
        return "not now", "the crisis goes on"
    if kind == frames.PLAY and source == cards.GRAIN_SALES:
        return "give it back", "and conduct operations of 2 Ops"
    if kind in (frames.PLAY, frames.LEAVE_HAND):
        return "no card", ""
    if kind == frames.PICK:
        follows = {
            cards.BLOCKADE: "the US loses all influence in West Germany",
            cards.DEBT_CRISIS: "the USSR doubles its influence in two countries of South America",
            cards.ASK_NOT: "as many cards are drawn as were discarded",
            cards.OUR_MAN_IN_TEHRAN: "the other cards go back to the draw pile",
        }
        return "no card", follows.get(source, "")
    return "no more", "what is left lapses"
