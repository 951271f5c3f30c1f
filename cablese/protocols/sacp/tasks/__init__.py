"""The tasks of a transcript: their states, replies, and violations of the output rules."""
