"""How Timeline is played on the page."""
