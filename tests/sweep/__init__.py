"""The sweep: hostile text against every route that takes text. See ``python -m tests.sweep
--help``.
"""
