"""The self-check: whether what is stored of a log is what its leaves, tree, and keys prove."""
