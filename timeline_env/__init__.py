"""Deep board games as environments for learning agents: PettingZoo interfaces over a compiled batch engine."""

import gymnasium
import pettingzoo

from timeline_env.games import ENVIRONMENTS

__version__ = "0.1.0"


def _register(name: str, module: str) -> None:
    """Register the environments in `module` with both libraries, in Gymnasium's spelling as ``timeline/TwilightStruggle-v0``."""
    gymnasium.register(
        id=f"timeline/{name.title().replace('_', '')}-v0",
        entry_point=f"{module}:single_seat_env",
        vector_entry_point=f"{module}:vector_env",
    )
    # PettingZoo has had a registry only since 1.27.
    if hasattr(pettingzoo, "register"):
        pettingzoo.register("aec", f"timeline/{name}-v0", entry_point=f"{module}:env")
        pettingzoo.register("parallel", f"timeline/{name}-v0", entry_point=f"{module}:parallel_env")


for _name, _module in ENVIRONMENTS.items():
    _register(_name, _module)
