"""Other people's eyes on our logs: programs that know the specifications, and none of our code."""
