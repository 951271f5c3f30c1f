"""What each stored column is worth as evidence, as docs/design/audit.md says it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.rooms import ROOT

_ROW = re.compile(r"^\| auditlog_(\w+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


class Ruling(NamedTuple):
    table: str
    column: str
    words: str

    @property
    def is_free(self) -> bool:
        """Return whether nothing commits to the column."""
        return self.words.startswith("free: ")


def read_rulings() -> Iterator[Ruling]:
    for table, columns, words in _ROW.findall((ROOT / "docs/design/audit.md").read_text()):
        for column in columns.split(", "):
            yield Ruling(table, column, words)
