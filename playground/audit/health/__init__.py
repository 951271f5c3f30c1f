"""The health of a log: what proves it, since when, and the self-check that says whether it does."""
