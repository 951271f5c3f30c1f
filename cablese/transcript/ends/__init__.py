"""Where a message of a line protocol ends, and what shows that it was longer."""
