"""What a script says that refuses its command line."""

from __future__ import annotations

from subprocess import CompletedProcess


def refusal(done: CompletedProcess[str]) -> str:
    """The one line ``error: …`` of a script that printed nothing else and ended with exit code 2; beside it rules may be compiled."""
    errors = [line for line in done.stderr.splitlines() if not line.startswith("timeline_env: ")]
    assert done.returncode == 2 and done.stdout == "", done.stderr
    assert len(errors) == 1 and errors[0].startswith("error: "), done.stderr
    return errors[0]
