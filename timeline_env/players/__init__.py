"""Players: anything that answers the decisions of many games at once.

A player of your own takes ten lines::

    class Cautious:
        def __init__(self, seed=0):
            self.rng = np.random.default_rng(seed)

        def act(self, decisions):
            return decisions.action_mask.argmax(axis=1)   # the first legal action: pass, where that is allowed

and is named ``my_module:Cautious`` wherever a player is named; objects and functions in memory play as they are::

    evaluate(GAME, Cautious(), ["random", lambda decisions: decisions.action_mask.argmax(axis=1)])
"""

from timeline_env.players.interface import Decisions, Player
from timeline_env.players.registry import Entrant, load_player

__all__ = ["Decisions", "Entrant", "Player", "load_player"]
