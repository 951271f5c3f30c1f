"""RFC 8785 bytes, and times."""

from datetime import datetime

import msgspec
import rfc8785

# msgspec escapes strings as RFC 8785 asks; keys are sorted as it asks because all of ours are
# ASCII.
_encoder = msgspec.json.Encoder(order="sorted")
canonical = _encoder.encode
"""RFC 8785 bytes of text, integers up to 2^53-1, booleans, lists, and dicts whose keys are ASCII:
all that we hash except free attributes.
"""


def canonical_json(value: object) -> bytes:
    """Return the RFC 8785 bytes of any JSON value whose numbers are at most 2^53-1 in size.

    Raises UnicodeEncodeError for half a surrogate pair.
    """
    return canonical(value) if _is_plain(value) else rfc8785.dumps(value)  # type: ignore[arg-type]


def _is_plain(value: object) -> bool:
    """Return whether ``canonical`` spells a value as the RFC does; it is 60 times faster."""
    if isinstance(value, dict):
        return all(key.isascii() for key in value) and all(map(_is_plain, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return not isinstance(value, float)


def format_time(moment: datetime) -> str:
    """Return a UTC moment with six digits and Z, always of one length."""
    return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
