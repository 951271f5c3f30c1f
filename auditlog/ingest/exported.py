"""A line of an NDJSON export, read as the item that its packet came as: what was sent and what was
supplied.

What the log added is left: ID, leaf, times of receipt, diagnostics, and review. The new log adds
its own.
"""

import base64
import binascii

import msgspec

from auditlog.ingest.item import Item, check, parse
from auditlog.text import from_bytes
from cablese.detection import UNKNOWN

MARKS = frozenset({"leaf", "leaf_hash", "received", "supplied", "wire"})
"""Keys that every record of an export has; an item that is sent has two of them at most."""
_decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read(line: bytes) -> Item | None:
    """The item of a record; None when the line is not a record. Raises Refused for what no item can
    hold.
    """
    try:
        record = _decoder.decode(line)
        if not record.keys() >= MARKS:
            return None
        supplied = _decoder.decode(record["supplied"])
        known = (
            msgspec.json.decode(record["protocol"]) not in (UNKNOWN, None)
            if "protocol" in record
            else False
        )
        wire = _wire(record)
    except (ValueError, RecursionError):
        return None
    taken: dict[str, msgspec.Raw] = {
        name: record[name] for name in ("wire", "event_id", "sent_at") if name in record
    }
    if known:
        taken |= {"protocol": record["protocol"]}
        taken |= {"dialect": record["version"]} if "version" in record else {}
    item = parse(msgspec.json.encode(taken | supplied))
    return item if wire is None else check(msgspec.structs.replace(item, wire=wire))


def _wire(record: dict[str, msgspec.Raw]) -> str | None:
    """The wire where it is not UTF-8. Raises ValueError."""
    if "wire_base64" not in record:
        return None
    try:
        return from_bytes(
            base64.b64decode(msgspec.json.decode(record["wire_base64"], type=str), validate=True)
        )
    except binascii.Error as error:
        raise ValueError from error
