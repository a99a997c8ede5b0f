"""Positions and moves of Twilight Struggle as text, written and read."""
