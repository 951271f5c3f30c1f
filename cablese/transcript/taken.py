"""What is taken of a text as messages, what is ignored, and what is held back while more is to
come.
"""

from itertools import takewhile

from cablese.message import Span
from cablese.text import trim

from .cut import TOO_MANY, Cut, Ignored
from .line_facts import begin_of
from .log_lines import lead, members

EMPTY = Span(0, 0)


class Taken:
    """The messages and the ignored pieces of ``text``, which was read up to ``at``.

    There are about as many as the ``most``. With ``context`` the text after ``at`` is read.
    """

    def __init__(self, text: str, most: int) -> None:
        self.text = text
        self.most = most
        self.at = 0
        self.context = ""
        self.messages: list[Cut] = []
        self.ignored: list[Ignored] = []

    @property
    def _room(self) -> int:
        return self.most - len(self.messages) - len(self.ignored)

    @property
    def _end(self) -> int:
        """Return where the text ends that was read, and is not ignored because there is more than
        wanted.
        """
        last = self.ignored[-1] if self.ignored else None
        return last.span.start if last and last.reason == TOO_MANY else self.at

    def _find_held(self, begin: int | None) -> int:
        """Return from where the text is held back, because a record that begins at ``begin`` may go
        on. None of it is held back if that would be too much, or a part of what is ignored.
        """
        if begin is not None:
            held = takewhile(lambda one: one.span.end > begin, reversed(self.ignored))
            if all(one.span.start >= begin for one in held):
                return begin
        self.context = members.GOES_ON
        return self._end

    def _hold_back(self, end: int) -> None:
        self.messages = [cut for cut in self.messages if begin_of(cut) < end]
        self.ignored = [one for one in self.ignored if one.span.start < end]
        self.at = end

    def _take(self, taken: int, cuts: list[Cut], start: int) -> None:
        """Take messages that follow each other, and ignore what is before and around them.

        The line begins at ``start``, and everything up to ``taken`` is taken or ignored already.
        """
        # A quote that opened before what is taken may hold it again.
        cuts = [cut for cut in cuts if cut.span.start >= taken]
        if not cuts:
            return
        carrier = cuts[0].carrier
        first = max(taken, begin_of(cuts[0]))
        prefix = "comment" if lead.COMMENT.match(self.text[taken:first]) else "log prefix"
        self._ignore(taken, first, "between messages" if taken > start else prefix)
        if carrier is not None:
            reason = f"{carrier.words} around a message"
            at = first
            for cut in cuts:
                self._ignore(at, cut.span.start, reason)
                at = cut.span.end
            self._ignore(at, carrier.span.end, reason)
        self.messages += cuts

    def _ignore_rest(self, taken: int, end: int, start: int) -> int:
        """Ignore what is left of a line when something was taken of it, and return its end."""
        end = max(taken, end)
        return end if taken == start else self._ignore(taken, end, "text after a message")

    def _ignore(self, start: int, end: int, reason: str, resembles: str | None = None) -> int:
        content = trim(self.text, start, end) if start < end else EMPTY
        if content.start < content.end:
            self.ignored.append(Ignored(content, self.text[slice(*content)], reason, resembles))
        return end
