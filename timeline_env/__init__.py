"""Deep board games as environments for learning agents: PettingZoo interfaces over a compiled batch engine."""

import gymnasium
import pettingzoo

__version__ = "0.1.0"

gymnasium.register(
    id="timeline/Timeline-v0",
    entry_point="timeline_env.timeline_v0:single_seat_env",
    vector_entry_point="timeline_env.timeline_v0:vector_env",
)
# PettingZoo has a registry only since 1.27.
if hasattr(pettingzoo, "register"):
    pettingzoo.register("aec", "timeline/timeline-v0", entry_point="timeline_env.timeline_v0:env")
    pettingzoo.register("parallel", "timeline/timeline-v0", entry_point="timeline_env.timeline_v0:parallel_env")
