"""How a log proves itself: trees of hashes, checkpoints, and proofs."""
