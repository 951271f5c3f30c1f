"""JSON lines with a checksum, which can be inside an HTML file as they are."""

from typing import Any

import msgspec

from cablese.tlog import summed

_encode = msgspec.json.Encoder().encode


def encode(line: dict[str, Any]) -> bytes:
    """Return a line without its end. The sum is of the bytes before it."""
    return summed.close(_encode(line).replace(b"<", b"\\u003c")[:-1])
