"""One small change to one file."""

import difflib
import re
from dataclasses import dataclass

SHOWN = 160


@dataclass(frozen=True, slots=True)
class Mutant:
    path: str
    """Of the file, from the root of the tree."""
    kind: str
    """`escape`, `permission`, `limit`, `expiry`, or `proof` for mutants by hand, or `seeded`."""
    form: str
    start: int
    end: int
    """Offsets into the file: the part that is replaced."""
    replacement: str
    scope: str
    """The names of the classes and functions around it; empty at the level of the module."""
    before: str
    number: int = 0
    """Which of several equal changes in one scope."""
    area: str = ""

    @property
    def key(self) -> str:
        """Name the change without its line, so that it stays the same when lines move."""
        change = f"{flatten(self.before)} => {self._after}"
        more = f" ({self.number + 1})" if self.number else ""
        return f"{self.path}:{self.scope or '-'}: {change}{more}"

    @property
    def _after(self) -> str:
        return "unescaped" if self.form == "template" else flatten(self.replacement)

    @property
    def is_by_hand(self) -> bool:
        return self.kind != "seeded"

    def apply(self, source: str) -> str:
        return source[: self.start] + self.replacement + source[self.end :]

    def line(self, source: str) -> int:
        return source.count("\n", 0, self.start) + 1

    def diff(self, source: str) -> list[str]:
        """Return the changed lines, as in a diff."""
        lines = difflib.unified_diff(
            source.splitlines(), self.apply(source).splitlines(), lineterm="", n=0
        )
        return [line for line in list(lines)[3:] if not line.startswith("@@")][:4]


def flatten(text: str) -> str:
    flat = re.sub(r"\s+", " ", text).strip()
    return flat if len(flat) <= SHOWN else f"{flat[: SHOWN - 1]}…"
