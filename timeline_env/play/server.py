"""Serves the page of one table, to this machine alone unless told otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from timeline_env.failures import PlayerFailed
from timeline_env.play.analysis import Analysis, analysis_of
from timeline_env.play.guard import MOST_BODY, Guard, refuse
from timeline_env.play.progress import Compiling
from timeline_env.play.table import Refused, Table
from timeline_env.reading import cut, flatten

T = TypeVar("T")
STATIC = Path(__file__).with_name("static")
PACES = (0.0, 0.3, 1.0)
"""Seconds between two decisions of players."""
WAIT = 20.0
"""Seconds that a page waits for news before it asks again."""
SECRET = "x-secret"
"""The header that tells who asks."""


class Room:
    """A table and what its pages are shown.

    Attributes:
        table: the table.
        secrets: one for each seat, then one for those who only watch.
        ready: whether the rules are compiled and the game is dealt.
        failed: why the game cannot go on, as the pages are told; empty while it can.
        notice: what the page should say beside the game; usually empty.
        analyses: for each secret, what its page tries out.
        views: what was last shown to each viewer.
        pace: seconds between two decisions of players, one of `PACES`.

    Args:
        table: the table.
        secrets: one for each seat, then one for those who only watch.
        keep: called with the table after every change.
        loop: the event loop that it is served in.
    """

    def __init__(
        self,
        table: Table,
        secrets: tuple[str, ...],
        keep: Callable[[Table], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.table, self.secrets, self.keep, self.loop = table, secrets, keep, loop
        self.ready, self.failed, self.notice, self.pace = False, "", "", PACES[1]
        self.analyses: dict[str, Analysis] = {}
        self.views: dict[int | None, dict[str, Any]] = {}
        self.compiling = Compiling()
        self.changed = asyncio.Event()
        self.server: uvicorn.Server | None = None
        self.closing = False

    def close(self) -> None:
        """Stop serving; may be called from any thread."""
        self.loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        self.closing = True
        self.wake_waiting()
        if self.server is not None:
            self.server.should_exit = True

    def role(self, secret: str) -> tuple[bool, int | None]:
        """Whether the secret is one of this table, and whose: a seat, or None for those who only watch."""
        found = [place for place, own in enumerate(self.secrets) if hmac.compare_digest(own.encode(), secret.encode())]
        if not found:
            return False, None
        return True, found[0] if found[0] < len(self.table.seats) else None

    def wake_waiting(self) -> None:
        """Answer everybody who waits: something changed."""
        self.changed.set()
        self.changed = asyncio.Event()

    async def drive(self) -> None:
        """Set the game up, then let the players decide whenever it is their turn."""
        try:
            await run_in_thread(lambda: self.table.batch)
            self.ready = True
            self.keep_and_tell()
            while True:
                waiting = self.changed
                if not self.table.waits_for_player:
                    await waiting.wait()
                    continue
                action = await run_in_thread(self.table.think)
                await asyncio.sleep(self.pace)
                self.table.commit(action)
                self.keep_and_tell()
        except PlayerFailed as error:
            self.fail(f"the player of {self.table.name(self.table.to_act)} failed", str(error))
        except ValueError as error:
            self.fail("the game cannot go on", str(error))
        except Exception as error:  # a page that waited for ever would tell nobody
            self.fail("the program failed", f"{type(error).__name__}: {error}")
            raise

    def fail(self, told: str, why: str) -> None:
        """The game cannot go on: tell all pages that, and the terminal why, which may tell of a hand."""
        print(f"error: {why}", file=sys.stderr, flush=True)
        self.failed = f"{told}; the terminal says why"
        self.wake_waiting()

    def keep_and_tell(self) -> None:
        """Keep the game, and tell all pages."""
        if isinstance(self.table, Analysis):
            return
        try:
            self.keep(self.table)
            self.notice = ""
        except OSError as error:
            self.notice = f"The game is not being saved: {error.strerror or error}."
        self.wake_waiting()

    def view(self, viewer: int | None, look: int | None = None, whole_log: bool = False) -> dict[str, Any]:
        """What the page shows; see `Table.view`. All who look at the present position as the same viewer share one view."""
        table, usual = self.table, look is None and not whole_log
        found = self.views.get(viewer) if usual else None
        if found is None or found["version"] != table.version:
            found = table.view(viewer, look, whole_log)
            if usual:
                self.views[viewer] = found
        return found | {"pace": self.pace, "notice": self.notice, "alone": isinstance(table, Analysis)}


class Rooms:
    """The application: answers the page's requests."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.thinking: set[tuple[str, bool]] = set()  # for whom a player thinks: the secret, and whether in a copy

    def app(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/", self.page),
                Route("/view", self.view),
                Route("/act", self.act, methods=["POST"]),
                Mount("/static", StaticFiles(directory=STATIC)),
            ]
        )

    async def page(self, request: Request) -> Response:
        """The page; it holds nothing of the game."""
        return FileResponse(STATIC / "page.html")

    async def view(self, request: Request) -> Response:
        """What the page shows; with ``after``, only if it is newer than that version, and with ``wait``, as soon as it is."""
        known, viewer = self.room.role(request.headers.get(SECRET, ""))
        if not known:
            return refuse(403, "this address lacks the secret of a seat, or has an old one")
        room = self.room
        after, look = (number(request.query_params.get(name)) for name in ("after", "look"))
        if after == room.table.version and room.ready and not room.failed and not room.closing:
            if "wait" in request.query_params:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(room.changed.wait(), WAIT)
            if after == room.table.version and not room.failed:
                return JSONResponse({"status": "same"})
        if room.failed:
            return refuse(500, room.failed)
        if not room.ready:
            await asyncio.sleep(0.2)
            return JSONResponse({"status": "starting", "prompt": room.compiling.describe()})
        whole_log = "log" in request.query_params
        try:
            if "analysis" in request.query_params:
                return JSONResponse(self.analysis(request).view(look=look, whole_log=whole_log))
            return JSONResponse(room.view(viewer, look, whole_log))
        except Refused as error:
            return refuse(409, str(error))

    async def act(self, request: Request) -> Response:
        """Do what somebody asks for, such as a decision, taking one back, or another pace."""
        known, viewer = self.room.role(request.headers.get(SECRET, ""))
        if not known:
            return refuse(403, "this address lacks the secret of a seat, or has an old one")
        if not self.room.ready or self.room.failed:
            return refuse(409, self.room.failed or "the game is still being set up")
        try:
            message = await body(request)
            if message.get("kind") == "think":
                table = self.analysis(request) if message.get("analysis") else self.room.table
                return JSONResponse(await self.think(request, message, table.thoughts, viewer, text(message, "player")))
            if message.get("kind") == "analyse" or message.get("analysis"):
                if message.get("kind") == "decide":
                    await self.think(request, message, self.try_out, request, viewer, message)
                else:
                    await run_in_thread(self.try_out, request, viewer, message)
                if isinstance(self.room.table, Analysis):
                    self.room.wake_waiting()
                return JSONResponse(self.analysis(request).view(whole_log="log" in message))
            self.do(viewer, message)
        except (Refused, PlayerFailed) as error:
            return refuse(409, str(error))
        except ValueError as error:
            return refuse(400, str(error))
        except asyncio.CancelledError:
            if not self.room.closing:
                raise
            return refuse(503, "the page is served no longer")
        return JSONResponse(self.room.view(viewer, whole_log="log" in message))

    async def think(self, request: Request, message: dict[str, Any], work: Callable[..., T], *given: Any) -> T:
        """What a function gives in which a player thinks, however long. Raises Refused while one thinks there for this secret already."""
        asker = request.headers.get(SECRET, ""), bool(message.get("analysis"))
        if asker in self.thinking:
            raise Refused("a player is still thinking for you: wait for its answer")
        self.thinking.add(asker)

        def once() -> T:
            try:
                return work(*given)
            finally:
                self.thinking.discard(asker)

        return await run_in_thread(once)

    def analysis(self, request: Request) -> Analysis:
        """What the page that asks tries out. Raises Refused if it tries out nothing."""
        if isinstance(self.room.table, Analysis):
            return self.room.table
        found = self.room.analyses.get(request.headers.get(SECRET, ""))
        if found is None:
            raise Refused(
                "there is no copy to try things out in; if the program was begun anew, the copy is gone: go back to the game"
            )
        return found

    def try_out(self, request: Request, viewer: int | None, message: dict[str, Any]) -> None:
        """Do what a message asks for in the copy of a position. Raises Refused, or ValueError if it is no message."""
        kind, secret = message.get("kind"), request.headers.get(SECRET, "")
        if kind == "analyse":
            look = message.get("look")
            if look is not None and type(look) is not int:
                raise ValueError("look must be an integer")
            if isinstance(self.room.table, Analysis):  # one for all who look at it
                self.room.table.edit(text(message, "position"))
                return
            made = analysis_of(self.room.table, viewer, look)
            if "position" in message:
                made.edit(text(message, "position"))
            self.room.analyses[secret] = made
            return
        table = self.analysis(request)
        if kind == "move":
            table.act(viewer, text(message, "cookie"), text(message, "move"))
        elif kind == "undo":
            table.undo(viewer, text(message, "cookie"))
        elif kind == "edit":
            table.edit(text(message, "position"))
        elif kind == "redeal":
            table.redeal()
        elif kind == "decide":
            table.decide(table.mind(text(message, "player")))
        else:
            raise ValueError("kind must be one of analyse, move, undo, edit, redeal, decide, think")

    def do(self, viewer: int | None, message: dict[str, Any]) -> None:
        """Do what a message asks for. Raises Refused if it cannot be done, ValueError if it is no message."""
        kind = message.get("kind")
        if kind == "move":
            self.room.table.act(viewer, text(message, "cookie"), text(message, "move"))
        elif kind == "undo":
            self.room.table.undo(viewer, text(message, "cookie"))
        elif kind == "pace" and viewer is None:
            raise Refused("who watches does not set the pace")
        elif kind == "pace":
            pace = message.get("pace")
            if type(pace) not in (int, float) or pace not in PACES:
                raise ValueError(f"pace must be one of {', '.join(map(str, PACES))}")
            self.room.pace = float(pace)
        else:
            raise ValueError("kind must be one of move, undo, pace, think, analyse")
        self.room.keep_and_tell()


async def run_in_thread(work: Callable[..., T], *given: Any) -> T:
    """What a function gives, called in a thread of its own. Unlike asyncio's threads, nobody waits for it when the program ends."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(by: Callable[[Any], None], value: Any) -> None:
        if not answer.done():
            by(value)

    def run() -> None:
        told: tuple[Callable[[Any], None], Any]
        try:
            told = answer.set_result, work(*given)
        except BaseException as error:
            told = answer.set_exception, error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody asks any more
            loop.call_soon_threadsafe(settle, *told)

    threading.Thread(target=run, daemon=True).start()
    return await answer


async def body(request: Request) -> dict[str, Any]:
    """The JSON object that a request holds. Raises ValueError if it is none, or too long."""
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_BODY:
            raise ValueError(f"a request has at most {MOST_BODY} bytes")
    try:
        message = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("a request must be JSON") from None
    if not isinstance(message, dict):
        raise ValueError("a request must be a JSON object")
    return message


def text(message: dict[str, Any], key: str) -> str:
    """A text of a message. Raises ValueError if it is none."""
    if not isinstance(message.get(key), str):
        raise ValueError(f"{key} must be text")
    return message[key]


def number(given: str | None) -> int | None:
    """A number from a URL; None if it is not one."""
    return int(given) if given is not None and given.isdecimal() and len(given) < 17 else None


def bind(host: str, port: int) -> socket.socket:
    """A socket to serve on; port 0 takes any that is free. Raises ValueError if it cannot be had."""
    with contextlib.ExitStack() as at_failure:
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
            bound = at_failure.enter_context(socket.socket(family, socket.SOCK_STREAM))
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind((host, port))
            bound.listen(100)  # so that a browser that is opened at once waits and is not turned away
        except (OSError, OverflowError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or flatten(error)
            raise ValueError(
                f"port {port} of {cut(host)} cannot be had: {why}; --port 0 takes any that is free"
            ) from None
        at_failure.pop_all()
        return bound


def make_server(room: Room, bound: socket.socket, host: str) -> uvicorn.Server:
    """The server, ready to be run."""
    port = bound.getsockname()[1]
    app = Guard(Rooms(room).app(), host, port)
    config = uvicorn.Config(
        app, log_level="warning", lifespan="off", timeout_graceful_shutdown=1, server_header=False, h11_max_incomplete_event_size=MOST_BODY,
    )  # fmt: skip
    return uvicorn.Server(config)


async def serve(room: Room, bound: socket.socket, host: str) -> None:
    """Serve until the room is closed."""
    server = room.server = make_server(room, bound, host)
    driving = asyncio.create_task(room.drive())
    try:
        await server.serve(sockets=[bound])
    finally:
        driving.cancel()
        room.compiling.stop()
