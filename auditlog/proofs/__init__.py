"""Proofs: that a leaf is in what a log signed, and that a log only grew since."""
