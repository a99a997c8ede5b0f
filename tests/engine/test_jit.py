"""The compiler's cache, on a copy of the package, each run in a process of its own."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import event
from numba.core.caching import IndexDataCacheFile

from timeline_env.engine import jit, record
from timeline_env.engine.cache import CheckedFiles, make_own_folder, say
from timeline_env.engine.loops import step_games
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE

PACKAGE = Path(__file__).resolve().parents[2] / "timeline_env"

SCRIPT = """
import numpy as np
from timeline_env.engine import record
from timeline_env.engine.jit import entry
from timeline_env.engine.verbs import standings
from timeline_env.timeline import GAME

@entry
def places(rules, S, points, rank):
    standings(rules[0], S[0], points, rank)

rank = np.zeros(2, np.float32)
places(GAME.load_rules(2), record.new(GAME.state), np.zeros(2, np.float32), rank)
print(rank.tolist())
"""
"""Two players level at zero points. The rule that is compiled, `rank_of`, stands in another file than `places`."""

TABLE_SCRIPT = """
from timeline_env.engine.jit import entry
from timeline_env.twilight_struggle.board import STABILITY

@entry
def stability(country):
    return STABILITY[country]

print(stability(0))
"""

TELL_WHY = "from timeline_env.engine.cache import NOT_SAVED\nprint(set(NOT_SAVED))\n"
LEVEL = "[1.5, 1.5]\n"
COMPILING = "timeline_env: compiling timeline for this machine, once"


@pytest.fixture
def site(tmp_path):
    """A folder with a copy of the package and the script, and an environment that knows no other."""
    return make_site(tmp_path)


@pytest.fixture(scope="module")
def once_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("once")
    assert run(make_site(folder / "here"))[0] == LEVEL
    return (folder / "here").rename(folder / "kept")


@pytest.fixture
def run_before(once_run):
    """Such a folder, in which the script has run: its cache lies there. At the same place each time, by which it is found."""
    site = once_run.with_name("here")
    yield Path(shutil.copytree(once_run, site))
    shutil.rmtree(site)


def make_site(folder):
    shutil.copytree(PACKAGE, folder / "site" / "timeline_env", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "site" / "places.py").write_text(SCRIPT)
    return folder


def start(site, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "XDG_", "TIMELINE_"))}
    clean |= {"PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(site / "cache")} | environment
    return subprocess.Popen(
        [sys.executable, "places.py"],
        cwd=site / "site",
        env={key: value for key, value in clean.items() if value != ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(site, **environment):
    """What the script prints, and the lines of its standard error."""
    process = start(site, **environment)
    printed, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return printed, errors.splitlines()


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_the_first_run_says_once_that_it_compiles_and_the_second_says_nothing(site):
    printed, errors = run(site)
    assert printed == LEVEL
    assert len(errors) == 1 and errors[0].startswith(COMPILING) and str(site / "cache") in errors[0]
    assert run(site) == (LEVEL, [])


def test_each_game_and_the_engine_have_a_line_of_their_own(capsys, monkeypatch):
    monkeypatch.delenv("TIMELINE_ENV_QUIET", raising=False)
    listener = jit.FirstRun()
    kinds = [numba.typeof(record.new(game.state)) for game in (TIMELINE, TWILIGHT_STRUGGLE)]
    for arguments in [(kinds[0],), (kinds[0].dtype, kinds[0]), (kinds[1],), (numba.int64,), (kinds[1],)]:
        details = {"dispatcher": step_games, "args": arguments}
        listener.on_start(event.Event("numba:compile", event.EventStatus.START, details))
        listener.on_end(event.Event("numba:compile", event.EventStatus.END, details))
    lines = [line for line in capsys.readouterr().err.splitlines() if "functions compiled" not in line]
    told = [line.partition(" compiling ")[2].partition(" for this")[0].partition(" (")[0] for line in lines]
    assert told == ["timeline", "twilight_struggle", "the engine"]


def test_an_edit_in_another_file_than_the_entry_is_never_missed(run_before):
    site = run_before
    score = site / "site" / "timeline_env" / "timeline" / "score.py"
    before = score.stat()
    edit(score, "return 1.0 + ahead", "return 9.0 + ahead")
    os.utime(score, ns=(before.st_atime_ns, before.st_mtime_ns))  # not even if the file looks as old as before
    printed, errors = run(site)
    assert printed == "[9.5, 9.5]\n"
    assert errors[0].startswith(COMPILING)
    edit(score, "return 9.0 + ahead", "return 1.0 + ahead")
    assert run(site) == (LEVEL, []), "the first edition's cache is still there"


def test_an_edit_of_a_table_that_is_a_constant_of_compiled_code_is_never_missed(site):
    (site / "site" / "places.py").write_text(TABLE_SCRIPT)
    countries = site / "site" / "timeline_env" / "data" / "twilight_struggle" / "countries.csv"
    assert run(site)[0] == "4\n"
    edit(countries, "0,Canada,4,", "0,Canada,3,")
    assert run(site)[0] == "3\n"


def test_an_edit_where_nothing_is_compiled_compiles_nothing_anew(run_before):
    site = run_before
    with (site / "site" / "timeline_env" / "view" / "__init__.py").open("a") as file:
        file.write("# edited\n")
    assert run(site) == (LEVEL, [])


def test_an_install_and_a_home_that_cannot_be_written_to_are_no_obstacle(site):
    package = site / "site" / "timeline_env"
    files = sorted(package.rglob("*"))
    for path in [package, *files]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    (site / "temporary").mkdir()
    nowhere = {"NUMBA_CACHE_DIR": "", "HOME": "/dev/null", "TMPDIR": str(site / "temporary")}
    for _ in range(2):
        printed, errors = run(site, **nowhere)
        assert printed == LEVEL
        assert len(errors) == 1 and "for this run alone: " in errors[0] and "/dev/null" in errors[0]
        assert list((site / "temporary").iterdir()) == [], "what nobody finds again must not be left"
    assert sorted(package.rglob("*")) == files
    for path in [package, *files]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def test_a_user_without_a_home_is_no_obstacle(site):
    (site / "site" / "places.py").write_text(f"import pwd, os\npwd.getpwuid = {{}}.__getitem__\n{SCRIPT}")
    printed, errors = run(site, NUMBA_CACHE_DIR="", HOME="", TMPDIR=str(site))
    assert printed == LEVEL and "home directory" in errors[0]


class Poison:
    """A pickle that makes a folder when it is read."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


def poison(folder, marker):
    content = pickle.dumps(Poison(marker))
    for path in folder.rglob("*.nb?"):
        path.write_bytes(hashlib.sha256(content).digest() + content)


@pytest.mark.parametrize("opened", ["", "timeline_env", "timeline_env/*"])
def test_a_cache_in_which_others_may_write_is_not_read(run_before, opened):
    site = run_before
    cache, marker = site / "cache", site / "marker"
    poison(cache, marker)
    folder = next(cache.glob(opened)) if opened else cache
    folder.chmod(0o777)
    printed, errors = run(site)
    assert printed == LEVEL
    assert f"for this run alone: others may write in '{folder}'" in errors[0]
    assert not marker.exists(), "another user's code ran"
    folder.chmod(0o755)
    start(site).communicate(timeout=300)
    assert marker.exists(), "the poison is none, so this test shows nothing"


def test_the_name_of_the_last_resort_cannot_be_known_and_taken_beforehand(run_before):
    site = run_before
    nowhere = {"NUMBA_CACHE_DIR": "", "HOME": "/nonexistent", "TMPDIR": str(site / "temporary")}
    poison(site / "cache", site / "marker")
    (site / "temporary").mkdir()
    (site / "cache" / "timeline_env").rename(site / "temporary" / f"timeline_env-{os.getuid()}")
    assert run(site, **nowhere)[0] == LEVEL
    assert not (site / "marker").exists()


def test_a_folder_of_another_user_is_not_used(tmp_path):
    if os.geteuid() == 0:
        os.chown(tmp_path, 65534, 65534)
    another = tmp_path if os.geteuid() == 0 else Path("/usr")
    with pytest.raises(PermissionError, match=f"^'{another}' belongs to another user$"):
        make_own_folder(another)


def test_a_link_is_judged_by_where_it_leads(tmp_path):
    (tmp_path / "open" / "mine").mkdir(parents=True)
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path / "open" / "mine")
    with pytest.raises(PermissionError, match=r"^others may write in '.*/open'$"):
        make_own_folder(tmp_path / "link")
    (tmp_path / "open").chmod(0o1777)
    assert make_own_folder(tmp_path / "link") == (tmp_path / "open" / "mine").resolve()
    with pytest.raises(PermissionError, match=r"^others may write in '.*/open'$"):
        make_own_folder(tmp_path / "open")


def test_a_new_folder_is_closed_to_others_whatever_the_mask(tmp_path):
    previous = os.umask(0)
    try:
        folder = make_own_folder(tmp_path / "a" / "b")
    finally:
        os.umask(previous)
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700, 0o700]


def test_a_full_disk_is_no_obstacle(site):
    """As the limit of a process, which needs no disk: nothing beyond a thousand bytes can be written."""
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    (site / "site" / "places.py").write_text(limit + SCRIPT + TELL_WHY)
    printed, errors = run(site)
    assert printed == LEVEL + "{'File too large'}\n"
    assert len(errors) == 2 and errors[0].startswith(COMPILING)
    assert "cannot be written (File too large)" in errors[1] and str(site / "cache") in errors[1]


def fill(path, content):
    path.write_bytes(content)


DAMAGE = {
    "empty": lambda path: fill(path, b""),
    "half": lambda path: fill(path, path.read_bytes()[: path.stat().st_size // 2]),
    "zeros": lambda path: fill(path, bytes(path.stat().st_size)),
    "text": lambda path: fill(path, b"hello\n" * 100),
    "one bit": lambda path: fill(path, path.read_bytes()[:-1] + bytes([path.read_bytes()[-1] ^ 1])),
    "folder": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize(
    ("files", "kind"), [*zip(["*.nbi", "*.nbc"] * 3, DAMAGE, strict=True), ("*.nbi", "one bit"), ("*.nbc", "zeros")]
)
def test_a_damaged_cache_is_compiled_anew(run_before, files, kind):
    site = run_before
    damaged = [*(site / "cache").rglob(files)]
    for path in damaged:
        DAMAGE[kind](path)
    printed, errors = run(site)
    assert damaged and printed == LEVEL
    told = [line for line in errors if not line.startswith(COMPILING)]
    assert 1 <= len(told) <= 2 and all(str(site / "cache") in line for line in told)
    if kind != "folder":
        assert "cannot be read (damaged" in told[0]
        assert run(site) == (LEVEL, []), "it is written anew"


def test_no_index_names_the_code_of_another_key(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("the disk is full")

    files = CheckedFiles(IndexDataCacheFile(str(tmp_path), "function", None))
    files.save("old", "old code")
    files.forget()  # after damage; numbers of files begin again
    with monkeypatch.context() as patch, pytest.raises(OSError, match="full"):
        patch.setattr(files, "_save_data", fail)
        files.save("new", "new code")
    assert files.load("new") is None
    files.save("new", "new code")
    files.save("other", "other code")
    assert [files.load(key) for key in ("new", "other", "old")] == ["new code", "other code", None]
    # As read before another process began the files again.
    monkeypatch.setattr(files, "_load_index", lambda: {"new": files._data_name(2)})
    assert files.load("new") is None


def test_processes_that_start_at_once_do_not_disturb_each_other(site):
    processes = [start(site) for _ in range(3)]
    for process in processes:
        printed, errors = process.communicate(timeout=300)
        assert (process.returncode, printed) == (0, LEVEL), errors
    assert run(site) == (LEVEL, [])


def test_without_standard_error_nothing_is_said(monkeypatch, capsys):
    monkeypatch.delenv("TIMELINE_ENV_QUIET", raising=False)
    monkeypatch.setattr(sys, "stderr", None)
    say("something")
    assert capsys.readouterr().out == ""


def test_the_message_can_be_silenced(site):
    assert run(site, TIMELINE_ENV_QUIET="1") == (LEVEL, [])


def test_every_rule_is_compiled_once_whatever_whole_numbers_it_is_called_with(site):
    (site / "site" / "places.py").write_text(SIGNATURES)
    assert run(site)[0] == "{}\n"


SIGNATURES = """
import sys
from numba.core.dispatcher import Dispatcher
from timeline_env import timeline_v0

timeline_v0.batch(1, 2).play_random(1)
rules = [
    value
    for name, module in sorted(sys.modules.items())
    if name.startswith("timeline_env.")
    for value in vars(module).values()
    if isinstance(value, Dispatcher) and value.py_func.__module__ == name
]
assert sum(len(rule.signatures) for rule in rules) > 80, "the rules were not compiled"
def numbers(signature):
    return tuple(kind for kind in signature if not hasattr(kind, "ndim"))  # tables may be of different sizes

print({rule.py_func.__name__: rule.signatures for rule in rules if len(set(map(numbers, rule.signatures))) > 1})
"""
