"""The benchmark's tracks that train agents: learning, generalisation, best responses."""
