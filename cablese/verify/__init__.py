"""Verify what a log gave away: packs, proofs, and whole logs. No database, server, or Django."""
