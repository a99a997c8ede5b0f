"""A game's position as one numpy record, described line by line."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.jit import PLAIN_PYTHON

Field = tuple[str, str, tuple[int, ...] | int, str]
"""Name, numpy type code, shape (``()`` for a single number), meaning with its unit and range."""


def record(*fields: Field, overlays: dict[str, tuple[str, int] | None] | None = None) -> np.dtype[Any]:
    """Build a record type from its lines.

    Args:
        fields: the lines.
        overlays: more fields, by name, that lie over these: (first, size) is one of `size` bytes over the fields from
            `first` on, so that they can be copied as one block; None is one over the whole record, so that no field can
            be forgotten where all are set to 0.

    Raises:
        ValueError: a field is named twice, or like an attribute of numpy's records, which would hide it in plain Python;
            or a wide field comes after a narrow one, which would leave a gap.
    """
    overlays = overlays or {}
    names = [name for name, *_ in fields] + list(overlays)
    for name in names:
        if names.count(name) > 1 or hasattr(np.record, name):
            raise ValueError(f"field {name!r} of a record: the name is taken; choose another")
    lines: list[Any] = [(name, code, shape) if shape != () else (name, code) for name, code, shape, _ in fields]
    # Numpy copies fields and not what lies between them: without gaps, copies are equal byte for byte.
    gap = np.dtype(lines, align=True).itemsize - np.dtype(lines).itemsize
    lines += [("filler", "i1", gap)] if gap else []
    plain: Any = np.dtype(lines, align=True)
    if plain.itemsize != np.dtype(lines).itemsize:
        raise ValueError(f"record of {', '.join(names)}: put the widest fields first, so that no gaps are left")
    formats, offsets = zip(*(plain.fields[name][:2] for name in plain.names), strict=True)
    blocks = [block or (plain.names[0], plain.itemsize) for block in overlays.values()]
    description: Any = {
        "names": [*plain.names, *overlays],
        "formats": [*formats, *(("i1", (size,)) for _, size in blocks)],
        "offsets": [*offsets, *(plain.fields[first][1] for first, _ in blocks)],
        "itemsize": plain.itemsize,
    }
    return np.dtype(description, align=True)


class _PlainArray(np.ndarray):
    """An array in a record, in plain Python: what is read out of it is a Python int, as wide as compiled code's."""

    def __getitem__(self, index: Any) -> Any:
        value = super().__getitem__(index)
        return int(value) if isinstance(value, np.signedinteger) else value


class _PlainRecord(np.record):  # type: ignore[misc]
    """A record in plain Python. Numpy would compute with the field's own width: int8 + 200 would be an error."""

    def __getattribute__(self, name: str) -> Any:
        try:  # a field: no other attribute has its name, and numpy's own way there takes five times as long
            value = np.void.__getitem__(self, name)
        except (ValueError, IndexError):
            return super().__getattribute__(name)
        if isinstance(value, np.ndarray):
            return value.view(_PlainArray)
        return int(value) if isinstance(value, np.signedinteger) else value


class _PlainRecords(np.ndarray):
    """Records in plain Python; ``np.recarray`` insists on its own kind of record."""

    def __getattr__(self, name: str) -> Any:
        if name in (self.dtype.names or ()):
            return self[name].view(np.ndarray)
        raise AttributeError(name)


def new(dtype: np.dtype[Any], count: int = 1) -> np.recarray[Any, Any]:
    """`count` records of zeros, with attribute access in plain Python."""
    return make_readable(np.zeros(count, dtype))


def make_readable(records: np.ndarray[Any, Any]) -> np.recarray[Any, Any]:
    """The same records, without a copy, with fields as attributes: the form in which rules take them in plain Python."""
    if PLAIN_PYTHON:
        return records.view(np.dtype((_PlainRecord, records.dtype))).view(_PlainRecords)  # type: ignore[return-value]
    return records.view(np.recarray)


def take(records: np.ndarray[Any, Any], rows: NDArray[np.int64]) -> np.recarray[Any, Any]:
    """Copies of these rows of the records, with attribute access in plain Python."""
    # As plain bytes: numpy would copy field by field, what lies under an overlay twice.
    plain = np.ascontiguousarray(records).view(np.dtype((np.void, records.dtype.itemsize)))
    return make_readable(plain[rows].view(records.dtype))


def digest(records: np.ndarray[Any, Any]) -> str:
    """A hash of the records' bytes: equal positions have equal digests on every machine."""
    return hashlib.sha256(np.ascontiguousarray(records).tobytes()).hexdigest()[:16]
