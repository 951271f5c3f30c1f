"""Splitting a text into messages: a log, a chat, a file.

    2026-11-20T10:00:01Z planner: PRO/PLN|g=42,t=1    a prefix: metadata, not part of the message
    FETCH|HR|return:HR-Agent|p:1|aacp:1.1|            a folded packet goes on in the next line
    period:2024-08
    {"g": "FIND_HOTEL",                               a JSON value may take many lines
     "plan": []}
    level=info msg="T|17|Q|obj=x" took=3ms            a quote ends a message, and so does a remark
    {"msg": "T|17|Q|obj=x"}                           a wrapper is taken off, also inside another
    planner 09:42                                     a heading of a chat names the sender
    ```                                               fences, comments, and prose are ignored

Each line belongs to the protocol that claims it most surely, from the place where its message may
begin. All other text is reported as ignored, with a reason. The work is linear in the text.
"""

import re
from collections.abc import Callable

from msgspec.structs import replace

from cablese import detection, registry
from cablese.codec import JSON_LIMIT, Codec
from cablese.message import Span
from cablese.text import BLANKS, trim

from . import hint, page
from .anchor import Anchor, Anchors
from .cut import TOO_MANY, Cut, Ignored, Transcript
from .ends import rows
from .facts import NEXT_COLUMNS
from .layers import plain
from .line_facts import add_facts
from .log_lines import lead, members, titles
from .log_lines.headings import Headings
from .log_lines.line_message import LineMessages
from .log_lines.lines import Form, Lines, Unfinished, leave_last_line
from .records import wrapper
from .records.nested import Allowance, Nested
from .records.objects import Objects
from .taken import Taken

LEADING = re.compile(f"[{re.escape(BLANKS)}\ufeff]*+")
FENCE = re.compile(r"(?:```|~~~)[\w+-]*")
BLANK_LINES = re.compile(f"(?:[{re.escape(BLANKS)}]*[\r\n])*+")
UNCLAIMED = "unrecognized text"
"""Why a line without a message is ignored."""
MAX_TRIES = 40
"""Braces on a line that are tried in vain."""
MAX_REMEMBERED = 200
"""Characters of a line without a message that is remembered."""
ELSEWHERE = frozenset("{[\\")
"""Signs of a line that may go on in the next one, or that holds strings with lines of their own."""
MAX_RUN = 16_384
"""Characters of the rows of a table that are read at once. A longer row is read by itself."""


def split(
    text: str,
    protocol: str | None = None,
    *,
    final: bool = True,
    most: int | None = None,
    context: str = "",
    check: Callable[[], None] | None = None,
) -> Transcript:
    """Cut ``text`` into messages, detect the protocol of each, and take wrappers off.

    With ``protocol`` each line, folded packet, or JSON value is read as that one, and nothing is
    ignored. With ``final`` false the text is the beginning of a longer one: a message that the next
    characters may change is left, and ``end`` is where to go on, with the ``context`` of there.
    After about ``most`` messages and ignored pieces the rest is one ignored piece: half a million
    braces would take seconds and give nothing. ``check`` is called again and again, and can raise
    to end the work. Raises registry.UnknownProtocol.
    """
    text = text if final else leave_last_line(text, 2 * JSON_LIMIT)
    limit = len(text) if most is None else most
    left, layers = (text, []) if protocol else plain.take_out(text, final=final)
    cutter = _Cutter(left, final=final, most=limit, check=check)
    if protocol is None:
        cutter.detect(context)
    else:
        cutter.read_as(registry.get(protocol))
    found = Transcript(tuple(cutter.messages), tuple(cutter.ignored), cutter.at, cutter.context)
    return plain.place_in(layers, found)


class _Cutter(Taken):
    """Reads ``text`` line by line, which has the ``form``. ``levels`` of wrappers come off."""

    def __init__(
        self,
        text: str,
        *,
        final: bool,
        most: int,
        levels: int = wrapper.MAX_DEPTH,
        form: Form = "text",
        allowance: Allowance | None = None,
        check: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(text, most)
        self.levels = levels
        self.allowance = Allowance(text) if allowance is None else allowance
        self._check = check
        self._final = final
        self._unclaimed: dict[str, str | None] = {}
        """What lines without a message resemble: a text may have the same one again and again."""
        is_final = final or len(text) > 2 * JSON_LIMIT
        self.lines = Lines(text, final=is_final, form=form)
        self.anchors = Anchors(text)
        self.nested = Nested(
            self.lines,
            levels=levels,
            arguments=form == "arguments",
            split=self._split,
            allowance=self.allowance,
        )
        self.objects = Objects(self.lines, self.anchors, self.nested)
        self.line_messages = LineMessages(self.lines, self.anchors, self.nested)

    def detect(self, context: str = "") -> None:
        table = self.line_messages.table
        earlier = [line for line in context.splitlines() if line != page.OPENED]
        for line in earlier:
            table.note(line, -1)
        self._each_line(self._detect_line)
        known_rows = rows.Rows(self.text, self.messages, earlier, table.head_before)
        self._end_rows(known_rows)
        more = None if self._final else self._end
        is_below = members.GOES_ON in earlier
        records = members.Records(self.text, self.messages, more, is_below=is_below)
        self.messages = records.name_parties()
        end = self._end if self._final else self._find_held(records.find_held())
        headings = self._name_senders(earlier)
        lines = () if headings is None else (table.head_before(end), *headings.holding(end))
        held = () if self._final else known_rows.holding(end)
        self.context = "\n".join(filter(None, (self.context, *held, *lines)))
        if end < self._end:
            self._hold_back(end)
        self._read_page(end, opened=page.OPENED in context)

    def _read_page(self, end: int, *, opened: bool) -> None:
        """Decode messages in an element of HTML, and note whether one is open at ``end``."""
        if self._final and not any("&" in cut.wire for cut in self.messages):
            return
        elements = page.Page(self.text, opened=opened)
        self.messages = elements.decode(self.messages)
        if elements.is_open(end):
            self.context = "\n".join(filter(None, (self.context, page.OPENED)))

    def _end_rows(self, known: rows.Rows) -> None:
        """End messages in rows without a head before the cells that follow them there."""
        cells = []
        for at, size, is_doubtful in known.find_ends():
            cut = self.messages[at]
            end = cut.span.start + size
            cells.append((end, cut.span.end))
            cut = replace(cut, span=Span(cut.span.start, end), wire=cut.wire[:size])
            self.messages[at] = add_facts(cut, NEXT_COLUMNS) if is_doubtful else cut
        for start, end in cells:
            self._ignore(start, end, "text after a message")
        if cells:
            self.ignored.sort(key=lambda one: one.span.start)

    def _name_senders(self, earlier: list[str]) -> Headings | None:
        """Name the senders that headings name; None if the text can have no heading."""
        if not self.ignored and not earlier:
            return None  # Most strings of a record have no heading.
        if self.lines.is_value and not any(titles.may_share(line.text) for line in self.ignored):
            return None
        headings = Headings(self.text, self.ignored, earlier)
        self.messages = headings.name_senders(self.messages)
        return headings

    def read_as(self, codec: Codec) -> None:
        self._each_line(lambda start, end: self._line_as(codec, start, end))

    def _split(self, text: str, form: Form) -> list[Cut]:
        """Return the messages of a text that was written inside this one."""
        left, layers = plain.take_out(text, final=True)
        within = _Cutter(
            left,
            final=True,
            most=max(self.most, MAX_RUN) if form == "rows" else self.most,
            levels=self.levels - 1,
            form=form,
            allowance=self.allowance,
            check=self._check,
        )
        within.detect()
        return plain.place_messages(layers, within.messages)

    # Lines

    def _each_line(self, take: Callable[[int, int], int]) -> None:
        """Give each line that is not empty to ``take``, which answers how far it has read.

        The rest of a line is given again, and the line is measured once: it may hold a hundred
        thousand values.
        """
        edge = next_line = 0
        size = len(self.text)
        while self.at < size:
            if self._check is not None:
                self._check()
            count, left = len(self.messages), len(self.ignored)
            if self.at >= next_line:
                end, next_line = self.lines.at(self.at)
                if end == next_line and not self.lines.final:
                    return
                start, edge = trim(self.text, self.at, end)
                self.lines.start = start
            else:
                start = self._past_blanks(edge)
            try:
                end = take(start, edge) if start < edge else edge
            except Unfinished:
                del self.messages[count:], self.ignored[left:]
                return
            self.at = next_line if edge <= end < next_line else end  # only blanks are left
            if start >= edge and (blanks := BLANK_LINES.match(self.text, self.at)):
                self.at = blanks.end()
            if self._room <= 0:
                self.at = self._ignore(self.at, size, TOO_MANY)

    def _past_blanks(self, edge: int) -> int:
        blanks = LEADING.match(self.text, self.at, max(self.at, edge))
        assert blanks is not None
        mark = self.text.find("\ufeff", *blanks.span())
        if mark >= 0:
            self._ignore(mark, blanks.end(), UNCLAIMED)
        return blanks.end()

    def _line_as(self, codec: Codec, start: int, end: int) -> int:
        if codec.form == "line":
            fold = self.line_messages.folds.find(codec, start, end, "")
            self.messages.append(fold.cut())
            return fold.end
        if self.text[start] in "{[":
            value = self.objects.value(start)
            end = end if value is None else value.end
        self.messages.append(Cut(Span(start, end), self.text[start:end], codec.name))
        return end

    def _detect_line(self, start: int, end: int) -> int:
        line = self.text[start:end]
        if line in self._unclaimed and start == self.lines.start:
            self.ignored.append(Ignored(Span(start, end), line, UNCLAIMED, self._unclaimed[line]))
            return end
        cuts, stop = self.line_messages.whole_lines(start, end, line, self._room)
        if cuts:
            self.messages += cuts
            return stop
        if line[0] in "`~" and FENCE.fullmatch(line):
            return self._ignore(start, end, "code fence")
        if line[-1] != "[" and not hint.may_hold(line) and line.count("{") == line.count("}"):
            return self._ignore_line(start, end, line)
        if _is_row(line) and self.nested.is_allowed:
            return self._take_rows(start, end)
        count = len(self.messages)
        stop = self._take_line(start, end, line)
        if len(self.messages) > count:
            self.messages[count:] = self.line_messages.state(self.messages[count:], start, stop)
        elif stop > end:
            self._ignore(start, stop, UNCLAIMED)
        else:
            self._ignore_line(start, end, line)
            self._remember(start, end, line)
        return stop

    def _remember(self, start: int, end: int, line: str) -> None:
        """Remember a line without a message, if the next one that is equal has none either."""
        last = self.ignored[-1]
        if last.reason != UNCLAIMED or last.span != (start, end) or len(line) > MAX_REMEMBERED:
            return
        if start == self.lines.start and ELSEWHERE.isdisjoint(line):
            self._unclaimed[line] = last.resembles

    def _take_line(self, start: int, end: int, line: str) -> int:
        """Take the messages of a line in the first way that finds any, and return their end."""
        count = len(self.messages)
        is_list = line[0] == "[" and line[-1] in "[],{"
        stop = self._take_list(start, end) if is_list else end
        if len(self.messages) == count:
            stop = self._take_along(start, end)
        if len(self.messages) == count and stop <= end:
            stop = self._take_after_lead(start, end, line)
        if len(self.messages) == count and stop <= end and hint.is_hidden(line):
            stop = self._take_hidden(start, end)
        return stop

    def _take_along(self, start: int, end: int) -> int:
        """Take the messages of a line, and of the lines over which the last one goes on."""
        at = taken = start
        anchor: Anchor | None = None
        is_anchored, tried = False, 0
        brace = self.text.find("{", start, end)
        while at < end:
            if 0 <= brace < at:  # where there is none, do not look again for every message
                brace = self.text.find("{", at, end) if tried < MAX_TRIES else -1
            if (not is_anchored and brace != at) or (anchor is not None and anchor.at < at):
                anchor, is_anchored = self.anchors.find(at, end), True
            if brace >= 0 and (
                anchor is None or brace < anchor.at or anchor.score < detection.CERTAIN
            ):
                value = self.objects.find(brace, start, end)
                if value.cuts:
                    self._take(taken, value.cuts, start)
                    taken = at = max(value.end, value.cuts[-1].span.end)
                    if at > end:
                        end, is_anchored = self.lines.end(at), False
                    if self._room <= 0:
                        return at
                    continue
                if value.is_whole and value.end > end:
                    return self._ignore_rest(taken, value.end, start)
                if anchor is None or brace < anchor.at:
                    at = value.end if value.is_whole else brace + 1
                    tried += not value.is_whole
                    continue
            if anchor is None:
                break
            cuts, at = self.line_messages.find(anchor, start, end)
            self._take(taken, cuts, start)
            taken = at
            if self._room <= 0:
                return at
            if at > end:
                end, is_anchored = self.lines.end(at), False
        return self._ignore_rest(taken, end, start)

    def _take_after_lead(self, start: int, end: int, line: str) -> int:
        """Take a message without an anchor, at the beginning of a line or after its lead."""
        anchor = None if line[0] in "{[" else lead.find(line)
        if anchor is None:
            return end
        cuts, stop = self.line_messages.find(
            Anchor(anchor.score, start + anchor.at, anchor.protocol), start, end
        )
        self._take(start, cuts, start)
        return self._ignore_rest(stop, max(end, self.lines.end(stop)), start)

    def _take_list(self, start: int, end: int) -> int:
        cuts, stop = self.objects.in_list(start)
        if not cuts:
            return end
        self._take(start, cuts, start)
        return self._ignore_rest(stop, max(end, self.lines.end(stop)), start)

    def _take_rows(self, start: int, end: int) -> int:
        """Take the messages of the row that begins at ``start``, and of those that follow it.

        A table has many short rows, and each text inside another one costs as much as a long line.
        """
        rows = self._rows(start, end)
        for (begin, stop), cuts in zip(rows, self.nested.in_rows(rows), strict=True):
            if cuts:
                self._take(begin, self.line_messages.state(cuts, begin, stop), begin)
                self._ignore_rest(cuts[-1].span.end, stop, begin)
            else:
                self._ignore_line(begin, stop, self.text[begin:stop])
        return rows[-1].end

    def _rows(self, start: int, end: int) -> list[Span]:
        """Return a row and those that follow it: not more than are wanted, and whole lines."""
        rows = [Span(start, end)]
        wanted = self.most - len(self.messages) - len(self.ignored)
        while len(rows) < wanted:
            begin = self.lines.next_begin(rows[-1].end)
            end, following = self.lines.at(begin)
            if end == following and not self.lines.final:
                break
            row = trim(self.text, begin, end)
            if row.end - start > MAX_RUN or not _is_row(self.text[slice(*row)]):
                break
            rows.append(row)
        return rows

    def _take_hidden(self, start: int, end: int) -> int:
        taken = start
        for cuts, stop in self.nested.in_hidden(start, end):
            if cuts:
                self._take(taken, cuts, start)
                taken = stop
        return self._ignore_rest(taken, end, start)

    def _ignore_line(self, start: int, end: int, line: str) -> int:
        if lead.COMMENT.match(line):
            return self._ignore(start, end, "comment")
        # Of a table with tabs, the first column may have no name.
        begin = start - 1 if self.text[max(0, start - 2) : start] in ("\t", "\n\t") else start
        self.line_messages.table.note(self.text[begin:end], start)
        resembles = lead.resembles(line) if lead.may_resemble(line) else None
        return self._ignore(start, end, UNCLAIMED, resembles)


def _is_row(line: str) -> bool:
    """Return whether ``line`` is a row of a table in Markdown with a bar in a cell."""
    return line.startswith("|") and "\\|" in line
