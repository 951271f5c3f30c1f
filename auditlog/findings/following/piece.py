"""Find what there is to find in the next packets of a log.

No packet can stop this: of a long text, the first `READ` bytes are searched; a piece ends when it
has taken `SECONDS`; a detector that raises an exception leaves a finding that says so; and damaged
rows are read as well.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from sys import intern
from time import perf_counter
from typing import Any, NamedTuple

from django.db import connection

from auditlog import text
from auditlog.database import damage
from auditlog.findings import detectors, flow, repeated, versions
from auditlog.findings.finding import FAILED, Detector, Found, Subject
from auditlog.findings.following.position import Piece, Position
from auditlog.models import LogEnd
from auditlog.rollup import english

logger = logging.getLogger(__name__)
PACKETS = 500
"""The limit of packets in a piece."""
PAGE = 50
"""Packets that are read at a time."""
READ = 64 * 1024
"""Bytes of a wire and of a content that are searched."""
SECONDS = 0.2
"""A piece ends after the packet that takes it beyond this time."""

_READ = f"""\
SELECT leaf, length(wire), substr({{wire}}, 1, {READ}), substr({{content}}, 1, {READ}),
    {{protocol}}, {{dialect}},
    CASE WHEN length(meaning) > {READ} THEN '{{{{}}}}' ELSE {{meaning}} END,
    CASE WHEN length(supplied) > {READ} THEN '{{{{}}}}' ELSE {{supplied}} END,
    {{sent_at}}, {{moment}}
FROM auditlog_packet
WHERE log_id = %s AND leaf >= %s AND leaf < %s ORDER BY leaf LIMIT %s"""  # noqa: S608
_COLUMNS = {
    "moment": "CAST(received AS text)",
    **{name: name for name in (
        "wire", "content", "protocol", "dialect", "meaning", "supplied", "sent_at"
    )},
}  # fmt: skip


class _Row(NamedTuple):
    """A packet of a log, as far as it is searched. ``length`` is that of the whole wire."""

    sent: flow.Sent
    length: int
    content: bytes | None

    @property
    def whole(self) -> repeated.Wire:
        """The wire; without its bytes if only its beginning was read."""
        return repeated.Wire(self.sent.leaf, self.sent.wire if self.length <= READ else None)


class Maker:
    """Makes the pieces of one log, and remembers its conversations from one to the next."""

    def __init__(self, log_id: int) -> None:
        self._log_id = log_id
        self._memories: dict[bool, tuple[int, flow.Memory]] = {}
        """The conversations before a leaf: of new packets, and of those that are made again. They
        are taken out meanwhile: a piece that fails halfway would have its packets in them twice.
        """

    def make(self, position: Position) -> Piece | None:
        """Return the findings of the next packets, or of some to be made again; None if there are
        none left.
        """
        size = LogEnd.objects.values_list("size", flat=True).get(pk=self._log_id)
        if position.leaf < size:
            return self._make(position.leaf, size, is_again=False)
        if position.again is not None and position.until is not None:
            return self._make(position.again, position.until, is_again=True)
        return None

    def remake(self, low: int, high: int) -> list[tuple[Any, ...]]:
        """Return the findings of a range of packets, as rows of their table."""
        rows: list[tuple[Any, ...]] = []
        while low < high:
            piece = self._make(low, high, is_again=False, describe=False)
            rows += piece.rows
            low = piece.high
        return rows

    def _make(self, low: int, limit: int, *, is_again: bool, describe: bool = True) -> Piece:
        memory = self._remember(low, is_again=is_again)
        found: dict[int, dict[Detector, list[Found]]] = {}
        wires: list[repeated.Wire] = []
        high, begun = limit, perf_counter()
        for row in _read(self._log_id, low, limit):
            wires.append(row.whole)
            found[row.sent.leaf] = self._find(row, memory)
            if len(wires) == PACKETS or perf_counter() - begun > SECONDS:
                high = row.sent.leaf + 1
                break
        for leaf, again in repeated.find(self._log_id, wires).items():
            found[leaf]["repeated"] = again
        if not is_again or high < limit:  # No piece comes after the last that is made again.
            self._memories[is_again] = high, memory
        described = english.count(self._log_id, low, high) if describe and not is_again else []
        return Piece(self._log_id, low, high, is_again, list(_rows(self._log_id, found)), described)

    def _remember(self, low: int, *, is_again: bool) -> flow.Memory:
        """Return the conversations before a leaf, read again unless they are remembered."""
        known, memory = self._memories.pop(is_again, (0, flow.Memory()))
        if known == low:
            return memory
        memory = flow.Memory()
        for row in _read(self._log_id, max(0, low - flow.HORIZON), low):
            self._attempt("flow", row, _add, row, memory)
        return memory

    def _find(self, row: _Row, memory: flow.Memory) -> dict[Detector, list[Found]]:
        found: dict[Detector, list[Found]] = {}
        if several := self._attempt("flow", row, _find_flow, row, memory):
            found["flow"] = several
        sent = row.sent
        content = None if row.content is None else row.content.decode(errors="replace")
        subject = Subject(text.from_bytes(sent.wire), sent.protocol, sent.dialect, content)
        for name, find in detectors.OF_PACKET.items():
            if several := self._attempt(name, row, find, subject):
                found[name] = several
        return found

    def _attempt(
        self, name: Detector, row: _Row, find: Callable[..., list[Found]], *given: object
    ) -> list[Found]:
        try:
            return find(*given)
        except Exception as error:  # noqa: BLE001 - no packet may stop the rest
            # The text of the error may quote the packet.
            logger.error(
                "The detector %s failed at leaf %d of the log with ID %d: %s",
                name, row.sent.leaf, self._log_id, type(error).__name__,
            )  # fmt: skip
            return [Found(FAILED)]


def _find_flow(row: _Row, memory: flow.Memory) -> list[Found]:
    conversation = memory.add(row.sent)
    return flow.check(conversation) if conversation else []


def _add(row: _Row, memory: flow.Memory) -> list[Found]:
    memory.add(row.sent)
    return []


def _read(log_id: int, low: int, high: int) -> Iterator[_Row]:
    """Yield packets, of which a few at a time are read, because they may be long."""
    statement = _format(connection.vendor)
    while low < high:
        with connection.cursor() as cursor:
            cursor.execute(statement, (log_id, low, high, PAGE))
            rows = cursor.fetchall()
        for leaf, length, wire, content, *texts in rows:
            protocol, dialect, *said = map(_decode, texts)
            names = intern(protocol), intern(dialect)  # Thousands of packets are remembered.
            # The beginning of no bytes is NULL for SQLite.
            sent = flow.Sent(leaf, *names, bytes(wire or b""), *said)
            yield _Row(sent, length, None if content is None else bytes(content))
        low = rows[-1][0] + 1 if len(rows) == PAGE else high


@cache
def _format(vendor: str) -> str:
    readable = damage.READABLE[vendor]
    return _READ.format(**{name: readable.format(column) for name, column in _COLUMNS.items()})


def _decode(stored: Any) -> Any:
    return stored.decode(errors="replace") if isinstance(stored, bytes) else stored


def _rows(
    log_id: int, found: Mapping[int, Mapping[Detector, list[Found]]]
) -> Iterator[tuple[Any, ...]]:
    """Yield the findings of packets as rows of their table."""
    for leaf, each in found.items():
        for name, several in each.items():
            for number, one in enumerate(several):
                yield log_id, leaf, name, number, versions.VERSIONS[name], *one
