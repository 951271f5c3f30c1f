"""Statistics of a log: volume, acts, agents, protocols, and what its packets cost in tokens."""
