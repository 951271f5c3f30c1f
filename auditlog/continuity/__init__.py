"""How a log continues where it ended: the clock, segments, high-water marks, and gaps in
the index.
"""
