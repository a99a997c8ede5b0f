"""Failures that are neither bad input nor a fault of this package."""

from __future__ import annotations


class PlayerFailed(RuntimeError):
    """A player failed, or answered wrongly; the message says in one line which one, and where."""
