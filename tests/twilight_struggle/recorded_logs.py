"""Logs of our own: a game from its set-up, and pieces of games that begin at a position. Together they have every kind of line."""

from __future__ import annotations

from typing import Any

from timeline_env.twilight_struggle.cards import CARDS, CHINA, PERIOD
from timeline_env.twilight_struggle.recorded.log import Line, read_line
from timeline_env.twilight_struggle.recorded.play import Replay, Report
from timeline_env.twilight_struggle.recorded.table import RecordedTable, Variant
from timeline_env.twilight_struggle.text.notation import from_text

GAME = """\
SETUP: : Player A bids 2 Influence for USSR
Player A will play as USSR.
Player B will play as USA.
Handicap influence: US +2
Scenario: Standard
Optional Cards Added
Time per Player: 60 Minutes
USSR +4 in Poland [0][4]
USSR +2 in East Germany [0][5]
US +4 in West Germany [4][0]
US +4 in Italy [4][0]
US +1 in Iran [2][0]

Turn 1, Headline Phase: Fidel* & Duck and Cover: USSR Headlines Fidel*
US Headlines Duck and Cover
Event: Duck and Cover
DEFCON degrades to 4
US gains 1 VP. Score is US 1.

Event: Fidel*
USSR +3 in Cuba [0][3]

Turn 1, USSR AR1: NATO*: Coup (4 Ops):
Target: Iran
SUCCESS: 5 [ + 4 - 2x2 = 5 ]
US -2 in Iran [0][0]
USSR +3 in Iran [0][3]
USSR Military Ops to 4
DEFCON degrades to 3

Turn 1, US AR1: Five Year Plan: Event: Five Year Plan
USSR discards CIA Created*
Event: CIA Created*
USSR reveals Decolonization
USSR reveals Blockade*
USSR reveals Nasser*
USSR reveals Romanian Abdication*
USSR reveals Comecon*
Place Influence (1 Ops):
US +1 in Greece [1][0]

Turn 1, USSR AR2: Nasser*: Event: Nasser*
USSR +2 in Egypt [0][2]

Turn 1, US AR2: Warsaw Pact Formed*: Space Race (3 Ops):
Die roll: 3 -- Success! (Needed 3 or less)
US advances to 1 in the Space Race.
US gains 2 VP. Score is US 3.
"""


def discards_but(*others: int) -> str:
    """The early and mid war's cards in the discard pile, but for some; in a position's words."""
    return ",".join(str(card) for card in range(1, CARDS) if PERIOD[card] < 2 and card != CHINA and card not in others)


PIECES = {
    "headlines, the US first": (
        "t5.r0 ussr defcon:3 space:4/0 hand.ussr:53,15 hand.us:25,26",
        """\
Turn 5, Headline Phase: Containment* & South African Unrest: US Headlines Containment*
USSR Headlines South African Unrest
Event: Containment*
Containment* is now in play.

Event: South African Unrest
Event: South African Unrest
USSR +1 in South Africa [0][1]
USSR +2 in Botswana [0][2]
""",
    ),
    "a realignment under Iran-Contra": (
        "t9.r3 us defcon:3 lasting:93 hand.ussr:9,15 hand.us:4,25,26 Cuba:4/1 Mexico:1/0 Guatemala:0/1",
        """\
Turn 9, US AR3: Duck and Cover: Realignment (3 Ops):
Target: Cuba
USSR rolls 2 (+1) = 3
US rolls 6 (+1) = 7
USSR -3 in Cuba [1][1]
Target: Cuba
USSR rolls 3
US rolls 2 (+1) = 3
US -1 in Cuba [0][1]
""",
    ),
    "a war that is lost, and one that is won": (
        "t5.r3 us defcon:3 vp:us1 milops:0/3 Burma:2/0 India:0/3 Pakistan:0/1 hand.ussr:13,15 hand.us:24,25",
        """\
Turn 5, US AR3: Indo-Pakistani War: Event: Indo-Pakistani War
War in India
DEFEAT: 4 (-1)  < 4
US Military Ops to 5

Turn 5, USSR AR4: Arab-Israeli War: Event: Arab-Israeli War
War in Israel
VICTORY: 5 >= 4
USSR gains 2 VP. Score is USSR 1.
USSR Military Ops to 2
""",
    ),
    "the Bear Trap and Quagmire": (
        "t5.r3 ussr defcon:3 lasting:42,44 hand.ussr:7,15,16 hand.us:4,25,26",
        """\
Turn 5, USSR AR3: Socialist Governments: USSR discards Socialist Governments
Trap Roll: 6 > 4 -- Trap Remains in Effect

Turn 5, US AR3: Duck and Cover: US discards Duck and Cover
Trap Roll: 4 <= 4 -- Trap Escaped
Quagmire* is no longer in play.
""",
    ),
    "Grain Sales, played": (
        "t5.r3 us defcon:3 hand.ussr:61,15 hand.us:67,25",
        """\
Turn 5, US AR3: Grain Sales To Soviets: Event: Grain Sales To Soviets
USSR reveals OPEC
USSR reveals OPEC from hand
US plays OPEC
US plays OPEC
Space Race (3 Ops):
Die roll: 5 -- Failed! (Needed 3 or less)
""",
    ),
    "Grain Sales, given back": (
        "t5.r3 us defcon:3 hand.ussr:61,15 hand.us:67,25 Angola:0/1",
        """\
Turn 5, US AR3: Grain Sales To Soviets: Event: Grain Sales To Soviets
USSR reveals OPEC
USSR reveals OPEC from hand
US returns OPEC to USSR
Place Influence (2 Ops):
US +2 in Angola [3][0]
""",
    ),
    "nothing to show and nothing to discard": (
        "t5.r3 us defcon:3 hand.us:5,104 Panama:0/2",
        """\
Turn 5, US AR3: The Cambridge Five: Place Influence (2 Ops):
US +2 in Panama [4][0]

Event: The Cambridge Five
US has no cards to reveal

Turn 5, USSR AR4: :

Turn 5, US AR4: Five Year Plan: Event: Five Year Plan
USSR has no cards to discard
""",
    ),
    "UN Intervention": (
        "t5.r3 ussr defcon:3 hand.ussr:32,106,15 hand.us:25,26 Panama:2/0",
        """\
Turn 5, USSR AR3: UN Intervention: Event: UN Intervention
USSR plays NORAD*
Place Influence (3 Ops):
USSR +3 in Panama [0][5]
""",
    ),
    "the Olympic Games": (
        "t5.r3 us defcon:3 hand.ussr:9,15 hand.us:20,25 Panama:0/2",
        """\
Turn 5, US AR3: Olympic Games: Event: Olympic Games
USSR chooses to boycott the Olympics
DEFCON degrades to 2
Place Influence (4 Ops):
US +4 in Panama [6][0]
""",
    ),
    "DEFCON at will": (
        "t5.r3 us defcon:3 milops:0/5 hand.ussr:9,15 hand.us:46,25",
        """\
Turn 5, US AR3: How I Learned To Stop Worrying*: Event: How I Learned To Stop Worrying*
US Military Ops to 5
DEFCON improves to 5
""",
    ),
    "SALT": (
        "t5.r3 us defcon:3 hand.ussr:9,15 hand.us:43,25 discards:4,5",
        """\
Turn 5, US AR3: SALT Negotiations*: Event: SALT Negotiations*
DEFCON improves to 5
US reveals Five Year Plan
SALT Negotiations* is now in play.
""",
    ),
    "Chernobyl": (
        "t9.r3 us defcon:3 hand.ussr:9,15 hand.us:94,25 Angola:1/0",
        """\
Turn 9, US AR3: Chernobyl*: Event: Chernobyl*
US chooses Asia
Chernobyl* is now in play.

Turn 9, USSR AR4: Nasser*: Place Influence (1 Ops):
USSR +1 in Angola [0][2]
""",
    ),
    "a crisis bought off before the target is named": (
        "t5.r3 ussr defcon:3 lasting:40=ussr Cuba:4/0 Angola:0/1 hand.ussr:69,15 hand.us:25,26",
        """\
Turn 5, USSR AR3: Latin American Death Squads: Coup (2 Ops):
USSR -2 in Cuba [0][2]
Cuban Missile Crisis* is no longer in play.
Target: Angola
SUCCESS: 3 [ + 2 - 2x1 = 3 ]
US -1 in Angola [0][0]
USSR +2 in Angola [0][2]
USSR Military Ops to 2
DEFCON degrades to 2
""",
    ),
    "Che, whose second coup is left": (
        "t5.r3 ussr defcon:3 lasting:43 Uruguay:0/1 Cameroon:0/2 hand.ussr:107,15 hand.us:25,26",
        """\
Turn 5, USSR AR3: Che: Event: Che
Coup (3 Ops):
Target: Uruguay
SUCCESS: 3 [ + 3 (-1)  - 2x2 = 1 ]
US -1 in Uruguay [0][0]
USSR Military Ops to 3
Coup (3 Ops):
""",
    ),
    "the end of a turn, its first line lost": (
        "t5.r7 us defcon:2 vp:us3 milops:0/2 lasting:25,41 hand.ussr:9,15 hand.us:4,26 Panama:0/2",
        """\
Turn 5, US AR7: Duck and Cover: Place Influence (3 Ops):
US +4 in Panama [6][0]

Containment* is no longer in play.
Nuclear Subs* is no longer in play.

Turn 6, Headline Phase: Vietnam Revolts* & CIA Created*: DEFCON improves to 3
USSR Headlines Vietnam Revolts*
US Headlines CIA Created*
Event: Vietnam Revolts*
USSR +2 in Vietnam [0][2]
Vietnam Revolts* is now in play.
""",
    ),
    "a placement where a crisis ends with the turn": (
        "t5.r7 us defcon:2 milops:2/2 lasting:40=us,41 hand.ussr:9,15 hand.us:4,26 Panama:0/2 West_Germany:0/2",
        """\
Turn 5, US AR7: Duck and Cover: Place Influence (3 Ops):
US +1 in Panama [3][0]
US +2 in West Germany [4][0]

Cuban Missile Crisis* is no longer in play.
Nuclear Subs* is no longer in play.

Turn 6, Headline Phase: Vietnam Revolts* & CIA Created*: DEFCON improves to 3
USSR Headlines Vietnam Revolts*
US Headlines CIA Created*
""",
    ),
    "Wargames, after which the game goes on": (
        "t8.r3 us defcon:2 hand.ussr:9,15 hand.us:100,25 Angola:1/0",
        """\
Turn 8, US AR3: Wargames*: Event: Wargames*

Turn 8, USSR AR4: Nasser*: Place Influence (1 Ops):
USSR +1 in Angola [0][2]
""",
    ),
    "Wargames, which end the game": (
        "t8.r3 us defcon:2 vp:us9 hand.ussr:9,15 hand.us:100,25",
        """\
Turn 8, US AR3: Wargames*: Event: Wargames*
USSR gains 6 VP. Score is US 3.


: :
""",
    ),
    "a trapped side in an eighth round": (
        "t5.r8 ussr defcon:3 space:8/0 lasting:44 hand.ussr:7,15,16 hand.us:4,25",
        """\
Turn 5, USSR AR8: Socialist Governments: USSR discards Socialist Governments
Trap Roll: 6 > 4 -- Trap Remains in Effect
""",
    ),
    "the end of a turn under its header": (
        "t5.r7 us defcon:2 vp:us3 milops:0/2 lasting:25 hand.ussr:9,15 hand.us:4,26 Panama:0/2",
        """\
Turn 5, US AR7: Duck and Cover: Place Influence (3 Ops):
US +4 in Panama [6][0]

Turn 8, Cleanup: US gains 2 VP. Score is US 5.
Containment* is no longer in play.

Turn 6, Headline Phase: Vietnam Revolts* & CIA Created*: DEFCON improves to 3
USSR Headlines Vietnam Revolts*
""",
    ),
    "a shuffle before the hands are dealt": (
        f"t5.r7 us defcon:2 milops:2/2 hand.ussr:9,15 hand.us:4,26 Panama:0/2 discards:{discards_but(4, 9, 15, 26, 30, 31)}",
        """\
Turn 5, US AR7: Duck and Cover: Place Influence (3 Ops):
US +3 in Panama [5][0]

Turn 6, Headline Phase: Vietnam Revolts* & CIA Created*: DEFCON improves to 3
*RESHUFFLE*
USSR Headlines Vietnam Revolts*
US Headlines CIA Created*
""",
    ),
    "a shuffle in the middle of an event": (
        f"t5.r3 us defcon:3 hand.ussr:9,15 hand.us:25,108 Iran:0/2 discards:{discards_but(9, 15, 25, 30, 31, 108)}",
        """\
Turn 5, US AR3: Our Man in Tehran*: Event: Our Man in Tehran*
*RESHUFFLE*
US discards Decolonization
US discards Arms Race
""",
    ),
    "the final scoring": (
        "t10.r8 us defcon:2 vp:us3 milops:2/2 china:us space:0/8 hand.ussr:9 hand.us:4 Panama:0/3 Canada:0/4",
        """\
Turn 10, US AR8: Duck and Cover: Place Influence (3 Ops):
US +3 in Canada [7][0]

: : US gains 6 VP. Score is US 9.
US wins by Final Scoring
""",
    ),
    "twenty points": (
        "t5.r3 ussr defcon:3 vp:ussr18 hand.ussr:13,15 hand.us:25,26",
        """\
Turn 5, USSR AR3: Arab-Israeli War: Event: Arab-Israeli War
War in Israel
VICTORY: 5 >= 4
USSR gains 2 VP. Score is USSR 20.
USSR Military Ops to 2

USSR wins by Victory Points
""",
    ),
}
"""What it is about: (position, log)."""


def lines_of(text: str) -> list[Line]:
    return [Line(number, entry) for number, line in enumerate(text.splitlines(), 1) for entry in read_line(line)]


class Noting(RecordedTable):
    """A table that notes what it is answered, forced answers too."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant)
        self.answers: list[int] = []

    def answer(self, action: int) -> None:
        self.answers.append(action)
        super().answer(action)


def replay(lines: list[Line], position: str | None = None) -> Report:
    """The report on lines that begin with a game, or at a position."""
    return report_and_answers(lines, position)[0]


def report_and_answers(lines: list[Line], position: str | None = None) -> tuple[Report, list[int]]:
    """The report as `replay` gives it, and the actions that were taken."""

    def make(variant: Variant) -> Any:
        table = Noting({**variant, "deck": {"optional_cards": True}} if position else variant)
        if position:
            table.batch.states[:] = from_text(table.batch.rules, position)
        return table

    played = Replay("game.txt", lines, make)
    report = played.run()
    assert isinstance(played.table, Noting)
    return report, played.table.answers
