"""What every card's event does, one file a period; importing this fills `words.PROGRAM`."""

from timeline_env.twilight_struggle.events import early_war, late_war, mid_war

__all__ = ["early_war", "late_war", "mid_war"]
