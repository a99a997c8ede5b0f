"""The engine: records, verbs, batches. It knows no game; a game registers its record and its verbs here."""
