"""Fits agents: a configuration in, a run folder out. Nothing in `timeline_env` imports this."""
