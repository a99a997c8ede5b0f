"""How inputs are damaged: texts by their words, what lies in JSON by its values, archives by their arrays, anything by its bytes."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from timeline_env.reading import MOST_UNPACKED

Rng = np.random.Generator
Mutate = Callable[[Rng, bytes, Sequence[bytes]], bytes]
"""Gives a damaged input from a good one; all good ones are at hand, since damage is often a part of another input."""

MOST_DAMAGE = 4
"""Places of an input that are damaged at most."""
TOO_LARGE = MOST_UNPACKED + 2**20
"""Bytes of zeros, which pack into little."""
DEEP = "\x1adeep"
"""The placeholder of ten thousand nested lists until the text is written."""
NUMBERS = [
    "-1",
    "0",
    "1",
    "2",
    "7",
    "9",
    "21",
    "99",
    "128",
    "255",
    "256",
    "-129",
    "1000000000",
    "18446744073709551616",
    "1e308",
    "nan",
    "inf",
    "?",
    "2.5",
]
WORDS = [*NUMBERS, "", "x" * 5000, "\0", "é", "\u202e", "٣", "²", "a/b", "../..", "[", "{", '"', "&a [*a]", "!!bool x"]
"""What a word may be replaced by."""
VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 2.5, 10**9, 10**12, 10**30, float("nan"), float("inf"), 1e308, "", "x" * 5000, "\0", "\ud800",
    "../../etc", [], {}, [[]], ["x"] * 5000, list(range(300)), {"x": 1}, {"low": 1, "high": 0}, DEEP,
]  # fmt: skip
"""What a value may be replaced by."""


def _places_damaged(rng: Rng) -> int:
    """How many places of an input are damaged: mostly one, or nearly nothing would be accepted."""
    return min(int(rng.geometric(0.6)), MOST_DAMAGE)


def damaged_bytes(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Some bytes flipped, cut out, doubled, zeroed, or taken from another input."""
    content = bytearray(data)
    for _ in range(_places_damaged(rng)):
        start = int(rng.integers(len(content) + 1))
        stop = min(start + int(rng.geometric(0.05)), len(content))
        other = _choice(rng, others)
        content[start:stop] = _choice(
            rng,
            [
                rng.bytes(stop - start),
                b"",
                bytes(content[start:stop]) * 2,
                bytes(stop - start),
                other[start:stop],
                b"\xff\xfe",
            ],
        )
    return bytes(content[: rng.integers(len(content) + 1)] if rng.random() < 0.1 else content)


def damaged_text(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Some words replaced, doubled, left out or put elsewhere; now and then some bytes."""
    if rng.random() < 0.1:
        return damaged_bytes(rng, data, others)
    pieces = words_of(data)
    for _ in range(_places_damaged(rng)):
        place = int(rng.integers(len(pieces)))
        other = words_of(_choice(rng, others))
        start = int(rng.integers(len(other)))
        pieces[place : place + 1] = _choice(
            rng,
            [
                [_choice(rng, WORDS)],
                [_choice(rng, NUMBERS)],
                [_other_number(rng, pieces[place])],
                [_other_number(rng, pieces[place])],
                [other[start]],
                other[start : start + int(rng.integers(1, 8))],
                [],
                pieces[place : place + 1] * 2,
                [pieces[rng.integers(len(pieces))]],
            ],
        ) or [""]
    return "".join(pieces).encode(errors="surrogatepass")


def words_of(data: bytes) -> list[str]:
    """The words of a text and what is between them; at least one."""
    return re.findall(r"\w+|\W", data.decode(errors="replace")) or [""]


def damaged_position(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Parts of a position left out, taken from another, or with another number: often still a position. Now and then as any text."""
    if rng.random() < 0.2:
        return damaged_text(rng, data, others)
    parts = data.decode().split(" ")
    for _ in range(_places_damaged(rng)):
        place, theirs = int(rng.integers(len(parts))), _choice(rng, others).decode().split(" ")
        name = parts[place].partition(":")[0]
        namesakes = [part for part in theirs if part.partition(":")[0] == name]
        parts[place : place + 1] = _choice(
            rng,
            [
                [_other_number(rng, parts[place])],
                [_other_number(rng, parts[place])],
                [_choice(rng, namesakes or theirs)],
                [parts[place], _choice(rng, theirs)],
                [],
            ],
        )
        parts = parts or [""]
    return " ".join(parts).encode()


def _other_number(rng: Rng, part: str) -> str:
    """The part with one of its numbers a little higher or lower, or another altogether."""
    numbers = [*re.finditer(r"\d+", part)]
    if not numbers:
        return part
    number = _choice(rng, numbers)
    near = max(0, int(number[0]) + _choice(rng, [-1, 1]))
    return f"{part[: number.start()]}{_choice(rng, [near, int(rng.integers(120))])}{part[number.end() :]}"


def damaged_json(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Some values of a JSON text replaced, left out or under another key; now and then some words of the text."""
    if rng.random() < 0.3:
        return damaged_text(rng, data, others)
    return dump(damaged_value(rng, json.loads(data)))


def damaged_value(rng: Rng, value: Any) -> Any:
    """The value with some damage anywhere in it."""
    holder = [json.loads(json.dumps(value))]
    for _ in range(_places_damaged(rng)):
        _damage(rng, *_choice(rng, list(_places(holder))))
    return holder[0] if holder else None


def _places(value: Any) -> Any:
    """Every list or table in the value, the value itself the first, with each index or key."""
    for key in list(value if isinstance(value, dict) else range(len(value))):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _damage(rng: Rng, inside: Any, key: Any) -> None:
    what = rng.integers(10)
    if what == 0 and isinstance(inside, dict):
        inside[_choice(rng, WORDS)] = inside.pop(key)
    elif what == 1 and isinstance(inside, dict):
        del inside[key]
    elif what == 2 and isinstance(inside[key], list) and inside[key]:
        inside[key] *= 2
    elif what >= 7 and isinstance(inside[key], int | float):
        inside[key] += _choice(rng, [-1, 1, 0.5, 256])
    else:
        inside[key] = deepcopy(_choice(rng, VALUES))  # which may be damaged in its turn


def dump(value: Any) -> bytes:
    """The value as JSON, with very deep lists in place of `DEEP`."""
    text = json.dumps(value).replace(json.dumps(DEEP), "[" * 10_000 + "]" * 10_000)
    return text.encode()


def damaged_arrays(rng: Rng, data: bytes, others: Sequence[bytes]) -> bytes:
    """Some arrays of an npz archive of another shape or kind, with other numbers or left out; its text with other values; or some bytes."""
    if rng.random() < 0.2:
        return damaged_bytes(rng, data, others)
    with np.load(io.BytesIO(data)) as archive:
        arrays = dict(archive)
    about = json.loads(str(arrays.pop("about"))) if "about" in arrays else None
    for _ in range(_places_damaged(rng)):
        if about is not None and rng.random() < 0.4:
            about = damaged_value(rng, about)
        elif arrays:
            _damage_array(rng, arrays, _choice(rng, list(arrays)))
    if about is not None:
        arrays["about"] = np.array(dump(about).decode())
    out = io.BytesIO()
    (np.savez if rng.random() < 0.5 else np.savez_compressed)(out, **arrays)
    return out.getvalue()


def _damage_array(rng: Rng, arrays: dict[str, Any], name: str) -> None:
    array = np.array(arrays[name])
    what = rng.integers(9)
    if what == 0:
        del arrays[name]
    elif what == 1:
        arrays[f"weight_{rng.integers(9)}"] = array
    elif what == 2:
        arrays[name] = array.astype(_choice(rng, ["f8", "i1", "U3", "c8", "f2", "?"]))
    elif what == 3:
        arrays[name] = array.reshape(-1, 1) if rng.random() < 0.5 else array.ravel()
    elif what == 4:
        arrays[name] = array[: rng.integers(len(array) + 1)] if array.ndim else array
    elif what == 5:
        rows = _choice(rng, [0, 1, TOO_LARGE // max(array[:1].nbytes, 1)]) if array.ndim else 9
        arrays[name] = np.zeros((rows, *array.shape[1:]), array.dtype)
    elif array.size and array.dtype.kind in "fiu":
        extremes = [np.nan, np.inf, 3e38] if array.dtype.kind == "f" else [0, -1, np.iinfo(array.dtype).max]
        array.reshape(-1)[rng.integers(array.size)] = np.array(_choice(rng, extremes)).astype(array.dtype)
        arrays[name] = array


def _choice(rng: Rng, values: Sequence[Any]) -> Any:
    return values[int(rng.integers(len(values)))]
