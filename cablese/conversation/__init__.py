"""Conversations: which messages belong together, what is wrong with them, and their states."""
