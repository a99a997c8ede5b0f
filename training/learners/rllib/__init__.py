"""The same self-play on a cluster: RLlib's PPO, with frozen modules for the snapshots of the pool."""
