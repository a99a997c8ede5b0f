"""Other people's programs with our games in the place of theirs: ``python tools/programs.py --write docs/results/programs.md``."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli
from timeline_env.arena.markdown import markdown_table
from timeline_env.files import check_writable, write_text
from timeline_env.reading import read_toml

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tools" / "programs.toml"
WHERE = "import importlib.util, sys; print(importlib.util.find_spec(sys.argv[1]).submodule_search_locations[0])"
VERSIONS = (
    "import importlib.metadata as m, sys; print(*(f'{name} {m.version(name)}' for name in sys.argv[1:]), sep=', ')"
)
MOST_TOLD = 160
"""Characters of an error that are shown at most."""


@dataclass(frozen=True)
class Program:
    """A program as `programs.toml` has it, which says what each of these is."""

    source: str
    file: str
    libraries: tuple[str, ...]
    takes: str
    environment: str = "main"
    run: str = ""
    arguments: tuple[str, ...] = ()
    environment_lines: tuple[tuple[str, str], ...] = ()
    budget_lines: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The repository's or the package's name, and the file."""
        return f"{self.source.partition('@')[0].rpartition('/')[2]}: {self.file}"

    def adapt(self, text: str) -> str:
        """The program with our game in it. Raises ValueError if it has changed: it lacks what is to be replaced."""
        for old, new in (*self.environment_lines, *self.budget_lines):
            if old not in text:
                raise ValueError(f"it no longer has {old.strip()!r}")
            text = text.replace(old, new)
        return text


def programs() -> list[Program]:
    """All programs of `programs.toml`."""
    return [Program(**found) for found in read_toml(PROGRAMS, str(PROGRAMS))["program"]]


def text_and_version(program: Program, python: str, clones: Path) -> tuple[str, str]:
    """The program as its authors wrote it, its commit and its libraries' versions. Raises CalledProcessError where it cannot be had."""
    repository, _, commit = program.source.partition("@")
    versions = run_command([python, "-c", VERSIONS, *program.libraries]).strip()
    if not commit:
        folder = run_command([python, "-c", WHERE, program.source]).strip()
        return Path(folder, program.file).read_text(encoding="utf-8"), versions
    clone = clones / repository.rpartition("/")[2]
    if not clone.is_dir():
        run_command(
            [
                "git",
                "clone",
                "--quiet",
                "--filter=blob:none",
                "--no-checkout",
                f"https://github.com/{repository}",
                str(clone),
            ]
        )
    text = run_command(["git", "-C", str(clone), "show", f"{commit}:{program.file}"])
    return text, f"{commit[:9]}, {versions}"


def run_command(command: list[str]) -> str:
    """What a command prints. Raises CalledProcessError if it fails."""
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def outcome(program: Program, text: str, python: str, folder: Path, seconds: float) -> str:
    """Run the program in a folder of its own; ``runs``, or how it ended."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / Path(program.file).name
    file.write_text(text, encoding="utf-8")
    what = ["-c", program.run] if program.run else [file.name]
    settings = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "SDL_VIDEODRIVER": "dummy"}
    with (folder / "output.txt").open("w+", encoding="utf-8") as output:
        try:
            command = [python, *what, *program.arguments]
            code = subprocess.run(
                command, cwd=folder, env=settings, stdout=output, stderr=output, timeout=seconds
            ).returncode
        except subprocess.TimeoutExpired:
            return f"not over after {seconds:.0f} s"
        output.seek(0)
        last = [line for line in output.read().splitlines() if line.strip()][-1:]
    return "runs" if code == 0 else "fails: " + "".join(last)[:MOST_TOLD]


def try_program(program: Program, python: str, clones: Path, out: Path, seconds: float) -> list[str]:
    """The program's row: what it is, its version, how it ended, what it takes."""
    try:
        text, version = text_and_version(program, python, clones)
        end = outcome(program, program.adapt(text), python, out.resolve() / Path(program.file).stem, seconds)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        lines = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        version, end = "", f"not run: {lines[-1][:MOST_TOLD]}"
    return [program.name, version, end, program.takes]


def page(rows: list[list[str]]) -> str:
    """The results as a page."""
    lines = [
        "# Other people's programs",
        "",
        "Each program is taken at a pinned commit or from its package's wheel. The lines that `tools/programs.toml` names are replaced",
        "(those that make the environment, and budgets), and the program is run unmodified otherwise.",
        "Programs without a package are cloned; `--clones` names a folder that has the clones already.",
        "",
        "```sh",
        "pip install -e '.[train,eval,render,bridges]' imageio tyro",
        "python3 -m venv .venv-rllib && .venv-rllib/bin/pip install -c constraints-rllib.txt -e '.[rllib,openspiel]'",
        "python3 -m venv .venv-benchmarl && .venv-benchmarl/bin/pip install -e '.[benchmarl]'",
        "python tools/programs.py --write docs/results/programs.md",
        "```",
        "",
        *markdown_table(("program", "version", "result", "as it is, or what it takes"), rows, words=4),
    ]
    return "\n".join(lines) + "\n"


def main(
    names: Annotated[list[str] | None, typer.Argument(help="parts of names (default: all programs)")] = None,
    rllib: Annotated[
        str, typer.Option(help="Python of an environment with the extras rllib and openspiel")
    ] = ".venv-rllib/bin/python",
    benchmarl: Annotated[
        str, typer.Option(help="Python of an environment with the extra benchmarl")
    ] = ".venv-benchmarl/bin/python",
    clones: Annotated[Path, typer.Option(help="folder of the repositories' clones")] = Path("runs/programs/clones"),
    out: Annotated[Path, typer.Option(help="the programs are run in folders below this one")] = Path("runs/programs"),
    seconds: Annotated[float, typer.Option(help="at most for each")] = 900,
    write: Annotated[Path | None, typer.Option(help="a page for the table")] = None,
) -> None:
    """Run the programs and print a table."""
    if write is not None:
        check_writable("--write", write)
    pythons = {"main": sys.executable, "rllib": os.path.abspath(rllib), "benchmarl": os.path.abspath(benchmarl)}
    chosen = [program for program in programs() if not names or any(part in program.name for part in names)]
    if not chosen:
        raise ValueError(f"no program has that name; known: {', '.join(program.name for program in programs())}")
    clones.mkdir(parents=True, exist_ok=True)
    rows = []
    for program in chosen:
        print(f"{program.name} ...", file=sys.stderr, flush=True)
        rows.append(try_program(program, pythons[program.environment], clones.resolve(), out, seconds))
        print(" | ".join(rows[-1]), flush=True)
    if write is not None:
        write_text(write, page(rows))


if __name__ == "__main__":
    cli.run(main)
