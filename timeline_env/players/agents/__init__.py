"""Trained agents: their files, their networks in numpy, those that come with the package."""
