"""The trial: the program says what to lay, people lay it, and the follower does not know it."""
