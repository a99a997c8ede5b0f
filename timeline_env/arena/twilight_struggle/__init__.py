"""What people chose in Twilight Struggle, and how their games ended, beside what players do."""
