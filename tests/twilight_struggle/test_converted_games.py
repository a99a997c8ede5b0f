"""Games between people, converted by ``scripts/replay.py --convert``: decisions, dice and cards as they were.

At the headlines of each turn the map and the tracks must stand as they stood in the real game, and it must end as that did.
"""

from pathlib import Path

import numpy as np
import pytest

from timeline_env.twilight_struggle.recorded import conversion
from timeline_env.twilight_struggle.state import ENDING_NAMES

GAMES = sorted((Path(__file__).parent / "games").glob("*.json"))


ENDS = {
    "game_28": (-1, "not ended", 9, 2),
    "game_30": (1, "final scoring", 10, 1),
    "game_38": (-1, "not ended", 9, 9),
    "game_41": (1, "control of Europe", 10, -19),
    "game_43": (1, "final scoring", 10, 11),
    "game_57": (1, "DEFCON 1", 10, -7),
    "game_67": (-1, "not ended", 10, -9),
    "game_69": (1, "final scoring", 10, 20),
}
"""Who won (1 is the US), how, on which turn, and the points then. The records of 28, 38, 41, 43 and 67 break off, 41 and 43 before the final
scoring, 38 and 67 at Wargames."""


def test_there_are_games():
    assert {path.stem for path in GAMES} == set(ENDS)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_turn_begins_as_it_did_in_the_real_game(path):
    converted = conversion.load(path)
    assert list(conversion.headlines(converted)) == converted["turns"]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_it_ends_as_the_real_game_did(path):
    converted = conversion.load(path)
    player = conversion.Player(converted["seed"], converted["rules"])
    for decision in converted["decisions"]:
        player.play(*decision)
    s = player.s
    assert (int(s.winner), ENDING_NAMES[s.ending], int(s.turn), int(s.vp)) == ENDS[path.stem]


def test_a_die_that_falls_otherwise_changes_the_game():
    """So the comparison can fail."""
    converted = conversion.load(GAMES[0])
    place = next(number for number, (_, state, _) in enumerate(converted["decisions"]) if state is not None)
    action, state, moved = converted["decisions"][place]
    for other in range(state + 1, state + 50):
        converted["decisions"][place] = [action, other, moved]
        try:
            found = list(conversion.headlines(converted))
        except ValueError:
            return
        if found != converted["turns"]:
            return
    pytest.fail("no die matters")


def test_a_game_is_saved_as_it_was(tmp_path):
    converted = conversion.load(GAMES[0])
    conversion.save(tmp_path / "game.json", converted)
    assert (tmp_path / "game.json").read_bytes() == GAMES[0].read_bytes()
    assert np.all([len(decision) == 3 for decision in converted["decisions"]])


@pytest.mark.parametrize(
    ("decision", "says"),
    [
        ([1, None, [999, 1]], r"\[1, None, \[999, 1\]\] is not a decision"),
        ([1, None, [5, 11]], "is not a decision"),
        ([1, None, [5]], "is not a decision"),
        ([1, -1, []], "is not a decision"),
        ([1, 2**64 - 1], "is not a decision"),
        (["1", None, []], "is not a decision"),
        ([1, None, None], "it must be a list, not None"),
        (7, "it must be a list, not 7"),
    ],
)
def test_what_is_no_decision_is_refused(tmp_path, decision, says):
    converted = conversion.load(GAMES[0])
    converted["decisions"][3] = decision
    conversion.save(tmp_path / "game.json", converted)
    with pytest.raises(ValueError, match=rf"^'.*game.json' is not a converted game: [^\n]*{says}$"):
        conversion.load(tmp_path / "game.json")


def test_a_name_that_is_no_text_is_refused(tmp_path):
    conversion.save(tmp_path / "game.json", conversion.load(GAMES[0]) | {"name": 7})
    with pytest.raises(ValueError, match="is not a converted game: name 7 must be a text"):
        conversion.load(tmp_path / "game.json")


def test_rules_that_are_no_table_are_refused(tmp_path):
    conversion.save(tmp_path / "game.json", conversion.load(GAMES[0]) | {"rules": None})
    with pytest.raises(ValueError, match="is not a converted game: rules: it must be a table, not None"):
        conversion.load(tmp_path / "game.json")


def test_cards_that_lie_where_they_cannot_are_refused():
    converted = conversion.load(GAMES[0])
    converted["decisions"][3][2] = [value for card in range(7, 60) for value in (card, 8)]
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        list(conversion.headlines(converted))
