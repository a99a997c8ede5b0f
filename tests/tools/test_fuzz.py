"""The fuzzer: a small budget of every kind finds nothing; what there is to find it finds, and tells in a line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tools import fuzz
from tools.fuzz_kinds import KINDS, Kind, texts
from tools.fuzz_mutations import damaged_text

SEED, INPUTS = 0, 20


@pytest.mark.parametrize("name", KINDS)
def test_damaged_inputs_are_refused_in_one_clear_line_or_can_be_used(name: str) -> None:
    print(f"seed {SEED}, {INPUTS} inputs of {name}")
    fuzz.warm(name)
    found = [fuzz.tried(name, number, fuzz.made(name, SEED, number)) for number in range(INPUTS)]
    assert [finding for finding in found if finding] == []


def planted(data: bytes, folder: Path) -> None:
    """Does with its input what it says."""
    if data == b"key":
        raise KeyError("x")
    if data == b"lines":
        raise ValueError("one\ntwo")
    if data == b"long":
        raise ValueError("x" * 10_000)
    if data == b"silent":
        raise ValueError
    if data == b"warning":
        np.int8(127) + np.int8(1)
    if data == b"memory":
        np.ones(fuzz.MOST_MEMORY // 4)
    if data == b"refused":
        raise ValueError("this is no input")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"key", "KeyError: 'x'"),
        (b"lines", "no clear line of 7 characters"),
        (b"long", "no clear line of 10000 characters"),
        (b"silent", "no clear line of 0 characters"),
        (b"warning", "RuntimeWarning: overflow"),
        (b"memory", "GiB of memory"),
        (b"refused", ""),
        (b"accepted", ""),
    ],
)
def test_what_is_no_clear_line_is_found(data: bytes, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "planted", Kind(texts("a", "b"), damaged_text, planted))
    finding = fuzz.tried("planted", 3, data)
    if not told:
        assert finding is None
        return
    assert finding is not None and told in finding.what and (finding.kind, finding.number) == ("planted", 3)
    if data == b"key":
        assert finding.place.startswith("test_fuzz.py:")


def test_an_input_is_that_of_its_kind_seed_and_number() -> None:
    made = [fuzz.made("names", 5, number) for number in range(30)]
    assert made == [fuzz.made("names", 5, number) for number in range(30)] and len(set(made)) > 20
    assert made != [fuzz.made("names", 6, number) for number in range(30)]


def test_the_inputs_of_findings_are_kept_and_told_of_once_for_each_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = [fuzz.Finding("names", number, "KeyError: 'x'", "registry.py:7") for number in (2, 4)]
    fuzz.keep([*findings, fuzz.Finding("names", 5, "the process ended with -11")], 9, tmp_path)
    assert capsys.readouterr().out.splitlines() == [
        f"names: KeyError: 'x' registry.py:7: {tmp_path}/names-9-2 (and 1 more)",
        f"names: the process ended with -11 : {tmp_path}/names-9-5",
    ]
    assert (tmp_path / "names-9-4").read_bytes() == fuzz.made("names", 9, 4)
