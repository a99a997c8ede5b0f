"""Data sets: games between players, kept as seeds and moves, and read back as decisions."""
