"""Packets as NDJSON and CSV, a line each, in blocks."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

import msgspec

from auditlog.export.records import Record
from auditlog.log.leaf import canonical_json

COLUMNS = (
    "id", "log", "leaf", "leaf_hash", "received", "sent_at", "event_id", "source", "protocol",
    "version", "valid", "sentence",
    "act", "topic", "goal", "task", "tags", "from", "to", "thread", "priority", "status", "score",
    "reason",
    "attributes", "sent_text", "sent_zone", "from_line",
    "tokens", "tokens_json", "review", "review_note", "comments", "diagnostics", "findings",
    "wire", "canonical", "damaged",
)  # fmt: skip
PENDING = "pending"
"""Replaces the findings of a packet that are not made yet."""
BLOCK = 256 * 1024
"""Bytes of a block, or characters: to send one costs as much as to make some lines."""
Line = Record | dict[str, Any]
Write = Callable[[Iterable[Sequence[Line]]], Iterator[bytes]]
_encoder = msgspec.json.Encoder()
_decode = msgspec.json.Decoder(dict[str, Any]).decode
_SAID = {
    name: {"from": "sender", "to": "recipient"}.get(name, name)
    for name in (
        "act", "topic", "goal", "task", "from", "to", "thread", "priority", "status", "score",
        "reason", "sent_text", "sent_zone",
    )
}  # fmt: skip
"""Each column of what a packet says with the term of its meaning. What was supplied beside it is
named like the column.
"""
_in_order = itemgetter(*COLUMNS)
_FORMULA = frozenset("=+-@\t\r\n＝＋－＠")


def as_ndjson(pieces: Iterable[Sequence[Line]]) -> Iterator[bytes]:
    """Yield each record as in the API, and its `sentence`, one JSON object per line."""
    for records in pieces:
        lines = _encoder.encode_lines(records)
        for at in range(0, len(lines), BLOCK):
            yield lines[at : at + BLOCK]


def as_csv(pieces: Iterable[Sequence[Line]]) -> Iterator[bytes]:
    """The columns of `COLUMNS`; what a packet says is joined by what was supplied beside it.

    A spreadsheet runs a cell that begins like a formula, so such a cell gets an apostrophe in front
    (OWASP, CSV Injection). Control characters that would break a line are kept inside quotes.
    """
    block = io.StringIO()
    write = csv.writer(block).writerow
    write(COLUMNS)
    for records in pieces:
        for record in records:
            write(map(guard, _cells(_decode(_encoder.encode(record)))))
            if block.tell() > BLOCK:
                yield _take(block)
    yield _take(block)


def _take(block: io.StringIO) -> bytes:
    text = block.getvalue()
    block.seek(0)
    block.truncate()
    return text.encode()


def guard(cell: object) -> str:
    """Return a cell that no spreadsheet runs as a formula."""
    if cell is None:
        return ""
    text = cell if isinstance(cell, str) else str(cell)
    return f"'{text}" if text[:1] in _FORMULA and not _is_number(text) else text


def _is_number(text: str) -> bool:
    digits = text[1:] if text[:1] == "-" else text
    return digits.isascii() and digits.isdigit()


def _cells(record: dict[str, Any]) -> tuple[object, ...]:
    """Return what a record has in each of the columns."""
    meaning, supplied = record["meaning"], record["supplied"]
    said = {column: meaning.get(term) for column, term in _SAID.items()}
    # A score or a priority of 0 is stated, too.
    said = {column: supplied.get(column) if one is None else one for column, one in said.items()}
    latest = record["review"] or {}
    special = {
        "tags": " ".join(dict.fromkeys([*meaning.get("tags", ()), *supplied.get("tags", ())])),
        "tokens": record["tokens"]["count"],
        "tokens_json": record["tokens"]["json"],
        "review": latest.get("state"),
        "review_note": latest.get("note"),
        "comments": "\n".join([f"{each['who']}: {each['note']}" for each in record["comments"]]),
        "diagnostics": " ".join([found["code"] for found in record["diagnostics"]]),
        "findings": _name_findings(record["findings"]),
        "valid": "true" if record["valid"] else "false",
        "attributes": canonical_json(supplied["attributes"]).decode()
        if "attributes" in supplied
        else None,
        "from_line": " ".join(supplied.get("from_line", ())),
        "damaged": " ".join(record["damaged"]),
    }
    cells: tuple[object, ...] = _in_order({**said, **record, **special})
    return cells


def _name_findings(findings: Iterable[dict[str, Any]] | None) -> str:
    """Return each kind of finding once, such as `sensitive.card-number`."""
    if findings is None:
        return PENDING
    return " ".join(dict.fromkeys(f"{each['detector']}.{each['code']}" for each in findings))


FORMS: dict[str, Write] = {"ndjson": as_ndjson, "csv": as_csv}
