"""What the search language says beyond words and fields: columns of a packet as tokens, query text
written from keys and values, suggestions, and queries answered without a database.
"""
