"""Positions and moves of Timeline as text, written and read."""
