"""The environments: PettingZoo, Gymnasium, Stable-Baselines3. They know verbs only, no game."""
