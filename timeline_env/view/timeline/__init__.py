"""How Timeline looks."""
