"""Positions and moves as text that a person can read, write and paste; ``docs/notation.md`` describes the grammar.

Positions are written here. `read_position` reads them, `move_text` writes the moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine.notation import action_from_text, copy_for_viewer
from timeline_env.engine.verbs import check_viewer
from timeline_env.twilight_struggle import board, cards, frames, state
from timeline_env.twilight_struggle.text import names
from timeline_env.twilight_struggle.text.move_text import action_to_text
from timeline_env.twilight_struggle.text.read_position import from_text, num_players_in, reach_of

__all__ = ["action_from_text", "action_to_text", "from_text", "num_players_in", "to_text"]


def to_text(rules: Any, s: Any, viewer: int | None = None) -> str:
    """One line that says all of a position between two decisions.

    Args:
        rules: record array [1], as `load_rules` gives it.
        s: the position, one record.
        viewer: a seat: ``?`` is written for what it does not know; None: everything is given.

    Returns:
        The line; `from_text` turns it back into the same bytes (with a viewer, into the bytes that `hide` leaves).

    Raises:
        ValueError: `viewer` is not a seat of the game.
    """
    check_viewer(rules[0], viewer)
    seen = []
    if viewer is not None:
        s = copy_for_viewer(rules, s, viewer)
        seen = [f"seen:{board.SEAT_NAMES[viewer]}"]
    return " ".join([*time(s), *seen, *tracks(s), *field(s), *hands_and_piles(s), *question_text(s), *chance(s)])


def time(s: Any) -> list[str]:
    """``t5.r3 us stage:end-round``, and how the game ended."""
    tokens = [f"t{s.turn}.r{s.action_round}", board.SEAT_NAMES[s.phasing], f"stage:{state.STAGE_NAMES[s.stage]}"]
    if s.over:
        winner = board.SEAT_NAMES[s.winner] if s.winner >= 0 else "draw"
        tokens.append(f"over:{winner}.{names.ENDING_WORDS[s.ending]}")
    return tokens


def tracks(s: Any) -> list[str]:
    """What is next to the map; what is as at the start is left out."""
    tokens = [f"defcon:{s.defcon}"] if s.defcon != 5 else []
    for name in ("vp", "gained"):
        if s[name]:
            tokens.append(f"{name}:{board.SEAT_NAMES[int(s[name] > 0)]}{abs(int(s[name]))}")
    for name in ("milops", "space", "attempts", "extra_round"):
        if s[name].any():
            tokens.append(f"{name}:{s[name][0]}/{s[name][1]}")
    return tokens + [name for name in ("fell", "fault") if s[name]]


def field(s: Any) -> list[str]:
    """Influence, the USSR's first; then where reach is not what the influence gives."""
    tokens = [
        f"{names.COUNTRY_WORDS[c]}:{s.influence[0, c]}/{s.influence[1, c]}"
        for c in np.flatnonzero(s.influence.any(axis=0))
    ]
    now = reach_of(s)
    for seat, side in enumerate(board.SEAT_NAMES):
        if not s.reach[seat].any():
            tokens.append(f"reach.{side}:none")
        elif (s.reach[seat] != now[seat]).any():
            changed = [
                f"{'-+'[s.reach[seat, c]]}{names.COUNTRY_WORDS[c]}" for c in np.flatnonzero(s.reach[seat] != now[seat])
            ]
            tokens.append(f"reach.{side}:{','.join(changed)}")
    return tokens


def hands_and_piles(s: Any) -> list[str]:
    """Every card that is in neither the draw pile nor the box, and the events in effect."""
    tokens = [f"card:{s.card}"] if s.card else []
    tokens += [f"hand.{side}:{held}" for seat, side in enumerate(board.SEAT_NAMES) if (held := hand(s, seat))]
    tokens += [f"headline.{side}:{headline(s, seat)}" for seat, side in enumerate(board.SEAT_NAMES) if s.headline[seat]]
    for name, place in names.PILES.items():
        lying = np.flatnonzero(s.place == place)
        tokens += [f"{name}:{','.join(map(str, lying))}"] if len(lying) else []
    if s.china or not s.china_up:
        tokens.append(f"china:{board.SEAT_NAMES[s.china]}" + ("" if s.china_up else ".down"))
    in_effect = [lasting_text(int(card), int(s.lasting[card])) for card in np.flatnonzero(s.lasting)]
    return tokens + ([f"lasting:{','.join(in_effect)}"] if in_effect else [])


def hand(s: Any, seat: int) -> str:
    """``7,9!,3?``: ``!`` where the other side knows the card, ``3?`` three others; ``-1?`` if one named is the headline, unknown which."""
    held = [card for card in range(1, cards.CARDS) if s.place[card] == state.HANDS + seat and card != cards.CHINA]
    numbers = [f"{card}{names.KNOWN_SIGN if s.known[1 - seat, card] else ''}" for card in held]
    unknown = int(s.held[seat]) - len(held)
    return ",".join(numbers + ([f"{unknown}{names.UNKNOWN_WORD}"] if unknown else []))


def headline(s: Any, seat: int) -> str:
    """``14``, ``14!`` once it is shown, ``14~`` where the other side knows that this is the headline or in the hand, ``?``."""
    card = s.headline[seat]
    if card == state.UNKNOWN:
        return names.UNKNOWN_WORD
    if s.open_headline[seat]:
        return f"{card}{names.KNOWN_SIGN}"
    return f"{card}{names.KNOWN_BEFORE_SIGN if s.known[1 - seat, card] else ''}"


def lasting_text(card: int, value: int) -> str:
    """``16``, ``31=us``, ``94=asia``, ``50=2``."""
    if card in cards.SIDED:
        return f"{card}={board.SEAT_NAMES[value - 1]}"
    if card == cards.CHERNOBYL:
        return f"{card}={names.REGION_WORDS[value - 1]}"
    return str(card) if value == 1 else f"{card}={value}"


def question_text(s: Any) -> list[str]:
    """What is pending (the last is dealt with first), and what was chosen in it."""
    tokens = [f"ask:{','.join(frame(row) for row in s.question[: s.depth])}"] if s.depth else []
    chosen = [names.COUNTRY_WORDS[c] + (f"*{s.chosen[c]}" if s.chosen[c] > 1 else "") for c in np.flatnonzero(s.chosen)]
    tokens += [f"chosen:{','.join(chosen)}"] if chosen else []
    return tokens + ([f"tally:{s.tally}"] if s.tally else [])


def frame(row: Any) -> str:
    """``add.us.23/left=5/side=us/set=western-europe/cap=1/each=1``: kind, seat, card, and the kind's parts."""
    kind, seat, card = (int(part) for part in row[:3])
    text = f"{frames.KIND_NAMES[kind]}.{board.SEAT_NAMES[seat]}" + (f".{card}" if card != cards.NO_CARD else "")
    for name, column in names.PARTS.get(kind, {}).items():
        value = int(row[column])
        if name in names.PART_WORDS and name != "filter":
            text += f"/{name}={names.PART_WORDS[name][value]}"
        elif value:
            text += f"/{name}={names.PART_WORDS[name][value] if name in names.PART_WORDS else value}"
    return text


def chance(s: Any) -> list[str]:
    """Dice rolled since the last decision, the seed and the generator."""
    dice = ",".join(map(str, s.dice[: s.rolled]))
    told = {"dice": dice, "seed": s.seed, "rng": s.rng}
    return [f"{name}:{value}" for name, value in told.items() if value]
