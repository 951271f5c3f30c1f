"""Tiles and checkpoints against the leaves."""
