"""A diagnostic as the workbench shows it: with its place and the words of its fix."""

import re
from dataclasses import dataclass

from cablese.message import Diagnostic
from playground.display.glyphs import visible

WORD = re.compile(r"[\w.@!-]+")


@dataclass(frozen=True, slots=True)
class Note:
    """A diagnostic with its place. ``start`` and its like are UTF-16 units from the beginning of
    the message.
    """

    found: Diagnostic
    message: int
    number: int
    place: str
    fields: str
    start: int
    end: int
    fix_start: int
    fix_end: int
    before: str

    @property
    def id(self) -> str:
        return f"note-{self.message}-{self.number}"

    @property
    def key(self) -> str:
        """Everything that is shown of it."""
        return repr(self)

    @property
    def fix_words(self) -> str:
        """What the button says: a safe fix is an action, a suggestion is a question."""
        fix = self.found.fix
        assert fix is not None
        before, after = _brief(self.before), _brief(fix.text)
        if not fix.safe and WORD.fullmatch(self.before) and WORD.fullmatch(fix.text):
            return f"Did you mean {after}?"
        asked = "" if fix.safe else "?"
        if not self.before:
            return f"Insert {after}{asked}"
        if not fix.text:
            return f"Remove {before}{asked}"
        return f"Apply {before} → {after}" if fix.safe else f"Replace {before} with {after}?"

    @property
    def sentence(self) -> str:
        """The message, without the question that the button asks."""
        fix = self.found.fix
        return (
            self.found.message.removesuffix(f" {self.fix_words}")
            if fix and not fix.safe
            else self.found.message
        )


def _brief(text: str) -> str:
    shown = visible(text).replace("\n", "⏎")
    shown = shown.replace(" ", "␠") if not shown.strip() else shown
    return shown if len(shown) <= 18 else f"{shown[:16]}…"
