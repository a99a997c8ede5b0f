"""A command that answers lines with lines, and is dealt with whatever it does: be slow, die, write anything or nothing at all."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress

from timeline_env.arena.processes import users_environment
from timeline_env.cli import escape_controls
from timeline_env.reading import cut

MOST_ANSWER = 2**16
"""The most bytes an answer may have."""
CHUNK = 2**16
LAST_WORDS = 2000
"""How many of the last bytes that the command wrote to standard error are kept."""
GRACE = 1.0
"""Seconds that a command has to end by itself once its input is closed."""


class Fault(ValueError):
    """A question was not answered: `kind` is one of `timeline_env.words.log.FAULTS`, `answer` what came."""

    def __init__(self, kind: str, message: str, answer: bytes = b"") -> None:
        super().__init__(message)
        self.kind, self.answer = kind, answer.decode(errors="replace")


class Process:
    """The command; the first question starts it, and so does the first question after it was ended.

    Args:
        words: the program and its arguments.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.child: subprocess.Popen[bytes] | None = None
        self.last_words = b""

    def ask(self, line: bytes, until: float) -> str:
        """The line that answers a line, without its line end.

        A command that breaks the protocol is ended, unless the only fault of its answer is that it is not UTF-8.

        Args:
            line: the question, with its line end.
            until: the time (`time.monotonic`) by which the answer must be there.

        Raises:
            Fault: there is no such answer.
        """
        try:
            return self._exchange(self.child or self._start(), line, until).decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            raise Fault("malformed", "the answer is not UTF-8", error.object) from None
        except BaseException:  # after an interrupt, too: a late answer would be taken for the one to the next question
            self.end(0)
            raise

    def _start(self) -> subprocess.Popen[bytes]:
        self.last_words = b""
        pipe = subprocess.PIPE
        try:  # a session of its own, so that whatever the command starts can be ended with it
            child = subprocess.Popen(
                self.words, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True,
                env=users_environment(),
            )  # fmt: skip
        except OSError as error:
            raise Fault("ended", f"the command cannot be started: {error.strerror or error}") from None
        for stream in (child.stdin, child.stdout, child.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        self.child = child
        return child

    def _exchange(self, child: subprocess.Popen[bytes], line: bytes, until: float) -> bytes:
        """Write the question and read the answer, both at once: neither side must wait for the other's pipe."""
        assert child.stdin and child.stdout and child.stderr
        if early := _read(child.stdout):
            raise Fault("malformed", "it wrote before it was asked; an answer is one line", early)
        got, sent = b"", 0
        with selectors.DefaultSelector() as pipes:
            pipes.register(child.stdin, selectors.EVENT_WRITE)
            pipes.register(child.stdout, selectors.EVENT_READ)
            pipes.register(child.stderr, selectors.EVENT_READ)
            while True:
                left = until - time.monotonic()
                ready = [key.fileobj for key, _ in pipes.select(left)] if left > 0 else []
                if left <= 0:
                    raise Fault("late", "no whole line came in time; is the output flushed?", got)
                if child.stderr in ready and not self._listen(child):
                    pipes.unregister(child.stderr)
                if child.stdin in ready:
                    try:
                        sent += os.write(child.stdin.fileno(), line[sent : sent + CHUNK])
                        reads = sent < len(line)
                    except BrokenPipeError:  # what it writes, or that it ends, says more
                        reads = False
                    if not reads:
                        pipes.unregister(child.stdin)
                if child.stdout in ready:
                    more = _read(child.stdout)
                    if more == b"":
                        raise Fault("ended", self._how_it_ended(child), got)
                    got += more or b""
                    answer, end, rest = got.partition(b"\n")
                    if len(answer) > MOST_ANSWER:
                        raise Fault("malformed", f"the answer is longer than {MOST_ANSWER:,} bytes", got[:CHUNK])
                    if end and (rest or sent < len(line)):
                        raise Fault("malformed", "an answer is one line, after the question was read", got)
                    if end:
                        return answer

    def _listen(self, child: subprocess.Popen[bytes]) -> bool:
        """Keep what it wrote last on standard error; False at its end."""
        assert child.stderr
        said = _read(child.stderr)
        self.last_words = (self.last_words + (said or b""))[-LAST_WORDS:]
        return said != b""

    def _how_it_ended(self, child: subprocess.Popen[bytes]) -> str:
        by_itself = _ends(child, GRACE)
        self._listen(child)
        self.end(0)
        last = self.last_words.decode(errors="replace").strip().splitlines()
        code = child.returncode
        how = (
            "closed its output"
            if not by_itself
            else f"ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}"
        )
        return f"the command {how}" + (f": {cut(escape_controls(last[-1]))}" if last else "")

    def end(self, grace: float = GRACE) -> None:
        """End the command and all that it has started; it has `grace` seconds to end by itself."""
        child, self.child = self.child, None
        if child is None:
            return
        assert child.stdin and child.stdout and child.stderr
        with suppress(OSError):
            child.stdin.close()
        _ends(child, grace)
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        child.stderr.close()


def _ends(child: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the command ends within so many seconds. It is not reaped, so that its process group can still be ended by its number."""
    until = time.monotonic() + seconds
    while (
        not (ended := os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and time.monotonic() < until
    ):
        time.sleep(0.005)
    return ended is not None


def _read(stream: object) -> bytes | None:
    """What a pipe holds, up to a chunk; empty at the pipe's end, None if there is nothing to read yet."""
    try:
        return os.read(stream.fileno(), CHUNK)  # type: ignore[attr-defined]
    except BlockingIOError:
        return None
