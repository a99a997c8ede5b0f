"""What measures the games: see each module."""
