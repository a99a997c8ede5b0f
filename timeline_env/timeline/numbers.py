"""Every number of the game: the rulebook's as constants, ours ([C]) as one RULES record read from a file.

Constants are fixed when the code is compiled, so what a user may tune travels in the record that every verb is given.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.engine import record as records
from timeline_env.engine.variants import DIGEST, digest, read_numbers
from timeline_env.reading import check_integer, quote, unknown_name
from timeline_env.timeline import board, cards, state
from timeline_env.timeline.cards import Card, read_cards, special_cards

ORGANIZE_AU = 2
"""T10 [S 002]."""
ORGANIZE_ENERGY = 13
"""T10 [S 002]."""
LINK_STRENGTH = 2
"""T18 [S 002]."""
LOGISTIC_TOTAL = 8
"""T29 [S 003]: the strengths of a logistic event's links add up to at most this."""
LOGISTIC_LINK = 4
"""T29 [S 003]: the greatest strength of one of its links."""
MOST_REINFORCEMENT = 4
"""R17 [C]: all reinforcement tokens of a junction add up to at most this."""

FACE = 1 + board.DIRECTIONS + 4 + 2
"""How many numbers about a card do not depend on the number of players."""

DATA = Path(__file__).resolve().parents[1] / "data" / "timeline"
ARTIFACT_NAMES = ("surge", "cell", "wings", "amplifier", "switch", "blank")

RULES = records.record(
    ("deck", "i2", state.MOST_DECK, "T7: the unshuffled deck"),
    ("deck_size", "i2", (), "cards in the deck"),
    ("num_players", "i1", (), "2..6"),
    ("rounds", "i1", board.RADII, "T4: rounds of each phase"),
    ("start_energy", "i1", (), "T6"),
    ("start_cards", "i1", (), "T6"),
    ("income", "i1", (), "T9: energy a turn"),
    ("most_energy", "i1", (), "T9"),
    ("action_units", "i1", (), "T9: a turn"),
    ("most_cards", "i1", (), "T9"),
    ("move_au", "i1", (), "T9"),
    ("move_energy", "i1", (), "T9"),
    ("impact_au", "i1", (), "T9"),
    ("impact_energy", "i1", 3, "T9: for the values 1, 2, 3"),
    ("own_impact_energy", "i1", 3, "T9: the same for the event's organizer"),
    ("reinforce_au", "i1", (), "T9"),
    ("reinforce_energy", "i1", 2, "T9: for +1 and +2"),
    ("pledges", "i1", (), "T28: 1 if players may pledge, else 0"),
    ("most_kept", "i1", (), "T14: artifacts"),
    ("surge_au", "i1", (), "T26"),
    ("cell_energy", "i1", (), "T26"),
    ("amplifier_impact", "i1", (), "T26"),
    ("bag", "i1", state.MOST_BAG, "T14: the unshuffled tokens"),
    ("bag_size", "i1", (), "tokens in the bag"),
    ("if_yes", "i1", (state.KINDS_OF_CARD, state.MAX_PLAYERS), "T22: points of each card for each seat if it occurs"),
    ("if_no", "i1", (state.KINDS_OF_CARD, state.MAX_PLAYERS), "T22: the same if it does not occur"),
    ("mark", "i1", (state.KINDS_OF_CARD, board.DIRECTIONS), "1 cause, -1 hindrance, 0 none; the card not turned"),
    ("backward", "i1", (state.KINDS_OF_CARD, board.DIRECTIONS), "1 where that mark is a backward one"),
    (
        "in_hand",
        "i1",
        (state.KINDS_OF_CARD, state.MAX_PLAYERS, FACE + 2 * state.MAX_PLAYERS),
        "as each seat sees it in hand: 1; marks 0-5; radii 1-4; linked circles; artifact sign; points for each seat from "
        "this one on if it occurs; if it does not",
    ),
    ("linked", "i1", state.KINDS_OF_CARD, "T13: 1 if it bears the linked circles"),
    ("gives_artifact", "i1", state.KINDS_OF_CARD, "T14: 1 if it bears the artifact sign"),
    ("turns", "i1", (state.KINDS_OF_CARD, board.NODES), "T11, T13: a bit for each turn that is allowed in the node"),
)

_RANGES = {  # section, key: least and greatest value
    ("player", "start_cards"): (0, state.MOST_CARDS),
    ("player", "income"): (0, 100),
    ("player", "most_energy"): (0, 100),
    ("player", "action_units"): (1, 20),
    ("player", "most_cards"): (1, state.MOST_CARDS),
    ("prices", "move_au"): (1, 20),
    ("prices", "move_energy"): (0, 100),
    ("prices", "impact_au"): (1, 20),
    ("prices", "impact_energy"): (0, 100),
    ("prices", "own_impact_energy"): (0, 100),
    ("prices", "reinforce_au"): (1, 20),
    ("prices", "reinforce_energy"): (0, 100),
    ("agreements", "pledges"): (0, 1),
    ("artifacts", "most_kept"): (0, 10),
    ("artifacts", "surge_au"): (0, 10),
    ("artifacts", "cell_energy"): (0, 27),
    ("artifacts", "amplifier_impact"): (1, 9),
}
# The least value 1: what costs no action unit could be done for ever, and is not offered to a player without any.
# A hand that holds no card could not put one away for the next (R1).


def load_rules(num_players: int, source: str | Path | dict[str, Any] | None = None) -> np.recarray[Any, Any]:
    """The RULES record for a number of players.

    Args:
        num_players: 2 to 6.
        source: a TOML file or a dict with the keys of ``numbers.toml`` that are to differ; None for the game as it is.
            The extra key ``cards`` names a table of cards (CSV), relative to the file; ``cards_sha256`` beside it is the digest
            that the table must have.

    Returns:
        A record array of length 1.

    Raises:
        ValueError: an unknown key or a value out of its range; the message names it and what is allowed.
    """
    check_integer("num_players", num_players, state.MIN_PLAYERS, state.MAX_PLAYERS)
    numbers = defaults = read_numbers(DATA / "numbers.toml")
    cards_file = DATA / "cards.csv"
    if source is not None:
        if not isinstance(source, str | Path | dict) or source == "":  # as a path that would be this folder
            raise ValueError(f"rules {quote(source)} must be a file, a dict of numbers, or None")
        changes = dict(source) if isinstance(source, dict) else read_numbers(Path(source))
        folder = Path() if isinstance(source, dict) else Path(source).parent
        if "cards" in changes:
            cards_file = folder / str(changes.pop("cards"))
            if not os.path.isfile(cards_file):  # the name may be longer than any file's
                raise ValueError(f"cards {quote(str(cards_file))}: no such file")
            if (kept := changes.pop(DIGEST, None)) not in (None, digest(cards_file)):
                raise ValueError(
                    f"cards {str(cards_file)!r}: the file does not have the {DIGEST} {quote(kept)}: it is another table"
                )
        numbers = _merge(numbers, changes)
    return _rules(num_players, numbers, defaults, read_cards(cards_file, num_players))


def _merge(base: dict[str, Any], changes: dict[str, Any], path: str = "") -> dict[str, Any]:
    """`base` with `changes`, which may hold only keys that `base` has, with values of the same kind."""
    merged = dict(base)
    for key, value in changes.items():
        key = str(key)  # a number of players may be written as a number
        name = path + key
        if key not in base:
            raise unknown_name("key of the rules", name, [path + known for known in base])
        if type(value) is not type(base[key]):
            raise ValueError(f"{name} {quote(value)} must be of the same kind as {base[key]!r}")
        merged[key] = _merge(base[key], value, name + ".") if isinstance(value, dict) else value
    return merged


def _check(name: str, value: Any, like: Any, least: int, most: int) -> None:
    values = value if isinstance(like, list) else [value]
    for number in values:
        if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
            raise ValueError(f"{name} {quote(value)} must be an integer from {least} to {most}")
    if isinstance(like, list) and len(value) != len(like):
        raise ValueError(f"{name} {quote(value)} must have {len(like)} numbers")


def _rules(
    num_players: int, numbers: dict[str, Any], defaults: dict[str, Any], templates: list[Card]
) -> np.recarray[Any, Any]:
    rules = records.new(RULES)
    record = rules[0]
    record.num_players = num_players
    rounds, copies = numbers["rounds"][str(num_players)], numbers["copies"][str(num_players)]
    _check(f"rounds.{num_players}", rounds, [0] * board.RADII, 1, 20)
    _check(f"copies.{num_players}", copies, 0, 1, state.MOST_DECK)
    start_energy = numbers["start_energy"][str(num_players)]
    _check(f"start_energy.{num_players}", start_energy, 0, 0, 100)
    record.rounds, record.start_energy = rounds, start_energy
    for (section, key), (least, most) in _RANGES.items():
        value = numbers[section][key]
        _check(f"{section}.{key}", value, defaults[section][key], least, most)
        record[key] = value
    _check_start(f"start_energy.{num_players}", record.start_energy, "player.most_energy", record.most_energy)
    _check_start("player.start_cards", record.start_cards, "player.most_cards", record.most_cards)

    bag = [kind for kind, name in enumerate(ARTIFACT_NAMES) for _ in range(_tokens(numbers["artifacts"]["bag"], name))]
    if len(bag) > state.MOST_BAG:
        raise ValueError(f"artifacts.bag holds {len(bag)} tokens; at most {state.MOST_BAG} are allowed")
    record.bag[: len(bag)], record.bag_size = bag, len(bag)

    if len(templates) > state.MOST_TEMPLATES:
        raise ValueError(
            f"the table has {len(templates)} cards for {num_players} players; at most {state.MOST_TEMPLATES} are allowed"
        )
    deck = [6 * row + seat for _ in range(copies) for row in range(len(templates)) for seat in range(num_players)]
    if len(deck) > state.MOST_DECK:
        raise ValueError(
            f"copies.{num_players} {copies} makes a deck of {len(deck)} cards; at most {state.MOST_DECK} are allowed"
        )
    record.deck[: len(deck)], record.deck_size = deck, len(deck)

    for row, card in enumerate(templates):
        _fill_faces(record, slice(6 * row, 6 * row + num_players), card)
        for seat in range(num_players):
            _fill_arcs(record, 6 * row + seat, card, seat)
    for seat in range(num_players):
        order = (seat + np.arange(num_players)) % num_players
        record.in_hand[:, seat, FACE : FACE + num_players] = record.if_yes[:, order]
        record.in_hand[:, seat, FACE + num_players : FACE + 2 * num_players] = record.if_no[:, order]
    for number, card in enumerate(special_cards(numbers["flexible"], numbers["original"]), state.ATTACKING):
        _fill_faces(record, slice(number, number + 1), card)
    _check_points(record)
    return rules


def _check_start(name: str, value: Any, limit: str, most: Any) -> None:
    if value > most:
        raise ValueError(f"{name} {value}: at most {limit}, {most}, is allowed")


def _check_points(record: Any) -> None:
    """Raise ValueError if a player could gain or lose more points than a field holds, with the best or worst of the deck in every node."""
    deck = record.deck[: record.deck_size]
    # Each player has one attacking and one supporting event, which bring one point, to lose or to gain (T27, T28).
    flexible = np.ones((record.num_players, state.MAX_PLAYERS), np.int64)
    for sign in (1, -1):
        arcs = np.maximum(sign * record.if_yes[deck].astype(np.int64), sign * record.if_no[deck])
        most = np.sort(np.concatenate([arcs, flexible]).clip(0), axis=0)[-(board.NODES - 1) :].sum(axis=0).max()
        if most > state.MOST_POINTS:
            raise ValueError(
                f"with these cards and copies a player could {'gain' if sign > 0 else 'lose'} {most} points; "
                f"at most {state.MOST_POINTS} are allowed"
            )


def _tokens(bag: dict[str, int], name: str) -> int:
    _check(f"artifacts.bag.{name}", bag[name], 0, 0, state.MOST_BAG)
    return bag[name]


def _fill_arcs(record: Any, number: int, card: Card, seat: int) -> None:
    """Write who scores by a card; `seat` is the i of its arcs."""
    for arc, table in zip(card.arcs, (record.if_yes, record.if_no), strict=True):
        if arc is not None:
            table[number, (seat + arc) % record.num_players] = card.sign * card.points


def _fill_faces(record: Any, numbers: slice, card: Card) -> None:
    """Write what is the same on a card for every seat."""
    marks = [cards.MARKS[letter] for letter in card.marks]
    radii = [radius in card.radii for radius in range(1, board.RADII)]
    record.mark[numbers] = marks
    record.backward[numbers] = [letter in "Bb" for letter in card.marks]
    record.in_hand[numbers, :, :FACE] = [1, *marks, *radii, card.linked, card.artifact]
    record.linked[numbers] = card.linked
    record.gives_artifact[numbers] = card.artifact
    record.turns[numbers] = card.rotations()
