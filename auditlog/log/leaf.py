"""The exact bytes that are hashed into a log, and the commitments in them (docs/design/audit.md).
Pure.

A leaf is a small RFC 8785 object without any user's text:

    {"commit":{"index":"5e…","raw":"9a…"},"kind":"packet","log":"default","proto":"nslip/1",
     "recv":"2026-11-20T10:00:01.000250Z","src":7,"v":1}

What an agent wrote enters it only as salted commitments, so that a packet and its seed can be
erased and nobody can guess a short packet from what is left, while the leaf and every proof over it
still hold:

    commitment = SHA-256("cablese/commit/v1" 00 || lp(field) || salt || lp(bytes))
    salt       = HMAC-SHA256(seed, "cablese/salt/v1" 00 || field)

`lp` puts a 4-byte big-endian length before the bytes, so no two inputs run together alike.
"""

import hmac
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Literal

import msgspec
import rfc8785

Kind = Literal["packet", "redaction", "review", "access", "admin", "key", "gap", "hold", "clock"]
ClockState = Literal["behind", "right", "forward"]
VERSION = 1
LIMIT = 4096

_COMMIT = b"cablese/commit/v1\0"
_SALT = b"cablese/salt/v1\0"

# msgspec escapes strings as RFC 8785 asks; keys are sorted as it asks because all of ours are
# ASCII.
_encoder = msgspec.json.Encoder(order="sorted")
canonical = _encoder.encode
"""RFC 8785 bytes of text, integers up to 2^53-1, booleans, lists, and dicts whose keys are ASCII:
all that we hash except free attributes.
"""


def canonical_json(value: object) -> bytes:
    """RFC 8785 bytes of any JSON value whose numbers are at most 2^53-1 in size.

    Raises UnicodeEncodeError for half a surrogate pair.
    """
    return canonical(value) if _is_plain(value) else rfc8785.dumps(value)  # type: ignore[arg-type]


def _is_plain(value: object) -> bool:
    """Whether ``canonical`` spells a value as the RFC does; it is 60 times faster."""
    if isinstance(value, dict):
        return all(key.isascii() for key in value) and all(map(_is_plain, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return not isinstance(value, float)


def hash_leaf(data: bytes) -> bytes:
    """RFC 6962 § 2.1: the hash of a leaf, apart from that of an inner node by its first byte."""
    return sha256(b"\0" + data).digest()


def format_time(moment: datetime) -> str:
    """A UTC moment with six digits and Z, always of one length."""
    return moment.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def salt(seed: bytes, field: str) -> bytes:
    """The opening of one field: who has it can check that field's commitment, and no other's."""
    return hmac.digest(seed, _SALT + field.encode(), "sha256")


def commit(field_salt: bytes, field: str, data: bytes) -> bytes:
    return sha256(_prefix(field) + field_salt + len(data).to_bytes(4) + data).digest()


def _prefix(field: str) -> bytes:
    name = field.encode()
    return _COMMIT + len(name).to_bytes(4) + name


_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))
_FIELDS = {field: (_SALT + field.encode(), _prefix(field)) for field in ("raw", "index", "event")}


def facts_bytes(
    *, supplied: str, sent_at: str | None, content: bytes | None, meaning: str | None = None
) -> bytes:
    """What stands beside the wire, as canonical JSON: everything supplied and, with `meaning`, the
    terms read from it.

    With `meaning` it is what `index` commits to; without, what is kept of a conflict. `meaning` and
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


def commit_packet(seed: bytes, *, raw: bytes, index: bytes, event: str | None) -> str:
    """The `commit` object of a packet's leaf, as JSON. `event` is left out when the client gave no
    id.

    HMAC is written out (RFC 2104), because the fields of a packet share its two keys and thousands
    are made a second; a test holds it to `commit` and `salt`.
    """
    block = seed.ljust(64, b"\0")
    inner, outer = block.translate(_INNER), block.translate(_OUTER)

    def committed(field: str, data: bytes) -> str:
        about, prefix = _FIELDS[field]
        field_salt = sha256(outer + sha256(inner + about).digest()).digest()
        return sha256(prefix + field_salt + len(data).to_bytes(4) + data).hexdigest()

    named = f'"event":"{committed("event", event.encode())}",' if event is not None else ""
    return f'{{{named}"index":"{committed("index", index)}","raw":"{committed("raw", raw)}"}}'


def format_packet(*, commit: str, log: str, dialect: str, received: str, source: int) -> bytes:
    """A packet's leaf; `commit` comes from `commit_packet` and `received` ends in six digits and Z.

    Written out rather than encoded, because thousands are made a second; a test holds it to RFC
    8785.
    """
    return (
        f'{{"commit":{commit},{_middle(log, dialect)},"recv":"{received}","src":{source}'
        f',"v":{VERSION}}}'
    ).encode()


@lru_cache(maxsize=1024)
def _middle(log: str, dialect: str) -> str:
    return f'"kind":"packet","log":{canonical(log).decode()},"proto":{canonical(dialect).decode()}'


def format_clock(
    *, log: str, clock: str, newest: str, received: str, state: ClockState, expected: str | None
) -> bytes:
    """The leaf that notes a change of the machine's clock. Times end in six digits and Z.

    ``clock`` is what it showed and ``newest`` the time of the leaf before. It is "behind" when that
    is later, "right" again when it is not, and "forward" when it showed ``expected`` a moment ago.
    """
    return canonical(
        {
            "v": VERSION,
            "kind": "clock",
            "log": log,
            "recv": received,
            "clock": clock,
            "newest": newest,
            "state": state,
            **({} if expected is None else {"expected": expected}),
        }
    )


def format_acceptance(*, log: str, newest: str, received: str) -> bytes:
    """The leaf by which somebody confirms the machine's clock, ``received``, though ``newest`` is
    later.

    It begins a segment, in which times rise from here on.
    """
    return canonical(
        {
            "v": VERSION,
            "kind": "admin",
            "log": log,
            "recv": received,
            "act": "clock.accept",
            "newest": newest,
        }
    )


def format_review(seed: bytes, *, decision: bytes, log: str, received: str, leaf: int) -> bytes:
    """The leaf of one step of reviewing the packet at `leaf`. `decision` holds who and why: only
    committed to.
    """
    return canonical(
        {
            "v": VERSION,
            "kind": "review",
            "log": log,
            "recv": received,
            "leaf": leaf,
            "commit": {"decision": commit(salt(seed, "decision"), "decision", decision).hex()},
        }
    )


def format_gap(*, log: str, received: str, first: int, last: int) -> bytes:
    """The leaf at each index from `first` to `last`, which were lost when an older copy of the log
    was restored.
    """
    return canonical(
        {"v": VERSION, "kind": "gap", "log": log, "recv": received, "first": first, "last": last}
    )
