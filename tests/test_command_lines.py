"""Whatever is wrong on a command line: one line that names it, exit code 2, nothing written, and no work begun before."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env import cli
from timeline_env.files import check_writable, write_text
from timeline_env.view.canvas import for_terminal

SAVED = '{"rows": {"timeline raw_env, 4 players": []}}'


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("tools/benchmark.py --cheat", "--cheat"),
        ("tools/benchmark.py --rows nothing", "--rows 'nothing'"),
        ("tools/benchmark.py --seconds nan", "--seconds nan must be a number from 0.001 to 1000000"),
        ("tools/benchmark.py --check none.json", "--check 'none.json'"),
        ("tools/benchmark.py --check saved.json", "--check 'saved.json' is not a saved benchmark"),
        ("tools/benchmark.py --json none/x.json", "--json 'none/x.json': there is no folder 'none'"),
        ("tools/compare_learners.py none.yaml --out run", "config 'none.yaml'"),
        (
            "tools/compare_learners.py none.yaml --out run --minutes 0",
            "--minutes 0.0 must be a number from 0.001 to 1000000",
        ),
        ("tools/compare_learners.py none.yaml --out run --learners tree", "--learners 'tree' is unknown; allowed: ppo"),
        ("tools/benchmark.py --game chess", "game 'chess' is unknown"),
        ("scripts/picture.py --game chess --out x", "game 'chess' is unknown"),
        ("scripts/best_response.py random --out run --cheat", "--cheat"),
        ("scripts/evaluate.py random --against random --json .", "--json '.': no file can be written there"),
        ("scripts/picture.py --out none/x", "there is no folder 'none'"),
        ("scripts/perft.py --cheat", "No such option: --cheat"),
        ("scripts/perft.py --depth 2", "give one of POSITION, --seed N and --check FILE"),
        ("scripts/perft.py --seed 1 --game chess", "game 'chess' is unknown; allowed: timeline"),
        ("scripts/perft.py --seed 1 --players 0", "num_players 0"),
        ("tools/rule_index.py --cheat", "--cheat"),
        ("tools/second_reading.py --cheat", "--cheat"),
        ("tools/second_reading.py --players 9", "num_players 9"),
        ("tools/second_reading.py --games 0", "--games"),
        ("scripts/benchmark_suite.py --cheat", "--cheat"),
        ("tools/solve_tiny.py --cheat", "--cheat"),
        ("tools/solve_tiny.py --outcomes 0", "--outcomes '0': input should be greater than or equal to 1"),
        (
            "tools/text_games.py --player nobody",
            "--game None --player 'nobody': no row is of these; rows: timeline random",
        ),
        ("tools/search_speed.py --cheat", "--cheat"),
        ("tools/search_speed.py --simulations 0", "--simulations '0': input should be greater than or equal to 1"),
        ("tools/search_speed.py --game chess", "game 'chess' is unknown"),
        ("tools/compare_options.py chess", "comparison 'chess' is unknown; allowed: timeline_networks"),
        (
            "tools/compare_options.py timeline_options --minutes 0",
            "--minutes 0.0 must be a number from 0.001 to 1000000",
        ),
        ("tools/compare_options.py timeline_options --seeds 1 1", "--seeds [1, 1]: each must be named once"),
        ("tools/compare_options.py timeline_options --games -3", "games -3 must be an integer of at least"),
        ("tools/compare_options.py timeline_options --json saved.json", "'saved.json' holds another comparison"),
        ("tools/ship.py none --commit 0 --name x", "--name 'x' is unknown; allowed: shipped"),
        ("tools/rule_index.py chess", "game 'chess' is unknown"),
        ("tools/fuzz.py --kinds x", "--kinds 'x' is unknown; allowed: positions_timeline"),
        ("tools/ship.py none --commit 0", "'none' is not a run folder"),
        ("tools/mechanics.py random --cheat", "--cheat"),
        ("tools/mechanics.py nobody", "player 'nobody' is unknown"),
        ("tools/mechanics.py random --players 9", "num_players 9"),
        ("tools/mechanics.py random --games 1", "games 1 must be at least 2"),
        ("tools/mechanics.py random --ablate 4 --ablation-games 7", "games 7 must be an integer of at least 8"),
        ("tools/mechanics.py random --rules none.toml", "none.toml"),
        ("tools/mechanics.py random --write none.md", "none.md"),
        ("tools/mechanics.py random --write saved.json", "the page has no lines '<!-- mechanics -->'"),
        ("tools/mechanics.py random --out saved.json", "saved.json"),
        ("-m timeline_env.commands.main compile --cheat", "--cheat"),
        ("-m timeline_env.commands.main compile chess", "game 'chess' is unknown; allowed: timeline"),
        ("scripts/tournament.py random greedy --out run --cheat", "--cheat"),
        ("scripts/tournament.py random greedy --out saved.json", "'saved.json'"),
        ("scripts/tournament.py random greedy --out ''", "option --out needs a value, not ''"),
        ("scripts/tournament.py random greedy --out=", "option --out needs a value, not ''"),
        ("scripts/watch.py ''", "an argument is empty: ''"),
    ],
)
def test_it_is_refused_in_one_line(command: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "saved.json").write_text(SAVED)
    assert message in refusal(run_here(*shlex.split(command), cwd=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["saved.json"]


def test_what_does_not_fit_into_memory_and_what_is_too_long_to_say_is_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for error, told in (
        (MemoryError("Unable to allocate 7 TiB"), "allocate 7 TiB"),
        (ValueError("x" * 10**6), "x" * 99),
        (ValueError("agent: \x1b]0;x\x07 is unknown"), r"agent: \x1b]0;x\x07 is unknown"),
    ):
        with pytest.raises(SystemExit), cli.refusals():
            raise error
        said = capsys.readouterr().err
        assert told in said and said.count("\n") == 1 and len(said) < 3000


def test_a_picture_one_of_whose_two_files_cannot_be_written_is_not_begun(tmp_path: Path) -> None:
    (tmp_path / "x.png").mkdir()
    done = run_here("scripts/picture.py", "--seed", "1", "--decisions", "5", "--out", "x", cwd=tmp_path)
    assert "--out 'x.png': no file can be written there" in refusal(done)
    assert [path.name for path in tmp_path.iterdir()] == ["x.png"]


def test_signs_that_the_terminal_lacks_end_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="latin-1"))
    with cli.refusals():
        print("\u2713 é", flush=True)
    assert written.getvalue() == "? é\n".encode("latin-1")


HERE = """
import importlib.util, sys
from timeline_env import cli
from timeline_env.players.names import PlayerName
from timeline_env.players.registry import load_player
from timeline_env.timeline import GAME
with cli.refusals():
    load_player("random", GAME)
    print(importlib.util.find_spec("mine_alone") is None)
    load_player("mine_alone:Player", GAME)
    print(importlib.util.find_spec("mine_alone") is None)
"""


def test_a_file_of_the_current_folder_is_imported_only_if_it_is_named(tmp_path: Path) -> None:
    """Else it would be taken for a library that is not installed."""
    (tmp_path / "mine_alone.py").write_text("from tests.players.thoughtless import Last as Player")
    shown = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    program = [sys.executable, "-P", "-c", HERE]  # -P: without the current folder
    done = subprocess.run(program, cwd=tmp_path, env=shown, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout.split()) == ("", ["True", "False"])


def test_a_long_name_is_not_cut_off_in_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    cli.show_table("title", ["who", "won"], [["a" * 300 + last, "1"] for last in "xy"])
    told = capsys.readouterr().out
    assert [told.count(letter) for letter in "axy"] == [600, 1, 1]


def test_a_table_and_a_picture_need_no_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    cli.show_table("title", ["a"], [["b"]])
    assert not for_terminal(None)


def test_what_cannot_be_seen_in_a_table_is_spelled_out(capsys: pytest.CaptureFixture[str]) -> None:
    cli.show_table("\x1b[2J", ["\u200b"], [["\u202e"]])
    told = capsys.readouterr().out
    assert all(text in told for text in (r"\x1b[2J", r"\u200b", r"\u202e"))


def test_brackets_in_a_table_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    cli.show_table("[/red]", ["[bold]", "b"], [["a[red]", "[1]"]])
    told = capsys.readouterr().out
    assert all(text in told for text in ("[/red]", "[bold]", "a[red]", "[1]"))


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(OSError, match="taken"):
        write_text(tmp_path / "taken", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_file_is_written_through_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, place = tmp_path / "link.json", tmp_path / "elsewhere" / "place.json"
    link.symlink_to(place)
    for text in ("there was none", "there is one"):
        check_writable("--json", link)
        write_text(link, text)
        assert link.is_symlink() and place.read_text() == text
    assert [path.name for path in place.parent.iterdir()] == [place.name]


def test_a_pipe_is_refused_before_the_work() -> None:
    reads, writes = os.pipe()
    try:
        with pytest.raises(ValueError, match="no file can be written there"):
            check_writable("--json", Path(f"/dev/fd/{writes}"))
    finally:
        os.close(reads)
        os.close(writes)


def test_a_link_into_no_folder_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "nowhere" / "place.json")
    with pytest.raises(ValueError, match=r"link\.json.*there is no folder.*nowhere"):
        check_writable("--json", tmp_path / "link.json")
