"""The first messages of a file, before it is imported."""

from dataclasses import dataclass

from auditlog.ingest.item import Item, Refused
from auditlog.log.draft import decode
from playground.audit import metadata
from playground.audit.importing import Where, look
from playground.audit.metadata import Fact
from playground.display.highlight import Run, brief_runs
from playground.stream.summary import worst

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One message: its line, its highlighted wire, and the metadata that will be stored with it."""

    line: int
    severity: str
    protocol: str
    runs: list[Run]
    facts: list[Fact]
    left: int
    """The number of metadata fields beyond those that are shown."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that will be rejected, and the reason."""

    line: int
    detail: str


class Preview:
    """The messages of ``data``, the beginning of a file, which ``total`` counts."""

    def __init__(self, data: bytes, where: Where, kind: str) -> None:
        found = look(data, where, kind=kind)
        self.total = len(found)
        self.zone = where.zone
        self.rows = [
            _row(one.line, one.item)
            if isinstance(one.item, Item)
            else Unread(one.line, one.item.detail)
            for one in found[:SHOWN]
        ]

    @property
    def left(self) -> int:
        return self.total - len(self.rows)

    @property
    def assumed(self) -> bool:
        """Return whether a time that is shown depends on the chosen zone."""
        return any(fact.note for row in self.rows if isinstance(row, Row) for fact in row.facts)


def _row(line: int, item: Item) -> Row | Unread:
    try:
        message = decode(item)
    except Refused as refused:
        return Unread(line, refused.refusal.detail)
    facts, left = metadata.brief(item)
    return Row(line, worst(message), message.protocol, brief_runs(message), facts, left)
