"""Names as the recorded games spell them, to numbers of cards and ids of countries."""

from __future__ import annotations

from timeline_env.reading import quote
from timeline_env.twilight_struggle import board, cards

SPELLINGS = {
    "Mideast Scoring": "Middle East Scoring",
    '"Ask Not What Your Country..."': "Ask Not What Your Country Can Do For You",
    '"One Small Step..."': "One Small Step",
    '"We Will Bury You"': "We Will Bury You",
    '"Lone Gunman"': "Lone Gunman",
    '"An Evil Empire"': "An Evil Empire",
}
"""A card's name in the games, without its star -> in our table. Differences of capital letters are not listed."""

REGIONS = {
    "Europe": "europe",
    "Asia": "asia",
    "Middle East": "middle_east",
    "Central America": "central_america",
    "South America": "south_america",
    "Africa": "africa",
}
"""A region's name in the games -> in our table of countries."""


NUMBERS = {name.lower(): number for number, name in enumerate(cards.CARD_NAMES) if name}
"""Name in small letters -> number of the card."""


def card_number(name: str) -> int:
    """The number of a card by its name in a game; the star of a card that leaves the game may be left out.

    Raises:
        ValueError: no card has this name.
    """
    plain = name.removesuffix("*")
    number = NUMBERS.get(SPELLINGS.get(plain, plain).lower())
    if number is None:
        raise ValueError(f"card {quote(name)} is none of the 110")
    return number


def country_id(name: str) -> int:
    """The id of a country by its name.

    Raises:
        ValueError: no country has this name.
    """
    if name not in board.ID:
        raise ValueError(f"country {quote(name)} is none of the 84")
    return board.ID[name]


def region_name(name: str) -> str:
    """The region's name in our table.

    Raises:
        ValueError: no region has this name.
    """
    if name not in REGIONS:
        raise ValueError(f"region {quote(name)} must be one of {', '.join(REGIONS)}")
    return REGIONS[name]
