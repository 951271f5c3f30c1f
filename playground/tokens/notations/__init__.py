"""Notations for the JSON data model: how a team could write its messages without a protocol."""
