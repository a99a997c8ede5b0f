"""What the tools write into pages of the manual: between two marks, and nowhere else."""

from __future__ import annotations


def write_between(text: str, begin: str, end: str, new: str) -> str:
    """The page with something else between the marks. Raises ValueError if it does not have both, in this order."""
    before, begins, rest = text.partition(begin)
    _, ends, after = rest.partition(end)
    if not (begins and ends):
        raise ValueError(f"the page has no lines {begin.strip()!r} and {end.strip()!r} to write between")
    return f"{before}{begin}{new}{end}{after}"
