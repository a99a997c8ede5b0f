"""Twilight Struggle: what a decision led to, in sentences: dice, events, tracks, cards that came to light."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from timeline_env.engine import questions
from timeline_env.play.steps import Step, copy_position
from timeline_env.play.twilight_struggle import words
from timeline_env.twilight_struggle import actions, board, cards, frames, scoring, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.legal import list_legal
from timeline_env.twilight_struggle.play import answer, carry_on, end_question, work
from timeline_env.view.twilight_struggle import words as view_words
from timeline_env.view.twilight_struggle.words import pending_question

ALL_PUBLIC = False
"""A headline is told only to the side that laid it down, a card that was looked at only to the side that looked."""
SIDES = words.SIDES
USED = ("for its event", "for Ops", "for the space race")
OPERATED = ("place influence", "attempt a coup", "realign")


def steps(rules: Any, s: Any, action: int) -> Iterator[Step]:
    """A decision and everything that then happened unasked, step by step; `play` does the same at once.

    Args:
        rules: record array [1].
        s: the position before, one record.
        action: a legal one.
    """
    now: Any = copy_position(s)
    now.gained, now.rolled, now.dice[:] = 0, 0, 0
    taken: int | None = action
    while taken is not None or not _waits(rules, now):
        before = copy_position(now)
        if taken is not None:
            answer(now, taken)
        elif now.depth == 0:
            carry_on(rules[0], now)
        elif questions.top(now, frames.KIND) < frames.FIRST_QUESTION:
            work(now)
        else:
            end_question(now)
        if now.over:
            now.depth, now.question[:, :], now.chosen[:], now.legal[:] = 0, 0, 0, 0
        done = taken
        taken = int(questions.only_legal_action(now)) if _asks(now) and int(list_legal(rules[0], now)) == 1 else None
        yield before, copy_position(now), done


def _asks(s: Any) -> bool:
    return bool(s.over == 0 and s.depth > 0 and questions.top(s, frames.KIND) >= frames.FIRST_QUESTION)


def _waits(rules: Any, s: Any) -> bool:
    """Whether a player has a choice, or the game is over."""
    return bool(s.over) or (_asks(s) and int(list_legal(rules[0], s)) > 1)


def tell(rules: Any, step: Step, viewer: int | None) -> list[str]:
    """What happened in a step, in sentences.

    Args:
        rules: record array [1].
        step: the step, with positions as the viewer sees them.
        viewer: a seat, or None for what everybody knows.
    """
    before, after, action = step
    head = _decided(before, after, action) if action is not None else _went_on(before, after)
    told = [*_dice(before, after), *_changes(before, after, viewer, action)]
    sentence = ": ".join(part for part in (head, "; ".join(told)) if part)
    sentences = [f"{sentence[0].upper()}{sentence[1:]}."] if sentence else []
    if after.over and not before.over:
        sentences.append(words.prompt(rules, after, viewer))
    return sentences


def _decided(before: Any, after: Any, action: int) -> str:
    """An action of a player."""
    kind, seat = pending_question(before)
    who = f"the {SIDES[seat]}"
    row = before.question[before.depth - 1]
    source = int(row[frames.VALUE])
    name, indices = actions.CODEC.decode(action)
    if name == "card":
        card, trap = indices[0] + 1, cards.QUAGMIRE if seat == US else cards.BEAR_TRAP
        if kind == frames.PLAY and before.lasting[trap] and after.place[card] == state.DISCARDS:
            kind = frames.TRAP  # the others do not see what a trapped side is asked
        return f"{who} {_with_card(kind, _named(after, card))}"
    if name == "country":
        does = {
            frames.PLACE: "places influence in",
            frames.COUP: "attempts a coup in",
            frames.REALIGN: "realigns",
            frames.WAR: "makes war on",
        }.get(kind, "chooses")
        by = f"{cards.CARD_NAMES[source]}: " if kind >= frames.ADD and source else ""
        return f"{by}{who} {does} {board.COUNTRY_NAMES[indices[0]]}"
    if name == "use":
        return f"{who} uses {words.title(source)} {USED[indices[0]]}"
    if name == "operation":
        return f"{who} will {OPERATED[indices[0]]}"
    if name == "option":
        text = words.LEVELS[source] if kind == frames.LEVEL else [text for text, _ in words.CHOICES[source]]
        return f"{cards.CARD_NAMES[source]}, {who} chooses: {text[indices[0]]}"
    if name == "buy_off":
        return f"{who} ends the Cuban Missile Crisis"
    return f"{who}: {words.stop(kind, source)[0]}"


def _with_card(kind: int, card: str) -> str:
    return {
        frames.HEADLINE: f"lays down {card} as headline",
        frames.TRAP: f"discards {card} to get out of the trap",
        frames.LEAVE_HAND: f"discards {card}",
        frames.PICK: f"chooses {card}",
    }.get(kind, f"plays {card}")


def _named(after: Any, card: int) -> str:
    """A card's title, if the viewer knows where it is now; else ``a card``."""
    return words.title(card) if view_words.is_told(after, card) else "a card"


def _went_on(before: Any, after: Any) -> str:
    """What the game itself did."""
    if before.depth == 0:
        return _next_stage(before, after)
    kind, card = (int(part) for part in before.question[before.depth - 1][[frames.KIND, frames.VALUE]])
    if kind == frames.EVENT:
        begun = after.depth and after.question[after.depth - 1, frames.KIND] == frames.RUN
        return f"event {words.title(card)}" if begun else f"the event {words.title(card)} cannot happen"
    if kind == frames.RUN and cards.KIND[card] == cards.SCORING and before.vp != after.vp:
        return _scored(before, card)
    return ""


def _next_stage(before: Any, after: Any) -> str:
    """How the turn goes on."""
    if before.stage == state.FIRST_HEADLINE and before.open_headline.sum() < after.open_headline.sum() + 1:
        shown = [f"{SIDES[seat]} {words.title(card)}" for seat, card in _headlines(after)]
        return f"the headlines: {', '.join(shown)}" if shown else ""
    if after.turn != before.turn:
        return f"turn {after.turn} begins"
    if before.stage == state.BEGIN_ROUND and after.stage == state.END_ROUND and after.depth:
        return view_words.time(after)
    if before.stage == state.END_TURN:
        return f"turn {before.turn} ends"
    return ""


def _headlines(after: Any) -> list[tuple[int, int]]:
    """The headlines that lie open, the one being played among them."""
    shown = [(seat, int(after.headline[seat])) for seat in (USSR, US) if after.headline[seat] > 0]
    for card in view_words.cards_in_place(after, state.TABLE):
        shown.append((int(after.phasing), card))
    return shown


def _scored(before: Any, card: int) -> str:
    """What each side has in the region."""
    found = np.flatnonzero(np.asarray(cards.SCORING_CARD) == card)
    if not len(found):
        return f"{cards.CARD_NAMES[card]}"
    region = int(found[0])
    shuttled = scoring.is_shuttled(before, region)
    ussr, us, _ = scoring.standings_in(before, scoring.count_held(before), region, shuttled)
    return f"{cards.CARD_NAMES[card]}, USSR {words.HAS[ussr]}, US {words.HAS[us]}"


def _dice(before: Any, after: Any) -> list[str]:
    rolled = [int(die) for die in after.dice[before.rolled : after.rolled]]
    return [f"rolled {' and '.join(map(str, rolled))}"] if rolled else []


def _changes(before: Any, after: Any, viewer: int | None, action: int | None) -> list[str]:
    """Everything that is different, as the viewer sees it."""
    return [
        *_influence(before, after),
        *_tracks(before, after),
        *_lasting(before, after),
        *_cards(before, after, viewer, action),
    ]


def _influence(before: Any, after: Any) -> list[str]:
    told = []
    change = np.asarray(after.influence).astype(int) - np.asarray(before.influence)
    for seat, c in np.argwhere(change).tolist():
        name = board.COUNTRY_NAMES[c]
        told.append(f"{SIDES[seat]} {change[seat, c]:+d} in {name} (now {after.influence[seat, c]})")
    return told


def _tracks(before: Any, after: Any) -> list[str]:
    told = []
    moved = int(after.vp) - int(before.vp)
    if moved:
        told.append(f"the {SIDES[int(moved > 0)]} gains {abs(moved)} VP (now {view_words.points(after)})")
    if after.defcon != before.defcon:
        told.append(f"DEFCON {'falls' if after.defcon < before.defcon else 'rises'} to {after.defcon}")
    for seat in (USSR, US):
        if after.milops[seat] > before.milops[seat]:
            told.append(f"{SIDES[seat]} military operations {after.milops[seat]}")
        if after.space[seat] != before.space[seat]:
            told.append(f"the {SIDES[seat]} reaches box {after.space[seat]} of the space race")
        elif after.attempts[seat] > before.attempts[seat]:
            told.append("the attempt fails")
    return told


def _lasting(before: Any, after: Any) -> list[str]:
    told = []
    for card in np.flatnonzero((before.lasting != 0) != (after.lasting != 0)).tolist():
        told.append(f"{cards.CARD_NAMES[card]} {'is in effect' if after.lasting[card] else 'is over'}")
    return told


def _cards(before: Any, after: Any, viewer: int | None, action: int | None) -> list[str]:
    """Cards that were drawn, discarded, shown or passed on."""
    told = []
    for seat in (USSR, US):
        more = int(after.held[seat]) - int(before.held[seat])
        if more > 0:
            told.append(f"the {SIDES[seat]} gets {more} card{'s' * (more > 1)}")
    if after.china != before.china:
        told.append(f"the China Card goes to the {SIDES[after.china]}")
    if action is None:
        hands = (state.HANDS + USSR, state.HANDS + US, state.LOOKED_AT, state.DRAW_PILE)
        gone = np.flatnonzero((after.place == state.DISCARDS) & np.isin(before.place, hands)).tolist()
        told += [f"{words.title(card)} is discarded" for card in gone]
    if (before.place == state.DISCARDS).sum() > 1 and not (after.place == state.DISCARDS).any():
        told.append("the discards are shuffled into the draw pile")
    if viewer is not None:
        looked = np.flatnonzero((after.place == state.LOOKED_AT) & (before.place != state.LOOKED_AT)).tolist()
        told += [f"you look at {', '.join(map(words.title, looked))}"] if looked else []
        known = (after.known[viewer] != 0) & (before.known[viewer] == 0) & (action is None)
        learned = np.flatnonzero(known & (after.place == state.HANDS + 1 - viewer)).tolist()
        told += [f"you see {', '.join(map(words.title, learned))}"] if learned else []
    return told
