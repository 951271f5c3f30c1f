"""Changing a message: one value of it, or all its safe fixes."""
