"""Packets of a log as files: found, read in pieces, and written a line each."""
