"""The JSON of receipts, as a sender pastes it."""

import json
import re
from typing import Any, Literal

from msgspec import Struct

from auditlog import text

TextVerdict = Literal["matches", "differs", "not_compared"]
LIMIT = 256 * 1024
"""The limit of bytes in a receipt, or in the whole response with it."""
MOST = 20
"""The limit of receipts in one response."""
_UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_HASH = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)
_SLUG = re.compile(r"[a-z0-9-]{1,40}")
_BIGGEST = 2**63 - 1
_FORMS = {
    "packet": "a packet ID (a UUID)",
    "id": "a packet ID (a UUID)",
    "leaf_hash": "64 hexadecimal digits",
    "log": "the name of a log: 1 to 40 lowercase letters, digits, and hyphens",
}
"""The expected value of each text in a receipt."""


class Receipt(Struct, frozen=True):
    """A receipt. A complete one has the first four fields."""

    packet: str | None = None
    log: str | None = None
    leaf: int | None = None
    leaf_hash: str | None = None
    event_id: str | None = None

    @property
    def whole(self) -> bool:
        return None not in (self.packet, self.log, self.leaf, self.leaf_hash)


class RawText(Struct, frozen=True):
    """Whether the given text is the packet’s raw text. The receipt’s own verdict does not depend on
    it.
    """

    verdict: TextVerdict
    words: str


class Unreadable(ValueError):
    """The text is not a receipt; the message says why."""


def read(given: str) -> tuple[Receipt, ...]:
    """Return the receipts in a text: one as JSON, a whole response, a packet ID, or a leaf hash.

    Raises Unreadable.
    """
    given = given.strip()
    if not given:
        raise Unreadable("Paste the receipt that the log returned.")
    if len(given.encode(errors="surrogatepass")) > LIMIT:
        raise Unreadable(f"The receipt is larger than the limit of {LIMIT:,} bytes.")
    if _UID.fullmatch(given):
        return (Receipt(packet=given.lower()),)
    if _HASH.fullmatch(given):
        return (Receipt(leaf_hash=given.lower()),)
    try:
        value = _parse(given)
    except (ValueError, RecursionError):
        raise Unreadable(
            "Not a valid receipt. Expected JSON, a packet ID, "
            "or a leaf hash of 64 hexadecimal digits."
        ) from None
    return tuple(map(_receipt, _listed(value)))


def _parse(given: str) -> Any:
    """Return the value of JSON, or the values of NDJSON, as receipts are downloaded."""
    try:
        return json.loads(given)
    except ValueError:
        return [json.loads(line) for line in given.splitlines() if line.strip()]


def _listed(value: Any) -> list[Any]:
    if isinstance(value, dict) and isinstance(value.get("results"), list):
        value = value["results"]
    receipts = value if isinstance(value, list) else [value]
    if not receipts:
        raise Unreadable("This response contains no receipt.")
    if len(receipts) > MOST:
        raise Unreadable(f"There are {len(receipts):,} receipts. The limit is {MOST}.")
    return receipts


def _receipt(value: Any) -> Receipt:
    if not isinstance(value, dict):
        raise Unreadable(
            "Not a valid receipt. Expected a JSON object with packet, log, leaf, and leaf_hash."
        )
    if "error" in value and "packet" not in value:
        raise Unreadable("This is an error, not a receipt: the item was not stored.")
    packet = _text(value, "packet" if "packet" in value else "id", _UID)
    digest, log = _text(value, "leaf_hash", _HASH), _text(value, "log", _SLUG)
    at = value.get("leaf")
    if at is not None and (
        isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= _BIGGEST
    ):
        raise Unreadable("leaf must be a leaf index: a whole number, 0 or greater.")
    event = value.get("event_id")
    if event is not None and (not isinstance(event, str) or text.whole(event) != event):
        raise Unreadable("event_id must be a string of valid Unicode text.")
    if packet is None and digest is None:
        raise Unreadable(
            "The receipt has neither packet nor leaf_hash. Expected at least one of them."
        )
    return Receipt(packet, log, at, digest, event)


def _text(value: dict[str, Any], name: str, form: re.Pattern[str]) -> str | None:
    string = value.get(name)
    if string is None:
        return None
    if not isinstance(string, str) or not form.fullmatch(string):
        raise Unreadable(f"{name} must be {_FORMS[name]}.")
    return string.lower()
