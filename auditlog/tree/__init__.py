"""The Merkle tree of a log: its tiles, who signs it, and what was signed."""
