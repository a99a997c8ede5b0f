"""Timeline: what is told beside the field."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.play.panels import Panel
from timeline_env.play.steps import copy_position
from timeline_env.play.timeline import words
from timeline_env.timeline import board, state
from timeline_env.timeline.realize import realize_until
from timeline_env.timeline.text import names
from timeline_env.view.counts import count
from timeline_env.view.timeline import words as view_words


def facts(rules: Any, s: Any, seat: int) -> list[str]:
    """What everybody knows of a player."""
    told = [
        count(int(s.points[seat]), "point"),
        f"energy {s.energy[seat]}",
        count(int(s.held[seat]), "card"),
    ]
    told += [f"{what}: {', '.join(things)}" for what, things in view_words.possessions(s, seat).items() if things]
    told += ["began this round"] * bool(seat == view_words.first_of_round(rules[0], s)) + [view_words.pledge(s, seat)]
    return [fact for fact in told if fact]


def panels(rules: Any, s: Any, viewer: int | None) -> list[Panel]:
    """The panels of a position as the viewer sees it."""
    return [_projected(rules, s), _events(rules, s), _time(rules, s)]


def _projected(rules: Any, s: Any) -> Panel:
    """The points if every event were settled as the board stands."""
    end = copy_position(s)
    realize_until(rules[0], end, board.NODES)
    rows = [
        (state.SEAT_NAMES[seat], str(s.points[seat]), str(end.points[seat]))
        for seat in range(int(rules[0].num_players))
    ]
    return Panel("Points if every event were settled as the board stands", ("player", "now", "then"), rows)


def _events(rules: Any, s: Any) -> Panel:
    """The events that are yet to be settled, in the order of time."""
    rows = []
    players = int(rules[0].num_players)
    for node in np.flatnonzero((s.event == 1) & (s.realized == 0)).tolist():
        stance = "✓" if s.stance[node] > 0 else "✗"
        yes, no = (words.arcs(points[:, node], players) for points in (s.if_yes, s.if_no))
        stands = words.write_signed(int(words.points_for(rules[0], s, node)))
        rows.append((names.NODE_NAMES[node], stands, stance, yes, no))
    return Panel("Events to come", ("node", "stands at", "at 0", "✓", "✗"), rows)


def _time(rules: Any, s: Any) -> Panel:
    """The horizon, and what is left of the piles."""
    rounds = ", ".join(f"{int(count)} in phase {phase}" for phase, count in enumerate(rules[0].rounds))
    rows = [("now", view_words.time(rules[0], s)), ("rounds", rounds), ("left", view_words.piles(rules[0], s))]
    return Panel("Time", ("", ""), rows)


def learned(before: Any, after: Any, seat: int) -> bool:
    """Whether anything hidden came to light: a card of the deck, a token of the bag."""
    return bool(after.drawn != before.drawn or after.bag_drawn != before.bag_drawn)
