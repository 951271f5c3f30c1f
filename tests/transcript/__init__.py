"""The vectors of a text: what is a message in it, where each one ends, and what the text says of
it.
"""
