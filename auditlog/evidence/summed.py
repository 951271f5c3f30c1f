"""JSON lines with a checksum, which can be inside an HTML file as they are.

{"end":1024,"before":"vZht…","sum":"0f3a5b7c9d1e2f40"}
"""

from hashlib import sha256
from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode


def encode(line: dict[str, Any]) -> bytes:
    """Return a line without its end. The sum is of the bytes before it."""
    data = _encode(line).replace(b"<", b"\\u003c")[:-1]
    return b'%b,"sum":"%b"}' % (data, sha256(data).hexdigest()[:16].encode())
