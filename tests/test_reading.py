"""Files from anywhere: what is damaged, too large or too deep is refused in one line that names the file, before anything is built of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
import pytest
from pydantic import BaseModel, ConfigDict

from timeline_env import reading
from timeline_env.extras import MissingExtra
from timeline_env.files import (
    check_writable,
    new_folder,
    partial_of,
    remove_partial_of,
    write_file,
    write_json,
    write_text,
)
from timeline_env.reading import (
    MOST_DEPTH,
    MOST_SHOWN,
    check_archive,
    quote,
    read_arrays,
    read_json,
    read_rows,
    read_text,
    read_toml,
    read_weights,
    read_yaml,
    unknown_name,
    validate,
)

LABEL = "some file"
READERS: dict[str, Callable[[Path], Any]] = {
    "text": lambda path: read_text(path, LABEL),
    "json": lambda path: read_json(path, LABEL),
    "yaml": lambda path: read_yaml(path, LABEL),
    "toml": lambda path: read_toml(path, LABEL),
    "rows": lambda path: read_rows(path, LABEL, ["a", "b"]),
    "weights": lambda path: read_weights(path, LABEL, ["a", "b"], [("1", "x"), ("2", "x")]),
    "arrays": lambda path: read_arrays(path, LABEL, dict),
}

LAUGHS = 'a: &a ["lol","lol","lol","lol","lol","lol","lol","lol","lol"]\n' + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
"""Nine aliases of nine aliases of nine …: some hundred million values in some 300 bytes."""


def refusal(reader: str, path: Path) -> str:
    with pytest.raises(ValueError, match=f"^{LABEL}: ") as caught:
        READERS[reader](path)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 3 * MOST_SHOWN
    return message


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_not_there_or_a_folder_is_named(reader: str, tmp_path: Path) -> None:
    refusal(reader, tmp_path / "none")
    refusal(reader, tmp_path)


@pytest.mark.parametrize("reader", [name for name in READERS if name != "arrays"])
def test_another_encoding_and_another_size_are_named(
    reader: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes('{"a": "Zürich"}'.encode("latin-1"))
    assert "codec can't decode" in refusal(reader, path)
    for size in ("MOST_TEXT", "MOST_SETTINGS"):
        monkeypatch.setattr(reading, size, 1000)
    monkeypatch.setattr(read_text, "__defaults__", (1000,))
    path.write_text(" " * 1001)
    assert "longer than 1,000 bytes" in refusal(reader, path)


def test_a_short_text_takes_little_memory_however_long_it_may_be(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("short")
    tracemalloc.start()
    try:
        assert read_text(tmp_path / "short", LABEL, 2**30) == "short"
        assert tracemalloc.get_traced_memory()[1] < 2**22
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("deep", [MOST_DEPTH + 1, 5_000])
@pytest.mark.parametrize(
    ("reader", "begin", "end"),
    [("json", "[", "]"), ("json", '{"a":', "}"), ("yaml", "[", "]"), ("yaml", "- ", ""), ("toml", "a = [", "]"), ("toml", "a.", "")],
)  # fmt: skip
def test_deep_nesting_is_refused(reader: str, begin: str, end: str, deep: int, tmp_path: Path) -> None:
    path, inner = tmp_path / "file", {"a = [": "", "a.": "a = 1"}.get(begin, "1")
    first, rest = ("a = [", "[") if begin == "a = [" else (begin, begin)
    path.write_text(first + rest * (deep - 1) + inner + end * deep)
    assert f"nested deeper than {MOST_DEPTH}" in refusal(reader, path)
    path.write_text(first + rest * 9 + inner + end * 10)
    READERS[reader](path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LAUGHS, "more than 100,000 values, with what its aliases expand to"),
        ("&a [*a]", "'a' in it holds itself"),
        ("a: *b", "undefined alias"),
        ("!!bool x", "of another kind than it says"),
        ("!!timestamp x", "of another kind than it says"),
        ("a: 0x" + "f" * 5000, "more than 64 bits"),
        ("!!python/object:os.system x", "could not determine a constructor"),
        ("a: b: c", "mapping values are not allowed"),
        ("- a: {b: 1, c: {b: 2}, b: 3}", "'b' in it is given twice"),
        ('b: 1\n"b": 2', "'b' in it is given twice"),
    ],
)
def test_a_yaml_text_that_is_none_or_too_much_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    assert message in refusal("yaml", tmp_path / "file")


def test_without_yaml_the_smaller_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[eval\]'"):
        reading.yaml_in("a: 1")


def test_weights_come_in_the_order_of_their_names_and_0_for_a_name_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a,b,weight\n2,x,-0.5\n")
    assert READERS["weights"](tmp_path / "file").tolist() == [0, -0.5]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("9,x,1", "'9' 'x' is unknown"),
        ("2,x,1", "'2' 'x' is named twice"),
        ("1,x,nan", "'1' 'x': weight 'nan' must be a finite number"),
        ("1,x,much", "'1' 'x': weight 'much' must be a finite number"),
        ("1,x", "'1' 'x': weight '' must be a finite number"),
    ],
)
def test_a_weight_that_is_none_is_told(row: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(f"a,b,weight\n2,x,-0.5\n{row}\n")
    assert message in refusal("weights", tmp_path / "file")


def test_a_key_that_json_has_twice_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text('[{"a": 1, "b": {"a": 2}}, {"b": {"c": 3, "c": 4}}]')
    assert "'c' in it is given twice" in refusal("json", tmp_path / "file")


@pytest.mark.parametrize(("reader", "text"), [("json", '{"a": 1}'), ("yaml", "a: 1"), ("toml", "a = 1")])
def test_a_byte_order_mark_at_the_beginning_is_no_fault(reader: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text, encoding="utf-8-sig")
    assert READERS[reader](tmp_path / "file") == {"a": 1}


def test_aliases_are_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(
        "x: &x {a: 1}\ny: [*x, *x]\nz: {<<: *x, b: 2}\nw:\n  <<: *x\n  <<: *x\n  1: c\n  '1': d\n"
    )
    assert read_yaml(tmp_path / "file", LABEL) == {
        "x": {"a": 1},
        "y": [{"a": 1}] * 2,
        "z": {"a": 1, "b": 2},
        "w": {"a": 1, 1: "c", "1": "d"},
    }


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        ("json", "{", "Expecting property name"),
        ("json", '{"a": 18446744073709551616}', "more than 64 bits"),
        ("json", "9" * 5000, "4300 digits"),
        ("toml", "a = ", "Invalid value"),
        ("toml", "a = 0x" + "f" * 5000, "more than 64 bits"),
        ("rows", "a,b,c\n1,2,3\n", "the columns must be a,b, not a,b,c"),
        ("rows", "", "the columns must be a,b, not "),
        ("rows", "a,b\n1,2\n3," + "x" * 131_073 + "\n", "line 3: field larger than field limit"),
    ],
)
def test_what_a_text_cannot_be_is_named(reader: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    assert message in refusal(reader, tmp_path / "file")


def test_an_archive_that_unpacks_to_far_more_than_it_is_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "zeros.npz"
    np.savez_compressed(path, weights=np.zeros(10**8, np.int8))
    assert path.stat().st_size < 200_000
    assert "would unpack to 100,000,128 bytes" in refusal("arrays", path)
    with zipfile.ZipFile(tmp_path / "large.npz", "w") as archive:
        archive.writestr("weights.npy", bytes(10**8))
    check_archive(tmp_path / "large.npz", "archive")  # a hundred million bytes are fine if the file has as many


def test_what_fails_while_arrays_are_taken_names_the_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "file.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match=r"^some file: 'b is not a file in the archive'$"):
        read_arrays(tmp_path / "file.npz", LABEL, lambda arrays: arrays["b"])


def test_a_quoted_value_is_cut() -> None:
    assert quote("abc") == "'abc'"
    assert quote("x" * 10**6) == "'" + "x" * (MOST_SHOWN - 1) + "… (1,000,002 characters)"
    nested: Any = []
    for _ in range(10**5):
        nested = [nested]
    assert quote(nested) == "a list that cannot be written"
    assert quote(10**5000) == "a int that cannot be written"
    assert quote(np.eye(2, dtype=np.int8)) == "array([[1, 0], [0, 1]], dtype=int8)"
    assert quote("a\n  b") == r"'a\n  b'"


def test_a_new_folder_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(OSError), new_folder(tmp_path / "new") as folder:
        (folder / "file").write_text("half")
        raise OSError
    assert not list(tmp_path.iterdir())
    with new_folder(tmp_path / "new") as folder:
        assert not (tmp_path / "new").exists()
        (folder / "file").write_text("whole")
    assert [path.name for path in tmp_path.rglob("*")] == ["new", "file"]


def test_two_who_write_the_same_file_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    place, first, second = tmp_path / "file", threading.Event(), threading.Event()

    def write_slowly(file: IO[bytes]) -> None:
        file.write(b"slow")
        first.set()
        assert second.wait(10)
        file.write(b"ly")

    slow = threading.Thread(target=write_file, args=(place, write_slowly))
    slow.start()
    assert first.wait(10)
    write_text(place, "at once")
    assert place.read_text() == "at once"
    second.set()
    slow.join()
    assert place.read_text() == "slowly" and list(tmp_path.iterdir()) == [place]


def test_a_path_of_any_bytes_is_written_and_read_back(tmp_path: Path) -> None:
    file, told = tmp_path / "told.json", {"data": os.fsdecode(b"runs/\xff"), "ö": "\\udcff"}
    write_json(file, told)
    assert read_json(file, LABEL) == told


def test_what_killed_processes_left_of_a_file_is_removed_and_of_no_other(tmp_path: Path) -> None:
    file, others = tmp_path / "game[1].json", [tmp_path / "game1.json", tmp_path / "game[1].json.v2"]
    for path in (file, *others):
        partial_of(path).touch()
        partial_of(path).mkdir()
        path.touch()
    link = tmp_path / "link"
    link.symlink_to(file)
    remove_partial_of(link)
    left = [path.name for path in tmp_path.iterdir() if path.name.endswith(".partial")]
    assert sorted(name.rsplit(".", 2)[0] for name in left) == [".game1.json"] * 2 + [".game[1].json.v2"] * 2


def test_an_error_names_what_was_to_be_written_not_its_first_name(tmp_path: Path) -> None:
    place = tmp_path / "none" / "new"
    for write in (lambda: write_text(place, "text"), lambda: new_folder(place).__enter__()):
        with pytest.raises(FileNotFoundError) as missing:
            write()
        assert missing.value.filename == str(place)


def test_a_laughing_yaml_costs_neither_time_nor_memory(tmp_path: Path) -> None:
    """In a process of its own, which may take a gigabyte and a minute."""
    (tmp_path / "laughs.yaml").write_text(LAUGHS)
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "from pathlib import Path; from timeline_env.reading import read_yaml\n"
        f"read_yaml(Path({str(tmp_path / 'laughs.yaml')!r}), 'it')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.stderr.splitlines()[-1].startswith("ValueError: it: it holds more than 100,000 values"), done.stderr


def test_an_unknown_name_is_answered_with_the_nearest_known_one() -> None:
    assert str(unknown_name("game", "timelin", ["timeline", "go"])) == (
        "game 'timelin' is unknown (did you mean 'timeline'?); allowed: timeline, go"
    )
    assert str(unknown_name("game", 5, ["timeline"])) == "game 5 is unknown; allowed: timeline"
    assert len(str(unknown_name("game", "x" * 10**6, ["timeline"]))) < 300


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")
    colour: Literal["red", "blue"] = "red"


class Whole(BaseModel):
    model_config = ConfigDict(extra="forbid")
    part: Part = Part()
    named: dict[str, Part] = {}
    several: tuple[Part, ...] = ()
    colours: list[Literal["red", "blue"]] = []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"prt": {}}, "key 'prt' is unknown (did you mean 'part'?); allowed: part, named, several, colours"),
        ({"part": {"color": 1}}, "key 'part.color' is unknown (did you mean 'part.colour'?); allowed: part.colour"),
        ({"part": {"colour": "rot"}}, "part.colour 'rot' is unknown; allowed: red, blue"),
        ({"named": {"a": {"color": 1}}}, "key 'named.a.color' is unknown (did you mean 'named.a.colour'?); allowed: named.a.colour"),
        ({"named": {"a": {"colour": 5}}}, "named.a.colour 5 is unknown; allowed: red, blue"),
        ({"several": [{}, {"colour": "rot"}]}, "several.1.colour 'rot' is unknown; allowed: red, blue"),
        ({"several": [{"color": 1}]}, "key 'several.0.color' is unknown (did you mean 'several.0.colour'?); allowed: several.0.colour"),
        ({"colours": ["red", "green"]}, "colours.1 'green' is unknown; allowed: red, blue"),
    ],
)  # fmt: skip
def test_what_a_model_does_not_know_is_named_wherever_it_lies(content: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        validate(Whole, content)


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_not_there_is_answered_with_the_nearest_that_is(reader: str, tmp_path: Path) -> None:
    (tmp_path / "timeline.yaml").touch()
    assert refusal(reader, tmp_path / "timelin.yaml").endswith(
        "No such file or directory (did you mean 'timeline.yaml'?)"
    )
    assert refusal(reader, tmp_path / "none" / "x").endswith("No such file or directory")


def test_a_device_or_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ValueError, match=r"--json '.*': no file can be written there"):
            check_writable("--json", place)
    check_writable("--json", tmp_path / "new.json")
