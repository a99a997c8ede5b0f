"""The environments that libraries know: PettingZoo's two interfaces and Gymnasium's. They know verbs, and no game."""
