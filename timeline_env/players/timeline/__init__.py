"""Scripted players of Timeline."""
