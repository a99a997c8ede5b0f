"""The fuzzer: a small budget of every kind finds nothing; what there is to find it finds, and tells in a line."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from tools import fuzz
from tools.fuzz_kinds import KINDS, Kind
from tools.fuzz_mutations import damaged_text

SEED, NUMBER = 0, 10


@pytest.mark.parametrize("name", KINDS)
def test_damaged_inputs_are_refused_in_one_clear_line_or_can_be_used(name: str) -> None:
    print(f"python tools/fuzz.py --kinds {name} --seed {SEED} --number {NUMBER}")
    fuzz.warm_up(name)
    inputs = [fuzz.make_input(name, SEED, number) for number in range(NUMBER)]
    wrong = {number: fuzz.complaint(name, data) for number, data in enumerate(inputs)}
    assert {number: told for number, told in wrong.items() if told} == {}


def planted(data: bytes, folder: Path) -> None:
    """Does with its input what it says."""
    match data:
        case b"key":
            raise KeyError("x")
        case b"lines":
            raise ValueError("one\ntwo")
        case b"long":
            raise ValueError("x" * 10_000)
        case b"silent":
            raise ValueError
        case b"warning":
            np.int8(127) + np.int8(1)
        case b"memory":
            _ = [[] for _ in range(10_000)]
            np.ones(fuzz.MOST_MEMORY // 4)
        case b"refused":
            raise ValueError("this is no input")
        case b"dies":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"hangs":
            while True:
                pass


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of inputs that are what they say, and processes that know it."""
    words = b"accepted", b"key", b"dies", b"refused", b"hangs", b"accepted"
    monkeypatch.setitem(KINDS, "planted", Kind(lambda folder: words, damaged_text, planted))
    monkeypatch.setattr(fuzz, "make_input", lambda name, seed, number: words[number])
    monkeypatch.setattr(fuzz, "START", "fork")
    monkeypatch.setattr(fuzz, "PATIENCE", 1)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"key", "KeyError: 'x' (test_fuzz.py:"),
        (b"lines", "no clear line of 7 characters: 'one\\ntwo' (test_fuzz.py:"),
        (b"long", "no clear line of 10000 characters: 'xxx"),
        (b"silent", "no clear line of 0 characters: ''"),
        (b"warning", "RuntimeWarning: overflow"),
        (b"memory", "MemoryError: Unable to allocate"),
    ],
)
@pytest.mark.usefixtures("plant")
def test_what_is_no_clear_line_is_found(data: bytes, told: str) -> None:
    assert told in fuzz.complaint("planted", data)


@pytest.mark.usefixtures("plant")
def test_garbage_that_is_collected_meanwhile_is_no_room_for_an_input() -> None:
    garbage: list[object] = [np.empty(fuzz.MOST_MEMORY // 4)]
    garbage.append(garbage)
    del garbage
    assert "MemoryError" in fuzz.complaint("planted", b"memory")
    assert gc.isenabled()


@pytest.mark.parametrize("data", [b"refused", b"accepted"])
@pytest.mark.usefixtures("plant")
def test_one_clear_line_is_no_finding(data: bytes) -> None:
    assert fuzz.complaint("planted", data) == ""


@pytest.mark.usefixtures("plant")
def test_an_input_that_ends_its_process_is_found_and_the_next_ones_are_tried() -> None:
    tried = list(fuzz.fuzz(["planted"], 9, 6))
    assert [each.data for each in tried] == [b"accepted", b"key", b"dies", b"refused", b"hangs", b"accepted"]
    wrong = [each.wrong for each in tried]
    assert wrong[1].startswith("KeyError")
    assert (wrong[2], wrong[4]) == ("the process ended with -9", "no answer within 1 s of a processor")
    assert wrong[0] == wrong[3] == wrong[5] == ""


def test_an_input_is_that_of_its_kind_seed_and_number() -> None:
    made = [fuzz.make_input("names", 5, number) for number in range(30)]
    assert made == [fuzz.make_input("names", 5, number) for number in range(30)] and len(set(made)) > 20
    assert made != [fuzz.make_input("names", 6, number) for number in range(30)]


def test_a_finding_is_kept_and_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fuzz.report(fuzz.Outcome("names", 4, b"a\nb", "KeyError: 'x' (registry.py:7)"), 9, tmp_path / "new")
    path = tmp_path / "new" / "names-9-4"
    assert path.read_bytes() == b"a\nb"
    assert capsys.readouterr().out == f"names 4: KeyError: 'x' (registry.py:7); {path}: b'a\\nb'\n"
