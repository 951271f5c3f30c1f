"""A diagnostic as the workbench shows it: with its place and the label of its fix."""

import re
from dataclasses import dataclass

from cablese.message import Diagnostic
from playground.display.glyphs import visible

WORD = re.compile(r"[\w.@!-]+")


@dataclass(frozen=True, slots=True)
class Note:
    """A diagnostic with its place. Offsets are UTF-16 units from the beginning of the message."""

    diagnostic: Diagnostic
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
        """Return everything that is shown of it."""
        return repr(self)

    @property
    def fix_label(self) -> str:
        """Return the label of the button: an action for a safe fix, a question for a suggestion."""
        fix = self.diagnostic.fix
        assert fix is not None
        before, after = _brief(self.before), _brief(fix.text)
        if not fix.safe and WORD.fullmatch(self.before) and WORD.fullmatch(fix.text):
            return f"Did you mean {after}?"
        question = "" if fix.safe else "?"
        if not self.before:
            return f"Insert {after}{question}"
        if not fix.text:
            return f"Remove {before}{question}"
        return f"Apply {before} → {after}" if fix.safe else f"Replace {before} with {after}?"

    @property
    def sentence(self) -> str:
        """Return the message, without the question that is on the button."""
        fix = self.diagnostic.fix
        return (
            self.diagnostic.message.removesuffix(f" {self.fix_label}")
            if fix and not fix.safe
            else self.diagnostic.message
        )


def _brief(text: str) -> str:
    glyphs = visible(text).replace("\n", "⏎")
    glyphs = glyphs.replace(" ", "␠") if not glyphs.strip() else glyphs
    return glyphs if len(glyphs) <= 18 else f"{glyphs[:16]}…"
