"""Requests with an `Idempotency-Key` that are sent again, and the results they get again; files
that are imported again, also after they have grown.
"""
