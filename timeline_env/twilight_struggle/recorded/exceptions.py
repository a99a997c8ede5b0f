"""Lines of recorded games that the engine rightly does not follow, each with its reason. All of them, in one place."""

from __future__ import annotations

from timeline_env.twilight_struggle.recorded import entries

MARKERS = {16: 21, 23: 21, 68: 101, 87: 90, 96: 55, 97: 59}
"""Event -> the event on which it bears. The digital edition has a marker of the first only as long as the second has not
happened: it then takes the marker away, or lays none; here the field says for good that the event happened."""

REASONS = {
    16: "NATO takes the marker of the Warsaw Pact away there; here the field says for good that the event happened",
    23: "NATO takes the marker of the Marshall Plan away there; here the field says for good that the event happened",
    68: "Solidarity takes the marker of John Paul II away there; here the field says for good that the event happened",
    87: "Glasnost takes The Reformer's marker away there; by its text the USSR may coup in Europe no longer, to the end",
}
"""Card whose marker is taken away -> why the engine rightly contradicts the line that its effect ends."""


def reason_for(entry: entries.Entry) -> str:
    """Why the engine rightly contradicts a line; "" if it must follow it."""
    return REASONS.get(entry.card, "") if isinstance(entry, entries.InPlay) and not entry.begins else ""


TAKEN_FROM_FRONT = (
    "SALT takes back a card that by 7.3.1 still lies before a player, and is discarded when the turn ends"
)
REALIGNED_IN_BOTH = "Junta realigns in Central and in South America there; by its card it is in one of them"
"""The two plays that the rules do not allow; they are made possible by hand, so that the games can go on."""
