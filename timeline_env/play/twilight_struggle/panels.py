"""Twilight Struggle: what is told beside the map."""

from __future__ import annotations

from typing import Any

from timeline_env.play.panels import Panel
from timeline_env.play.twilight_struggle import words
from timeline_env.twilight_struggle import cards, scoring, state
from timeline_env.twilight_struggle.events import words as event_words
from timeline_env.twilight_struggle.observe import knows_place
from timeline_env.view.counts import count
from timeline_env.view.twilight_struggle import words as view_words

PILES = {"Discards": state.DISCARDS, "Removed from the game": state.REMOVED}


def facts(rules: Any, s: Any, seat: int) -> list[str]:
    """What everybody knows of a side."""
    due = max(0, int(s.defcon) - int(s.milops[seat]))
    told = [
        count(int(s.held[seat]), "card"),
        f"military operations {s.milops[seat]}" + (f", {due} missing" if due else ""),
        f"space race box {s.space[seat]}",
    ]
    if s.china == seat:
        told.append(f"China Card, face {'up' if s.china_up else 'down'}")
    return told


def panels(rules: Any, s: Any, viewer: int | None) -> list[Panel]:
    """The panels of a position as the viewer sees it."""
    found = [_regions(s), _in_effect(s), *_piles(s)]
    if viewer is not None:
        found.insert(1, _unseen(s, viewer))
    return found


def _regions(s: Any) -> Panel:
    """What each region would score now, and all of them at the end."""
    held, rows, wins = scoring.count_held(s), [], ""
    total = int(scoring.total_at_the_end(s, held))
    for region, name in enumerate(words.REGIONS):
        now = scoring.standings_in(s, held, region, scoring.is_shuttled(s, region))
        ussr, us, points = (int(part) for part in now)
        winner = scoring.winner_by_control(region, ussr, us)
        wins = f"the {words.SIDES[winner]} wins the game" if winner >= 0 else wins
        rows.append((name, words.HAS[ussr], words.HAS[us], wins if winner >= 0 else _lead(points)))
    rows.append(("Southeast Asia", "", "", _lead(int(scoring.southeast_asia_points(held)))))
    rows.append(("VP now", "", "", _lead(int(s.vp))))
    if not s.over:  # else the end has been scored
        rows.append(("at the end of the game, by this board", "", "", wins or _lead(total)))
    return Panel("What each region would score now", ("region", "USSR", "US", "VP"), rows)


def _lead(points: int) -> str:
    """``US +3``."""
    return f"{words.SIDES[int(points > 0)]} +{abs(points)}" if points else "0"


def _unseen(s: Any, viewer: int) -> Panel:
    """Cards that are in the opponent's hand, and those that may be: neither seen anywhere nor known to be elsewhere."""
    hidden = [card for card in view_words.cards_in_place(s, state.DRAW_PILE) if card != cards.NO_CARD]
    known = view_words.hand(s, 1 - viewer)
    where = f"in the {words.SIDES[1 - viewer]} hand" + (
        ", or its headline" if s.headline[1 - viewer] == state.UNKNOWN else ""
    )
    rows = [(words.title(card), words.card(card), where) for card in known]
    rows += [(words.title(card), words.card(card), "hand or draw pile") for card in hidden]
    return Panel(f"Cards not yet seen ({len(hidden)})", ("card", "", "where"), rows)


def _in_effect(s: Any) -> Panel:
    rows = [(name, event_words.TEXTS[card]) for card, name in view_words.lasting_events(s)]
    rows += [(name, "") for _, name in view_words.open_cards(s)]
    return Panel("Events in effect and open cards", ("card", "what it does"), rows)


def _piles(s: Any) -> list[Panel]:
    found = []
    for name, place in PILES.items():
        lying = view_words.cards_in_place(s, place)
        rows = [(words.title(card), words.card(card)) for card in lying]
        found.append(Panel(f"{name} ({len(lying)})", ("card", ""), rows))
    return found


def learned(before: Any, after: Any, seat: int) -> bool:
    """Whether anything was drawn at random, or the seat learned where a card is, or that the other side, trapped, can discard nothing."""
    came_to_light = (
        knows_place(after, seat, card) and not knows_place(before, seat, card) for card in range(1, cards.CARDS)
    )
    was_trapped = before.lasting[(cards.BEAR_TRAP, cards.QUAGMIRE)[1 - seat]] != 0
    round_passed = any(after[name] != before[name] for name in ("turn", "action_round", "phasing"))
    return bool(after.rng != before.rng) or bool(was_trapped and round_passed) or any(came_to_light)
