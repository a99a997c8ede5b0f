"""What people chose in Twilight Struggle, and how their games ended, compared with what players do."""
