#!/usr/bin/env python
"""Decisions per second of this project and of its peers: ``python tools/benchmark.py``."""

from __future__ import annotations

import os
import platform
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli
from timeline_env.arena.processes import name_processor
from timeline_env.files import check_writable, write_json
from timeline_env.games import PACKAGES, game_named
from timeline_env.reading import check_number, flatten, quote, read_json, table_of
from tools.benchmark_ours import core_row, our_rows
from tools.benchmark_peers import peer_rows
from tools.benchmark_rows import LeftOut, Row, Step, installed, rate

ROOT = Path(__file__).resolve().parents[1]
COMMITTED = ROOT / "docs" / "results" / "performance.json"
"""The figures of docs/results/performance.md."""
LEAST = 0.85
"""In a check, a row of ours below this share of its old ratio counts as slower: noise alone does not bring it that low."""
DISTRIBUTIONS = [
    *("timeline-env", "numpy", "numba", "pettingzoo", "gymnasium", "torch"),
    *("rlcard", "open_spiel", "catanatron", "struggler", "twilight-struggle-env"),
    *("jax", "pgx", "ludax", "jaxmarl", "envpool", "pufferlib"),
]
"""Packages whose versions are reported."""


def measure(rows: Iterable[Row], repeats: int, seconds: float) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Samples of every row that can be measured here, taken in turn; and why the others were left out. Both by name."""
    everything = sorted(os.sched_getaffinity(0))
    prepared: list[tuple[Row, Step]] = []
    left_out: dict[str, str] = {}
    for row in rows:
        print(f"preparing {row.name} ...", file=sys.stderr, flush=True)
        os.sched_setaffinity(0, everything[-row.cores :])
        try:
            step = row.prepare()
            rate(row, step, min(0.1, seconds))  # what is compiled at first is not measured
            prepared.append((row, step))
        except (LeftOut, ImportError) as error:
            left_out[row.name] = flatten(error)
            print(f"  left out: {left_out[row.name]}", file=sys.stderr)
    samples: dict[str, list[float]] = {row.name: [] for row, _ in prepared}
    for repeat in range(repeats):
        print(f"repeat {repeat + 1} of {repeats} ...", file=sys.stderr, flush=True)
        for row, step in prepared:
            os.sched_setaffinity(0, everything[-row.cores :])
            samples[row.name].append(rate(row, step, seconds))
    os.sched_setaffinity(0, everything)
    return samples, left_out


def machine() -> dict[str, str]:
    """What the figures were measured on, and how busy it was before: the load is of the last minute."""
    cores, load = str(len(os.sched_getaffinity(0))), f"{os.getloadavg()[0]:.1f}"
    return {
        "cpu": name_processor(),
        "cores": cores,
        "load": load,
        "python": platform.python_version(),
        **installed(DISTRIBUTIONS),
    }


def report(result: dict[str, Any]) -> None:
    """Print the machine, the table, and what was left out."""
    print("\nmachine: " + ", ".join(f"{name} {value}" for name, value in result["machine"].items()) + "\n")
    title = f"decisions, or what the row says, per second (median of {result['repeats']})"
    print(f"| {title:<82} | {'median':>12} | {'lowest':>12} | {'highest':>12} |")
    print("|" + "-" * 84 + "|" + ("-" * 13 + ":|") * 3)
    for name, samples in result["rows"].items():
        median = statistics.median(samples)
        print(f"| {name:<82} | {median:>12,.0f} | {min(samples):>12,.0f} | {max(samples):>12,.0f} |")
    print()
    for name, why in result["left_out"].items():
        print(f"left out: {name}: {why}")


# --- the check


def ratio(samples: dict[str, list[float]], row: Row) -> float:
    """A row divided by the row beside it: the median over the repeats, in each of which both were measured soon after each other."""
    return statistics.median(a / b for a, b in zip(samples[row.name], samples[row.beside], strict=True))


def in_both(rows: Iterable[Row], *samples: dict[str, list[float]]) -> list[Row]:
    """The rows that are compared with another, where all these samples have both."""
    return [row for row in rows if row.beside and all({row.name, row.beside} <= known.keys() for known in samples)]


def compare(rows: Iterable[Row], old: dict[str, list[float]], new: dict[str, list[float]]) -> list[str]:
    """Print the ratios then and now; gives a line for each row that got slower."""
    print(f"\n| {'by the row beside it':<82} | {'then':>10} | {'now':>10} | {'now/then':>8} |")
    print("|" + "-" * 84 + "|" + ("-" * 11 + ":|") * 2 + "-" * 9 + ":|")
    slower = []
    for row in in_both(rows, old, new):
        then, now = ratio(old, row), ratio(new, row)
        print(f"| {row.name:<82} | {then:>10.4g} | {now:>10.4g} | {now / then:>8.2f} |")
        if now < LEAST * then:
            share = f"{100 * now / then:.0f} % of what it was, {100 * LEAST:.0f} % is allowed"
            slower.append(f"slower: {row.name}: {now:.4g} times {row.beside!r}, before {then:.4g}: {share}")
    return slower


def unmeasured(left_out: dict[str, str]) -> list[str]:
    """A line for each row of a check that could not be measured: of these nothing is known, so the check has failed."""
    return [f"not measured: {name}: {why}; --rows names others" for name, why in left_out.items()]


def read_samples(path: Path) -> dict[str, list[float]]:
    """The rows of a saved result. Raises ValueError if the file holds none."""
    label = f"--check {quote(str(path))} is not a saved benchmark"
    rows = table_of(read_json(path, label), label, "rows")["rows"]
    for name, samples in table_of(rows, label).items():
        fits = (
            isinstance(samples, list)
            and samples
            and all(isinstance(s, float) and 0 < s < float("inf") for s in samples)
        )
        if not fits or len(samples) != len(next(iter(rows.values()))):
            raise ValueError(f"{label}: {quote(name)} must hold as many numbers above 0 as every row")
    return rows


# --- the command


def choose(
    games: Sequence[str], size: int, words: Sequence[str], check: Path | None, saved: dict[str, list[float]] | None
) -> list[Row]:
    """The rows that are asked for; in a check those of ours that the saved result has, and those beside them.

    Args:
        games: those whose rows are asked for.
        size: games in a batch.
        words: a row's name must contain at least one of them; none for all rows.
        check, saved: the file to compare with, if any, and its rows.
    """
    ours = [row for name in games for row in our_rows(game_named(name), size)]
    rows = [*ours, core_row(), *peer_rows()]
    chosen = [row for row in rows if not words or any(word in row.name for word in words)]
    if not chosen:
        raise ValueError(f"--rows {','.join(words)!r}: no row's name contains that")
    if saved is None:
        return chosen
    compared = in_both(chosen, saved)
    if not compared:
        raise ValueError(f"--check {quote(str(check))}: it holds none of the rows that are asked for")
    names = {name for row in compared for name in (row.name, row.beside)}
    return [row for row in rows if row.name in names]


def main(
    rows: Annotated[
        str, typer.Option(help="only rows whose name contains one of these words, separated by commas")
    ] = "",
    game: Annotated[
        list[str] | None, typer.Option(help=f"rows of ours: {', '.join(PACKAGES)}; all if left out")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="games in a batch")] = 4096,
    repeats: Annotated[int, typer.Option(min=1, help="samples of every row")] = 5,
    seconds: Annotated[float, typer.Option(help="length of a sample")] = 1.0,
    json: Annotated[Path, typer.Option(help="where the samples are saved")] = Path("benchmark.json"),
    check: Annotated[
        Path | None,
        typer.Option(
            help=f"compare ours with a saved result, such as {COMMITTED.relative_to(ROOT)}: slower is what falls below {LEAST} of its old ratio"
        ),
    ] = None,
) -> int:
    """Measure decisions per second of this project and of the peers that are installed, in one run.

    A decision is one agent's action applied in uniformly random legal play, with the observation and the action mask (or the
    legal list) that a learner would see before it. Every row is measured several times, the rows in turn, and the medians
    are printed: machines drift, so compare within one run.

    A check divides each row of ours by one of the same run that does not depend on us: plain arithmetic, PettingZoo without
    rules, a network without a game. It compares these ratios, so a machine that is slower or busier than before does not count.
    The exit code is 1 if a row got slower, or cannot be measured here.

    examples:
      python tools/benchmark.py                                              all rows that can run here
      python tools/benchmark.py --rows batch,memory                          only rows whose name contains one of these
      python tools/benchmark.py --game timeline                              of ours only the rows of this game
      python tools/benchmark.py --check docs/results/performance.json        ours against the committed figures
    """
    check_number("--seconds", seconds, 0.001, 10**6)
    check_writable("--json", json)
    saved = read_samples(check) if check else None
    chosen = choose(game or list(PACKAGES), games, [word for word in rows.split(",") if word], check, saved)
    told = {"machine": machine(), "command": cli.command_line()}
    samples, left_out = measure(chosen, repeats, seconds)
    result = {**told, "repeats": repeats, "seconds": seconds, "rows": samples, "left_out": left_out}
    write_json(json, result)
    report(result)
    failed = [*compare(chosen, saved, samples), *unmeasured(left_out)] if saved else []
    print(f"\nsaved: {json}")
    for line in failed:
        print(line, file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    cli.run(main)
