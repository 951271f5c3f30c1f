"""Findings: what a check other than decoding says of a packet, such as sensitive data."""
