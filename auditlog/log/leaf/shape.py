"""What all leaves share: their version, kinds, and limit."""

from typing import Literal

Kind = Literal[
    "packet",
    "redaction",
    "review",
    "access",
    "admin",
    "api-key",
    "signing-key",
    "clock",
    "gap",
    "hold",
    "check",
    "incident",
]
ClockState = Literal["behind", "right", "forward", "accepted"]
VERSION = 2
LIMIT = 4096
"""Bytes of a leaf."""
