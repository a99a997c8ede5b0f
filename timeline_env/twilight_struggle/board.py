"""The map: countries, who lies next to whom, and the sets of countries that rules speak of (R2.1).

Countries are numbered as in ``countries.csv``. All tables are constants of the compiled code.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parents[1] / "data" / "twilight_struggle"
USSR, US = 0, 1
SEAT_NAMES = ("ussr", "us")
COUNTRIES = 84
MOST_NEIGHBOURS = 5

REGION_NAMES = ("europe", "asia", "middle_east", "central_america", "south_america", "africa")
EUROPE, ASIA, MIDDLE_EAST, CENTRAL_AMERICA, SOUTH_AMERICA, AFRICA = range(6)


def read_table(name: str) -> list[dict[str, str]]:
    """The rows of one of the game's CSV files."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_ROWS = read_table("countries.csv")
COUNTRY_NAMES = tuple(row["name"] for row in _ROWS)
ID = {name: number for number, name in enumerate(COUNTRY_NAMES)}
STABILITY = np.array([int(row["stability"]) for row in _ROWS], dtype=np.int64)
BATTLEGROUND = np.array([int(row["battleground"]) for row in _ROWS], dtype=np.int64)
REGION = np.array([REGION_NAMES.index(row["region"]) for row in _ROWS], dtype=np.int64)
REGION_START = np.array([np.flatnonzero(region == REGION)[0] for region in range(6)], dtype=np.int64)
REGION_END = REGION_START + np.bincount(REGION)
"""[region]: its countries are numbered from `REGION_START` up to, but not including, `REGION_END`."""
assert all((REGION[REGION_START[region] : REGION_END[region]] == region).all() for region in range(6))
BATTLEGROUNDS = np.bincount(REGION, BATTLEGROUND).astype(np.int64)
"""[region]: how many battlegrounds it has."""
START = np.array([[int(row["ussr_start"]) for row in _ROWS], [int(row["us_start"]) for row in _ROWS]], dtype=np.int64)
"""[side, country]: the influence at the start."""
NEXT_TO_SUPERPOWER = np.array(
    [[row["adjacent_superpower"] == side for row in _ROWS] for side in SEAT_NAMES], dtype=np.int64
)
"""[side, country]: 1 where the superpower's own space is a neighbour."""


def _neighbours() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """[country, place]: the neighbouring countries, then -1."""
    lists: list[list[int]] = [[] for _ in _ROWS]
    for row in read_table("adjacency.csv"):
        if row["a"] in ID:
            lists[ID[row["a"]]].append(ID[row["b"]])
            lists[ID[row["b"]]].append(ID[row["a"]])
    table = np.full((COUNTRIES, MOST_NEIGHBOURS), -1, dtype=np.int64)
    for country, neighbours in enumerate(lists):
        table[country, : len(neighbours)] = sorted(neighbours)
    return table


NEIGHBOURS = _neighbours()

HALF = COUNTRIES // 2
"""Countries in each half of the table: a set of countries of one half is an int64, a bit for each."""
AROUND = np.zeros((2, COUNTRIES), dtype=np.int64)
"""[half, country]: the set of the country itself and its neighbours."""
AROUND_SUPERPOWER = np.zeros((2, 2), dtype=np.int64)
"""[half, side]: the set of the superpower's neighbours."""
for _c in range(COUNTRIES):
    _half, _bit = _c // HALF, 1 << _c % HALF
    AROUND[_half, [_c, *(n for n in NEIGHBOURS[_c] if n >= 0)]] += _bit  # being neighbours is mutual
    AROUND_SUPERPOWER[_half] += NEXT_TO_SUPERPOWER[:, _c] * _bit

# Sets of countries: rows of IN_SET. The six regions come first, so that a region's number is its set's.
WESTERN_EUROPE, EASTERN_EUROPE, SOUTHEAST_ASIA, LATIN_AMERICA, AFRICA_AND_SOUTHEAST_ASIA, OUTSIDE_EUROPE = range(6, 12)
EVERYWHERE, INDIA_PAKISTAN, IRAN_IRAQ, WEAK, SUEZ, REVOLUTION, OPEC, SATELLITES, NEAR_UK, NEAR_NICARAGUA = range(12, 22)
NEAR_SOUTH_AFRICA, GUERRILLA, KOREA, ISRAEL = range(22, 26)
SETS = 26


def _names(*names: str) -> list[bool]:
    unknown = set(names) - set(COUNTRY_NAMES)
    assert not unknown, unknown
    return [name in names for name in COUNTRY_NAMES]


def _sets() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """[set, country]: 1 for members."""
    table = np.zeros((SETS, COUNTRIES), dtype=np.int64)
    for region in range(6):
        table[region] = region == REGION
    sub = [row["subregion"] for row in _ROWS]
    table[WESTERN_EUROPE] = [name in ("western_europe", "both") for name in sub]
    table[EASTERN_EUROPE] = [name in ("eastern_europe", "both") for name in sub]
    table[SOUTHEAST_ASIA] = [name == "southeast_asia" for name in sub]
    table[LATIN_AMERICA] = table[CENTRAL_AMERICA] + table[SOUTH_AMERICA]
    table[AFRICA_AND_SOUTHEAST_ASIA] = table[AFRICA] + table[SOUTHEAST_ASIA]
    table[OUTSIDE_EUROPE] = 1 - table[EUROPE]
    table[EVERYWHERE] = 1
    table[INDIA_PAKISTAN] = _names("India", "Pakistan")
    table[IRAN_IRAQ] = _names("Iran", "Iraq")
    table[WEAK] = STABILITY <= 2
    table[SUEZ] = _names("France", "UK", "Israel")
    table[REVOLUTION] = _names("Sudan", "Iran", "Iraq", "Egypt", "Libya", "Saudi Arabia", "Syria", "Jordan")
    table[OPEC] = _names("Egypt", "Iran", "Libya", "Saudi Arabia", "Iraq", "Gulf States", "Venezuela")
    table[SATELLITES] = _names("Yugoslavia", "Romania", "Bulgaria", "Hungary", "Czechoslovakia")
    for place, home in ((NEAR_UK, "UK"), (NEAR_NICARAGUA, "Nicaragua"), (NEAR_SOUTH_AFRICA, "South Africa")):
        table[place, [country for country in NEIGHBOURS[ID[home]] if country >= 0]] = 1
    table[GUERRILLA] = (table[LATIN_AMERICA] + table[AFRICA]) * (1 - BATTLEGROUND)
    table[KOREA] = _names("South Korea")
    table[ISRAEL] = _names("Israel")
    return table


IN_SET = _sets()

# The same as bytes, for loops over all countries: the compiler does as many at once as a register holds.
STABILITY_BYTE, REGION_BYTE, IN_SET_BYTE = (table.astype(np.int8) for table in (STABILITY, REGION, IN_SET))


def country(name: str) -> int:
    """The number of a country. Raises KeyError if there is none of that name."""
    return ID[name]
