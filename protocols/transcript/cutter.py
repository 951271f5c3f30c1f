"""Many messages out of one text: a log, a chat, a file.

    2026-11-20T10:00:01Z planner: PRO/PLN|g=42,t=1        a prefix is no part of the message, and says who sent it when
    FETCH|HR|return:HR-Agent|p:1|aacp:1.1|                a folded packet goes on in the next line
    period:2024-08
    {"g": "FIND_HOTEL",                                   a JSON value may take many lines
     "plan": []}
    level=info msg="T|17|Q|obj=x" took=3ms                a quote ends a message, and so does a remark
    {"msg": "T|17|Q|obj=x"}                               a wrapper is taken off, and one in that too
    ```                                                   fences, comments and prose are ignored

A line belongs to the protocol that claims it most surely, from the place where its message may begin. Everything
that is neither a message nor blank is reported as ignored, so that nothing vanishes without a word. The work is linear
in the text: a brace that never closes is looked for only as long as the budget lasts.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from protocols import detect, jsontext, registry
from protocols.blanks import BLANKS, trim
from protocols.codec import JSON_LIMIT, Codec
from protocols.message import Span

from . import encoding, ending, json_value, log_line, quoting, wrapper
from .encoding import Decoded
from .facts import NOTHING, Facts
from .json_value import NextLine, Value
from .wrapper import Carrier, Inner

LINE = re.compile(r"([^\r\n]*+)(\r\n|\n|\r|\Z)")
LEADING = re.compile(f"[{re.escape(BLANKS)}\ufeff]*+")
FENCE = re.compile(r"(?:```|~~~)[\w+-]*")
COMMENT = re.compile(r"(?:#|//|<!--|--\s)")
ENCODED = re.compile(r"""\{\s*(?:\\|""|&(?:quot|#34|#x22);)|\{[^{}"']{0,9}&(?:quot|#34|#x22);""")
"""A brace of an object that is written inside a string or in HTML."""
ENTITIES = re.compile(r"&(?:quot|amp|lt|gt|apos|#\d{2,3}|#x[0-9a-fA-F]{2});")
CLOSING_TAG = re.compile(r"</(?:code|pre|td|th|li|p|span|div|samp|kbd|tt)>|\[/\w{1,10}\]")
BETWEEN = re.compile(r"""[\s,;|&+"'`*_)\]}>.-]*\Z""")
STEP = re.compile(rf"{log_line.LEAD.pattern}|[-*+>•]\s+|\d{{1,3}}[.)]\s+|\|\s+|\$\s+|>>>\s*|[\"'`(\[<]+", re.ASCII)
"""What may come before a message of which nothing else tells that it begins there."""
LOOSE = re.compile(r"[|{]|&quot;|\\u007c|slip|v\d|[A-Z]{3}/[A-Z]{3}(?:[\s,]|\Z)", re.IGNORECASE)
"""In every line that may hold a message."""
KEYS = re.compile(
    r"(?<!\w)(?:g|plan|status|format|subformat|content|messagetype|submessages|out_fmt|proto_ver)[\\\"'“”&]*(?:quot;)?\s{0,9}:",
    re.IGNORECASE,
)
"""In every object that may be a message."""
QUOTED_OBJECT = re.compile(r"""(?:['"]|\w[:=]\s?)\{(?=["\s])""")
LIST = re.compile(r"\[\s*[\"\[\d]")
STRING = re.compile(r'"((?:[^"\\\r\n]|\\.)*)"')
HIDDEN = re.compile(r"\\u00[0-9a-fA-F]{2}|\\/")
"""Escapes that JSON does not need, and that some programs write."""
FAR = 400
"""Characters before and after a message on its line that are read for what they say."""
STEPS = 12
"""Things before a message that are passed."""
SNIFFED = 4_096
"""Characters that tell what a message is, and within which what was opened before it is closed."""
TRIES = 12
"""Places on a line at which one protocol is tried."""


class Cut(Struct, frozen=True, gc=False):
    """One message: its place in the text, its wire, its protocol, and what it was carried in.

    The wire is the text at that place, unless it is written there with escapes, colors, or a prefix on every line.
    """

    span: Span
    wire: str
    protocol: str
    carrier: Carrier | None = None
    facts: Facts = NOTHING
    """What the text around the message says about it."""

    @property
    def verbatim(self) -> bool:
        """True when the wire is what stands at its place: an escape is longer than what it stands for."""
        return len(self.wire) == self.span.end - self.span.start


class Ignored(Struct, frozen=True, gc=False):
    """A stretch that is no message, why, and the protocol that it resembles."""

    span: Span
    text: str
    reason: str
    resembles: str | None = None


class Transcript(Struct, frozen=True):
    """What a text holds. ``end`` is how far it was read: all of it, unless more text is to come."""

    messages: tuple[Cut, ...]
    ignored: tuple[Ignored, ...]
    end: int


def split(text: str, protocol: str | None = None, *, final: bool = True, most: int | None = None) -> Transcript:
    """Cut ``text`` into messages, detecting each one's protocol and taking wrappers off.

    With ``protocol`` each line, folded packet or JSON value is read as that one and nothing is ignored. With ``final``
    false the text is the beginning of a longer one: a message that the next characters may still change is left, and
    ``end`` says where to go on. After about ``most`` messages and ignored pieces the rest is one ignored piece, since a
    text of half a million braces takes seconds and says nothing. Raises registry.UnknownProtocol.
    """
    limit = len(text) if most is None else most
    if protocol is None:
        return (_split_colored if "\x1b[" in text else _split)(text, final=final, most=limit)
    cutter = _Cutter(text, final=final, most=limit)
    cutter.read_as(registry.get(protocol))
    return Transcript(tuple(cutter.messages), tuple(cutter.ignored), cutter.at)


def around_messages(text: str, cuts: Iterable[Cut], wrapper: Span) -> str:
    """What stands around the messages in the wrapper at ``wrapper`` of ``text``."""
    pieces, at = [], wrapper.start
    for cut in cuts:
        if cut.carrier is not None and cut.carrier.span == wrapper:
            pieces.append(text[at : cut.span.start])
            at = cut.span.end
    return "".join((*pieces, text[at : wrapper.end]))


def _split(text: str, *, final: bool, most: int) -> Transcript:
    cutter = _Cutter(text, final=final, most=most)
    cutter.detect()
    return Transcript(tuple(cutter.messages), tuple(cutter.ignored), cutter.at)


def _split_colored(text: str, *, final: bool, most: int) -> Transcript:
    """As ``split``, for a text with the colors of a terminal, which are no part of it."""
    plain = encoding.strip_colors(text)
    found = _split(plain.text, final=final, most=most)
    messages = tuple(_moved(cut, plain, 0) for cut in found.messages)
    end = len(text) if found.end == len(plain.text) else plain.starts[found.end]
    taken = sorted([cut.span for cut in messages] + [Span(*plain.place(*one.span)) for one in found.ignored])
    reasons = {plain.place(*one.span)[0]: one for one in found.ignored}
    ignored, at = [], 0
    for span in (*taken, Span(end, end)):
        gap = trim(text, at, span.start)
        if gap.start < gap.end:
            ignored.append(Ignored(gap, text[slice(*gap)], "color code"))
        if span.start in reasons and span.start < span.end:
            one = reasons[span.start]
            ignored.append(Ignored(span, text[slice(*span)], one.reason, one.resembles))
        at = span.end
    return Transcript(messages, tuple(ignored), end)


class _Anchor(Struct, frozen=True, gc=False):
    """Where a message may begin on a line, and how surely one of that protocol does."""

    score: float
    at: int
    protocol: str


class _Unfinished(Exception):
    """The text ends inside a message, and more is to come."""


class _Cutter:
    def __init__(
        self, text: str, *, final: bool, most: int, levels: int = wrapper.DEPTH, arguments: bool = False
    ) -> None:
        self.text = text
        self.levels = levels
        self.arguments = arguments
        self.opened: set[int] = set()
        """Where strings inside wrappers were read. Each is read once, so a level is never longer than the one above."""
        self.most = most
        self.final = final or len(text) > 2 * JSON_LIMIT
        self.at = 0
        self.messages: list[Cut] = []
        self.ignored: list[Ignored] = []
        self.budget = 8 * len(text) + 1024
        self.line_start = 0
        self.quotes = quoting.Quotes(text, 0)
        self.sought: dict[str, tuple[int, int, int]] = {}
        """For each protocol from where to where its next message was looked for, and where it begins."""
        self.anchored = [codec for codec in registry.all_codecs() if codec.anchor is not None]

    def detect(self) -> None:
        self._each_line(self._detect_line)

    def read_as(self, codec: Codec) -> None:
        self._each_line(lambda start, end: self._line_as(codec, start, end))

    def _each_line(self, take: Callable[[int, int], int]) -> None:
        """Give each line that is not blank to ``take``, which answers how far it has read.

        What is left of a line is given again, and the line itself measured once: it may hold a hundred thousand values.
        """
        edge = behind = 0
        while self.at < len(self.text):
            if self.at >= behind:
                line = LINE.match(self.text, self.at)
                assert line is not None
                if not line[2] and not self.final:
                    return
                behind = line.end()
                start, edge = trim(self.text, *line.span(1))
                self.line_start = start
                self.quotes = quoting.Quotes(self.text, start)
            else:
                start = self._past_blanks(edge)
            found, left = len(self.messages), len(self.ignored)
            try:
                end = take(start, edge) if start < edge else edge
                self.at = behind if edge <= end < behind else end  # nothing but blanks is left
            except _Unfinished:
                del self.messages[found:], self.ignored[left:]
                return
            if len(self.messages) + len(self.ignored) >= self.most:
                self.at = self._ignore(self.at, len(self.text), "behind too many lines")

    def _past_blanks(self, edge: int) -> int:
        blanks = LEADING.match(self.text, self.at, max(self.at, edge))
        assert blanks is not None
        return blanks.end()

    def _line_as(self, codec: Codec, start: int, end: int) -> int:
        if codec.form == "line":
            self._add_folded(codec, start, end)
            return self.messages[-1].span.end
        if self.text[start] in "{[":
            value = self._value(start)
            end = end if value is None else value.end
        self._cut(codec.name, start, end)
        return end

    # A line

    def _detect_line(self, start: int, end: int) -> int:
        line = self.text[start:end]
        if line[0] in "`~" and FENCE.fullmatch(line):
            return self._ignore(start, end, "code fence")
        if line[-1] != "[" and not _may_hold(line) and line.count("{") == line.count("}"):
            return self._ignore_line(start, end, line)
        found = len(self.messages)
        if line[0] == "|" and "\\|" in line and self.levels:
            return self._row(start, end, line)
        stop = self._list(start, end) if line[0] == "[" and line[-1] in "[],{" else end
        if len(self.messages) == found:
            stop = self._scan(start, end)
        if len(self.messages) == found:
            if stop > end:
                return self._ignore(start, stop, "no protocol claims it")
            stop = self._begin(start, end)
        if len(self.messages) == found and "\\" in line and self.levels:
            stop = self._strings(start, end) if HIDDEN.search(line) else end
        if len(self.messages) > found:
            self._say(found, start, stop)
            return stop
        return self._ignore_line(start, end, line)

    def _ignore_line(self, start: int, end: int, line: str) -> int:
        if COMMENT.match(line):
            return self._ignore(start, end, "comment")
        resembles = None
        if "|" in line or "{" in line:
            resembles = detect.resembles(line[_past_steps(line) :])
        return self._ignore(start, end, "no protocol claims it", resembles)

    def _scan(self, start: int, end: int) -> int:
        """Take the messages of a line, and of the lines over which the last one goes on. Answers where that ends."""
        at = taken = start
        anchor: _Anchor | None = None
        is_looked, tried = False, 0
        while at < end:
            brace = self.text.find("{", at, end) if tried < TRIES else -1
            if (not is_looked and brace != at) or (anchor is not None and anchor.at < at):
                anchor, is_looked = self._anchor(at, end), True
            if brace >= 0 and (anchor is None or brace < anchor.at or anchor.score < detect.CERTAIN):
                cuts, stop, is_clean = self._object(brace, start, end)
                if cuts:
                    self._around(taken, cuts, start)
                    taken = at = max(stop, cuts[-1].span.end)
                    if at > end:
                        end, is_looked = self._line_end(at), False
                    continue
                if is_clean and stop > end:
                    return self._taken(taken, stop, start)
                if anchor is None or brace < anchor.at:
                    at, tried = (stop, tried) if is_clean else (brace + 1, tried + 1)
                    continue
            if anchor is None:
                break
            cuts, stop = self._line_message(anchor, start, end)
            self._around(taken, cuts, start)
            taken = at = stop
            if at > end:
                break
        return self._taken(taken, end, start)

    def _taken(self, taken: int, end: int, start: int) -> int:
        """Ignore what is left of a line of which something was taken."""
        return max(taken, end) if taken == start else self._ignore(taken, max(taken, end), "behind a message")

    def _around(self, taken: int, cuts: list[Cut], start: int) -> None:
        """Take messages that follow each other; what stands around them is ignored, and said to be."""
        carrier = cuts[0].carrier
        first = cuts[0].span.start if carrier is None else min(carrier.span.start, cuts[0].span.start)
        before = self.text[taken:first]
        reason = "between messages" if taken > start else "comment" if COMMENT.match(before) else "log prefix"
        self._ignore(taken, first, reason)
        if carrier is not None:
            reason = f"{carrier.words} around a message"
            at = first
            for cut in cuts:
                self._ignore(at, cut.span.start, reason)
                at = cut.span.end
            self._ignore(at, carrier.span.end, reason)
        self.messages += cuts

    def _say(self, found: int, start: int, stop: int) -> None:
        """Give the messages from ``found`` on what their line says."""
        first, last = self.messages[found], self.messages[-1]
        begin = first.span.start if first.carrier is None else min(first.carrier.span.start, first.span.start)
        end = last.span.end if last.carrier is None else max(last.carrier.span.end, last.span.end)
        before = self.text[max(start, begin - FAR) : begin]
        after = self.text[end : min(stop, end + FAR)]
        said = log_line.read(before, after) if before or after else NOTHING
        if said:
            for at in range(found, len(self.messages)):
                cut = self.messages[at]
                self.messages[at] = replace(cut, facts=cut.facts.or_else(said))

    def _begin(self, start: int, end: int) -> int:
        """A message at the beginning of a line, or after what may come before one, that has no anchor of its own."""
        line = self.text[start:end]
        if COMMENT.match(line):
            return end
        claims = [(guess, at) for at in _steps(line) if (guess := detect.best(line[at:])) is not None]
        claims = [(guess, at) for guess, at in claims if registry.get(guess.protocol).form == "line"]
        if not claims:
            return end
        guess, at = max(claims, key=lambda claim: (claim[0].score, claim[1]))
        cuts, stop = self._line_message(_Anchor(guess.score, start + at, guess.protocol), start, end)
        self._around(start, cuts, start)
        return self._taken(stop, end, start)

    # Objects

    def _object(self, brace: int, start: int, end: int) -> tuple[list[Cut], int, bool]:
        """The messages of the object that begins at ``brace``, where it ends, and whether it is clean JSON."""
        quote = self.quotes.at(brace) if brace > start else None
        if ENCODED.match(self.text, brace, end) or (quote is not None and self._is_doubled(quote, end)):
            cuts, stop = self._encoded(brace, start, end)
            if cuts:
                return cuts, stop, False
        value = self._value(brace)
        stop = end if value is None else value.end
        own = self.text[brace:stop]
        if stop > end and (pieces := self._pieces(brace, stop, end)):
            return self._joined(pieces), stop, True
        if quote is not None and "\\" in own and not _is_clean(own):
            cuts, stop = self._encoded(brace, start, end)
            if cuts:
                return cuts, stop, False
        guess = detect.best(own) if KEYS.search(own) else None
        if guess is not None and self._holds_another(own):
            return [], stop, False
        is_message = guess is not None and registry.get(guess.protocol).form == "json"
        if guess is not None and is_message and (guess.score >= 0.9 or not self.levels):
            return [Cut(Span(brace, stop), own, guess.protocol)], stop, True
        inside = self._inside(brace, stop, own) if self.levels and value is not None and value.is_closed else None
        if inside:
            return inside, stop, True
        if guess is not None and is_message:
            return [Cut(Span(brace, stop), own, guess.protocol)], stop, True
        return [], stop, inside is not None

    def _is_doubled(self, quote: quoting.Quote, end: int) -> bool:
        return quote.mark == "'" and (
            quoting.is_doubled(self.text, quote, end)
            or any(one in self.text[quote.start : end] for one in quoting.SHELL)
        )

    def _holds_another(self, own: str) -> bool:
        """True for a value that is not clean and holds a clean message in a quoted string, as Python prints a dict."""
        quoted = QUOTED_OBJECT.search(own, 1)
        if quoted is None or _is_clean(own):
            return False
        begin = quoted.end() - 1
        rest = own[begin:]
        return any(
            _is_object_message(inner)
            for text in (rest, encoding.read_backslashes(rest).text if "\\" in rest else "")
            if text and (inner := _clean_object(text)) is not None
        )

    def _pieces(self, start: int, stop: int, end: int) -> list[tuple[int, int]]:
        """The lines of a value without the prefix that each has; none when there is no prefix."""
        prefix = self.text[self.line_start : start]
        if not prefix.strip(BLANKS):
            return []
        pieces, at, is_prefixed = [(start, end)], end, False
        while at < stop:
            line = LINE.match(self.text, at)
            assert line is not None
            begin = line.end()
            at = min(self._line_end(begin), stop)
            past = self._past_prefix(begin, at, prefix)[0]
            is_prefixed = is_prefixed or past > begin
            pieces.append((past, at))
        return pieces if is_prefixed else []

    def _joined(self, pieces: list[tuple[int, int]]) -> list[Cut]:
        return list(self._read(encoding.join_lines(self.text, pieces), 0, None, NOTHING))

    def _inside(self, start: int, stop: int, own: str) -> list[Cut] | None:
        """The messages that a record carries; None when it is not clean JSON or cannot hold any."""
        if not _may_hold(own):
            return None
        carried = wrapper.unwrap(own, arguments=self.arguments, is_text=_may_hold, is_message=_is_object_message)
        if carried is None:
            return None
        found: list[Cut] = []
        for inner in carried.inner:
            base = start + inner.span.start
            around = Carrier(carried.kind, carried.words, inner.path, Span(start, stop), *inner.sides, call=inner.call)
            facts = inner.facts.or_else(Facts(sender=inner.sides[0], recipient=inner.sides[1]))
            if inner.is_object:
                name = detect.first(inner.text)
                assert name is not None
                found.append(Cut(Span(base, start + inner.span.end), inner.text, name, around, facts))
            else:
                found += self._inside_text(inner, base, around, facts)
        return _once(found) if carried.kind in wrapper.FREE else found

    def _inside_text(self, inner: Inner, base: int, around: Carrier, facts: Facts) -> Iterator[Cut]:
        """The messages of a string that begins at ``base``, wrappers in there taken off too."""
        if base in self.opened:
            return  # every line may begin a wrapper, so one that held nothing is met again in the lines inside it
        self.opened.add(base)
        raw = self.text[base : base + inner.span.end - inner.span.start]
        places = wrapper.locate(raw)
        read = Decoded(inner.text, places, places[1:])
        yield from self._read(read, base, around, facts, arguments=inner.is_arguments)

    def _read(
        self, read: Decoded, base: int, around: Carrier | None, facts: Facts, *, arguments: bool = False
    ) -> Iterator[Cut]:
        """The messages of a text that is written with escapes from ``base`` on."""
        within = _Cutter(read.text, final=True, most=self.most, levels=self.levels - 1, arguments=arguments)
        within.detect()
        for cut in within.messages:
            moved = _moved(cut, read, base)
            carrier = moved.carrier
            if around is not None:
                carrier = around if carrier is None else replace(around, inner=carrier)
            yield replace(moved, carrier=carrier, facts=moved.facts.or_else(facts))

    def _encoded(self, at: int, start: int, end: int) -> tuple[list[Cut], int]:
        """The messages of the quoted string or HTML around ``at``, and where that ends."""
        if not self.levels:
            return [], end
        quote = self.quotes.at(at)
        begin = start if quote is None else quote.start
        close = None if quote is None else quoting.closing(self.text, quote, at, end)
        stop = end if close is None else close
        if begin in self.opened:
            return [], stop
        self.opened.add(begin)
        raw = self.text[begin:stop]
        how = self._writing(raw, quote, start, stop)
        if how is None:
            return [], stop
        words, read = how
        around = Carrier("text", words, "", Span(begin, stop))
        return list(self._read(read(raw), begin, around, NOTHING)), stop

    def _writing(
        self, raw: str, quote: quoting.Quote | None, start: int, stop: int
    ) -> tuple[str, Callable[[str], Decoded]] | None:
        """What a text is written in; None when it stands as it is."""
        has_entities = ENTITIES.search(raw) is not None
        if quote is None or quote.mark == "<" or (has_entities and quoting.is_attribute(self.text, start, quote)):
            return ("HTML", encoding.read_entities) if has_entities else None
        if quote.mark == "'" and any(one in raw for one in quoting.SHELL):
            return "quoted text", encoding.read_shell
        if quote.mark in "\"'" and quoting.is_doubled(self.text, quote, stop):
            return "quoted text", encoding.read_doubled
        if quoting.is_attribute(self.text, start, quote):
            return None
        is_python = quote.mark == "'" and encoding.is_python(raw)
        if "\\" in raw and (is_python or (quote.mark == '"' and not quoting.is_csv(self.text, start, quote, raw))):
            return "quoted text", encoding.read_backslashes
        return None

    def _list(self, start: int, end: int) -> int:
        """The messages of a list of strings; the objects of a list are records of their own."""
        if not self.levels or LIST.match(self.text, start) is None:
            return end
        value = self._value(start)
        if value is None or not value.is_closed:
            return end
        cuts = self._inside(start, value.end, self.text[start : value.end])
        if not cuts:
            return end
        self._around(start, cuts, start)
        return self._taken(value.end, max(end, self._line_end(value.end)), start)

    def _row(self, start: int, end: int, line: str) -> int:
        """The messages of a row of a table in Markdown, where bars are escaped."""
        cuts = list(self._read(encoding.read_bars(line), start, None, NOTHING))
        if not cuts:
            return self._ignore_line(start, end, line)
        self._around(start, cuts, start)
        return self._taken(cuts[-1].span.end, end, start)

    def _strings(self, start: int, end: int) -> int:
        """The messages of strings on a line, whose escapes hide them."""
        taken = start
        for string in STRING.finditer(self.text, start, end):
            read = encoding.read_backslashes(string[1])
            around = Carrier("text", "quoted text", "", Span(*string.span(1)))
            cuts = list(self._read(read, string.start(1), around, NOTHING)) if self.levels else []
            if cuts:
                self._around(taken, cuts, start)
                taken = string.end(1)
        return self._taken(taken, end, start)

    def _value(self, start: int) -> Value | None:
        """The JSON value that begins at ``start``; None when the budget ends before it does."""
        stop = min(len(self.text), start + JSON_LIMIT + 1, start + self.budget)
        prefix = self.text[self.line_start : start]
        value = json_value.find_end(
            self.text,
            start,
            stop,
            next_line=lambda at: self._line_after(at, prefix, skips_blank=True),
            begins=lambda begin, end: self._certain_on(begin, end),
        )
        if value is not None:
            self.budget -= value.end - start
            return value
        if not self.final and stop == len(self.text):
            raise _Unfinished
        self.budget -= stop - start
        return Value(trim(self.text, start, stop).end, is_closed=False) if stop == len(self.text) else None

    def _line_after(self, at: int, prefix: str, *, skips_blank: bool) -> NextLine | None:
        """The line after the one that ends at ``at``, without what every line of one message begins with."""
        while True:
            line = LINE.match(self.text, at)
            assert line is not None
            begin = line.end()
            if begin >= len(self.text):
                if not self.final:
                    raise _Unfinished
                return None
            begin_end = self._line_end(begin)
            start, end = self._past_prefix(begin, begin_end, prefix)
            content = trim(self.text, start, end)
            if content.start < content.end:
                return NextLine(*content, content.start - start)
            if not skips_blank:
                return None
            at = begin

    def _past_prefix(self, start: int, end: int, prefix: str) -> tuple[int, int]:
        if not prefix.strip(BLANKS):
            return start, end
        same = _like(prefix).match(self.text, start, end)
        return (start, end) if same is None else (same.end(), end)

    def _certain_on(self, start: int, end: int) -> bool:
        """True when some message begins on the line beyond doubt."""
        anchor = self._anchor(start, end)
        return anchor is not None and anchor.score >= detect.CERTAIN

    # Messages of line protocols

    def _anchor(self, start: int, end: int) -> _Anchor | None:
        """Where on the line a message begins, and its protocol."""
        return self._certain(start, end) or self._surest(start, end)

    def _certain(self, start: int, end: int) -> _Anchor | None:
        """A message that begins the line beyond doubt: none is surer, and most lines of a log hold one."""
        for codec in self.anchored:
            assert codec.anchor is not None
            if codec.anchor.match(self.text, start, end):
                sniffed = codec.sniff(self.text[start:end])
                if sniffed is not None and sniffed.score >= detect.CERTAIN:
                    return _Anchor(sniffed.score, start, codec.name)
        named = log_line.LEAD.match(self.text, start, end)
        if named is not None:
            guess = detect.best(self.text[named.end() : end])
            if guess is not None and guess.score >= detect.CERTAIN and registry.get(guess.protocol).form == "line":
                return _Anchor(guess.score, named.end(), guess.protocol)
        return None

    def _surest(self, start: int, end: int) -> _Anchor | None:
        """The first place that is beyond doubt, else the surest one, the first of equals."""
        best: _Anchor | None = None
        for codec in self.anchored:
            assert codec.anchor is not None
            at = start
            for _ in range(TRIES):
                begin = self._seek(codec, at, end)
                if begin < 0:
                    break
                at = begin + 1
                score = self._score(codec, begin, end)
                if score >= detect.CLAIMED and (best is None or (-score, begin) < (-best.score, best.at)):
                    best = _Anchor(score, begin, codec.name)
                if score >= detect.CERTAIN:
                    break
        return best

    def _seek(self, codec: Codec, at: int, end: int) -> int:
        """The next place from ``at`` on where a message may begin; -1 when there is none. Each is looked for once."""
        searched, until, begin = self.sought.get(codec.name, (0, -1, -1))
        if until != end or at < searched or 0 <= begin < at:
            assert codec.anchor is not None
            found = codec.anchor.search(self.text, at, end)
            begin = -1 if found is None else found.start()
            self.sought[codec.name] = at, end, begin
        return begin

    def _score(self, codec: Codec, start: int, end: int) -> float:
        sniffed = codec.sniff(self.text[start : min(end, start + SNIFFED)])
        return 0.0 if sniffed is None else sniffed.score

    def _line_message(self, anchor: _Anchor, start: int, end: int) -> tuple[list[Cut], int]:
        """The message at ``anchor``, or those of the string around it; and where they end."""
        codec, at = registry.get(anchor.protocol), anchor.at
        quote = self.quotes.at(at) if at > start else None
        limit, is_line = end, True
        if quote is not None:
            close = quoting.closing(self.text, quote, at, end)
            raw = self.text[quote.start : end if close is None else close]
            if "\\" in raw or "''" in raw or '"' in raw or "&" in raw:
                cuts, stop = self._encoded(at, start, end)
                if cuts:
                    return cuts, stop
            if close is not None:
                limit, is_line = close, False
        elif at > start:
            close = quoting.bracket_end(self.text, at, end, start)
            if close is not None:
                limit, is_line = close, False
        following = self._next_anchor(codec, at, limit, end)
        if following is not None:
            limit, is_line = following, False
        tag = CLOSING_TAG.search(self.text, at, min(limit, at + SNIFFED)) if is_line else None
        if tag is not None and tag[0][:-1].replace("/", "") not in self.text[at : tag.start()]:
            limit, is_line = tag.start(), False
        if is_line and codec.folded:
            cut, stop = self._folded(codec, at, end, self.text[self.line_start : at])
            if stop > end:
                return [cut], stop
        stop = ending.find(
            codec, self.text, at, limit, line=self.line_start if is_line else at, is_alone=at == start or not is_line
        )
        return [Cut(Span(at, stop), self.text[at:stop], codec.name)], stop

    def _next_anchor(self, codec: Codec, at: int, limit: int, end: int) -> int | None:
        """Where the message at ``at`` ends because another one begins after it on its line."""
        for other in self.anchored:
            begin = at
            for _ in range(TRIES):
                begin = self._seek(other, begin + 1, end)
                if not 0 <= begin < limit:
                    break
                if self.text[begin - 1] not in " \t,;\"'`([" or self._score(other, begin, limit) < detect.CERTAIN:
                    continue
                between = BETWEEN.search(self.text, at, begin)
                edge = begin if between is None else between.start()
                if codec.decode(self.text[at:edge]).valid:
                    return edge
        return None

    def _add_folded(self, codec: Codec, start: int, end: int) -> None:
        cut, _ = self._folded(codec, start, end, "")
        self.messages.append(cut)

    def _folded(self, codec: Codec, start: int, end: int, prefix: str) -> tuple[Cut, int]:
        """A message that may go on over the next lines, without the prefix that each of them has."""
        pieces, stop = [(start, end)], end
        while codec.folded:
            line = self._line_after(stop, prefix, skips_blank=False)
            if line is None or self._begins_anew(codec, line):
                break
            if not codec.continues(self.text[slice(*pieces[-1])], self.text[line.start : line.end]):
                break
            pieces.append((line.start, line.end))
            stop = line.end
        wire = self.text[start:stop]
        if prefix.strip(BLANKS) and len(pieces) > 1:
            wire = "\n".join(self.text[slice(*piece)] for piece in pieces)
        return Cut(Span(start, stop), wire, codec.name), stop

    def _begins_anew(self, codec: Codec, line: NextLine) -> bool:
        """True when a line holds a message of its own, perhaps behind a log prefix, and so continues none."""
        if self.text[line.start] in "{[":
            return True
        anchor = self._anchor(line.start, line.end)
        return anchor is not None and (anchor.protocol != codec.name or anchor.score > 0.9 or anchor.at == line.start)

    def _line_end(self, at: int) -> int:
        line = LINE.match(self.text, at)
        assert line is not None
        if not line[2] and not self.final:
            raise _Unfinished
        return line.end(1)

    def _cut(self, protocol: str, start: int, end: int) -> None:
        self.messages.append(Cut(Span(start, end), self.text[start:end], protocol))

    def _ignore(self, start: int, end: int, reason: str, resembles: str | None = None) -> int:
        content = trim(self.text, start, end)
        if content.start < content.end:
            self.ignored.append(Ignored(content, self.text[slice(*content)], reason, resembles))
        return end


def _may_hold(text: str) -> bool:
    """False for most lines of a log: nothing in there looks like a message."""
    if "|" in text:
        return True
    if LOOSE.search(text) is None:
        return False
    return "{" not in text or "\\u" in text or KEYS.search(text) is not None or "slip" in text.lower()


def _is_clean(text: str) -> bool:
    try:
        jsontext.load(text)
    except jsontext.NotClean:
        return False
    return True


def _clean_object(text: str) -> str | None:
    """The clean object that ``text`` begins with."""
    value = json_value.find_end(text, 0, len(text), next_line=lambda _: None, begins=lambda *_: False)
    own = text[: value.end] if value is not None and value.is_closed else ""
    return own if own and _is_clean(own) else None


def _once(cuts: list[Cut]) -> list[Cut]:
    """The messages of a record; one that it repeats under another key, as loguru does, is one message."""
    seen: dict[tuple[str, ...], Cut] = {}
    for cut in cuts:
        path = cut.carrier.place if cut.carrier is not None else ""
        numbers = tuple(step for step in re.split(r"[.›\s]+", path) if step.isdigit())
        key = (cut.wire, *numbers) if numbers else (cut.wire,)
        first = seen.get(key)
        seen[key] = cut if first is None else replace(first, facts=first.facts.or_else(cut.facts))
    return list(seen.values())


def _is_object_message(text: str) -> bool:
    name = detect.first(text)
    return name is not None and registry.get(name).form == "json"


def _steps(line: str) -> Iterator[int]:
    """The places where a message without an anchor may begin: after each thing that may come before one."""
    at = 0
    for _ in range(STEPS):
        yield at
        step = STEP.match(line, at) or log_line.STEP.match(line, at)
        if step is None or step.end() == at:
            return
        at = step.end()


def _past_steps(line: str) -> int:
    return list(_steps(line))[-1]


@lru_cache(maxsize=64)
def _like(prefix: str) -> re.Pattern[str]:
    """What the next lines of one message begin with when the first begins with ``prefix``: numbers may differ."""
    parts = re.split(r"(\d+|\s+)", prefix)
    return re.compile(
        "".join(r"\d+" if part.isdigit() else r"\s+" if part.isspace() else re.escape(part) for part in parts)
    )


def _moved(cut: Cut, read: Decoded, base: int) -> Cut:
    """A message of a decoded text, with its places in the text where that is written."""
    carrier = None if cut.carrier is None else _carried(cut.carrier, read, base)
    return replace(cut, span=_place(cut.span, read, base), carrier=carrier)


def _carried(one: Carrier, read: Decoded, base: int) -> Carrier:
    inner = None if one.inner is None else _carried(one.inner, read, base)
    return replace(one, span=_place(one.span, read, base), inner=inner)


def _place(span: Span, read: Decoded, base: int) -> Span:
    start, end = read.place(*span)
    return Span(base + start, base + end)
