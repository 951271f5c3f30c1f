"""Bodies that arrive: their places, where they are kept, and how they are received."""
