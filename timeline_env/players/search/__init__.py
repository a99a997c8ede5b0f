"""Players that search: flat Monte Carlo, UCT, PUCT, the race."""
