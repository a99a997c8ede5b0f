"""Players' names: what they are cut into, and what a mistyped one is answered with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.commands import python_in
from tests.players.agents import an_agent
from timeline_env import timeline_v0
from timeline_env.engine.setting import Setting
from timeline_env.failures import PlayerFailed
from timeline_env.games import PACKAGES, game_named
from timeline_env.players import load_player
from timeline_env.players.agents.shipped import NAMES
from timeline_env.players.command import Command
from timeline_env.players.interface import Decisions
from timeline_env.players.names import SEARCHES, Budget, PlayerName
from timeline_env.players.registry import make_absolute
from timeline_env.timeline import GAME


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("random", {"agent": "random"}),
        ("shipped@sampled", {"agent": "shipped", "sampled": True}),
        ("runs/a@b/agent.npz@sampled", {"agent": "runs/a@b/agent.npz", "sampled": True}),
        ("mcts:200", {"search": "mcts", "budget": Budget(200, float("inf"))}),
        ("flat:50ms", {"search": "flat", "budget": Budget(2**62, 0.05)}),
        ("value:9@a", {"search": "value", "budget": Budget(9, float("inf")), "agent": "a"}),
        ("puct:9@runs/a:b@sampled", {"search": "puct", "budget": Budget(9, float("inf")), "agent": "runs/a:b@sampled"}),
        ("mine:Cautious", {"place": "mine:Cautious"}),
        ("process:a 'b c,d:e'", {"command": Command(("a", "b c,d:e"))}),
        (
            "process:--seconds 2.5 --retries 0 --json --log l --rules r a --json",
            {"command": Command(("a", "--json"), 2.5, 0, True, "r", "l")},
        ),
        (":x", {"agent": ":x"}),
        ("mcts200", {"agent": "mcts200"}),
    ],
)
def test_a_name_is_cut_into_its_parts(text: str, parts: dict) -> None:
    assert PlayerName.read(text) == PlayerName(text, **parts)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("projektor", "'projector'"),
        ("Shipped", "'shipped'"),
        ("random@sampled", "'random'"),
        ("mcts200", "'mcts:200'"),
        ("mcst:50ms", "'mcts:50ms'"),
        ("puct:9@projectr", "'projector'"),
    ],
)
def test_a_mistyped_name_is_answered_with_the_nearest_known_one(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=rf"\(did you mean {meant}\?\)") as refusal:
        load_player(name, GAME)
    assert name in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["mcts:10@", "flat:10ms@", "puct:10@", "race:10", "mcts:10@greedy"])
def test_a_search_has_a_guide_where_its_kind_asks_for_one(name: str) -> None:
    with pytest.raises(ValueError, match=f"^player '{name}': a search is named flat:200, "):
        load_player(name, GAME)


@pytest.mark.parametrize("name", ["mcts:0", "mcts:1000000000", "mcts:-1", "flat:1.5ms", "flat:٣"])
def test_a_budget_out_of_range_is_answered_with_its_range(name: str) -> None:
    with pytest.raises(ValueError, match=f"^player '{name}': budget .* such as 50ms, of 1 to 999,999,999$"):
        load_player(name, GAME)


def test_a_guide_that_cannot_guide_is_answered_with_those_that_can() -> None:
    for name in ("random", "heuristic"):
        with pytest.raises(
            ValueError, match=f"guide '{name}' is unknown; allowed: greedy, projector, planner, shipped, "
        ):
            load_player(f"race:10@{name}", GAME)


def test_a_path_with_a_colon_is_not_taken_for_a_module(tmp_path: Path) -> None:
    path = tmp_path / "mine:run"
    path.mkdir()
    with pytest.raises(ValueError, match=r"mine:run is a path; give an agent a path without ':' to name it$"):
        load_player(str(path), GAME)


def test_nobody_decides_in_a_game_that_is_over() -> None:
    batch = timeline_v0.batch(1, 2)
    while batch.seat[0] >= 0:
        batch.step(batch.action_mask.argmax(axis=1), np.arange(1), False)
    with pytest.raises(ValueError, match=r"^game 0 is over: nobody decides in it$"):
        Decisions.of(batch, np.arange(1))


def test_a_name_like_no_other_is_answered_with_all_that_are_allowed() -> None:
    known = (
        "random, greedy, projector, planner, shipped, shipped_medium, shipped_small, held_out, flat:200, mcts:200, puct:200@GUIDE, "
        "value:200@AGENT, race:200@GUIDE, module:Class, process:COMMAND, the path of a trained agent"
    )
    with pytest.raises(ValueError, match=f"^player 'nobody' is unknown; allowed: {known}$"):
        load_player("nobody", GAME)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("heuristic", "player 'heuristic' is one of twilight_struggle, not of timeline: give that game"),
        ("mine.py", "player 'mine.py': name a class in a file by module and class, as in mine:Class"),
        (
            "value:9@random",
            "player 'value:9@random': the guide must be an agent that carries a value of the reward 'rank' or 'win'",
        ),
        (
            "value:9@projector",
            "player 'value:9@projector': the guide must be an agent that carries a value of the reward 'rank' or 'win'",
        ),
        (
            "value:9",
            "player 'value:9': a search is named flat:200, mcts:200, puct:200@GUIDE, value:200@AGENT, "
            "race:200@GUIDE, or 50ms in place of 200",
        ),
        ("runs/none", "player 'runs/none': there is neither a run nor a trained agent at this path"),
    ],
)
def test_an_unknown_name_is_answered_with_what_may_have_been_meant(name: str, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        load_player(name, GAME)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    "code",
    [
        "class Mine:\n    def __init__(self, seed):\n        raise RuntimeError('no')",
        "class Mine:\n    def __init__(self, seed):\n        self.table = None + 1",
        "class Mine:\n    def __init__(self, seed):\n        seed.nothing()",
        "import no_such_module_at_all",
        "def",
        "raise SystemExit(0)",
    ],
)
def test_code_that_fails_while_it_is_loaded_is_named_with_its_line(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"fails_{len(code)}"
    (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        PlayerFailed,
        match=rf"^player {name}:Mine cannot be loaded: (RuntimeError|TypeError|AttributeError|ModuleNotFoundError|SyntaxError|SystemExit): .* line \d+\)$",
    ):
        load_player(f"{name}:Mine", GAME)


def test_a_class_that_is_not_made_with_a_seed_or_not_there_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "makes_nothing.py").write_text("class Mine:\n    def __init__(self):\n        pass")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("makes_nothing:Mine", "makes_nothing:Other", "no_such_module_at_all:Mine"):
        with pytest.raises(ValueError, match=f"^player {name} cannot be loaded: "):
            load_player(name, GAME)
    with pytest.raises(ValueError, match=r"; a player is a class that is called with seed=…$"):
        load_player("makes_nothing:Mine", GAME)


def test_what_is_no_name_or_no_game_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^player None must be a name$"):
        load_player(None, GAME)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^game 'timeline' must be a Game, as game_named\('timeline'\) gives it$"):
        load_player("random", "timeline")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^game 'timeline' must be a Game, as game_named\('timeline'\) gives it$"):
        Setting("timeline")  # type: ignore[arg-type]


def test_the_page_of_players_has_every_name() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "players.md").read_text(encoding="utf-8")
    baselines = {name for game in PACKAGES for name in game_named(game).baselines}
    for name in (*baselines, *NAMES):
        assert f"`{name}`" in page, name
    for search in SEARCHES:
        assert f"`{search}:" in page, search
    (example,) = python_in("docs/players.md")
    exec(example, {})


def test_a_folder_named_like_a_baseline_changes_no_game(tmp_path: Path) -> None:
    """Seen in a new process: there no game has been loaded when the names are read."""
    (tmp_path / "projector").mkdir()
    an_agent(2).save(tmp_path / "projector" / "agent.npz")
    words = ("-m", "timeline_env.commands.main", "evaluate", "projector", "--against", "random", "--games", "8")
    done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True)
    assert "timeline, 4 players" in done.stdout, done.stderr


@pytest.mark.parametrize("name", ["random@sampled", "puct:9@random", "value:9@random"])
def test_a_folder_named_like_a_baseline_is_no_agent(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "random").mkdir()
    an_agent(2).save(tmp_path / "random" / "agent.npz")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=f"^player '{name}'"):
        load_player(name, GAME, num_players=2)


@pytest.mark.parametrize("name", ["{}", "{}@sampled", "{}@guarded", "puct:2@{}"])
def test_an_agents_path_means_the_same_from_every_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_agent(2).save(tmp_path / "a.npz")
    monkeypatch.chdir(tmp_path)
    assert make_absolute(name.format("a.npz"), Setting(GAME, 2)) == name.format(tmp_path / "a.npz")


@pytest.mark.parametrize("name", ["greedy", "shipped", "mcts:20", "race:2@shipped", "process:a.npz", "a.npz:Class"])
def test_a_name_that_is_no_path_stays_as_it_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in ("a.npz", "greedy", "shipped"):
        an_agent(2).save(tmp_path / path)
    monkeypatch.chdir(tmp_path)
    assert make_absolute(name, Setting(GAME, 2)) == name
