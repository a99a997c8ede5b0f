"""Deep board games as environments for learning agents: PettingZoo interfaces over a compiled batch engine."""

__version__ = "0.1.0"
