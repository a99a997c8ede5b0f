"""Logs of our own, played through the engine; then with one line changed, cut off anywhere, and by other rules."""

import pytest

from tests.commands import run_here
from tests.refusals import refusal
from tests.twilight_struggle.recorded_logs import GAME, PIECES, lines_of, replay, report_and_answers
from timeline_env.twilight_struggle import actions
from timeline_env.twilight_struggle.recorded import entries
from timeline_env.twilight_struggle.recorded.play import check_game


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
    assert (report.agreed, report.lines) == (42, 42)


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        (
            "USSR +3 in Cuba [0][3]",
            "USSR +4 in Cuba [0][4]",
            "game.txt:21: the log has 0 US and 4 USSR influence in Cuba",
        ),
        ("USSR +2 in Egypt [0][2]\n", "", "the log leaves 0 influence of the USSR in Egypt, the engine has 2"),
        ("Score is US 1.", "Score is US 2.", "the log has the score 2 for the US, the engine 1"),
        ("DEFCON degrades to 3", "DEFCON degrades to 2", "the log has DEFCON 2, the engine 3"),
        ("Military Ops to 4", "Military Ops to 3", "the log has 3 military operations of the USSR, the engine 4"),
        ("advances to 1", "advances to 2", "the log has the US in box 2 of the space race, the engine in 1"),
        ("SUCCESS: 5", "SUCCESS: 6", "game.txt:25: the log has the result 5 of Coup, the engine 6"),
        ("Coup (4 Ops)", "Coup (3 Ops)", "game.txt:23: the log has the ops 3 of Operations, the engine 4"),
        (
            "US -2 in Iran [0][0]",
            "US -1 in Iran [0][0]",
            "the log changes the US's influence in Iran by -1 to 0 US and 0 USSR; by what it told before it is 1 and 0",
        ),
        ("US gains 2 VP", "US gains 1 VP", "the log has 1 points gained and the score 3 for the US, which was 1"),
        ("DEFCON degrades to 3", "DEFCON improves to 3", "in the log DEFCON improves to 3 from 4"),
        ("Event: CIA Created*\n", "", "in the engine the event of CIA Created happens, the log has no such line"),
        (
            "USSR +2 in Egypt",
            "Event: Fidel*\nUSSR +2 in Egypt",
            "the log leaves 0 influence of the USSR in Egypt, the engine has 2",
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


NATO = """\
Turn 3, US AR3: NATO*: Event: NATO*
NATO* is now in play.
Warsaw Pact Formed* is no longer in play.

Turn 3, USSR AR4: Marshall Plan*: Place Influence (4 Ops):
USSR +4 in Poland [0][8]

Event: Marshall Plan*
US +1 in France [1][0]
US +1 in Italy [1][0]
US +1 in UK [1][0]
US +1 in Spain/Portugal [1][0]
US +1 in Greece [1][0]
US +1 in Turkey [1][0]
US +1 in Norway [1][0]

Turn 3, US AR4: Containment*: Event: Containment*
Containment* is now in play.
"""


def test_a_contradicted_line_is_told_with_its_reason_and_no_marker_is_laid_after_nato():
    report = replay(
        lines_of(NATO), "t3.r3 us defcon:3 lasting:16 removed:16 Poland:4/0 hand.ussr:23,15 hand.us:21,25,26"
    )
    assert report.difference == ""
    assert report.agreed == report.lines - 1
    assert "takes the marker of the Warsaw Pact away" in report.contradicted[0]


FLOWER_POWER = """\
Turn 5, US AR3: Korean War*: Event: Korean War*
War in South Korea
VICTORY: 5 >= 4
USSR gains 2 VP. Score is US 1.
USSR Military Ops to 2

USSR gains 2 VP. Score is USSR 1.
Place Influence (2 Ops):
US +2 in Panama [4][0]
"""


def test_the_points_of_flower_power_come_later_in_the_log_where_the_event_is_first():
    report = replay(
        lines_of(FLOWER_POWER), "t5.r3 us defcon:3 vp:us3 lasting:59 Panama:0/2 hand.ussr:9,15 hand.us:11,25"
    )
    assert (report.difference, report.agreed) == ("", report.lines)


@pytest.mark.parametrize("log", ["a game", *PIECES])
def test_a_log_may_break_off_after_any_line(log):
    position, text = PIECES.get(log, (None, GAME))
    lines = lines_of(text)
    for end in range(1, len(lines)):
        report = replay(lines[:end], position)
        assert report.difference == "", f"cut after {lines[end - 1]}"
        assert report.agreed == report.lines


@pytest.mark.parametrize("log", ["a game", *PIECES])
def test_a_log_that_breaks_off_gives_no_answer_that_the_whole_log_does_not_give(log):
    """But for the set-up, whose influence has no order."""
    position, text = PIECES.get(log, (None, GAME))
    lines = lines_of(text)
    _, whole = report_and_answers(lines, position)
    first = next(place for place, line in enumerate(lines) if isinstance(line.entry, entries.Header))
    for end in range(first + 1, len(lines)):
        _, answers = report_and_answers(lines[:end], position)
        assert answers == whole[: len(answers)], f"cut after {lines[end - 1]}"


POINTS, LAST = "USSR gains 6 VP. Score is US 3.\n", ": :\n"


@pytest.mark.parametrize(
    ("cut", "end"),
    [
        ((), "the US wins by Wargames"),
        ((POINTS,), "the US wins by Wargames"),
        ((LAST,), "the US wins by Wargames"),
        ((POINTS, LAST), ""),
    ],
)
def test_wargames_end_the_game_where_the_log_tells_of_points_or_of_the_end(cut, end):
    position, text = PIECES["Wargames, which end the game"]
    for line in cut:
        assert line in text
        text = text.replace(line, "")
    _, answers = report_and_answers(lines_of(text), position)
    assert replay(lines_of(text), position).end == end
    assert (actions.OPTION in answers) == bool(end)


def test_wargames_that_are_declined_are_followed_by_the_next_round():
    position, text = PIECES["Wargames, after which the game goes on"]
    report, answers = report_and_answers(lines_of(text), position)
    assert (report.difference, report.end) == ("", "")
    assert actions.OPTION + 1 in answers


def test_a_coup_without_a_target_is_declined_only_where_the_log_goes_on():
    position, text = PIECES["Che, whose second coup is left"]
    goes_on = "\nTurn 5, US AR3: Containment*: Event: Containment*\nContainment* is now in play.\n"
    for log, declined in ((text, False), (text + goes_on, True)):
        report, answers = report_and_answers(lines_of(log), position)
        assert (report.difference, report.agreed) == ("", report.lines)
        assert (actions.STOP in answers) == declined


TRUMAN = (
    "t5.r7 us defcon:2 milops:2/2 lasting:40=us,41 hand.ussr:9,15 hand.us:19,26 West_Germany:2/3",
    """\
Turn 5, US AR7: Truman Doctrine*: Event: Truman Doctrine*
USSR -2 in West Germany [3][0]

Cuban Missile Crisis* is no longer in play.
Nuclear Subs* is no longer in play.

Turn 6, Headline Phase: Vietnam Revolts* & CIA Created*: DEFCON improves to 3
USSR Headlines Vietnam Revolts*
""",
)


@pytest.mark.parametrize(
    ("position", "text"),
    [PIECES["a placement where a crisis ends with the turn"], TRUMAN],
    ids=["own, added", "the other's, removed"],
)
def test_influence_before_the_end_of_a_crisis_buys_nothing_off(position, text):
    report, answers = report_and_answers(lines_of(text), position)
    assert (report.difference, report.agreed) == ("", report.lines)
    assert max(answers) < actions.BUY_OFF


def test_it_is_told_in_which_turn_a_log_breaks_off_and_whether_the_engine_saw_the_end():
    ends = {log: replay(lines_of(text), position) for log, (position, text) in PIECES.items()}
    assert (ends["SALT"].reached, ends["SALT"].end) == ("turn 5, round 3 of the US", "")
    assert ends["headlines, the US first"].reached == "the headline phase of turn 5"
    assert (ends["the final scoring"].reached, ends["the final scoring"].end) == (
        "the final scoring",
        "the US wins by final scoring",
    )
    assert ends["twenty points"].end == "the USSR wins by 20 victory points"


OTHER_RULES = """\
Player A will play as USSR.
Player B will play as USA.
Handicap influence: US +5
Scenario: Standard
USSR +6 in Poland [0][6]
US +7 in West Germany [7][0]
US +5 in Iran [6][0]

Turn 1, Headline Phase: Fidel* & Duck and Cover: USSR Headlines Fidel*
"""


def test_the_handicap_and_the_optional_cards_are_read_from_the_log(check):
    assert check(OTHER_RULES).difference == ""
    assert (
        check(OTHER_RULES.replace("Handicap influence: US +5\n", "").replace("US +5 in Iran [6][0]\n", "")).difference
        == ""
    )
    assert "asks the US for: add" in check(OTHER_RULES.replace("US +5\nS", "US +6\nS")).difference
    ussr = OTHER_RULES.replace("influence: US +5", "influence: USSR +2").replace(
        "US +5 in Iran [6][0]", "USSR +2 in Iraq [0][3]"
    )
    assert check(ussr).difference == ""
    assert "asks the USSR for: add" in check(ussr.replace("USSR +2\nS", "USSR +3\nS")).difference
    both = OTHER_RULES.replace("US +5\nS", "US +5\nAdditional Influence from bidding: USSR +2\nS")
    assert check(both.replace("US +5 in", "USSR +2 in Iraq [0][3]\nUS +5 in")).difference == ""
    with_norad = OTHER_RULES.replace("Duck and Cover", "NORAD*") + "US Headlines NORAD*\nEvent: NORAD*\n"
    assert "the log chooses NORAD" in check(with_norad).difference
    assert check(with_norad.replace("Standard", "Standard\nOptional Cards Added")).difference == ""


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    [
        ("Scenario: Standard", "Scenario: Late War", "game.txt: line 4: scenario 'Late War' must be 'Standard'"),
        ("US +5\n", "USSR +11\n", "^game.txt: .*setup.ussr_bonus 11 must be an integer from 0 to 10"),
        ("play as USA", "play as USSR", "game.txt: line 2: 'Player B' plays the USSR as another does"),
    ],
)
def test_rules_that_the_engine_does_not_know_are_refused(check, line, instead, says):
    with pytest.raises(ValueError, match=says):
        check(OTHER_RULES.replace(line, instead))


def test_nothing_follows_the_end_of_the_game():
    position, text = PIECES["twenty points"]
    goes_on = lines_of(text + "\nTurn 5, US AR3: Containment*: Event: Containment*\n")
    assert "in the engine the USSR wins by 20 victory points" in replay(goes_on, position).difference


def command(*words):
    return run_here("scripts/replay.py", *words)


def checked(tmp_path, text):
    """Exit code and what was printed."""
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    done = command("--check", path)
    return done.returncode, done.stdout


def test_the_command_says_that_all_agree(tmp_path):
    code, out = checked(tmp_path, GAME)
    assert code == 0
    assert "game.txt: 42 of 42 lines agree, breaks off in turn 1, round 2 of the US: the game is not over" in out
    assert "1 games, 42 of 42 lines agree, 0 rightly contradicted; 0 games differ, 0 cannot be read" in out


def test_the_command_fails_if_a_game_differs(tmp_path):
    code, out = checked(tmp_path, GAME.replace("Score is US 1.", "Score is US 2."))
    assert code == 1
    assert "first difference: game.txt:18: the log has the score 2 for the US, the engine 1" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give either --check FILE ... or --convert FOLDER FILE ..."),
        (["--convert", "no-such-folder", "game.txt"], "there is no folder 'no-such-folder'"),
        (["--convert", "games"], "needs a FOLDER and at least one FILE"),
    ],
)
def test_bad_input_ends_in_one_line(arguments, says):
    assert says in refusal(command(*arguments))


def test_a_name_in_a_log_does_not_steer_the_terminal(tmp_path):
    twice = OTHER_RULES.replace("play as USA", "play as USSR").replace("Player B", "\x1b]0;B\x07")
    code, out = checked(tmp_path, twice)
    assert code == 2
    assert "\\x1b]0;B\\x07' plays the USSR as another does" in out and "\x1b" not in out


def test_what_cannot_be_converted_is_named(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(OTHER_RULES.replace("US +5\n", "USSR +11\n"), encoding="utf-8")
    assert "game.txt: " in refusal(command("--convert", tmp_path, path))


def test_how_a_game_was_won_is_quoted():
    position, text = PIECES["twenty points"]
    ends = lines_of(text.replace("Victory Points", "\x1b[2J"))
    assert r"wins by '\x1b[2J', in the engine" in replay(ends, position).difference


def test_a_game_that_differs_is_not_converted(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME.replace("Score is US 1.", "Score is US 2."), encoding="utf-8")
    assert "only a game that replays can be converted" in refusal(command("--convert", tmp_path, path))


def test_a_game_is_converted(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    assert command("--convert", tmp_path, path).returncode == 0
    assert (tmp_path / "game.json").is_file()


def test_no_game_is_converted_onto_another(tmp_path):
    paths = [tmp_path / name / "game.txt" for name in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text(GAME, encoding="utf-8")
    assert "would both become" in refusal(command("--convert", tmp_path, *paths))
    assert not (tmp_path / "game.json").exists()


def test_one_file_that_cannot_be_read_stops_no_other(tmp_path):
    paths = [tmp_path / name for name in ("none.txt", "a.txt", "b.txt", "c.txt")]
    for path, text in zip(
        paths[1:], (GAME, "US sleeps\n", GAME.replace("Score is US 1.", "Score is US 2.")), strict=True
    ):
        path.write_text(text, encoding="utf-8")
    done = command("--check", *paths)
    assert done.returncode == 2
    told = done.stdout.splitlines()
    assert told[0].startswith("none.txt: cannot be read: ")
    assert told[1].startswith("a.txt: 42 of 42 lines agree")
    assert told[2].startswith("b.txt: cannot be read: ")
    assert "line 1: 'US sleeps': a recorded game has no line of this form" in told[2]
    assert told[3].endswith("lines agree, differs in the headline phase of turn 1")
    assert told[-1].endswith("1 games differ, 2 cannot be read")
