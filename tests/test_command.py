"""The command ``timeline-env``: its subcommands, their help, lists after one flag, names that are mistyped, and the wheel."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.commands import ROOT, run_here
from tests.refusals import refusal
from timeline_env import cli
from timeline_env.commands import main
from timeline_env.commands.main import COMMANDS, function_of, overview
from timeline_env.configs import FOLDER, find_config

PLACEHOLDER = re.compile(r"\b[A-Z]\b")
MAIN = ("-m", "timeline_env.commands.main")
EXAMPLE = re.compile(
    r"^ *timeline-env ((?:benchmark|dataset|people) [a-z]+|[a-z-]+)(?: (.*?))?(?: +#.*)?$", re.MULTILINE
)


def parsed(command: str, words: list[str]) -> dict[str, object]:
    """What a command line asks for."""
    made = cli.command_of(function_of(command))
    return dict(made.make_context(command, cli.spell_out(made, words)).params)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does_with_an_example_that_is_allowed(command: str) -> None:
    made = cli.command_of(function_of(command))
    text = made.get_help(made.make_context(f"timeline-env {command}", ["x"], resilient_parsing=True))
    examples = EXAMPLE.findall(text)
    assert examples and {name for name, _ in examples} == {command}
    for _, words in examples:
        assert parsed(command, shlex.split(words))


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda page: page.stem
)
def test_the_pages_name_commands_and_configurations_that_there_are(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")  # a command over two lines is one command
    for command, words in EXAMPLE.findall(text):
        assert parsed(command, shlex.split(PLACEHOLDER.sub("4", words)))
    for file in re.findall(r"configs/[\w/]+\.(?:yaml|toml)", text):
        assert (ROOT / file).is_file(), file


def test_several_values_after_one_flag_are_the_flag_repeated() -> None:
    once = parsed("evaluate", ["shipped", "--against", "a", "b", "--games", "8"])
    assert once == parsed("evaluate", ["shipped", "--against", "a", "--against", "b", "--games", "8"])
    assert once["against"] == ["a", "b"]


@pytest.mark.parametrize(
    ("words", "repeated"),
    [
        ("x --a 1 2 --b 3 4", "x --a 1 --a 2 --b 3 4"),
        ("--a 1 --a 2", "--a 1 --a 2"),
        ("--a 1 2 -- 3", "--a 1 --a 2 -- 3"),
        ("--b --a 1", "--b --a 1"),
        ("--a=1 2 --b=3 4", "--a=1 --a 2 --b=3 4"),
        ("--a 1 -2 -b 3", "--a 1 --a -2 -b 3"),
        ("", ""),
    ],
)
def test_values_are_repeated_up_to_the_next_option(words: str, repeated: str) -> None:
    assert cli.repeat(words.split(), {"--a"}) == repeated.split()


@pytest.mark.parametrize("script", sorted(path.stem for path in (ROOT / "scripts").glob("*.py")))
def test_a_script_is_the_command_of_its_name(script: str) -> None:
    done = run_here(f"scripts/{script}.py", "--help")
    command = {"benchmark_suite": "benchmark playing"}.get(script, script.replace("_", "-"))
    assert done.returncode == 0 and done.stdout.startswith(f"Usage: timeline-env {command} ")


@pytest.mark.parametrize("words", [("help", "train"), ("train", "-h"), ("train", "timeline_quick", "--help")])
def test_help_of_a_command_is_asked_for_in_any_way(words: tuple[str, ...]) -> None:
    done = run_here(*MAIN, *words)
    assert done.returncode == 0 and done.stdout.startswith("Usage: timeline-env train ")


@pytest.mark.parametrize("words", [(), ("--help",), ("help",)])
def test_without_a_command_it_lists_them_all(words: tuple[str, ...]) -> None:
    done = subprocess_of(words)
    assert (done.returncode, done.stdout) == (0, overview(COMMANDS) + "\n")
    assert all(f"  {command} " in done.stdout for command in COMMANDS)


@pytest.mark.parametrize("words", [("benchmark",), ("benchmark", "--help"), ("help", "benchmark")])
def test_of_a_group_it_lists_its_commands(words: tuple[str, ...]) -> None:
    done = run_here(*MAIN, *words)
    assert done.returncode == 0 and done.stdout.startswith("usage: timeline-env benchmark COMMAND ...\n")
    listed = re.findall(r"^  (\w+ \w+) ", done.stdout, re.MULTILINE)
    assert listed == [name for name in COMMANDS if name.startswith("benchmark ")] and len(listed) > 3


def test_a_mistyped_command_of_a_group_is_answered_with_the_nearest() -> None:
    said = "command 'dataset mak' is unknown (did you mean 'dataset make'?); allowed: dataset make, dataset show, dataset fit"
    assert said in refusal(run_here(*MAIN, "dataset", "mak"))


def subprocess_of(words: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).parent / "timeline-env"), *words], capture_output=True, text=True, cwd="/"
    )


def test_a_mistyped_command_is_answered_with_the_nearest() -> None:
    assert "command 'trian' is unknown (did you mean 'train'?); allowed: train, " in refusal(run_here(*MAIN, "trian"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--game timeline evaluate random", "option '--game' must follow the command"),
        (
            "evaluate random --agianst random",
            "No such option: --agianst (Possible options: --against, --games); --help",
        ),
        ("evaluate random --against --games 8", "option --against needs a value, not '--games'"),
        ("evaluate --against greedy random", "Missing argument 'player', which stands before --against: a list takes"),
        ("evaluate random --against random --games 1e3", "--games '1e3': input should be a valid integer"),
        (
            "tournament random greedy --out x --processes 0",
            "--processes '0': input should be greater than or equal to 1",
        ),
        (
            "tournament random greedy --out x --processes 9999999999",
            "--processes '9999999999': input should be less than or equal to 1024",
        ),
        ("train timeline_quick --num-players=3", "a key of the configuration is given as num_players=VALUE"),
        ("train timeline_quick --runners", "Option '--runners' requires an argument; --help"),
        (
            "train configs/timeline_quick.yaml",
            "is unknown (did you mean 'timeline_quick'?); allowed: timeline, timeline_gpu, timeline_quick",
        ),
        ("perft 2p --players 5", "--players means nothing without --seed"),
        ("perft --check a.perft --depth 2", "--depth means nothing beside --check"),
        ("people dominated --logs games --seed 3", "--seed means nothing without PLAYERS"),
        ("prompt --position 2p --seed 3", "--seed means nothing beside --position"),
        ("picture --position 2p --decisions 0", "--decisions means nothing beside --position"),
        ("watch runs/typo --game 17", "'runs/typo'"),
        ("watch . --save game.json --viewer 99", "--viewer means nothing beside --save"),
        ("play twilight_struggle --replay .", "GAME means nothing beside --replay; allowed there: --html, --mind"),
        ("watch .", "'.' has no games.npz: nothing was played there to its end"),
        ("play --replay .", "'.' has no games.npz: nothing was played there to its end"),
        ("picture --out /", "--out '/' must end with a file's name"),
        ("picture --out game.svg", "--out 'game.svg' must end with a file's name, without .svg and .png"),
    ],
)
def test_a_wrong_command_line_is_answered_with_what_is_right(words: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(run_here(*MAIN, *words.split(), cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_has_read_enough_ends_the_command_quietly() -> None:
    command = [str(Path(sys.executable).parent / "timeline-env"), "help"]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.stderr, done.returncode) == (b"", 1)


def test_output_that_cannot_be_written_is_told_in_one_line() -> None:
    command = [str(Path(sys.executable).parent / "timeline-env"), "help"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.stderr, done.returncode) == ("error: [Errno 28] No space left on device\n", 2)


def test_an_interrupt_while_a_command_is_imported_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(command: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "function_of", interrupted)
    with pytest.raises(SystemExit, match="130"):
        main.main(["train"])


def test_a_configuration_is_found_by_name_or_by_path(tmp_path: Path) -> None:
    assert find_config(Path("timeline_quick")) == FOLDER / "timeline_quick.yaml"
    assert find_config(Path("ppo"), "spaces") == FOLDER / "spaces" / "ppo.yaml"
    own = tmp_path / "own.yaml"
    own.touch()
    assert find_config(own) == own
    with pytest.raises(
        ValueError, match=r"config 'timeline_quik' is unknown \(did you mean 'timeline_quick'\?\); allowed: timeline, "
    ):
        find_config(Path("timeline_quik"))
    with pytest.raises(ValueError, match=r"space 'none.yaml' is unknown; allowed: ppo, a file's path"):
        find_config(Path("none.yaml"), "spaces")


def test_the_wheel_brings_training_configurations_agents_and_the_command(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    configs = {f"timeline_env/data/configs/{path.relative_to(FOLDER)}" for path in FOLDER.rglob("*.yaml")}
    agents = {str(path.relative_to(ROOT)) for path in (ROOT / "timeline_env").rglob("*.npz")}
    assert {"training/run.py", "training/learners/ppo.py"} | configs | agents <= set(names)
    assert b"timeline-env = timeline_env.commands.main:main" in zipfile.ZipFile(wheel).read(
        next(name for name in names if name.endswith("entry_points.txt"))
    )
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"timeline_env", "training"}
