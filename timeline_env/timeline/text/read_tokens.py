"""Reading the tokens of a position's text, one function a token. Each raises ValueError for what is not allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from timeline_env.engine.notation import parse_integer
from timeline_env.reading import unknown_name
from timeline_env.timeline import board, state
from timeline_env.timeline.text import names
from timeline_env.timeline.text.names import artifact_named, card_named, node_named, pile_names, seat_named

ASKED = {
    state.DISPLACED: "aside",
    state.ATTACK_TICK: "tick",
    state.ATTACK_CROSS: "cross",
    state.SUPPORT: "support",
    state.LINKS: "links",
}
"""Names of the questions other than the turn itself."""
ASKED_BY = {
    state.ATTACK_TICK: state.ATTACKING,
    state.ATTACK_CROSS: state.ATTACKING,
    state.SUPPORT: state.SUPPORTING,
    state.LINKS: state.LOGISTIC,
}
"""The event that asks the question; it is in the node of the pawn of the player who is asked."""

Reader = Callable[[Any, Any, str], None]
"""Takes the numbers of the game, the position to be written, and the text after the token's colon."""


def read_phase(rules: Any, s: Any, value: str) -> None:
    phase, _, lap = value.partition(".")
    s.phase = parse_integer(phase, 0, board.RADII - 1, "phase")
    s.lap = parse_integer(lap, 0, int(rules.rounds[s.phase]), "rounds completed")


def read_first(rules: Any, s: Any, value: str) -> None:
    s.first = seat_named(rules, value)


def push(s: Any, kind: int, seat: int, value: int = 0) -> None:
    """`questions.push`, which compiled code alone can call on a record."""
    s.question[s.depth] = (kind, seat, value)
    s.depth += 1


def read_turn(rules: Any, s: Any, value: str) -> None:
    push(s, state.TURN, seat_named(rules, value))


def read_au(rules: Any, s: Any, value: str) -> None:
    s.au = parse_integer(value, 0, state.MOST_AU, "action units")


def read_realizing(rules: Any, s: Any, value: str) -> None:
    s.realizing = node_named(value)


def read_ask(rules: Any, s: Any, value: str) -> None:
    kinds = {name: kind for kind, name in ASKED.items()}
    for part in value.split(","):
        name, _, rest = part.partition(".")
        colour, *edges = rest.split("+")
        if name not in kinds:
            raise ValueError(
                f"question {part!r} is unknown; allowed: {', '.join(kinds)} with a colour, such as aside.y"
            )
        if s.depth == len(s.question):
            raise ValueError(f"at most {len(s.question)} questions can be pending")
        push(s, kinds[name], seat_named(rules, colour), edge_bits(kinds[name], edges))


def edge_bits(kind: int, edges: list[str]) -> int:
    """A bit for each edge that the organizer of a logistic event has reinforced without a mark (R4)."""
    if edges and kind != state.LINKS:
        raise ValueError(f"edges {'+'.join(edges)!r} belong to the question links alone")
    if len({*edges} & {*names.COMPASS}) < len(edges):
        raise ValueError(
            f"edges {'+'.join(edges)!r} must be different ones out of {' '.join(names.COMPASS)}, such as links.y+N+SE"
        )
    return sum(1 << names.COMPASS.index(edge) for edge in edges)


def flag(field: str) -> Reader:
    """The reader of a token without a value."""

    def read_flag(rules: Any, s: Any, value: str) -> None:
        if value:
            raise ValueError(f"{field} must have no value")
        s[field] = 1

    return read_flag


def word(field: str) -> Reader:
    """The reader of a token whose value is a number of 64 bits."""

    def read_word(rules: Any, s: Any, value: str) -> None:
        s[field] = parse_integer(value, 0, 2**64 - 1, field)

    return read_word


def read_reinforced(rules: Any, s: Any, value: str) -> None:
    for part in value.split(","):
        match = re.fullmatch(r"([0-9.]+)([NESW]+)\+([1-4])", part)
        if not match or match[2] not in names.COMPASS:
            raise ValueError(
                f"reinforcement {part!r} must be a node, a direction out of {' '.join(names.COMPASS)}, and +1 to +4, such as 2.5SE+1"
            )
        node, direction = node_named(match[1]), names.COMPASS.index(match[2])
        other = board.NEIGHBOUR[node, direction]
        if other < 0:
            raise ValueError(f"reinforcement {part!r}: nothing lies beyond the edge")
        if s.reinforcement[direction, node]:
            raise ValueError(f"reinforcement {part!r}: duplicate junction")
        s.reinforcement[direction, node] = int(match[3])
        s.reinforcement[(direction + 3) % board.DIRECTIONS, other] = int(match[3])


def read_deck(rules: Any, s: Any, value: str) -> None:
    found = pile_names(value)
    if len(found) > rules.deck_size:
        raise ValueError(f"{len(found)} cards; at most {rules.deck_size} are allowed")
    for i, name in enumerate(reversed(found)):
        s.deck[rules.deck_size - 1 - i] = deck_card(rules, name)
    s.drawn = rules.deck_size - len(found)


def read_discarded(rules: Any, s: Any, value: str) -> None:
    found = pile_names(value)
    if len(found) > s.drawn:
        raise ValueError(f"{len(found)} cards; at most the {s.drawn} that have left the deck are allowed")
    for i, name in enumerate(found):
        s.deck[i] = deck_card(rules, name)
    s.discarded = len(found)


def read_bag(rules: Any, s: Any, value: str) -> None:
    found = pile_names(value)
    if len(found) > rules.bag_size:
        raise ValueError(f"{len(found)} tokens; at most {rules.bag_size} are allowed")
    for i, name in enumerate(reversed(found)):
        s.bag[rules.bag_size - 1 - i] = state.BLANK if name in (names.UNKNOWN, "blank") else artifact_named(name)
    s.bag_drawn = rules.bag_size - len(found)


def deck_card(rules: Any, name: str) -> int:
    """The deck card of this name, or the unknown one."""
    if name in names.SPECIAL:
        raise ValueError(f"card {name!r} is not a card of the deck")
    return state.NO_CARD if name == names.UNKNOWN else card_named(rules, name)


READERS: dict[str, Reader] = {
    "phase": read_phase,
    "first": read_first,
    "turn": read_turn,
    "au": read_au,
    "winged": flag("winged"),
    "realizing": read_realizing,
    "ask": read_ask,
    "over": flag("over"),
    "fault": flag("fault"),
    "reinforced": read_reinforced,
    "deck": read_deck,
    "discarded": read_discarded,
    "bag": read_bag,
    "seed": word("seed"),
    "rng": word("rng"),
}
"""In the order in which they are read: the turn lies below the other questions, and the deck comes before what has left it."""


def read_player(rules: Any, s: Any, seat: int, value: str) -> None:
    """``2.5/energy=13/hand=7o,atk``."""
    node, *parts = value.split("/")
    s.pawn[seat] = node_named(node)
    for name, text in pairs(parts, PLAYER_READERS):
        PLAYER_READERS[name](rules, s, seat, text)


def pairs(parts: list[str], known: Iterable[str]) -> list[tuple[str, str]]:
    """Parts ``name=text`` as pairs; every name is known and given once."""
    found = [(part.partition("=")[0], part.partition("=")[2]) for part in parts]
    given = [name for name, _ in found]
    for name in given:
        if name not in known:
            raise unknown_name("part", name, known)
        if given.count(name) > 1:
            raise ValueError(f"duplicate {name}")
    return found


def read_energy(rules: Any, s: Any, seat: int, text: str) -> None:
    s.energy[seat] = parse_integer(text, 0, int(rules.most_energy), "energy")


def read_points(rules: Any, s: Any, seat: int, text: str) -> None:
    s.points[seat] = parse_integer(text, -state.MOST_POINTS, state.MOST_POINTS, "points")


def read_gained(rules: Any, s: Any, seat: int, text: str) -> None:
    s.gained[seat] = parse_integer(text, -state.MOST_POINTS, state.MOST_POINTS, "gained")


def read_notes(rules: Any, s: Any, seat: int, text: str) -> None:
    notes = text.split(",")
    if len(notes) != len(s.note):
        raise ValueError(f"notes {text!r} must be {len(s.note)} numbers, one for each of the phases 1 to 4")
    for phase, note in enumerate(notes):
        s.note[phase, seat] = parse_integer(note, -state.MOST_POINTS, state.MOST_POINTS, "note")


def read_hand(rules: Any, s: Any, seat: int, text: str) -> None:
    found = pile_names(text)
    flexible = [card_named(rules, name) - state.ATTACKING for name in found if name in names.SPECIAL]
    cards = [name for name in found if name not in names.SPECIAL]
    if len(cards) > rules.most_cards:
        raise ValueError(f"hand {text!r} has {len(cards)} deck cards; at most {rules.most_cards} are allowed")
    if len(flexible) > len({*flexible} & {*range(state.FLEXIBLE_KINDS)}):
        raise ValueError(f"hand {text!r}: of {', '.join(names.SPECIAL[: state.FLEXIBLE_KINDS])} each may be in it once")
    for place, name in enumerate(cards):
        s.hand[seat, place] = deck_card(rules, name)
    s.held[seat] = len(cards)
    s.flexible[seat, flexible] = 1


def read_artifacts(rules: Any, s: Any, seat: int, text: str) -> None:
    found = pile_names(text)
    if len(found) > rules.most_kept:
        raise ValueError(f"artifacts {text!r} are {len(found)}; at most {rules.most_kept} are allowed (T14)")
    for name in found:
        s.artifact[seat, artifact_named(name)] += 1


def read_pledge(rules: Any, s: Any, seat: int, text: str) -> None:
    named = seat_named(rules, text)
    if rules.num_players == 2 or not rules.pledges:
        raise ValueError(f"pledge {text!r}: nobody pledges in this game (T28)")
    if named == seat:
        raise ValueError(f"pledge {text!r}: a player names another (T28)")
    s.pledge[seat] = named


PLAYER_READERS: dict[str, Callable[[Any, Any, int, str], None]] = {
    "energy": read_energy,
    "points": read_points,
    "notes": read_notes,
    "hand": read_hand,
    "artifacts": read_artifacts,
    "pledge": read_pledge,
    "gained": read_gained,
}
