"""Messages with their metadata on the save page.

The page carries them as JSON, so what was previewed is what is saved, even if the source changes.
"""

import json
from collections.abc import Sequence
from functools import cached_property

import msgspec

from auditlog.ingest.item import Item, Refused, check
from auditlog.log.draft import Known, decode_once
from auditlog.text import to_bytes
from playground.http import wanted


class Unreadable(ValueError):
    """The text does not contain items."""


class Batch:
    """Items with the interface of a reading, for `save.html`."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        known: Known = {}
        self.messages = [
            decode_once(item, known, strict=False) for item in wanted.while_wanted(items)
        ]

    @property
    def total(self) -> int:
        return len(self.items)

    @cached_property
    def valid(self) -> int:
        return sum(message.valid for message in self.messages)

    @property
    def invalid(self) -> int:
        return self.total - self.valid


def write(items: Sequence[Item]) -> str:
    """Return items as ASCII JSON; bytes that are not UTF-8 stay surrogate escapes."""
    values = [
        {name: value for name, value in msgspec.to_builtins(item).items() if value is not None}
        for item in items
    ]
    return json.dumps(values, separators=(",", ":"))


def read(text: str) -> list[Item]:
    """Read items from `write`. Raises Unreadable."""
    try:
        items = msgspec.convert(json.loads(text), list[Item])
        known: Known = {}
        for item in items:
            decode_once(check(item), known, strict=False)
            to_bytes(item.wire)
            json.dumps({**msgspec.to_builtins(item), "wire": ""}, ensure_ascii=False).encode()
    except (ValueError, RecursionError, Refused) as error:
        raise Unreadable from error
    return items
