"""Agents and what they can do: definitions, the library, the registry, and plans checked against
them.
"""
