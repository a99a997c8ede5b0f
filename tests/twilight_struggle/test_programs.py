"""The table of cards, the programs of their events and the map: 110 rows, looked at one by one."""

from __future__ import annotations

import inspect
import re
import unicodedata

import numpy as np
import pytest

from timeline_env.twilight_struggle import board, cards, countries
from timeline_env.twilight_struggle.cards import CARD_NAMES, CARDS, CHINA, KIND, NONE, OPTIONAL, PERIOD, SIDE, STARRED
from timeline_env.twilight_struggle.events import words
from timeline_env.twilight_struggle.events.program import PERIODS
from timeline_env.twilight_struggle.events.words import PROGRAM, TEXTS

ALL_CARDS = range(1, CARDS)
DONE_AS_IT_IS_PLAYED = (CHINA, cards.UN_INTERVENTION)
"""No program: the one has no event, the other is a way to play another card."""

SIDES = range(4)
COUNTRY = range(board.COUNTRIES)
CHOICE_OF_SIDES = (*SIDES, -1)
SETS = range(board.SETS)
FILTERS = range(countries.SCORING_CARD_SHOWN + 1)
TIMES = range(1, 8)
POINTS = (*range(1, 6), words.ALL)
OPERATIONS = range(1, 8)
ARGUMENTS: dict[int, tuple[range | tuple[int, ...], ...]] = {
    words.VP: (SIDES, range(1, 7)),
    words.DEFCON: ((-1, 1, 2),),
    words.ADD: (range(2), COUNTRY, range(1, 4)),
    words.REMOVE: (range(2), COUNTRY, POINTS),
    words.CONTROL: (range(2), COUNTRY),
    words.PLACE: (SIDES, TIMES, SETS, range(3), FILTERS, range(1, 3), range(2)),
    words.TAKE: (SIDES, SIDES, TIMES, SETS, range(3), range(2)),
    words.TAKE_ALL: (SIDES, SIDES, TIMES, SETS, FILTERS),
    words.LASTS: (CHOICE_OF_SIDES,),
    words.ENDS: (ALL_CARDS,),
    words.SCORE: ((*range(6), board.SOUTHEAST_ASIA),),
    words.WAR: (SETS, range(3, 5), range(1, 3), range(2, 4)),
    words.SHOW: (range(2),),
    words.OPERATIONS: (SIDES, range(1, 5), OPERATIONS),
    words.FREE: (SIDES, range(2, 4), OPERATIONS, SETS),
    words.CHOICE: (SIDES, range(2, words.MOST_STEPS)),
    words.STOP: (),
    words.ONLY_IF: (ALL_CARDS,),
    words.ONLY_IF_CONTROLLED: (range(2), COUNTRY),
    words.ADVANCE: (range(1, 3),),
    words.PICK: (SIDES, range(2)),
    words.LEVEL: (SIDES, range(2)),
    words.SPECIAL: (range(2),),
}
"""What each word may be given."""


def rows(card: int) -> list[list[int]]:
    """The rows of a program up to its end."""
    return [row.tolist() for row in PROGRAM[card] if row[0] != words.END]


@pytest.mark.parametrize("card", ALL_CARDS, ids=lambda card: f"{card:03}")
def test_program_is_named_as_in_the_table_told_in_words_and_within_its_ranges(card: int) -> None:
    assert words.NAMES[card] == CARD_NAMES[card]
    assert re.match(r"[A-Z0-9].*\.$", TEXTS[card], re.DOTALL)
    program = rows(card)
    assert bool(program) == (card not in DONE_AS_IT_IS_PLAYED)
    assert not PROGRAM[card, len(program) :].any(), "a program ends once"
    for word, *arguments in program:
        allowed = ARGUMENTS[word]
        assert all(argument in values for argument, values in zip(arguments, allowed, strict=False)), (word, arguments)
        assert not any(arguments[len(allowed) :])


@pytest.mark.parametrize("card", [card for card in ALL_CARDS if any(row[0] == words.CHOICE for row in rows(card))])
def test_a_choice_leads_to_a_step_of_its_own_after_a_stop_or_to_the_end(card: int) -> None:
    program = rows(card)
    for word, _chooser, other, *_ in program:
        if word == words.CHOICE:
            assert program[other - 1][0] == words.STOP or program[other][0] == words.STOP


def test_each_card_stands_in_the_file_of_its_period() -> None:
    for period, module in enumerate(PERIODS):
        source = inspect.getsource(module)
        written = {name for name in CARD_NAMES[1:] if f'"{name}"' in source}
        assert written == {CARD_NAMES[card] for card in ALL_CARDS if PERIOD[card] == period}


def test_a_lasting_event_says_so_in_its_program_and_its_kind() -> None:
    """What others look up in ``lasting`` is put there by a word or by the card's own function."""
    by_function = {cards.CUBAN_MISSILES, cards.MISSILE_ENVY, cards.CHERNOBYL}
    lasting = {card for card in ALL_CARDS if any(row[0] == words.LASTS for row in rows(card))} | by_function
    kinds = {card for card in ALL_CARDS if KIND[card] in (cards.PERSISTENT, cards.TURN)}
    assert lasting == kinds


def test_a_scoring_card_scores_and_nothing_else_does() -> None:
    scoring = {card for card in ALL_CARDS if rows(card) and rows(card)[0][0] == words.SCORE}
    assert scoring == {card for card in ALL_CARDS if KIND[card] == cards.SCORING} == {1, 2, 3, 37, 38, 79, 81}
    assert [rows(int(card))[0][1] for card in cards.SCORING_CARD] == list(range(6))


def test_a_war_card_makes_war_and_nothing_else_does() -> None:
    war = {card for card in ALL_CARDS if rows(card) and rows(card)[0][0] == words.WAR}
    assert war == {card for card in ALL_CARDS if KIND[card] == cards.WAR} == {11, 13, 24, 36, 102}
    least_points_milops = {card: tuple(rows(card)[0][2:5]) for card in war}
    assert least_points_milops == {card: (3, 1, 3) if card == 36 else (4, 2, 2) for card in war}


SHORT_NAMES = {
    "CHINA": "The China Card",
    "WARSAW_PACT": "Warsaw Pact Formed",
    "DE_GAULLE": "De Gaulle Leads France",
    "JAPAN_PACT": "US/Japan Mutual Defense Pact",
    "RED_SCARE": "Red Scare/Purge",
    "FORMOSAN": "Formosan Resolution",
    "CUBAN_MISSILES": "Cuban Missile Crisis",
    "SALT": "SALT Negotiations",
    "STOP_WORRYING": "How I Learned to Stop Worrying",
    "BREZHNEV": "Brezhnev Doctrine",
    "U2": "U2 Incident",
    "CAMP_DAVID": "Camp David Accords",
    "GRAIN_SALES": "Grain Sales to Soviets",
    "DEATH_SQUADS": "Latin American Death Squads",
    "ASK_NOT": "Ask Not What Your Country Can Do For You",
    "NIXON": "Nixon Plays the China Card",
    "USSURI_RIVER": "Ussuri River Skirmish",
    "REAGAN": "Reagan Bombs Libya",
    "IRANIAN_HOSTAGES": "Iranian Hostage Crisis",
    "REFORMER": "The Reformer",
    "IRAN_CONTRA": "Iran-Contra Scandal",
    "DEBT_CRISIS": "Latin American Debt Crisis",
    "ALDRICH_AMES": "Aldrich Ames Remix",
    "CAMBRIDGE_FIVE": "The Cambridge Five",
    "YURI": "Yuri and Samantha",
}
"""Constants of ``cards.py`` that are shorter than the card's name."""
NOT_CARDS = {"CARDS", "NO_CARD", "NEUTRAL", "SCORING", "WAR", "PERSISTENT", "TURN", "INSTANT", "NONE"}


def constant_of(name: str) -> str:
    """A card's name written as a constant."""
    plain = unicodedata.normalize("NFKD", name).upper()
    return re.sub(r"[^A-Z0-9]+", "_", plain).strip("_")


def test_the_constants_are_the_numbers_of_the_cards_they_name() -> None:
    constants = {name: value for name, value in vars(cards).items() if name.isupper() and type(value) is int}
    named = {name: value for name, value in constants.items() if name not in NOT_CARDS}
    assert len(named) > 50
    for name, value in named.items():
        if name in SHORT_NAMES:
            assert CARD_NAMES[value] == SHORT_NAMES[name]
        else:
            assert constant_of(CARD_NAMES[value]) == name


def test_the_deck_has_35_early_46_mid_and_21_late_cards_and_3_2_2_optional_ones() -> None:
    base = [int(((period == PERIOD) & (OPTIONAL == 0))[1:].sum()) for period in range(3)]
    optional = [int(((period == PERIOD) & (OPTIONAL == 1))[1:].sum()) for period in range(3)]
    assert (base, optional) == ([35 + 1, 46, 21], [3, 2, 2])  # the China Card is an early one
    assert [card for card in ALL_CARDS if OPTIONAL[card]] == list(range(104, 111))


def test_the_china_card_alone_has_no_event_and_no_star() -> None:
    assert [card for card in ALL_CARDS if KIND[card] == NONE] == [CHINA]
    assert (SIDE[CHINA], STARRED[CHINA], cards.OPS[CHINA]) == (cards.NEUTRAL, 0, 4)


def test_a_card_that_forbids_or_allows_another_lasts() -> None:
    pairs = {card: int(cards.PREVENTED_BY[card]) for card in ALL_CARDS if cards.PREVENTED_BY[card]}
    assert pairs == {7: 83, 13: 65, 55: 96, 56: 110, 59: 97, 61: 86}
    needs = {card: cards.NEEDS[card].tolist() for card in ALL_CARDS if cards.NEEDS[card].any()}
    assert needs == {21: [16, 23], 101: [68, 0]}
    for card in (*pairs.values(), 16, 23, 68):
        assert any(row[0] == words.LASTS for row in rows(card))


def test_the_map_has_84_countries_112_links_29_battlegrounds_and_9_superpower_links() -> None:
    assert len(board.COUNTRY_NAMES) == board.COUNTRIES == 84
    links = {(a, int(b)) for a in COUNTRY for b in board.NEIGHBOURS[a] if b >= 0}
    assert len(links) == 2 * 112
    assert {(b, a) for a, b in links} == links
    assert not any(a == b for a, b in links)
    assert int(board.BATTLEGROUND.sum()) == 29
    ussr, us = ([board.COUNTRY_NAMES[c] for c in np.flatnonzero(row)] for row in board.NEXT_TO_SUPERPOWER)
    assert ussr == ["Finland", "Poland", "Romania", "Afghanistan", "North Korea"]
    assert us == ["Canada", "Japan", "Mexico", "Cuba"]


def test_the_adjacency_table_and_the_countries_agree_on_the_superpowers() -> None:
    table = {(row["a"], row["b"]) for row in board.read_table("adjacency.csv")}
    spaces = {"USA": board.US, "USSR": board.USSR}
    listed = {(spaces[a], b) for a, b in table if a in spaces} | {(spaces[b], a) for a, b in table if b in spaces}
    assert len(listed) == 9
    assert all(board.NEXT_TO_SUPERPOWER[side, board.ID[name]] for side, name in listed)


@pytest.mark.parametrize(
    ("where", "size", "battlegrounds"),
    [
        (board.EUROPE, 21, 5),
        (board.ASIA, 15, 6),
        (board.MIDDLE_EAST, 10, 6),
        (board.CENTRAL_AMERICA, 10, 3),
        (board.SOUTH_AMERICA, 10, 4),
        (board.AFRICA, 18, 5),
        (board.WESTERN_EUROPE, 14, 3),
        (board.EASTERN_EUROPE, 9, 2),
        (board.SOUTHEAST_ASIA, 7, 1),
        (board.LATIN_AMERICA, 20, 7),
        (board.AFRICA_AND_SOUTHEAST_ASIA, 25, 6),
        (board.OUTSIDE_EUROPE, 63, 24),
        (board.EVERYWHERE, 84, 29),
        (board.INDIA_PAKISTAN, 2, 2),
        (board.IRAN_IRAQ, 2, 2),
        (board.SUEZ, 3, 2),
        (board.REVOLUTION, 8, 5),
        (board.OPEC, 7, 6),
        (board.SATELLITES, 5, 0),
        (board.NEAR_UK, 4, 1),
        (board.NEAR_NICARAGUA, 3, 1),
        (board.NEAR_SOUTH_AFRICA, 2, 1),
        (board.GUERRILLA, 38 - 12, 0),
        (board.KOREA, 1, 1),
        (board.ISRAEL, 1, 1),
    ],
)
def test_a_set_of_countries_has_its_size_and_its_battlegrounds(where: int, size: int, battlegrounds: int) -> None:
    members = board.IN_SET[where]
    assert set(members.tolist()) <= {0, 1}
    assert (int(members.sum()), int((members * board.BATTLEGROUND).sum())) == (size, battlegrounds)


def test_brush_war_may_be_made_on_every_country_of_stability_1_or_2() -> None:
    assert np.array_equal(board.IN_SET[board.WEAK], board.STABILITY <= 2)
    assert set(board.STABILITY.tolist()) == {1, 2, 3, 4, 5}


def test_the_board_starts_with_9_ussr_and_18_us_influence() -> None:
    assert board.START.sum(axis=1).tolist() == [9, 18]
