"""Lines of recorded games that the engine rightly does not follow, each with its reason. All of them, in one place."""

from __future__ import annotations

from timeline_env.twilight_struggle import recorded_entries as entries

CONTRADICTED: tuple[tuple[entries.Entry, str], ...] = (
    (
        entries.InPlay(16, begins=False),
        "NATO takes the marker of the Warsaw Pact away there; here the field says for good that the event happened",
    ),
    (
        entries.InPlay(23, begins=False),
        "NATO takes the marker of the Marshall Plan away there; here the field says for good that the event happened",
    ),
    (
        entries.InPlay(68, begins=False),
        "Solidarity takes the marker of John Paul II away there; here the field says for good that the event happened",
    ),
    (
        entries.InPlay(87, begins=False),
        "Glasnost takes The Reformer's marker away there; by its text the USSR may coup in Europe no longer, to the end",
    ),
)
"""A line -> why it is not compared."""


def reason_for(entry: entries.Entry) -> str:
    """Why the engine rightly contradicts a line; "" if it must follow it."""
    return next((reason for line, reason in CONTRADICTED if line == entry), "")


TAKEN_FROM_FRONT = (
    "SALT takes back a card that by 7.3.1 still lies before a player, and is discarded when the turn ends"
)
REALIGNED_IN_BOTH = "Junta realigns in Central and in South America there; by its card it is in one of them"
"""The two plays that the rules do not allow; they are made good by hand, so that the games can go on."""
