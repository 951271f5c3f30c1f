"""Messages of line protocols: from an anchor to the end of the message.

    msg="T|17|Q|obj=x" took=3ms                 a quote that was opened before it ends it
    (REQ/TSK|g=1) REQ/TSK|g=2                   so does a bracket, and so does the next message
    FETCH|HR|return:HR-Agent|p:1|aacp:1.1|      a folded packet goes on in the next line
    period:2024-08

Otherwise ``ending`` finds the end.
"""

import re
from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from cablese import registry
from cablese.codec import Codec
from cablese.message import Span
from cablese.transcript import quoting
from cablese.transcript.anchor import SURE, Anchor, Anchors, Scores
from cablese.transcript.cut import Cut
from cablese.transcript.ends import arrow, ending, stray, truncation
from cablese.transcript.ends.folding import Fold, Folds
from cablese.transcript.ends.own import past_own
from cablese.transcript.ends.room import Room
from cablese.transcript.facts import CUT_OFF, NOTHING
from cablese.transcript.layers import turns
from cablese.transcript.line_facts import add_facts, state_facts
from cablese.transcript.memory import remember
from cablese.transcript.records.nested import Allowance, Nested

from . import bare_lines, goes_on
from .lines import Lines
from .table import Table

CLOSING_TAG = re.compile(
    r"</(?:code|pre|td|th|li|p|span|div|samp|kbd|tt)>|<br\s?/?>|\[/\w{1,10}\]"
    # What ends a turn of a model, unless it is a value.
    rf"|(?<![=:|,]){turns.END}"
    r"(?=\s*\Z)"
)
NAME, TO = r"[@\w.-]{1,40}", r"\s?(?:[=-]+>|[→⇒])\s?"
BETWEEN = re.compile(
    r"""[\s,;|&+"'`*_)\]}>.-]*(?:\s(?:[=-]+>|<[=-]+|[→←⇒•·/~]|(?:and\s+)?then|and)\s+)?"""
    rf"(?:(?<=\s){NAME}(?:{TO}{NAME})?:\s+|(?<=[,;|]\s){NAME}{TO}{NAME}\s+)?"
    r"""(?:(?<=\s)[(\["'`“„‘«‹*_~]{1,4})?\Z"""
)
"""What may be between two messages of one line: signs, an arrow, a word, the names of a sender and
a recipient, what opens.
"""
COMPARED = re.compile(
    r"(?:\s(?P<sign>[=!]==?|<>|≠|vs\.?|instead\sof|rather\sthan)"
    r"|(?P<comma>[,;])?\s(?:(?:but\s)?(?:wanted|want|got|was|expected|received|actual)"
    r"|to\s(?:be|equal|eq|match)))[:=]?\s[(\[\"'`“‘«<]{0,4}\Z"
)
"""What is between two messages that a test compares. A word alone may be the last one of a reason,
if nothing announces the second message.
"""
COMPARES = re.compile(
    r"\b(?:got|want|expected|assert\w*|actual)[\s:=]{1,3}[(\"'`<]?\Z", re.IGNORECASE
)
"""What announces that, before the first."""
TOLD = re.compile(r"""(?::[ \t]|[("'`“„‘«‹*_~])\Z""")
"""What a sentence that has told of one message introduces the next one with."""
CLOSES = ",;.!?)]}\"'`”’»›*_~"
"""What may close a message, or a part of a sentence, before the words of a line go on."""
FIELD = re.compile(r"(?<=[|=])\w*[^\W_] \Z")
"""A field and one space: most messages of one line have no more between them."""
MAX_BETWEEN = 80
"""Characters before a message that are searched for what is between it and the one before."""
ENTITY = re.compile(r"&(?:quot|apos|lt|gt|#\d{2,3}|#x[0-9a-fA-F]{2});\Z")
"""A quote or a bracket that opens, as HTML writes it."""
MAX_ENTITY = 8
ENTRY = re.compile(r"[\[(]?\d{1,4}[:/.-]\d\d")
"""The time at the beginning of a line, which continues no other one."""
MAX_STRING = 8
"""Lines in which a string may end after that of its message."""
WRITTEN = ("\\", "''", '"', "&")
"""One of these is in every string that is written with escapes."""
DECODED, MIN_DECODED = 4, 1_024
"""Characters that are decoded to find where messages of one line end: so many for each of the line,
and so many more. Past that, only the next place is tried, as long as there is as much room again.
"""
MAY_END = re.compile(
    # A search for alternatives is five times as fast if each begins with a character.
    "|".join((" ", "\t", *ending.NO_BREAK, "</", r"<\|", "<br", "<end", r"\[/"))
    + r"|…|\.\.\.|\\n\Z|#012\Z"
)
"""Before a remark and the next column is a space, and a tag that ends one begins with a bracket. An
ellipsis shortens a value, and some programs write the end of a line out.
"""
CLOSING = frozenset("\"'`»”;,)]}>#-" + stray.UNSEEN + stray.CURSOR + truncation.HALF)
"""The last character of a message may be none of it: it may close what was not copied. After half a
character, more was cut off.
"""
REMEMBERED, MAX_REMEMBERED = 6_000, 256
"""Lines that are remembered, and their characters."""
SEMICOLON = re.compile(r";(?=\S|\Z)")
"""What parts the cells of a row without a head: `10:00;planner;REQ/TSK|g=1;ok`."""
MAX_CELLS = 8
"""Bars that a message between bars may end before."""
MAX_TAGGED = 4_096
"""Characters of a message that are searched for a tag that closes."""


class LineMessages:
    """The messages of line protocols in the text of ``lines``."""

    def __init__(self, lines: Lines, anchors: Anchors, nested: Nested) -> None:
        self.text = lines.text
        self.lines = lines
        self.anchors = anchors
        self.nested = nested
        self.folds = Folds(lines, anchors)
        self.table = Table()
        self._line_end = -1
        self._nexts = self._nearest = self._ends = Room(0)
        """The room for ends before another message, on the line that ends at ``_line_end``, for the
        nearest of them once that is used up, and for all other ends.
        """

    def find(self, anchor: Anchor, start: int, end: int) -> tuple[list[Cut], int]:
        """Return the message at ``anchor``, or those of the string around it, and their end."""
        cuts, stop = self._find(anchor, start, end)
        if self._is_cut_off(anchor, cuts[-1].wire, start, end, stop):
            cuts[-1] = replace(cuts[-1], facts=cuts[-1].facts.or_else(CUT_OFF))
        return cuts, stop

    def state(self, cuts: list[Cut], start: int, stop: int) -> list[Cut]:
        """Return the messages of a line with what its columns and the rest of it state."""
        stated = self.table.facts(self.text, cuts, start, stop) if self.table.names else NOTHING
        cuts = [add_facts(cut, stated) for cut in cuts]
        return state_facts(self.text, cuts, start, stop, is_row=bool(stated))

    def whole_lines(self, start: int, end: int, line: str, most: int) -> tuple[list[Cut], int]:
        """Return the message that is all of a line, when nothing on the line can end it, and those
        of the next lines, up to ``most`` and as far as they are bare. The end is where to go on.

        They are the messages that ``find`` returns, and most logs of messages have no other lines.
        """
        if start != self.lines.start or self.table.names or "|" not in line:
            return [], end
        cuts, stop = bare_lines.take(self.text, start, most)
        if cuts:
            return cuts, stop
        codec, scores = _remembered(line) if len(line) <= MAX_REMEMBERED else _lone(line)
        if codec is None:
            self.anchors.learn(scores, start)
            return [], end
        return [Cut(Span(start, end), line, codec.name)], end

    def _is_cut_off(self, anchor: Anchor, wire: str, start: int, end: int, stop: int) -> bool:
        """Return whether the message at ``anchor``, of a line up to ``end``, may have gone on."""
        quote = self.lines.quote_at(anchor.at) if anchor.at > start else None
        if self.text[start] == "{" and stop == end:
            return quote is not None and quote.mark == '"' and self.text[end - 1] not in '"}'
        if truncation.is_end(wire):
            return True
        if (anchor.at > start or stop < end) and truncation.is_around(
            self.text, start, quote, anchor.at, stop
        ):
            return True
        if stop < end and goes_on.column_end(self.lines, anchor.at, end) is not None:
            return True
        if goes_on.in_cell(self.lines, anchor.at, end) or (
            stop == end and goes_on.in_yaml(self.lines, anchor.at, end)
        ):
            return True
        if quote is None or stop > end or self.text[stop:end].strip("\\"):
            return False
        is_closed = quoting.closing(self.text, quote, anchor.at, end) is not None
        return not is_closed and self._closes_later(quote, registry.get(anchor.protocol), end)

    def _closes_later(self, quote: quoting.Quote, codec: Codec, end: int) -> bool:
        """Return whether ``quote`` closes after more text of the next lines, and no message."""
        if quote.mark in quoting.TAGS or quoting.is_long(self.text, quote):
            return False
        is_more = False
        for _ in range(MAX_STRING):
            line = self.lines.after(end, "", skips_empty=False)
            if line is None or self.folds.begins_message(codec, line):
                return False
            if ENTRY.match(self.text, line.start, line.end) is not None:
                return False
            close = self.text.find(quote.close, line.start, line.end)
            if close >= 0:
                is_text = is_more or close > line.start
                return is_text and quoting.only_closes(self.text, quote, line.start, line.end)
            is_more, end = True, line.end
        return False

    def _find(self, anchor: Anchor, start: int, end: int) -> tuple[list[Cut], int]:
        codec, at = registry.get(anchor.protocol), anchor.at
        quote = self.lines.quote_at(at) if at > start else None
        markup = quoting.markup_end(self.text, start, at, end)
        close = self._closing(codec, quote, at, start, end) if markup is None else markup
        if markup is None and self._is_written(quote, at, start, end if close is None else close):
            cuts, stop = self.nested.in_quote(at, start, end)
            if cuts:
                return cuts, stop
        limit, is_open = self._reach(codec, at, close, end)
        is_whole = limit == close
        shortened = truncation.find(codec, self.text, at, limit)
        if shortened is not None:
            limit, is_open = shortened, False
        if is_open and codec.folded:
            fold = self.folds.find(codec, at, end, self.text[self.lines.start : at])
            if fold.end > end:
                cut, stop = self._end_fold(fold, start)
                return [cut], stop
        line = self.lines.start if is_open else at
        is_alone = at == start or not is_open
        is_quoted = quote is not None and quote.start == at
        is_closed = (markup is not None or is_quoted) and is_whole
        is_closed = is_closed or (self.lines.is_value and (at, limit) == self.lines.content)
        is_told = ending.is_prose(self.text, self.lines.start, at)
        stop = ending.find(
            codec,
            self.text,
            at,
            limit,
            room=self._ends,
            line=line,
            is_alone=is_alone,
            is_closed=is_closed,
            is_told=is_told,
        )
        return [Cut(Span(at, stop), self.text[at:stop], codec.name)], stop

    def _reach(self, codec: Codec, at: int, close: int | None, end: int) -> tuple[int, bool]:
        """Return where the message at ``at`` ends at the latest, and whether it may go on there."""
        limit = end if close is None else close
        following = self._next_message(codec, at, limit, end)
        if following is not None:
            return following, False
        tag = self._tag_end(at, limit) if close is None else None
        return (limit, close is None) if tag is None else (tag, False)

    def _closing(
        self, codec: Codec, quote: quoting.Quote | None, at: int, start: int, end: int
    ) -> int | None:
        """Return where the arrow, quote, column, or bracket closes that the message is in."""
        if (arrow_end := arrow.find_end(self.text, start, at, end)) is not None:
            return arrow_end
        if quote is not None:
            return quoting.closing(self.text, quote, at, end)
        if self.table.names:
            column = self.table.end(self.text, self.lines.start, at, end)
            if column is not None:
                return column
        if at > start and (column_end := goes_on.column_end(self.lines, at, end)) is not None:
            return column_end
        if at > start and self.text[at - 1] == "|":
            return self._cell_end(codec, at, end)
        if at > start and self.text[at - 1] == ";" and ";" not in codec.separators:
            is_entity = ENTITY.search(self.text, max(start, at - MAX_ENTITY), at) is not None
            cell = None if is_entity else SEMICOLON.search(self.text, at, end)
            return None if cell is None else cell.start()
        return quoting.bracket_end(self.text, at, end, start) if at > start else None

    def _cell_end(self, codec: Codec, at: int, end: int) -> int | None:
        """Return at which bar the message ends that is a cell: the last one where it is valid."""
        place = end
        for _ in range(MAX_CELLS):
            if codec.decode(self.text[at:place]).valid:
                return None if place == end else place
            place = self.text.rfind("|", at, place)
            if place < 0:
                break
        return None

    def _is_written(self, quote: quoting.Quote | None, at: int, start: int, close: int) -> bool:
        """Return whether the message may be written with escapes."""
        if quote is None:
            is_after = at > start and self.text[at - 1] == ";"
            return is_after and ENTITY.search(self.text, at - MAX_ENTITY, at) is not None
        raw = self.text[quote.start : close]
        return any(mark in raw for mark in WRITTEN)

    def _end_fold(self, fold: Fold, start: int) -> tuple[Cut, int]:
        """Return a folded message of a line from ``start`` on, and its end, which is where it would
        be if all of its lines were one.
        """
        at, begin = fold.pieces[0][0], self.lines.start
        is_whole = self.lines.is_string and (at, fold.end) == self.lines.content
        if is_whole or not self._may_end(fold, at):
            return fold.cut(), fold.end
        text = self.text[begin:at] + fold.flat
        lines = Lines(text, final=True)
        nested = Nested(
            lines, levels=0, arguments=False, split=lambda *_: (), allowance=Allowance("")
        )
        line = LineMessages(lines, Anchors(text), nested)
        anchor = Anchor(SURE, at - begin, fold.protocol)
        (whole, *_), stop = line.find(anchor, start - begin, len(text))
        cut = add_facts(fold.cut(stop - anchor.at), whole.facts)
        return cut, cut.span.end

    def _may_end(self, fold: Fold, at: int) -> bool:
        """Return whether a folded message at ``at`` may end before its last line does."""
        last = self.text[slice(*fold.pieces[-1])]
        is_after_word = at == self.lines.start or self.text[at - 1] == " "
        is_plain = last[-1].isalnum() and MAY_END.search(last) is None
        return not (is_plain and is_after_word and self.lines.quote_at(at) is None)

    def _next_message(self, codec: Codec, at: int, limit: int, end: int) -> int | None:
        """Return where the message at ``at`` ends because another one begins on its line."""
        if end != self._line_end:
            self._line_end, size = end, end - at
            rooms = (Room(size, each=DECODED, more=MIN_DECODED) for _ in range(2))
            self._nexts, self._nearest = rooms
            self._ends = Room(size)
        for begin in self.anchors.after(at, limit, end):
            edge = self._edge(at, begin)
            for length in chain((edge - at,), self._lengths(codec, at, begin)):
                is_last = not self._nexts.take(length)
                is_tried = not is_last or self._nearest.take(length)
                if is_tried and codec.decode(self.text[at : at + length]).valid:
                    return at + length
                if is_last:
                    return None
            if self.text[begin - 1].isspace() and ending.is_separate(self.text[at:edge]):
                return edge
        return None

    def _lengths(self, codec: Codec, at: int, begin: int) -> Iterator[int]:
        """Yield how long the message at ``at`` may be, with another one at ``begin``.

        A comma and words after a value may belong to it by an error of its sender, unless the line
        tells of both messages.
        """
        wire = self.text[at:begin]
        is_told = TOLD.search(wire) or ending.is_prose(self.text, self.lines.start, at)
        for length in ending.before(codec, wire):
            yield length
            stop = at + len(wire[:length].rstrip(CLOSES)) if is_told else at + length
            stop = past_own(self.text, at, stop, at + length)
            if stop < at + length:
                yield stop - at
        if is_told:
            told = ending.find(
                codec,
                self.text,
                at,
                begin,
                room=self._ends,
                line=self.lines.start,
                is_alone=True,
                is_told=True,
            )
            yield told - at

    def _edge(self, at: int, begin: int) -> int:
        """Return where what is between the message at ``at`` and the one at ``begin`` begins."""
        searched = max(at, begin - MAX_BETWEEN)
        compared = COMPARED.search(self.text, searched, begin)
        if compared is not None and (
            compared["sign"]
            or compared["comma"]
            or COMPARES.search(self.text, max(0, at - MAX_BETWEEN), at)
        ):
            return compared.start()
        if FIELD.search(self.text, searched, begin):
            return begin - 1
        between = BETWEEN.search(self.text, searched, begin)
        edge = begin if between is None else between.start()
        return past_own(self.text, at, edge, begin)

    def _tag_end(self, at: int, limit: int) -> int | None:
        """Return where a tag closes that was opened before the message at ``at``."""
        if self.text.find("<", at, limit) < 0 and self.text.find("[/", at, limit) < 0:
            return None
        tag = CLOSING_TAG.search(self.text, at, min(limit, at + MAX_TAGGED))
        if tag is None or tag[0][:-1].replace("/", "") in self.text[at : tag.start()]:
            return None
        return tag.start()


def _lone(line: str) -> tuple[Codec | None, Scores]:
    """Return whose message a line is, when nothing on the line can end it; otherwise the scores of
    its places, as far as they were asked for.
    """
    if not line[0].isalpha() or line[-1] in CLOSING or MAY_END.search(line):
        return None, ()
    anchors = Anchors(line)
    codec = anchors.lone()
    if codec is None or codec.folded:
        return None, anchors.scores
    return codec, ()


@remember(REMEMBERED)
def _remembered(line: str) -> tuple[Codec | None, Scores]:
    """Read a short line once: the workbench splits its whole text at every key."""
    return _lone(line)
