"""The benchmark: a row that is measured, and a check that tells which rows got slower."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from timeline_env.games import PACKAGES, game_named
from tools import benchmark
from tools.benchmark import COMMITTED, compare, in_both, measure, read_samples
from tools.benchmark_ours import core_row, our_rows
from tools.benchmark_peers import peer_rows
from tools.benchmark_rows import LeftOut, Row, import_peer, installed

OURS, FLOOR = Row("ours", lambda: lambda: 1, beside="floor"), Row("floor", lambda: lambda: 1)


def test_only_installed_packages_have_a_version():
    assert installed(["numpy", "no-such-package"]) == {"numpy": np.__version__}


def test_a_row_of_ours_is_measured_and_one_that_cannot_be_is_left_out_with_the_reason():
    def lacking():
        return import_peer("no_such_engine", "somewhere")

    raw = next(row for row in our_rows(game_named("timeline"), 1) if " raw_env" in row.name)
    cores = os.sched_getaffinity(0)
    samples, left_out = measure([raw, Row("theirs", lacking)], repeats=2, seconds=0.001)
    assert samples.keys() == {raw.name} and len(samples[raw.name]) == 2 and min(samples[raw.name]) > 0
    assert left_out == {"theirs": "no_such_engine cannot be imported (No module named 'no_such_engine'); somewhere"}
    assert os.sched_getaffinity(0) == cores
    with pytest.raises(LeftOut, match="somewhere"):
        lacking()


def test_a_check_compares_with_the_row_beside_so_that_a_slow_machine_is_not_a_slow_change(capsys):
    old = {"ours": [50.0, 60.0, 40.0], "floor": [100.0, 100.0, 100.0]}
    halved = {name: [sample / 2 for sample in samples] for name, samples in old.items()}
    assert compare([OURS], old, halved) == []
    slower = compare([OURS], old, {"ours": [30.0, 30.0, 30.0], "floor": [100.0, 100.0, 60.0]})
    assert slower == ["slower: ours: 0.3 times 'floor', before 0.5: 60 % of what it was, 85 % is allowed"]
    assert "0.60" in capsys.readouterr().out


def test_a_check_fails_where_a_row_can_no_longer_be_measured(monkeypatch, tmp_path):
    def broken():
        raise ImportError("no module named 'moved'")

    monkeypatch.chdir(tmp_path)
    rows = [Row("ours", broken, beside="floor"), FLOOR]
    monkeypatch.setattr(benchmark, "choose", lambda *_: rows)
    monkeypatch.setattr(benchmark, "read_samples", lambda _: {"ours": [0.01], "floor": [1.0]})
    assert benchmark.main(repeats=1, seconds=0.001, check=Path("saved.json")) == 1
    assert benchmark.main(repeats=1, seconds=0.001) == 0
    rows[0] = OURS
    assert benchmark.main(repeats=1, seconds=0.001, check=Path("saved.json")) == 0


def test_only_rows_that_both_runs_have_are_compared():
    both = {"ours": [1.0], "floor": [1.0]}
    assert in_both([OURS, FLOOR], both) == [OURS]
    assert in_both([OURS, FLOOR], both, {"ours": [1.0]}) == []


@pytest.mark.parametrize(
    "rows", ['{"a": []}', '{"a": [0.0]}', '{"a": [1.0], "b": [1.0, 2.0]}', '{"a": [NaN]}', '{"a": 1}', "[]"]
)
def test_a_file_that_holds_no_samples_is_refused(rows, tmp_path):
    (tmp_path / "saved.json").write_text(f'{{"rows": {rows}}}')
    with pytest.raises(ValueError, match=r"saved\.json"):
        read_samples(tmp_path / "saved.json")


def test_every_row_of_ours_has_one_beside_it_that_is_not_ours_and_the_committed_file_has_both():
    rows = [row for name in PACKAGES for row in our_rows(game_named(name), 4096)]
    names = [row.name for row in [*rows, core_row(), *peer_rows()]]
    assert len(set(names)) == len(names)
    ours = [row for row in rows if row.name.startswith(tuple(PACKAGES)) and "GPU" not in row.name]
    assert all(row.beside in names and not row.beside.startswith(tuple(PACKAGES)) for row in ours)
    assert in_both(rows, read_samples(COMMITTED)) == ours
