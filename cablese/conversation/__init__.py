"""Conversations: which messages belong together, and what is wrong with them."""
