"""Safe reading of files from anywhere.

Every file is read through this module: its size, how deeply it is nested and how often it repeats itself are checked before
anything is built from it, no code in it is run, and whatever is wrong with it becomes a one-line ValueError that names the file.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import MISSING, fields
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import numpy as np

from timeline_env.extras import require

if TYPE_CHECKING:
    from pydantic import BaseModel

T = TypeVar("T")
M = TypeVar("M", bound="BaseModel")

MOST_TEXT = 16 * 2**20
"""The most bytes of a text; no file of ours comes near."""
MOST_SETTINGS = 30_000
"""The most bytes of a YAML or TOML text, whose parsers are slow."""
MOST_DEPTH = 50
"""How deeply lists and tables may be nested."""
MOST_VALUES = 100_000
"""The most values in a YAML text, where an alias counts as everything that it expands to."""
MOST_BITS = 64
"""The most bits of an integer."""
MOST_UNPACKED = 64 * 2**20
"""Bytes that any archive may unpack to; a large one may unpack to `MOST_UNPACKED_TIMES` times its own size."""
MOST_UNPACKED_TIMES = 100
PIECE = 2**20
"""Bytes of a file that are read at a time."""
MOST_SHOWN = 200
"""The most characters of a value, or of another library's words, in a message."""

MOST_LISTED = 1000
"""The most characters of a list of everything that is wrong."""


def cut(text: str, most: int = MOST_SHOWN) -> str:
    """The text, cut off after `most` characters if it is longer."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def quote(value: Any, most: int = MOST_SHOWN) -> str:
    """A value from outside as a message quotes it: in one line, cut off after `most` characters."""
    try:
        return cut(re.sub(r"\s*\n\s*", " ", repr(value)), most)
    except (RecursionError, ValueError):  # Python refuses to write out a number of thousands of digits
        return f"a {type(value).__name__} that cannot be written"


def check_integer(name: str, value: Any, least: int, most: int | None = None, others: str = "") -> int:
    """The value as an int; `others` are words for what else is allowed.

    Raises ValueError if it is not an integer of at least `least` and, if that is given, at most `most`.
    """
    fits = isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= least
    if not fits or (most is not None and value > most):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most:,}"
        raise ValueError(f"{name} {quote(value)} must be an integer {allowed}{others}")
    return int(value)


def check_number(name: str, value: Any, least: float, most: float) -> float:
    """The value as a float. Raises ValueError if it is not a number from `least` to `most`."""
    is_number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:
        raise ValueError(f"{name} {quote(value)} must be a number from {least} to {most}")
    return float(value)


def as_list(values: Any) -> list[Any] | None:
    """The values in their order; None for a text, for a set, whose order is another in each process, and for what holds no values."""
    if isinstance(values, str | bytes | Set | None):
        return None
    try:
        return list(values)
    except TypeError:
        return None


def check_players(names: Sequence[str], least: int, what: str = "players") -> None:
    """Raises ValueError, which says `what` they are, unless at least `least` players (one or two) are named, each once."""
    if len(names) < least or len(set(names)) < len(names):
        raise ValueError(
            f"{what} {quote(' '.join(names))} must be at least {('one', 'two')[least - 1]}, each named once"
        )


def unknown_name(what: str, name: Any, known: Iterable[str]) -> ValueError:
    """The error for a name that is not among those known; it lists these and suggests the one that may be meant."""
    names = list(known)
    return ValueError(f"{what} {quote(name)} is unknown{nearest_hint(name, names)}; allowed: {', '.join(names)}")


def nearest_hint(name: Any, known: Iterable[str]) -> str:
    """`` (did you mean 'projector'?)``: the known name that is most like this one; empty if none is similar enough."""
    found = get_close_matches(name[:MOST_SHOWN], known, 1) if isinstance(name, str) else ()
    return f" (did you mean {found[0]!r}?)" if found else ""


def flatten(error: BaseException) -> str:
    """Another library's error message in one line."""
    return cut(" ".join(str(error).split()) or type(error).__name__)


@contextmanager
def label_errors(label: str) -> Iterator[None]:
    """Wrap the reading of a file: whatever is wrong becomes a ValueError that begins with `label`."""
    try:
        yield
    except FileNotFoundError as error:
        path = Path(error.filename or "")
        beside = [each.name for each in path.parent.glob("*")]
        raise ValueError(f"{label}: {error.strerror}{nearest_hint(path.name, beside)}") from None
    except OSError as error:
        raise ValueError(f"{label}: {error.strerror or error}") from None
    except ValueError as error:
        raise ValueError(f"{label}: {error}") from None


def read_text(path: Path, label: str, most: int = MOST_TEXT) -> str:
    """The text (UTF-8) of a file of at most `most` bytes. Raises ValueError, which begins with `label`, for any other file."""
    with label_errors(label):
        return _text(path, most)


def read_json(path: Path, label: str) -> Any:
    """What a JSON file holds. Raises ValueError, which begins with `label`, as `json_in` does."""
    with label_errors(label):
        return json_in(_text(path, MOST_TEXT))


def read_yaml(path: Path, label: str) -> Any:
    """What a YAML file holds. Raises ValueError, which begins with `label`, as `yaml_in` does."""
    with label_errors(label):
        return yaml_in(_text(path, MOST_SETTINGS))


def read_toml(path: Path, label: str) -> dict[str, Any]:
    """What a TOML file holds. Raises ValueError, which begins with `label`, if it is not one or is nested too deeply."""
    with label_errors(label):
        return _parse(tomllib.loads, _text(path, MOST_SETTINGS))


def read_rows(path: Path, label: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a CSV file. Raises ValueError, which begins with `label`, as `rows_in` does."""
    with label_errors(label):
        return rows_in(_text(path, MOST_TEXT), columns)


def read_arrays(path: Path, label: str, take: Callable[[Any], T]) -> T:
    """What `take` makes of an npz file's arrays, which it is given by name; no code in the file is run.

    Raises:
        ValueError: the file is not one, would unpack to far more than its size, or `take` failed; the message begins with `label`.
    """
    with label_errors(label):
        check_archive(path, "npz archive")  # of other files numpy says that they may be pickled, and how to load them
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return take(arrays)
        except Exception as error:  # numpy and zipfile document no types of errors: a broken file fails in many ways
            raise ValueError(flatten(error)) from None


def check_archive(path: Path, kind: str) -> None:
    """Raise ValueError if the file is not a zip archive, or would unpack to far more than its size; OSError if it cannot be read."""
    with path.open("rb") as file:
        if not zipfile.is_zipfile(file):
            raise ValueError(f"it is not a valid {kind}")
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except Exception as error:  # zipfile reports a damaged table of contents in many ways
        raise ValueError(f"it is not a valid {kind}: {flatten(error)}") from None
    most = max(MOST_UNPACKED, MOST_UNPACKED_TIMES * path.stat().st_size)
    if unpacked > most:
        raise ValueError(f"it would unpack to {unpacked:,} bytes; at most {most:,} are allowed for a file of its size")


def check_sums(path: Path) -> None:
    """Raise ValueError if a checksum in a zip archive does not match: for a reader that does not check them."""
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    except Exception as error:  # zipfile reports a damaged entry in many ways
        raise ValueError(f"it is damaged: {flatten(error)}") from None
    if damaged:
        raise ValueError(f"it is damaged: the checksum of {quote(damaged)} does not agree")


def json_in(text: str) -> Any:
    """What a JSON text holds.

    Raises:
        ValueError: it is not JSON, is nested deeper than `MOST_DEPTH`, has a key twice, or holds an integer of more than `MOST_BITS` bits.
    """
    return _parse(partial(json.loads, object_pairs_hook=_table), text)


def yaml_in(text: str) -> Any:
    """What a YAML text holds; no code in it is run.

    Raises:
        ValueError: it is not YAML, goes beyond the limits of `json_in`, or holds more than `MOST_VALUES` values once its aliases
            are expanded.
    """
    yaml = require("yaml", "eval")  # which 'train' contains

    def parse(text: str) -> Any:
        try:
            for check in (_check_events, _check_keys):
                check(yaml, yaml.parse(text, yaml.SafeLoader))
            return yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise ValueError(flatten(error)) from None

    return _parse(parse, text)


def rows_in(text: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a CSV text by column; a cell that a row lacks is empty. Raises ValueError if its columns are not `columns`."""
    rows = csv.DictReader(io.StringIO(text, newline=""), restval="")
    try:
        if rows.fieldnames != list(columns):
            raise ValueError(
                f"the columns must be {','.join(columns)}, not {cut(' '.join(','.join(rows.fieldnames or []).split()))}"
            )
        return list(rows)
    except csv.Error as error:
        raise ValueError(f"line {rows.line_num + 1}: {error}") from None


def read_weights(
    path: Path, label: str, columns: Sequence[str], names: Sequence[tuple[str, ...]]
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The weights of a CSV file with these columns, which name each, and a last one, ``weight``; float64, in the order of `names`.

    What the file does not name weighs 0: a feature that is new is not fitted yet.

    Raises:
        ValueError: the file has other columns, names what is not among `names` or is named already, or a weight is not a finite
            number; the message begins with `label`.
    """
    found = dict.fromkeys(names, 0.0)
    left = set(names)
    for row in read_rows(path, label, (*columns, "weight")):
        name = tuple(row[column] for column in columns)
        told = f"{label}: {' '.join(map(quote, name))}"
        if name not in left:
            raise ValueError(f"{told} is {'named twice' if name in found else 'unknown'}")
        left.remove(name)
        try:
            found[name] = float(row["weight"])
        except ValueError:
            found[name] = math.nan
        if not math.isfinite(found[name]):
            raise ValueError(f"{told}: weight {quote(row['weight'])} must be a finite number")
    return np.array(list(found.values()))


def table_of(content: Any, label: str, *keys: str) -> dict[str, Any]:
    """The content itself, if it is a table with at least these keys. Raises ValueError, which begins with `label`, if not."""
    if not isinstance(content, dict) or not content.keys() >= set(keys):
        wanted = f"a table with the keys {', '.join(keys)}" if keys else "a table"
        raise ValueError(f"{label}: it must be {wanted}, not {quote(content)}")
    return content


def required_keys(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a dataclass that have no default: the keys that a table for it must have."""
    return tuple(f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING)


def validate(model: type[M], content: Any) -> M:
    """What a pydantic model makes of the content. Raises ValueError that says in one line everything that is wrong with it."""
    from pydantic import ValidationError  # whoever has a model has pydantic

    try:
        return model.model_validate(content)
    except ValidationError as error:
        wrong = dict.fromkeys(_explain(model, detail) for detail in error.errors())
        raise ValueError(cut("; ".join(wrong), MOST_LISTED)) from None


def _explain(model: Any, detail: Any) -> str:
    """One of pydantic's errors, in our own words where those say more."""
    key = ".".join(map(str, detail["loc"]))
    if detail["type"] == "extra_forbidden":
        *path, _ = detail["loc"]
        fields = _kind_at(model, path).model_fields
        return str(unknown_name("key", key, [".".join([*map(str, path), name]) for name in fields]))
    if detail["type"] == "literal_error":
        return str(unknown_name(key, detail["input"], map(str, get_args(_kind_at(model, detail["loc"])))))
    if detail["type"] == "missing":
        return f"the key {key!r} is missing"
    return f"{key} {quote(detail['input'])}: {detail['msg'][0].lower()}{detail['msg'][1:]}".lstrip()


def _kind_at(kind: Any, path: Iterable[Any]) -> Any:
    """The type that a pydantic model gives the value at this path: a field has its own, all values in a container share one."""
    for part in path:
        if hasattr(kind, "model_fields"):
            kind = kind.model_fields[part].annotation
        else:
            kind = [each for each in get_args(kind) if each is not Ellipsis][-1]
    return kind


def _text(path: Path, most: int) -> str:
    content = bytearray()
    with path.open("rb") as file:
        # Asked for everything at once, Python would allocate `most` bytes.
        while len(content) <= most and (piece := file.read(PIECE)):
            content += piece
    if len(content) > most:
        raise ValueError(f"it is longer than {most:,} bytes")
    return content.decode("utf-8-sig")  # some editors write a byte-order mark at the beginning


def _parse(parse: Callable[[str], T], text: str) -> T:
    """What `parse` makes of a text, if that is allowed. The libraries' parsers call themselves for every level of nesting."""
    try:
        content = parse(text)
    except RecursionError:
        raise ValueError(f"it is nested deeper than {MOST_DEPTH}") from None
    except (AttributeError, KeyError, TypeError, OverflowError) as error:  # from PyYAML, for ``!!bool x`` and the like
        raise ValueError(f"a value in it is of another kind than it says: {flatten(error)}") from None
    _check(content)
    return content


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON table. Raises ValueError if it has a key twice; Python would take the last of its values."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{quote(key)} in it is given twice")
        found[key] = value
    return found


def _check(content: Any) -> None:
    """Check every value of what was read; without recursion, which too deep a nesting would break."""
    waiting: list[tuple[Any, int]] = [(content, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > MOST_DEPTH:
            raise ValueError(f"it is nested deeper than {MOST_DEPTH}")
        if isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise ValueError(f"an integer in it has more than {MOST_BITS} bits")
        if isinstance(value, dict):
            waiting += [(each, depth + 1) for pair in value.items() for each in pair]
        elif isinstance(value, list | tuple | set):
            waiting += [(each, depth + 1) for each in value]


def _check_events(yaml: Any, events: Iterable[Any]) -> None:
    """Raise ValueError, before anything is built, if what these events of PyYAML's parser describe is nested too deeply or too large."""
    sizes: dict[str, int] = {}  # of what an alias of each anchor expands to
    # The anchor and the size so far of everything that has not ended yet.
    within: list[tuple[str | None, int]] = [(None, 0)]
    for event in events:
        if isinstance(event, yaml.CollectionStartEvent):
            within.append((event.anchor, 1))
            if len(within) > MOST_DEPTH + 1:
                raise ValueError(f"it is nested deeper than {MOST_DEPTH}")
            continue
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, size = within.pop()
        elif isinstance(event, yaml.AliasEvent):
            if any(event.anchor == anchor for anchor, _ in within):
                raise ValueError(f"{cut(event.anchor)!r} in it holds itself")
            anchor, size = None, sizes.get(event.anchor, 0)  # an alias without an anchor is refused by PyYAML itself
        elif isinstance(event, yaml.ScalarEvent):
            anchor, size = event.anchor, 1
        else:
            continue
        if anchor is not None:
            sizes[anchor] = size
        outer, so_far = within[-1]
        within[-1] = outer, so_far + size
        if so_far + size > MOST_VALUES:
            raise ValueError(f"it holds more than {MOST_VALUES:,} values, with what its aliases expand to")


def _check_keys(yaml: Any, events: Iterable[Any]) -> None:
    """Raise ValueError if one of these events' tables has a key twice; PyYAML would take the last of its values."""
    loader = yaml.SafeLoader("")
    # For everything that has not ended yet: keys and values in turn, each as its kind and text.
    within: list[list[Any]] = [[]]
    for event in events:
        if isinstance(event, yaml.ScalarEvent):
            kind = event.tag or loader.resolve(yaml.ScalarNode, event.value, event.implicit)
            within[-1].append((kind, event.value))
        elif isinstance(event, yaml.NodeEvent):  # neither a text nor a number
            within[-1].append(None)
        if isinstance(event, yaml.CollectionStartEvent):
            within.append([])
        elif isinstance(event, yaml.CollectionEndEvent):
            keys = [key for key in within.pop()[::2] if key not in (None, ("tag:yaml.org,2002:merge", "<<"))]
            if isinstance(event, yaml.MappingEndEvent) and len(set(keys)) < len(keys):
                _, text = next(key for key in keys if keys.count(key) > 1)
                raise ValueError(f"{quote(text)} in it is given twice")
