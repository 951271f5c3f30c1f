"""Messages at hand on their way into the log, each with what was said beside it, as the save page
shows them.

They travel through that page as JSON, so that what was looked at is what is saved, whatever became
of its source.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from auditlog.ingest.item import Item, Refused, check
from auditlog.log.draft import decode
from auditlog.text import to_bytes
from cablese.message import Message
from playground.display.highlight import Run, brief_runs
from playground.server.front import wanted
from playground.stream.summary import worst
from playground.workbench.document import ROWS


class Unreadable(ValueError):
    """These are no items."""


@dataclass(frozen=True, slots=True)
class BatchRow:
    protocol: str
    severity: str
    runs: list[Run]


class Batch:
    """Has what `save.html` asks of a reading."""

    ignored = ()

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self._messages = [decode(item) for item in wanted.each(items)]

    @property
    def total(self) -> int:
        return len(self.items)

    @cached_property
    def valid(self) -> int:
        return sum(message.valid for message in self._messages)

    @property
    def invalid(self) -> int:
        return self.total - self.valid

    @cached_property
    def rows(self) -> list[BatchRow]:
        return [_row(message) for message in self._messages[:ROWS]]

    @property
    def next_offset(self) -> int | None:
        return ROWS if self.total > ROWS else None

    @cached_property
    def as_json(self) -> str:
        return write(self.items)


def write(items: Sequence[Item]) -> str:
    """Items as JSON in ASCII; bytes that are not UTF-8 stay the surrogate escapes that they are."""
    said = [
        {name: value for name, value in msgspec.to_builtins(item).items() if value is not None}
        for item in items
    ]
    return json.dumps(said, separators=(",", ":"))


def read(text: str) -> list[Item]:
    """What `write` wrote. Raises Unreadable."""
    try:
        items = msgspec.convert(json.loads(text), list[Item])
        for item in items:
            decode(check(item))
            to_bytes(item.wire)
            json.dumps({**msgspec.to_builtins(item), "wire": ""}, ensure_ascii=False).encode()
    except (ValueError, RecursionError, Refused) as error:
        raise Unreadable from error
    return items


def _row(message: Message) -> BatchRow:
    return BatchRow(message.protocol, worst(message), brief_runs(message))
