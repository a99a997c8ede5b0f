"""The page's server: what it answers to whom, and what it refuses."""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from timeline_env import play, timeline_v0
from timeline_env.files import lock_beside
from timeline_env.play import keeping
from timeline_env.play.guard import Guard
from timeline_env.play.session import Session
from timeline_env.play.table import Table
from timeline_env.timeline import GAME as TIMELINE


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """A table of two persons in Timeline, served."""
    session = play.open("timeline", [play.PERSON, play.PERSON], seed=3, port=0, browser=False)
    while ask(session, session.secrets[0])[1].get("status") == "starting":
        time.sleep(0.1)
    yield session
    session.close()


def ask(
    session: Session, secret: str, path: str = "/view", message: Any = None, **headers: str
) -> tuple[int, dict[str, Any], dict[str, str]]:
    """Status, content and headers of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", session.port, timeout=60)
    sent = {"X-Secret": secret} | {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if message is None else message if isinstance(message, bytes) else json.dumps(message)
    connection.request("GET" if message is None else "POST", path, body, sent)
    answer = connection.getresponse()
    content = answer.read()
    told = json.loads(content) if answer.getheader("content-type") == "application/json" else {"text": content.decode()}
    connection.close()
    return answer.status, told, {name.lower(): value for name, value in answer.getheaders()}


def test_a_secret_opens_its_own_seat_alone(session: Session) -> None:
    views = [ask(session, secret)[1] for secret in session.secrets]
    assert [view["viewer"] for view in views] == [0, 1, None]
    assert [bool(view["targets"]) for view in views] == [True, False, False]
    hands = [[card["title"] for tray in view["trays"] for card in tray["cards"]] for view in views]
    assert hands[0] and hands[1] and not hands[2] and hands[0] != hands[1]
    for secret in ("", "x", session.secrets[0][:-1]):
        assert ask(session, secret)[0] == 403
        assert ask(session, secret, "/act", {"kind": "undo"})[0] == 403


def test_another_seat_cannot_decide(session: Session) -> None:
    cookie = ask(session, session.secrets[0])[1]["cookie"]
    for secret in session.secrets[1:]:
        status, told, _ = ask(session, secret, "/act", {"kind": "move", "cookie": cookie, "move": "pass"})
        assert status == 409 and "you" in told["error"]


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Host": "evil.example:8421"}, 400),
        ({"Host": "localhost"}, 400),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
    ],
)
def test_requests_of_other_sites_are_refused(session: Session, headers: dict[str, str], status: int) -> None:
    assert ask(session, session.secrets[0], **headers)[0] == status


@pytest.mark.parametrize(
    ("bound", "port", "host", "own"),
    [
        ("127.0.0.1", 80, "localhost", True),
        ("127.0.0.1", 80, "127.0.0.1", True),
        ("127.0.0.1", 80, "localhost:80", True),
        ("::1", 80, "[::1]", True),
        ("::1", 8421, "[::1]:8421", True),
        ("127.0.0.1", 80, "localhost:8421", False),
        ("127.0.0.1", 80, "evil.example", False),
        ("127.0.0.1", 80, "", False),
        ("127.0.0.1", 8421, "[::1]", False),
        ("My-Machine.local", 8421, "my-machine.local:8421", True),
        ("My-Machine.local", 8421, "MY-MACHINE.LOCAL:8421", True),
        ("LocalHost", 8421, "192.0.2.1:8421", False),
    ],
)
def test_a_host_is_known_by_its_name_and_port(bound: str, port: int, host: str, own: bool) -> None:
    assert Guard(None, bound, port).is_own_host(host) == own


def test_a_websocket_is_refused_before_it_opens() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asked = Guard(None, "127.0.0.1", 80)({"type": "websocket", "path": "/static/page.js"}, None, send)
    with ThreadPoolExecutor(1) as thread:  # in this one a browser's test may have left a loop
        thread.submit(asyncio.run, asked).result()
    assert sent == [{"type": "websocket.close"}]  # a close in the place of an accept is answered by 403


def test_a_link_may_lead_to_the_page_itself(session: Session) -> None:
    status, content, _ = ask(session, "", "/", Sec_Fetch_Site="cross-site")
    assert status == 200 and not any(secret in content["text"] for secret in session.secrets)


def test_every_answer_forbids_what_the_page_does_not_need(session: Session) -> None:
    for path in ("/", "/view", "/static/page.js", "/nothing", "/static/../server.py"):
        _, content, headers = ask(session, session.secrets[0], path)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
        assert "access-control-allow-origin" not in headers
    assert "text" in content and "import" not in content["text"]


@pytest.mark.parametrize(
    "message, status",
    [
        (b"no json", 400),
        (b"[" * 60000, 400),
        (b"x" * 70000, 413),
        ([], 400),
        ({"kind": "player", "name": "os:system"}, 400),
        ({"kind": "move"}, 400),
        ({"kind": "move", "cookie": 1, "move": "pass"}, 400),
        ({"kind": "move", "cookie": "0.0", "move": "<img src=x onerror=alert(1)>"}, 409),
        ({"kind": "pace", "pace": True}, 400),
        ({"kind": "pace", "pace": 1e9}, 400),
    ],
)
def test_messages_that_are_none_are_refused(session: Session, message: Any, status: int) -> None:
    before = session.table.version
    assert ask(session, session.secrets[0], "/act", message)[0] == status
    assert session.table.version == before


def test_a_page_that_knows_it_all_is_told_so(session: Session) -> None:
    version = ask(session, session.secrets[0])[1]["version"]
    assert ask(session, session.secrets[0], f"/view?after={version}")[1] == {"status": "same"}
    assert ask(session, session.secrets[0], "/view?after=99")[1]["version"] == version


def test_what_is_wrong_with_a_position_is_said_in_short(session: Session) -> None:
    status, told, _ = ask(session, session.secrets[0], "/act", {"kind": "analyse", "position": "x" * 9000})
    assert status == 409 and told["error"].startswith("this is not a position") and len(told["error"]) < 300


def test_a_mind_that_fails_is_named(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def values(self, *_: Any) -> Any:
            raise IndexError("no such card")

    monkeypatch.setattr(session.table, "mind", lambda name: Broken())
    status, told, _ = ask(session, session.secrets[0], "/act", {"kind": "think", "player": "mine:Broken"})
    assert status == 409 and "Broken failed: IndexError: no such card" in told["error"]


def test_one_player_at_a_time_thinks_for_a_page(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, done = threading.Event(), threading.Event()

    def slow(seat: int | None, name: str) -> dict[str, Any]:
        asked.set()
        done.wait(60)
        return {"name": name}

    monkeypatch.setattr(session.table, "thoughts", slow)
    question = ("/act", {"kind": "think", "player": "greedy"})
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(ask, session, session.secrets[0], *question)
        assert asked.wait(60)
        status, told, _ = ask(session, session.secrets[0], *question)
        done.set()
        assert (status, told["error"]) == (409, "a player is still thinking for you: wait for its answer")
        assert first.result()[:2] == (200, {"name": "greedy"})
    assert ask(session, session.secrets[0], *question)[0] == 200


def test_who_asks_when_the_page_ends_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    closing = play.open("timeline", [play.PERSON, play.PERSON], port=0, browser=False)
    asked, done = threading.Event(), threading.Event()

    def slow(seat: int | None, name: str) -> dict[str, Any]:
        asked.set()
        done.wait(60)
        return {}

    monkeypatch.setattr(closing.table, "thoughts", slow)
    while ask(closing, closing.secrets[0])[1].get("status") == "starting":
        time.sleep(0.01)
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(ask, closing, closing.secrets[0], "/act", {"kind": "think", "player": "greedy"})
        assert asked.wait(60)
        closing.close()
        assert answer.result()[:2] == (503, {"error": "the page is served no longer"})
    done.set()


def test_a_player_that_fails_in_a_copy_is_named(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def act(self, decisions: Any) -> Any:
            raise IndexError("no such card")

    secret = session.secrets[0]
    before = ask(session, secret, "/act", {"kind": "analyse"})[1]
    monkeypatch.setattr(session.room.analyses[secret], "mind", lambda name: Broken())
    message = {"kind": "decide", "analysis": True, "player": "mine:Broken"}
    status, told, _ = ask(session, secret, "/act", message)
    assert status == 409 and "Broken failed in act" in told["error"] and "\n" not in told["error"]
    assert ask(session, secret, "/view?analysis=1")[1]["cookie"] == before["cookie"]


def test_the_words_of_a_player_that_fails_are_for_the_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They may tell of its hand, as those of an illegal answer do, which name the legal ones."""
    failing = play.open("timeline", [play.PERSON, "random"], seed=3, port=0, browser=False)
    while ask(failing, failing.secrets[0])[1].get("status") == "starting":
        time.sleep(0.1)
    monkeypatch.setattr(failing.table.players[1], "act", lambda decisions: [-1])
    cookie = ask(failing, failing.secrets[0])[1]["cookie"]
    ask(failing, failing.secrets[0], "/act", {"kind": "move", "cookie": cookie, "move": "pass"})
    while not failing.room.failed:
        time.sleep(0.1)
    for secret in failing.secrets:
        status, told, _ = ask(failing, secret)
        assert (status, told) == (500, {"error": "the player of orange failed; the terminal says why"})
    assert "legal are" in capsys.readouterr().err
    failing.close()


def test_why_a_kept_game_cannot_go_on_is_for_the_terminal_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal of a move names the legal ones, and with them cards of a hand."""
    path = tmp_path / "game.json"
    table = Table(TIMELINE, [play.PERSON] * 2, 3)
    saved = replace(table.as_saved(), moves=["end the game"], digests={"1": ""})
    keeping.write(path, keeping.Kept(saved, table.seats, ("a", "b", "c"), 8421))
    failing = play.resume(path, port=0, browser=False)
    while not failing.room.failed:
        time.sleep(0.1)
    status, told, _ = ask(failing, "c")
    assert (status, told) == (500, {"error": "the game cannot go on; the terminal says why"})
    assert "legal" in capsys.readouterr().err
    failing.close()


def test_a_port_that_is_taken_is_named(session: Session) -> None:
    with pytest.raises(ValueError, match=f"port {session.port} of 127.0.0.1 cannot be had"):
        play.open("timeline", port=session.port, browser=False)


def test_one_program_at_a_time_plays_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    first = play.open("timeline", [play.PERSON, play.PERSON], port=0, browser=False, path=str(path))
    while not path.is_file():
        time.sleep(0.1)
    kept = path.read_bytes()
    with pytest.raises(ValueError, match="is being played in another program"):
        play.resume(str(path), port=0, browser=False)
    assert path.read_bytes() == kept and first.table.log == []
    first.close()
    code = "import fcntl, sys; fcntl.flock(sys.stdout, fcntl.LOCK_EX); print('held', file=sys.stderr); input()"
    with lock_beside(path).open("w") as lock:
        other = subprocess.Popen(
            [sys.executable, "-uc", code], stdin=subprocess.PIPE, stdout=lock, stderr=subprocess.PIPE
        )
    assert other.stderr is not None and other.stderr.readline() == b"held\n"
    with pytest.raises(ValueError, match="is being played in another program"):
        play.resume(path, port=0, browser=False)
    other.kill()
    other.communicate()
    play.resume(path, port=0, browser=False).close()


def test_an_environment_and_a_position_are_opened_as_copies() -> None:
    env = timeline_v0.env(num_players=3)
    env.reset(seed=1)
    state = env.unwrapped.batch.states.tobytes()
    shown = env._repr_mimebundle_()
    assert shown["image/svg+xml"].startswith("<svg") and "energy" in shown["text/plain"]
    for what, options, seats in (
        (env, {}, 3),
        ("timeline", {"position": "2p phase:1.0 turn:y y:0/energy=20 0:org/occurred"}, 2),
    ):
        opened = play.open(what, port=0, browser=False, **options)
        assert list(opened.addresses) == ["copy"]
        while (view := ask(opened, opened.secrets[0])[1])["status"] == "starting":
            time.sleep(0.1)
        assert (view["analysis"], view["alone"], len(view["seats"])) == (True, True, seats)
        move = {"kind": "move", "analysis": True, "cookie": view["cookie"], "move": "pass"}
        status, after, _ = ask(opened, opened.secrets[0], "/act", move)
        assert status == 200 and after["viewer"] == (view["viewer"] + 1) % seats
        opened.close()
    assert env.unwrapped.batch.states.tobytes() == state
    with pytest.raises(ValueError, match="this is not a position"):
        play.open("timeline", position="2p phase:9", port=0, browser=False)


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(ValueError, match=r"notes.txt' is there already; `resume` goes on"):
        play.open("timeline", seed=3, port=0, browser=False, path=notes)
    assert notes.read_text() == "mine" and list(tmp_path.iterdir()) == [notes]


@pytest.mark.parametrize(("host", "port"), [("127.0.0.1", 70000), ("a" * 70, 0), ("no such host", 0)])
def test_an_address_that_cannot_be_is_named(host: str, port: int) -> None:
    with pytest.raises(ValueError, match=f"^port {port} of {host} cannot be had: "):
        play.open("timeline", host=host, port=port, browser=False)


def test_a_copy_stays_if_another_cannot_be_made(session: Session) -> None:
    secret = session.secrets[0]
    assert ask(session, secret, "/act", {"kind": "analyse"})[0] == 200
    moved = ask(session, secret, "/act", {"kind": "redeal", "analysis": True})[1]
    assert ask(session, secret, "/act", {"kind": "analyse", "position": "castle"})[0] == 409
    assert ask(session, secret, "/view?analysis=1")[1]["cookie"] == moved["cookie"]


def test_the_program_ends_while_a_player_thinks(tmp_path: Path) -> None:
    kept = tmp_path / "game.json"
    words = ["play", "--no-browser", "--port", "0", "--seat", "yellow=mcts:999999999", "--save", str(kept)]
    code = "from timeline_env.commands.main import main; main()"
    command = [sys.executable, "-c", code, *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while not kept.exists():  # written when the game is dealt; then the first seat thinks
            assert process.poll() is None
            time.sleep(0.1)
        time.sleep(1)
        process.terminate()  # as by Ctrl-C, which a shell's background processes do not get
        _, said = process.communicate(timeout=120)
        assert process.returncode in (0, 130) and "Traceback" not in said
    finally:
        process.kill()
