"""Messages of a text that is written inside another one: in strings, HTML, records, and tables.

    {"msg": "T|17|Q|obj=x"}                     a string of a record
    msg="{\\"g\\": \\"FIND\\", \\"plan\\": []}"         a quoted string with escapes
    <td>{&quot;g&quot;: …}</td>                 HTML
    <em>FETCH</em>|HR|return:HR-Agent           a match of a search
    | planner | REQ/TSK&#124;g=42 |             HTML in Markdown
    GET /send?to=executor&m=REQ%2FTSK%7Cg%3D1   a query string
    | FETCH\\|HR\\|return:HR-Agent |              a table in Markdown

The inner text is decoded and split again, and its messages get their places in the outer text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from msgspec.structs import replace

from cablese import detection, registry
from cablese.message import Span
from cablese.transcript import encoding, quoting
from cablese.transcript.cut import Cut, drop_repeated, move
from cablese.transcript.encoding import Decoded
from cablese.transcript.facts import NOTHING, Facts
from cablese.transcript.hint import (
    HTML_ENCODED,
    has_sign,
    is_html_encoded,
    is_json_message,
    is_marked_up,
    is_url_encoded,
    may_hold,
)
from cablese.transcript.log_lines import incoming
from cablese.transcript.log_lines.lines import Form, Lines

from . import shapes, wrapper
from .wrapper import Carried, Carrier, Inner

ENTITIES = re.compile(r"&(?:quot|amp|lt|gt|apos|#\d{2,3}|#x[0-9a-fA-F]{2});")
STRING = re.compile(r'"((?:[^"\\\r\n]|\\.)*)("?)')
"""A string, which may not be closed: from a quote inside of that, none begins that is."""
URL_PIECE = re.compile(r"[^\s\"'<>&?=#]+")
"""A value of a form or of a query string."""
ALLOWED = 4
"""Characters that are read inside quotes, for each character of the text."""
MIN_ALLOWED = 4_096
SHORT = 100
"""Strings of up to so many characters that hold no message are remembered."""
REMEMBERED = 10_000
SLACK = '"blocks"'
"""The key under which Slack writes the text of a message again."""
SLIP = re.compile(r"slip", re.IGNORECASE)
Reading = tuple[str, Callable[[str], Decoded]]
"""What a text is written in, in words, and the function that decodes it."""


class Split(Protocol):
    """Gives the messages of a decoded text that has the ``form``."""

    def __call__(self, text: str, form: Form) -> Sequence[Cut]: ...


class Allowance:
    """The characters that may be read inside quotes, at all levels together.

    Where quotes do not match, many strings may begin on one line, each inside the one before it,
    and again inside each of them: without a limit the work would be exponential in the levels.
    """

    def __init__(self, text: str) -> None:
        self.left = ALLOWED * len(text) + MIN_ALLOWED

    def take(self, size: int) -> bool:
        """Return whether ``size`` more characters may be read."""
        self.left -= size
        return self.left >= 0


class Nested:
    """Splits what is written inside the text of ``lines``, up to ``levels`` deep.

    ``split`` gives the messages of a decoded text. With ``arguments`` this text is what a tool is
    called with.
    """

    def __init__(
        self,
        lines: Lines,
        *,
        levels: int,
        arguments: bool,
        split: Split,
        allowance: Allowance,
    ) -> None:
        self.text = lines.text
        self.lines = lines
        self.is_allowed = levels > 0
        self.arguments = arguments
        self._split = split
        self.allowance = allowance
        # Every line may begin a wrapper, so a string that held nothing is met again in the lines
        # inside it. Each is read once: a level is never longer than the one around it.
        self._opened: set[int] = set()
        self._without: set[tuple[str, Form]] = set()
        """Strings that hold no message, by their form: records repeat them."""

    def in_record(self, start: int, stop: int, own: str) -> list[Cut] | None:
        """Return the messages that a record carries; None when it may hold others, as keys."""
        if not may_hold(own):
            return None
        carried = wrapper.unwrap(
            own, arguments=self.arguments, is_text=may_hold, is_message=is_json_message
        )
        if carried is None or (not carried.inner and (has_sign(own) or SLIP.search(own))):
            return None
        cuts = [
            cut for inner in carried.inner for cut in self._in_inner(carried, inner, start, stop)
        ]
        is_twice = carried.kind in shapes.FREE or SLACK in own
        return drop_repeated(cuts) if is_twice else cuts

    def in_quote(self, at: int, start: int, end: int) -> tuple[list[Cut], int]:
        """Return the messages of the quoted string or HTML around ``at``, and where that ends."""
        if not self.is_allowed:
            return [], end
        quote = self.lines.quote_at(at)
        begin = start if quote is None else quote.start
        close = None if quote is None else quoting.closing(self.text, quote, at, end)
        stop = end if close is None else close
        if begin in self._opened:
            return [], stop
        self._opened.add(begin)
        raw = self.text[begin:stop]
        reading = self._reading(raw, quote, start, stop)
        if reading is None or not self.allowance.take(len(raw)):
            return [], stop
        label, decode = reading
        around = Carrier("text", label, "", Span(begin, stop))
        return list(self._read(decode(raw), begin, around)), stop

    def in_lines(self, pieces: list[tuple[int, int]]) -> list[Cut]:
        """Return the messages of the lines at ``pieces`` without what is between them."""
        return list(self._read(encoding.join_lines(self.text, pieces), 0, None))

    def in_rows(self, rows: Sequence[Span]) -> list[list[Cut]]:
        """Return the messages of each row of a Markdown table, where bars are escaped.

        Only line ends and the spaces around them are between the rows.
        """
        start = rows[0].start
        read = encoding.read_bars(self.text[start : rows[-1].end])
        cuts = list(_moved(self._split(read.text, "rows"), read, start, None, NOTHING))
        groups, taken = [], 0
        for row in rows:
            after = taken
            while after < len(cuts) and cuts[after].span.start < row.end:
                after += 1
            groups.append(cuts[taken:after])
            taken = after
        return groups

    def in_hidden(self, start: int, end: int) -> Iterator[tuple[list[Cut], int]]:
        """Return the messages of each string on a line, or of each value of a query string or piece
        of HTML there, and where it ends.
        """
        line = self.text[start:end]
        if not self.is_allowed:
            return iter(())
        if is_url_encoded(line):
            return self._in_url(start, end)
        if is_html_encoded(line):
            return self._in_html(start, end)
        return self._in_markup(start, end) if is_marked_up(line) else self._in_strings(start, end)

    def _in_strings(self, start: int, end: int) -> Iterator[tuple[list[Cut], int]]:
        for string in STRING.finditer(self.text, start, end):
            if not string[2]:
                continue
            around = Carrier("text", "quoted text", "", Span(*string.span(1)))
            read = encoding.read_backslashes(string[1])
            yield list(self._read(read, string.start(1), around)), string.end(1)

    def _in_markup(self, start: int, end: int) -> Iterator[tuple[list[Cut], int]]:
        if self.allowance.take(end - start):
            around = Carrier("text", "HTML", "", Span(start, end))
            read = encoding.strip_markup(self.text[start:end])
            cuts = list(self._read(read, start, around))
            # A page that explains a protocol marks its words up, too.
            if all(registry.get(cut.protocol).decode(cut.wire).valid for cut in cuts):
                yield cuts, end

    def _in_url(self, start: int, end: int) -> Iterator[tuple[list[Cut], int]]:
        for piece in URL_PIECE.finditer(self.text, start, end):
            if is_url_encoded(piece[0]) and self.allowance.take(len(piece[0])):
                around = Carrier("text", "URL-encoded text", "", Span(*piece.span()))
                read = encoding.read_percent(piece[0])
                yield list(self._read(read, piece.start(), around)), piece.end()

    def _in_html(self, start: int, end: int) -> Iterator[tuple[list[Cut], int]]:
        at = start
        while (sign := HTML_ENCODED.search(self.text, at, end)) is not None:
            begin, at = self._around(sign.start(), at, end)
            if self.allowance.take(at - begin):
                around = Carrier("text", "HTML", "", Span(begin, at))
                read = encoding.read_entities(self.text[begin:at])
                yield list(self._read(read, begin, around)), at

    def _around(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Return where the string or the cell of a table begins and ends that ``place`` is in.

        Other bars than those of its message part the cells.
        """
        quote = self.lines.quote_at(place)
        if quote is not None:
            close = quoting.closing(self.text, quote, place, end)
            return max(start, quote.start), end if close is None else close
        if self.text.find("{", start, place) >= 0:
            return start, end
        bar = self.text.find("|", place, end)
        return max(start, self.text.rfind("|", start, place) + 1), end if bar < 0 else bar

    def _in_inner(self, carried: Carried, inner: Inner, start: int, stop: int) -> Iterator[Cut]:
        """Yield the messages of a text of the record that is written from ``start`` to ``stop``."""
        base = start + inner.span.start
        if inner.is_object:
            name = detection.first(inner.text)
            assert name is not None
            cuts: Sequence[Cut] = [Cut(Span(0, len(inner.text)), inner.text, name)]
            places: Sequence[int] = range(len(inner.text) + 1)
        else:
            if base in self._opened or inner.is_template:
                return
            self._opened.add(base)
            cuts = self._in_string(inner)
            if not cuts:  # as in most strings: their metadata is not needed
                return
            places = wrapper.locate(self.text[base : start + inner.span.end])
        around = carried.around(inner, Span(start, stop))
        stated = Facts(sender=around.sender, recipient=around.recipient)
        came_in = incoming.find(inner.text[: cuts[0].span.start]) is not None
        facts = carried.facts(inner, came_in=came_in).or_else(stated)
        yield from _moved(cuts, Decoded(inner.text, places, places[1:]), base, around, facts)

    def _in_string(self, inner: Inner) -> Sequence[Cut]:
        if inner.is_highlight and is_marked_up(inner.text):
            read = encoding.strip_markup(inner.text)
            return list(_moved(self._split(read.text, inner.form), read, 0, None, NOTHING))
        same = (inner.text, inner.form)
        if same in self._without:
            return ()
        cuts = self._split(*same)
        if not cuts and len(inner.text) <= SHORT and len(self._without) < REMEMBERED:
            self._without.add(same)
        return cuts

    def _read(self, read: Decoded, base: int, around: Carrier | None) -> Iterator[Cut]:
        """Yield the messages of a decoded text that is written from ``base`` on."""
        return _moved(self._split(read.text, "string"), read, base, around, NOTHING)

    def _reading(
        self, raw: str, quote: quoting.Quote | None, start: int, stop: int
    ) -> Reading | None:
        """Return what a text is written in; None when it is as it is written."""
        has_entities = ENTITIES.search(raw) is not None
        if quote is None or quote.mark == "<":
            return ("HTML", encoding.read_entities) if has_entities else None
        if has_entities and quoting.is_attribute(self.text, start, quote):
            return "HTML", encoding.read_entities
        if quote.mark == "'" and any(escape in raw for escape in quoting.SHELL):
            return "quoted text", encoding.read_shell
        if quote.mark in "\"'" and quoting.is_doubled(self.text, quote, stop):
            return "quoted text", encoding.READ_DOUBLED[quote.mark]
        if "\\" not in raw or quoting.is_attribute(self.text, start, quote):
            return None
        if quote.mark == "'":
            return ("quoted text", encoding.read_backslashes) if encoding.is_python(raw) else None
        if quote.mark == '"' and not quoting.is_csv(self.text, start, quote, raw):
            return "quoted text", encoding.read_backslashes
        return None


def _moved(
    cuts: Iterable[Cut], read: Decoded, base: int, around: Carrier | None, facts: Facts
) -> Iterator[Cut]:
    """Yield the messages of a decoded text with their places in the text around it."""
    for cut in cuts:
        moved = move(cut, read, base)
        carrier = moved.carrier
        if around is not None:
            carrier = around if carrier is None else replace(around, inner=carrier)
        yield replace(moved, carrier=carrier, facts=moved.facts.or_else(facts))
