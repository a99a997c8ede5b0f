"""Reading recorded games: every kind of line, the headers, the names, and what is refused."""

from __future__ import annotations

import dataclasses

import pytest

from timeline_env.twilight_struggle.board import ID, read_table
from timeline_env.twilight_struggle.recorded import entries, names
from timeline_env.twilight_struggle.recorded.log import Line, phases, read_game, read_line

LINES = {
    "": entries.Blank(),
    "SETUP: : Player Ada will play as USSR.": entries.Seat("Player Ada", "USSR"),
    "SETUP: Player Ada will play as USSR.": entries.Seat("Player Ada", "USSR"),
    "Player Bob will play as USA.": entries.Seat("Player Bob", "US"),
    "Ada bids 1 Influence for USSR": entries.Bid("Ada", 1, "USSR"),
    "SETUP: : Bob bids 0 Influence for USA": entries.Bid("Bob", 0, "US"),
    "Handicap influence: US +2": entries.Handicap("US", 2),
    "Additional Influence from bidding: US +3": entries.Handicap("US", 3),
    "Scenario: Standard": entries.Scenario("Standard"),
    "Optional Cards Added": entries.OptionalCards(),
    "Time per Player: 1 Hour": entries.Clock("1 Hour"),
    "Time per Player: 3 Hours": entries.Clock("3 Hours"),
    "Time per Player: 21 Days": entries.Clock("21 Days"),
    "USSR Headlines COMECON*": entries.Headline("USSR", 14),
    'Event: "Ask Not What Your Country..."*': entries.Event(77),
    "Chernobyl* is now in play.": entries.InPlay(94, begins=True),
    "Marshall Plan* is no longer in play.": entries.InPlay(23, begins=False),
    "*RESHUFFLE*": entries.Reshuffle(),
    "US discards Arms Race": entries.Discard("US", 39),
    "US reveals Summit": entries.Reveal("US", 45, drawn=False),
    "USSR reveals OPEC from hand": entries.Reveal("USSR", 61, drawn=True),
    "US has no cards to reveal": entries.NoCards("US", "reveal"),
    "USSR has no cards to discard": entries.NoCards("USSR", "discard"),
    "US plays Che": entries.Plays("US", 107),
    "US returns Junta to USSR": entries.Returns("US", 47, "USSR"),
    "Place Influence (4 Ops):": entries.Operations("influence", 4),
    "Coup (1 Ops):": entries.Operations("coup", 1),
    "Realignment (2 Ops):": entries.Operations("realignment", 2),
    "Space Race (3 Ops):": entries.Operations("space", 3),
    "US +2 in Spain/Portugal [3][1]": entries.Influence("US", 2, 8, us=3, ussr=1),
    "USSR -11 in Brazil [0][10]": entries.Influence("USSR", -11, 60, us=0, ussr=10),
    "Target: SE African States": entries.Target(79),
    "SUCCESS: 6 [ + 3 - 2x2 = 5 ]": entries.Coup(True, die=6, ops=3, modifier=0, stability=2, result=5),
    "FAILURE: 1 [ + 1 (-2)  - 2x1 = -2 ]": entries.Coup(False, die=1, ops=1, modifier=-2, stability=1, result=-2),
    "SUCCESS: 2 [ + 4 (+1)  - 2x3 = 1 ]": entries.Coup(True, die=2, ops=4, modifier=1, stability=3, result=1),
    "USSR rolls 5": entries.Roll("USSR", die=5, modifier=0, total=5),
    "US rolls 3 (+4) = 7": entries.Roll("US", die=3, modifier=4, total=7),
    "War in South Korea": entries.War(37),
    "VICTORY: 4 >= 4": entries.WarDie(True, die=4, modifier=0, needed=4),
    "VICTORY: 5 (-2)  >= 3": entries.WarDie(True, die=5, modifier=-2, needed=3),
    "DEFEAT: 4 (-1)  < 4": entries.WarDie(False, die=4, modifier=-1, needed=4),
    "Die roll: 3 -- Success! (Needed 4 or less)": entries.SpaceDie(True, die=3, needed=4),
    "Die roll: 5 -- Failed! (Needed 3 or less)": entries.SpaceDie(False, die=5, needed=3),
    "USSR advances to 8 in the Space Race.": entries.SpaceBox("USSR", 8),
    "Trap Roll: 2 <= 4 -- Trap Escaped": entries.TrapDie(True, die=2),
    "Trap Roll: 6 > 4 -- Trap Remains in Effect": entries.TrapDie(False, die=6),
    "DEFCON improves to 5": entries.Defcon(5, improves=True),
    "DEFCON degrades to 1": entries.Defcon(1, improves=False),
    "US Military Ops to 5": entries.MilitaryOps("US", 5),
    "USSR gains 3 VP. Score is US 1.": entries.VictoryPoints("USSR", 3, score=1),
    "US gains 2 VP. Score is USSR 7.": entries.VictoryPoints("US", 2, score=-7),
    "USSR gains 2 VP. Score is even.": entries.VictoryPoints("USSR", 2, score=0),
    "No VP awarded. Score is USSR 4.": entries.VictoryPoints(None, 0, score=-4),
    "No VP awarded. Score is even.": entries.VictoryPoints(None, 0, score=0),
    "USSR chooses to boycott the Olympics": entries.Boycott("USSR", boycotts=True),
    "US chooses to participate in the Olympics": entries.Boycott("US", boycotts=False),
    "US chooses Central America": entries.RegionChoice("US", "central_america"),
    "US wins by Final Scoring": entries.Wins("US", "Final Scoring"),
}

HEADERS = {
    "Turn 1, Headline Phase: Duck and Cover & NORAD*: USSR Headlines Duck and Cover": [
        entries.HeadlinePhase(1, first_card=4, second_card=106),
        entries.Headline("USSR", 4),
    ],
    "Turn 9, Headline Phase: Summit & Mideast Scoring: DEFCON improves to 3": [
        entries.HeadlinePhase(9, first_card=45, second_card=3),
        entries.Defcon(3, improves=True),
    ],
    "Turn 8, Headline Phase: Grain Sales To Soviets: DEFCON improves to 3": [
        entries.HeadlinePhase(8, first_card=67, second_card=None),
        entries.Defcon(3, improves=True),
    ],
    "Turn 8, Headline Phase: Junta & Che:": [entries.HeadlinePhase(8, first_card=47, second_card=107)],
    "Turn 2, US AR1: US/Japan Mutual Defense Pact*: Coup (4 Ops):": [
        entries.ActionRound(2, "US", 1, card=27),
        entries.Operations("coup", 4),
    ],
    "Turn 3, USSR AR6: Nasser*: Event: Nasser*": [entries.ActionRound(3, "USSR", 6, card=15), entries.Event(15)],
    "Turn 6, US AR7: Asia Scoring:": [entries.ActionRound(6, "US", 7, card=1)],
    "Turn 8, US AR8: :": [entries.ActionRound(8, "US", 8, card=None)],
    "Turn 5, Cleanup": [entries.Cleanup(5)],
    "Turn 5, Cleanup: US gains 1 VP. Score is US 1.": [entries.Cleanup(5), entries.VictoryPoints("US", 1, score=1)],
    ": :": [entries.GameEnd()],
    ": : USSR gains 9 VP. Score is USSR 22.": [entries.GameEnd(), entries.VictoryPoints("USSR", 9, score=-22)],
    "US chooses Chernobyl* is now in play.": [entries.RegionChoice("US", None), entries.InPlay(94, begins=True)],
}

UNKNOWN = {
    "USSR +99999999999999999999 in Cuba [0][2]": "no number of more than nine digits",
    "Turn ٢, Cleanup": "no line of this form",
    "US sleeps": "a recorded game has no line of this form",
    "US +2 in Spain/Portugal [3]": "a recorded game has no line of this form",
    "Turn 6, US AR7: Asia Scoring: and more": "a recorded game has no line of this form",
    "DEFCON degrades to 0": "a recorded game has no line of this form",
    "Die roll: 7 -- Failed! (Needed 3 or less)": "a recorded game has no line of this form",
    "Target: Atlantis": "country 'Atlantis' is none of the 84",
    "Event: Moon Landing*": r"card 'Moon Landing\*' is none of the 110",
    "US chooses Atlantis": "region 'Atlantis' must be one of Europe, Asia, .*, Africa",
}

GAME = """\
SETUP: : Player Ada will play as USSR.
US +1 in Iran [2][0]

Turn 1, Headline Phase: Nasser* & Fidel*: USSR Headlines Nasser*
US Headlines Fidel*

Turn 1, USSR AR1: Fidel*: Place Influence (2 Ops):
USSR +2 in Cuba [0][2]
"""


@pytest.mark.parametrize("text", LINES)
def test_every_kind_of_line(text):
    assert list(read_line(text)) == [LINES[text]]


def test_every_kind_of_entry_is_shown_above():
    kinds = {kind for kind in vars(entries).values() if dataclasses.is_dataclass(kind)}
    shown = {type(entry) for entry in LINES.values()} | {type(found[0]) for found in HEADERS.values()}
    assert shown == kinds - {entries.Entry, entries.Header}


NAMES = (
    "Carlos Pintado",
    "Mighty Yoro",
    "O'Brien",
    "S3",
    "1917",
    "US",
    "USSR",
    "USSR fan of the USA",
    "making_chem",
    "b0rek-forever.",
    "Łukasz Ünïcode 冷戦",
    "Fidel*",
    "Spain/Portugal",
    "Event: Nasser*",
    "US +2 in Cuba [0][2]",
    "Turn 3, Headline Phase: Junta & Che: x",
    ": : x",
    "a will play as US.",
    "tab\tand\u2028line\x85ends",
)
"""Players' names; some read like other lines."""


@pytest.mark.parametrize("name", NAMES)
def test_a_player_may_have_any_name(name, tmp_path):
    path = tmp_path / "game.txt"
    path.write_bytes(f"SETUP: : {name} will play as USSR.\r\n{name} will play as USA.\r\n".encode("utf-8-sig"))
    assert [line.entry for line in read_game(path)] == [entries.Seat(name, "USSR"), entries.Seat(name, "US")]


@pytest.mark.parametrize("text", HEADERS)
def test_a_header_and_the_rest_of_its_line_are_two_entries(text):
    assert list(read_line(text)) == HEADERS[text]


@pytest.mark.parametrize("text", UNKNOWN)
def test_an_unknown_line_is_refused(text):
    with pytest.raises(ValueError, match=UNKNOWN[text]):
        list(read_line(text))


def test_a_header_of_a_megabyte_is_refused_at_once():
    with pytest.raises(ValueError, match="no line of this form"):
        list(read_line("Turn 1, Headline Phase: " + "a & " * 250_000 + "a"))


def test_a_file_is_read_with_the_numbers_of_its_lines(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    lines = read_game(path)
    assert [line.number for line in lines] == [1, 2, 3, 4, 4, 5, 6, 7, 7, 8]
    assert lines[-1] == Line(8, entries.Influence("USSR", 2, 53, us=0, ussr=2))


def test_a_bad_file_is_told_of_with_its_name_the_line_and_the_text(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME.replace("Cuba", "Kuba"), encoding="utf-8")
    with pytest.raises(ValueError) as error:
        read_game(path)
    assert str(error.value) == f"{path}, line 8: 'USSR +2 in Kuba [0][2]': country 'Kuba' is none of the 84"


@pytest.mark.parametrize(("content", "says"), [(b"", "it holds no recorded game"), (b"\xbb\xff", "invalid start byte")])
def test_a_file_without_a_game_is_refused_by_name(tmp_path, content, says):
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError) as error:
        read_game(path)
    assert str(error.value).startswith(f"{path}: ")
    assert says in str(error.value)


def test_phases_part_a_game_at_its_headers(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    found = phases(read_game(path))
    assert [(phase.header, phase.number, len(phase.lines)) for phase in found] == [
        (None, 1, 3),
        (entries.HeadlinePhase(1, first_card=15, second_card=8), 4, 3),
        (entries.ActionRound(1, "USSR", 1, card=8), 7, 2),
    ]
    assert found[2].lines[0] == Line(7, entries.Operations("influence", 2))


def test_the_spellings_name_cards_of_the_table_and_no_card_twice():
    numbers = [names.card_number(name) for name in names.SPELLINGS]
    assert len(set(numbers)) == len(numbers)
    assert all(name.lower() not in names.NUMBERS for name in names.SPELLINGS), "needs no entry"


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("Mideast Scoring", 3),
        ("COMECON*", 14),
        ("How I Learned To Stop Worrying*", 46),
        ('"We Will Bury You"*', 50),
        ('"Lone Gunman"*', 62),
        ("Grain Sales To Soviets", 67),
        ("Nixon Plays The China Card*", 71),
        ("Alliance For Progress*", 78),
        ('"One Small Step..."', 80),
        ("Tear Down This Wall*", 96),
        ('"An Evil Empire"*', 97),
        ("AWACS Sale To Saudis*", 110),
    ],
)
def test_a_card_is_known_by_the_games_spelling_and_by_ours(name, number):
    assert names.card_number(name) == number
    ours = {int(row["number"]): row["name"] for row in read_table("cards.csv")}
    assert names.card_number(ours[number]) == number


def test_the_tables_name_all_cards_and_countries():
    assert sorted(names.NUMBERS.values()) == list(range(1, 111))
    assert {row["name"]: int(row["id"]) for row in read_table("countries.csv")} == ID
    assert sorted(ID.values()) == list(range(84))
    assert {row["region"] for row in read_table("countries.csv")} == set(names.REGIONS.values())
