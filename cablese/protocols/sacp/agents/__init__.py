"""Agents: definitions, the library, the registry, and plans checked against them."""
