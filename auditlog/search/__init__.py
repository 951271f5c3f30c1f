"""Search: a query becomes a syntax tree, then one expression over tokens, then SQL of SQLite or
PostgreSQL.

Both engines index the same tokens, made by `terms`, and neither ever parses what a user typed.
"""
