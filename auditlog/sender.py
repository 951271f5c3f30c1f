"""Who sends packets. Without Django, because helper processes need it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a request: a source, and the key or person behind it."""

    source_id: int
    source: str
    key_id: str | None = None
    user_id: int | None = None
    scopes: frozenset[str] = frozenset()
    log: str | None = None
    """The one log that the key is for; none means every log."""
