"""Positions and moves as text, for users: docs/notation.md. The code is in ``text/``."""

from timeline_env.twilight_struggle.text.notation import action_from_text, action_to_text, from_text, to_text

__all__ = ["action_from_text", "action_to_text", "from_text", "to_text"]
