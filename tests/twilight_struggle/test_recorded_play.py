"""A log of our own, played through the engine; then the same log with one line changed."""

import pytest

from scripts.replay import main
from timeline_env.twilight_struggle.recorded_play import check_game

GAME = """\
SETUP: : Player A will play as USSR.
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


@pytest.fixture
def check(tmp_path):
    """The report on a log."""

    def checked(text):
        path = tmp_path / "game.txt"
        path.write_text(text, encoding="utf-8")
        return check_game(path)

    return checked


def test_a_game_agrees_line_by_line(check):
    report = check(GAME)
    assert report.difference == ""
    assert (report.agreed, report.lines) == (41, 41)


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        (
            "USSR +3 in Cuba [0][3]",
            "USSR +4 in Cuba [0][4]",
            "game.txt:20: the log has 0 US and 4 USSR influence in Cuba",
        ),
        ("USSR +2 in Egypt [0][2]\n", "", "the log leaves 0 influence of the USSR in Egypt, the engine has 2"),
        ("Score is US 1.", "Score is US 2.", "the log has the score 2 for the US, the engine 1"),
        ("DEFCON degrades to 3", "DEFCON degrades to 2", "the log has DEFCON 2, the engine 3"),
        ("Military Ops to 4", "Military Ops to 3", "the log has 3 military operations of the USSR, the engine 4"),
        ("advances to 1", "advances to 2", "the log has the US in box 2 of the space race, the engine in 1"),
        ("SUCCESS: 5", "SUCCESS: 6", "the log has 0 US and 3 USSR influence in Iran, the engine 0 and 4"),
        ("Event: CIA Created*\n", "", "in the engine the event of CIA Created happens, the log has no such line"),
        (
            "USSR +2 in Egypt",
            "Event: Fidel*\nUSSR +2 in Egypt",
            "in the log the event of Fidel happens, in the engine not",
        ),
        ("USSR reveals Blockade*\n", "", "the USSR shows"),
        (
            "US +1 in Greece",
            "US +1 in Brazil",
            "the log chooses Brazil; the engine asks the US for: place (CIA Created) and allows",
        ),
        (
            "Target: Iran",
            "Target: Poland",
            "the log chooses Poland; the engine asks the USSR for: coup (NATO) and allows",
        ),
        ("US AR2", "US AR3", "the log begins turn 1, round 3 of the US, the engine turn 1, round 2 of the US"),
        ("USSR discards CIA", "USSR discards Fidel*\nUSSR discards CIA", "Fidel is drawn out of the USSR's hand"),
        ("Turn 1, USSR AR1", "*RESHUFFLE*\n\nTurn 1, USSR AR1", "the engine did not come to this: Reshuffle()"),
    ],
)
def test_what_differs_is_said_in_words(check, line, instead, says):
    assert line in GAME
    report = check(GAME.replace(line, instead))
    assert says in report.difference


def test_a_contradicted_line_is_told_with_its_reason(check):
    report = check(GAME + "Warsaw Pact Formed* is no longer in play.\n")
    assert report.difference == ""
    assert report.agreed == report.lines - 1
    assert "takes the marker of the Warsaw Pact away" in report.contradicted[0]


def run(tmp_path, text, capsys):
    """Exit code and what was printed."""
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    return main(["--check", str(path)]), capsys.readouterr().out


def test_the_script_says_that_all_agree(tmp_path, capsys):
    code, out = run(tmp_path, GAME, capsys)
    assert code == 0
    assert "game.txt: 41 of 41 lines agree, replayed to its end" in out
    assert "1 games, 41 of 41 lines agree, 0 rightly contradicted; 0 games differ" in out


def test_the_script_fails_if_a_game_differs(tmp_path, capsys):
    code, out = run(tmp_path, GAME.replace("Score is US 1.", "Score is US 2."), capsys)
    assert code == 1
    assert "first difference: game.txt:17: the log has the score 2 for the US, the engine 1" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give either --check FILE … or --convert FOLDER FILE …"),
        (["--check", "no-such-file.txt"], "no-such-file.txt"),
        (["--check", __file__], "no line of a recorded game is written so"),
        (["--convert", "no-such-folder", "game.txt"], "there is no folder 'no-such-folder'"),
        (["--convert", "games"], "needs a FOLDER and at least one FILE"),
    ],
)
def test_bad_input_ends_in_one_line(arguments, says, capsys):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    err = capsys.readouterr().err
    assert left.value.code == 2
    assert says in err
    assert err.startswith("error: ")
    assert err.count("\n") == 1


def test_a_game_that_differs_is_not_converted(tmp_path, capsys):
    path = tmp_path / "game.txt"
    path.write_text(GAME.replace("Score is US 1.", "Score is US 2."), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["--convert", str(tmp_path), str(path)])
    assert "only a game that replays can be converted" in capsys.readouterr().err


def test_a_game_is_converted(tmp_path, capsys):
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    assert main(["--convert", str(tmp_path), str(path)]) == 0
    assert (tmp_path / "game.json").is_file()
