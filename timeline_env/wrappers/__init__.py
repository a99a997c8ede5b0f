"""The environments that libraries know: PettingZoo's two interfaces and Gymnasium's. They know the engine's verbs, and no game."""
