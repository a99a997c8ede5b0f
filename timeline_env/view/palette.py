"""Colours that all pictures share."""

from __future__ import annotations

INK = "#23262b"
FAINT = "#6d7077"
CARD = "#fffefa"
