"""Scripted players of Twilight Struggle."""
