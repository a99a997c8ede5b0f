"""Players that are commands: real processes, well-behaved and otherwise."""

from __future__ import annotations

import copy
import json
import os
import pickle
import select
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from examples.kuhn_poker import GAME, environments
from tests.arena import suites
from tests.games import Table, each_game
from timeline_env import configs, words
from timeline_env.arena import suite, tournament
from timeline_env.arena.games import play_games
from timeline_env.arena.processes import environment, workers_environment
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.replay import deal_batch, record_game
from timeline_env.engine.setting import Setting
from timeline_env.failures import PlayerFailed
from timeline_env.play.keeping import Kept
from timeline_env.play.thoughts import names
from timeline_env.players import Decisions, load_player
from timeline_env.players.asking import answers
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.words.player import MOST_IN_A_ROW
from timeline_env.words.process import Fault, Process
from timeline_env.words.question import Question
from training.config import load_config
from training.tracks.entries import LearningEntry, load_entry

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "text_player.py"
LOOP = """import json, os, sys

def say(answer):
    sys.stdout.buffer.write(answer)
    sys.stdout.flush()

for line in sys.stdin:
    q = json.loads(line)
    {}
"""


NONSENSE, FIRST = "say(b'?\\n')", "say(b'1\\n')"


def command(code: str) -> str:
    """A command that runs the code for each question ``q``."""
    return shlex.join([sys.executable, "-S", "-c", LOOP.format(code)])


def decide(name: str, games: int = 1) -> list[int]:
    """What a player of this name chooses in games of Kuhn poker that were just dealt."""
    batch = environments.batch(num_games=games)
    return answers(load_player(name, GAME), Decisions.of(batch, np.arange(games))).tolist()


def entries(log: Path) -> list[dict]:
    return [json.loads(line) for line in log.read_text().splitlines()]


@pytest.mark.parametrize(
    ("wrong", "fault", "said"),
    [
        ("say(b'7\\n')", "malformed", "7 is not a legal move"),
        ("say(b'{\"move\": NaN}\\n')", "malformed", 'must hold "move" once'),
        ("say(b'\\xff\\xfe\\n')", "malformed", "the answer is not UTF-8"),
        ("say(b'1\\n2\\n')", "malformed", "an answer is one line"),
        ("say(b'1' * 2**17)", "malformed", "the answer is longer than 65,536 bytes"),
        ("sys.exit('no more\\nmoney')", "ended", "the command ended with exit code 1: money"),
        ("os.kill(os.getpid(), 9)", "ended", "the command ended with signal 9"),
        ("(os.write(2, b'x' * 2**18), say(b'no\\n'))", "malformed", "'no' is not a legal move"),
    ],
)
def test_what_is_wrong_is_told_once_more_counted_and_survived(
    wrong: str, fault: str, said: str, tmp_path: Path
) -> None:
    log, once = tmp_path / "log", "say(b'bet\\n') if q['error'] else " + wrong
    name = f"process:--log {log} {command(once)}"
    assert decide(name) == [1]
    first, second = entries(log)
    assert (first["fault"], first["played"], first["random"]) == (fault, None, False) and said in first["error"]
    assert (second["fault"], second["played"]) == ("", "bet")
    assert second["prompt"].endswith(f"Your last answer was refused: {first['error']}")
    assert words.count_log(log) == dict.fromkeys(words.log.COUNTED, 0) | {"decisions": 1, fault: 1}
    assert log.stat().st_mode & 0o777 == 0o600


def test_after_the_retries_a_random_legal_move_is_played_by_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    name = f"process:--retries 1 --log {log} {command(NONSENSE)}"
    chosen = decide(name, games=MOST_IN_A_ROW - 1)
    assert chosen == decide(name, games=MOST_IN_A_ROW - 1)
    assert [entry["random"] for entry in entries(log)] == [False, True] * 2 * (MOST_IN_A_ROW - 1)
    assert words.count_log(log) == {"decisions": 8, "malformed": 16, "late": 0, "ended": 0, "random": 8}
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 4 and "'?' is not a legal move" in said[0] and said[0].endswith("is played in its place")
    assert said[1].endswith("4 decisions, 8 malformed, 0 late, 0 ended, 4 random")


def test_a_command_that_never_gives_a_move_has_failed_and_says_why() -> None:
    with pytest.raises(PlayerFailed) as failed:
        decide("process:--retries 0 sh -c 'echo no key >&2; exit 7'", games=MOST_IN_A_ROW)
    assert str(failed.value) == (
        "player \"process:--retries 0 sh -c 'echo no key >&2; exit 7'\" gave no legal move in 5 decisions, one after the "
        "other; the last: the command ended with exit code 7: no key"
    )


def test_what_a_command_writes_cannot_steer_the_terminal() -> None:
    process = Process(["sh", "-c", r"printf '\033[31mred\007' >&2; exit 1"])
    with pytest.raises(Fault, match=r"exit code 1: \\x1b\[31mred\\x07$"):
        process.ask(b"?", time.monotonic() + 60)


def test_a_program_that_may_not_be_executed_is_not_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    with pytest.raises(ValueError, match=r"agent.py' cannot be executed: chmod \+x\?$"):
        decide(f"process:{tmp_path / 'agent.py'}")


def test_of_a_long_answer_the_reason_is_told() -> None:
    with pytest.raises(
        PlayerFailed, match=r'the last: \'{"game": .*… \([0-9,]+ characters\) must hold "move" once, .*$'
    ):
        decide("process:--retries 0 cat", games=MOST_IN_A_ROW)


def test_silence_ends_with_the_time_and_so_does_all_that_the_command_has_started(tmp_path: Path) -> None:
    process = Process(["sh", "-c", f"sleep 600 & echo $! > {tmp_path / 'pid'}; wait"])
    began = time.monotonic()
    with pytest.raises(Fault, match="no whole line came in time") as late:
        process.ask(b"x" * 2**20, began + 3)  # more than a pipe holds, and nobody reads it
    assert late.value.kind == "late" and 3 <= time.monotonic() - began < 60
    left = int((tmp_path / "pid").read_text())
    while time.monotonic() - began < 60 and alive(left):
        time.sleep(0.01)
    assert not alive(left)


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits for its parent's look does not."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def test_a_line_that_comes_late_is_never_the_next_answer(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    code = f"say(b'1\\n'); open({str(pipe)!r}).close(); say(b'2\\n')"
    process = Process([sys.executable, "-S", "-c", LOOP.format(code)])
    soon = time.monotonic() + 30
    assert process.ask(b"{}\n", soon) == "1"
    pipe.write_text("")  # until then it waits with its second line
    assert process.child and process.child.stdout and select.select([process.child.stdout], [], [], 30)[0]
    with pytest.raises(Fault, match="it wrote before it was asked; an answer is one line"):
        process.ask(b"{}\n", soon)
    process.end()


def test_after_an_interrupt_no_answer_is_taken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import time; time.sleep(0.3); say(str(q).encode() + b'\\n')"
    process = Process([sys.executable, "-S", "-c", LOOP.format(code)])
    soon, write = time.monotonic() + 30, os.write

    def interrupted(*arguments: Any) -> int:
        write(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as here, pytest.raises(KeyboardInterrupt):
        here.setattr(os, "write", interrupted)
        process.ask(b"1\n", soon)
    assert process.ask(b"2\n", soon) == "2"
    process.end()


def test_a_command_has_the_threads_that_the_user_gave_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of a tournament have one each; what a command computes with is the user's own affair."""
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    seen = tmp_path / "seen"
    code = f"open({str(seen)!r}, 'a').write(str([os.environ.get(n) for n in ('OMP_NUM_THREADS', 'MKL_NUM_THREADS')]) + '|'); {FIRST}"
    with environment(workers_environment()):
        decide(f"process:{command(code)}")
    assert set(seen.read_text().split("|")) == {"['3', None]", ""}


def test_the_clock_of_a_question_runs_when_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first prompt compiles what it needs, which may take longer than a command has."""
    write = Question.prompt

    def slow(*arguments: Any) -> str:
        time.sleep(2.5)
        return write(*arguments)

    monkeypatch.setattr(Question, "prompt", slow)
    player = load_player(f"process:--seconds 2 {command(FIRST)}", GAME)
    answers(player, Decisions.of(environments.batch(num_games=1), np.zeros(1, np.int64)))
    assert player.counts["random"] == 0


def test_a_log_may_be_a_pipe(tmp_path: Path) -> None:
    """It is written to, and nothing is put in its place."""
    os.mkfifo(pipe := tmp_path / "log")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    decide(f"process:--log {pipe} {command(FIRST)}")
    assert json.loads(os.read(reader, 2**20).splitlines()[0])["answer"] == "1"
    os.close(reader)
    with pytest.raises(PlayerFailed, match="No such device"):  # nobody reads it
        decide(f"process:--log {pipe} {command(FIRST)}")


def test_a_log_that_nobody_reads_any_more_ends_the_game(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "log")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    player = load_player(f"process:--log {pipe} {command(FIRST)}", GAME)
    decisions = Decisions.of(environments.batch(num_games=1), np.array([0]))
    answers(player, decisions)
    os.close(reader)
    with pytest.raises(PlayerFailed, match="Broken pipe"):
        answers(player, decisions)


def test_a_question_tells_the_games_apart(tmp_path: Path) -> None:
    told = "say(b'%d\\n' % (q['number'] + 1) if q['number'] < 2 else b'1\\n')"
    player = load_player(f"process:--log {tmp_path / 'log'} {command(told)}", GAME)
    batch = environments.batch(num_games=3)
    assert answers(player, Decisions.of(batch, np.arange(3))).tolist() == [0, 1, 0]
    assert [json.loads(line)["game"] for line in (tmp_path / "log").read_text().splitlines()] == [0, 1, 2]


def test_the_rules_go_with_every_question(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("Higher card wins.")
    told = "say(b'bet\\n' if q['rules'] == 'Higher card wins.' and q['prompt'].count('{\"card\"') else b'pass\\n')"
    assert decide(f"process:--rules {tmp_path / 'rules.txt'} --json {command(told)}") == [1]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("process:nothing-of-this-name x", "there is no command 'nothing-of-this-name'"),
        ("process:--seconds nan true", "option --seconds 'nan' must be a number from 0.001 to 86400"),
        ("process:--retries 1.5 true", "option --retries '1.5' must be an integer from 0 to 100"),
        ("process:--retries 1_0 true", "option --retries '1_0' must be an integer from 0 to 100"),
        ("process:--second 3 true", "option '--second' is unknown (did you mean '--seconds'?)"),
        ("process:--log", "option --log needs a value"),
        ("process:--json", "it names no command, as in 'process:--seconds 30 --log moves.jsonl python agent.py'"),
        ("process:'", "No closing quotation"),
        ("process:--rules none.txt true", "--rules 'none.txt': No such file"),
        ("process:--log none/x true", "--log 'none/x': there is no folder 'none'"),
        ("process:--log . true", "--log '.': no file can be written there"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_one_line(name: str, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        load_player(name, GAME)
    assert str(refused.value).startswith("player ") and said in str(refused.value)


def test_a_command_is_started_when_it_is_asked_and_not_before(tmp_path: Path) -> None:
    load_player(f"process:touch {tmp_path / 'ran'}", GAME)
    assert not (tmp_path / "ran").exists()


def test_no_file_names_a_command(tmp_path: Path) -> None:
    name = "process:true"
    entered = suites.make_suite(tmp_path / "entered", suites.SMALL.replace("greedy", f"'{name}'"))
    met = suites.make_suite(tmp_path / "met")
    (met / "populations" / "two.yaml").write_text(suites.POPULATION.replace("projector", f"'{name}'"))
    learning = (configs.FOLDER / "benchmark" / "learning" / "timeline_2_1m.yaml").read_text()
    (tmp_path / "learning.yaml").write_text(learning.replace("projector", f"'{name}'"))
    saved = record_game(Setting(GAME), 0, [])
    for wrong in (
        lambda: suite.load_suite(entered),
        lambda: suite.load_suite(met),
        lambda: load_entry(tmp_path / "learning.yaml", LearningEntry),
        lambda: Kept(saved, ("person", name), (), 1).table(),
        lambda: load_config(Path("timeline_quick"), [f"opponents={{'{name}': 1}}"]),
        lambda: load_config(Path("timeline_quick"), [f"evaluation.against=['{name}']"]),
    ):
        with pytest.raises(ValueError, match="player 'process:true' would run a command; no file may do so"):
            wrong()
    assert name not in names(GAME, 2, (name,), None)


def test_a_tournament_knows_a_changed_script_from_a_longer_log(tmp_path: Path) -> None:
    script, log = tmp_path / "a.py", tmp_path / "log"
    script.write_text("1")

    def made() -> dict:
        return tournament.plan(GAME, ["random", f"process:--log {log} sh {script}"], games=4).as_dict()

    first = made()
    log.write_text("more")
    assert made() == first
    script.write_text("2")
    assert made() != first


def test_a_log_that_was_cut_off_is_read_and_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log"
    name = f"process:--log {log} {command(FIRST)}"
    decide(name)
    log.write_bytes(log.read_bytes() + b"[" * 100_000 + b'\n{"time": "20')
    decide(name)
    assert words.count_log(log)["decisions"] == 2 and len(log.read_bytes().splitlines()) == 4


def test_a_line_of_a_log_counts_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        '{"fault": "late"}\n{"fault": "", "played": "pass"}\n{"fault": "late", "played": "pass", "random": true}\n'
    )
    assert words.count_log(log) == {"decisions": 1, "malformed": 0, "late": 1, "ended": 0, "random": 1}


def test_the_example_plays_on_with_one_malformed_answer_in_three(tmp_path: Path) -> None:
    log = tmp_path / "log"
    setting = Setting(GAME)
    example = f"process:{shlex.join(['--log', str(log), sys.executable, '-S', str(EXAMPLE), '--malformed', '0.33'])}"
    players = [load_player(example, GAME), load_player("random", GAME)]
    results = play_games(setting, players, np.array([[0, 1], [1, 0]] * 10), game_seeds(0, 20))
    counts = words.count_log(log)
    assert sorted(results.rank[0].tolist()) == [1, 2] and len(results.rank) == 20
    assert counts["malformed"] > 3 and counts["late"] == counts["ended"] == 0 and counts["decisions"] >= 20


@each_game
def test_a_scripted_player_chooses_the_same_through_the_pipe(table: Table) -> None:
    name = list(table.game.baselines)[-1]
    batch = table.make("batch", num_games=6, seed=1)
    batch.play_random(30)
    decisions = Decisions.of(batch, np.arange(6))
    asked = shlex.join(["--seconds", "600", sys.executable, str(EXAMPLE), "--player", name])
    piped = load_player(f"process:{asked}", table.game, 0, table.num_players)
    # The command makes its player anew for each question.
    plain = [answers(load_player(name, table.game), Decisions.of(batch, np.array([game])))[0] for game in range(6)]
    assert answers(piped, decisions).tolist() == plain


def test_the_example_plays_by_the_variant_that_it_is_told() -> None:
    rules, batch = {"player": {"most_energy": 60}}, Batch(Setting(TIMELINE, 2, {"player": {"most_energy": 60}}), 1)
    position = "2p phase:2.0 turn:y y:0/energy=55 0:org/occurred"
    batch.states[:] = TIMELINE.notation.from_text(batch.rules, position)
    batch.refresh()
    decisions = Decisions.of(batch, np.arange(1))
    asked = shlex.join(["--seconds", "600", "--retries", "0", sys.executable, str(EXAMPLE), "--player", "greedy"])
    piped = load_player(f"process:{asked}", TIMELINE, 0, 2, rules)
    plain = load_player("greedy", TIMELINE, 0, 2, rules)
    assert answers(piped, decisions).tolist() == answers(plain, decisions).tolist()
    assert piped.counts["ended"] == 0  # type: ignore[attr-defined]


def program(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", f"import os, sys; {code}"]


def test_the_longest_answer_is_read_to_its_last_byte() -> None:
    code = "sys.stdin.readline(); os.write(1, b'1' + b' ' * {} + b'\\n'); sys.stdin.readline()"
    assert Process(program(code.format(2**16 - 1))).ask(b"?\n", time.monotonic() + 60) == "1" + " " * (2**16 - 1)
    with pytest.raises(Fault, match="longer than 65,536 bytes"):
        Process(program(code.format(2**16))).ask(b"?\n", time.monotonic() + 60)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda player: pickle.loads(pickle.dumps(player))])
def test_a_copy_asks_a_command_of_its_own_which_ends_with_it(copied: Any, tmp_path: Path) -> None:
    told = tmp_path / "pids"
    code = f"open({str(told)!r}, 'a').write(str(os.getpid()) + ' '); {FIRST}"
    player = load_player(f"process:{command(code)}", GAME)
    decisions = Decisions.of(deal_batch(Setting(GAME), 0), np.zeros(1, np.int64))
    chosen = answers(player, decisions).tolist()
    again = copied(player)
    assert answers(again, decisions).tolist() == chosen and again.counts == {"decisions": 1}
    first, second = map(int, told.read_text().split())
    assert alive(first) and alive(second)
    del again
    assert alive(first) and not alive(second)


def test_a_player_that_goes_ends_its_command(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    code = f"open({str(told)!r}, 'w').write(str(os.getpid())); {FIRST}"
    player = load_player(f"process:{command(code)}", GAME)
    answers(player, Decisions.of(deal_batch(Setting(GAME), 0), np.zeros(1, np.int64)))
    assert alive(int(told.read_text()))
    del player
    assert not alive(int(told.read_text()))
