"""Games that people played, from their logs: read, replayed by the engine and compared line by line."""
