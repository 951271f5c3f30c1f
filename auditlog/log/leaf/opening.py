"""The bytes that a packet's leaf commits to, next to the wire and the event ID: RFC 8785 objects.

    index    {"content":…,"meaning":{…},"sent_at":…,"supplied":{…}}
    reading  {"baseline_version":1,"canonical":…,"codec_version":1,…,"valid":true}
    by       {"key":"5fK2…","source":"hr-bot"}

What a packet does not have is omitted. Each name but ``person`` and ``source`` is that of a column.
"""

from functools import lru_cache

import msgspec

from auditlog.log.leaf.canonical import canonical


def facts_bytes(
    *, supplied: str, sent_at: str | None, content: bytes | None, meaning: str | None = None
) -> bytes:
    """Return what was supplied with a wire and, with `meaning`, the terms read from it.

    With `meaning`, `index` commits to it; without, it is stored with a conflict. `meaning` and
    `supplied` are canonical JSON already, `content` is UTF-8.
    """
    parts = []
    if content is not None:
        parts.append(f'"content":{canonical(content.decode()).decode()}')
    if meaning is not None:
        parts.append(f'"meaning":{meaning}')
    if sent_at is not None:
        parts.append(f'"sent_at":{canonical(sent_at).decode()}')
    parts.append(f'"supplied":{supplied}')
    return f"{{{','.join(parts)}}}".encode()


class Reading(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What decoding gave when a packet was received, by which versions, and the ID it got then.

    Stored readings are compared, never new ones: a later decoder that reads more is not tampering.
    """

    baseline_version: int
    codec_version: int
    diagnostics: str
    """The text that is stored, which keeps the order of the fields of each diagnostic."""
    protocol: str
    tokenizer: str
    tokens: int
    uid: str
    valid: bool
    canonical: str | None = None
    tokens_json: int | None = None


def reading_bytes(reading: Reading) -> bytes:
    """Return what `reading` commits to."""
    return canonical(reading)


@lru_cache(maxsize=1024)
def by_bytes(*, key: str | None, person: int | None, source: str) -> bytes:
    """Return what `by` commits to: a key's ID, a person's number, and the name of the source."""
    by = {"key": key, "person": person, "source": source}
    return canonical({name: value for name, value in by.items() if value is not None})
