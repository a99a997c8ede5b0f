"""Pictures of Twilight Struggle: the map, the tracks, the cards in view."""
