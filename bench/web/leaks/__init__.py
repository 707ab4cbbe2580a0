"""The search for a leak of the treasure."""
