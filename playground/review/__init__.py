"""The review desk: a search as a queue, decided packet by packet or in bulk."""
