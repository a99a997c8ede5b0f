"""How Twilight Struggle is played on the page."""
