"""Many messages out of one text: a log, a chat, a file.

    2026-11-20T10:00:01Z planner: PRO/PLN|g=42,t=1        a prefix is ignored, with its reason
    FETCH|HR|return:HR-Agent|p:1|aacp:1.1|                a folded packet goes on in the next line
    period:2024-08
    {"g": "FIND_HOTEL",                                   a JSON value may take many lines
     "plan": []}
    {"msg": "T|17|Q|obj=x"}                               a wrapper (`carrier`) is taken off, and one in that too
    ```                                                   fences, comments and prose are ignored

A line belongs to the protocol that claims it most surely, from the place where its message may begin. Everything
that is neither a message nor blank is reported as ignored, so that nothing vanishes without a word. The work is linear
in the text: a brace that never closes is looked for only as long as the budget lasts.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from protocols import carrier, detect, registry
from protocols.blanks import BLANKS, trim
from protocols.carrier import Carrier, Inner
from protocols.codec import JSON_LIMIT, Codec
from protocols.message import Span

from .facts import NOTHING, Facts

LINE = re.compile(r"([^\r\n]*+)(\r\n|\n|\r|\Z)")
LEADING = re.compile(f"[{re.escape(BLANKS)}]*+")
BRACKETS = re.compile(r'"(?:[^"\\\r\n]++|\\.)*+"?|[{}\[\]]')
FENCE = re.compile(r"(?:```|~~~)[\w+-]*")
COMMENT = re.compile(r"(?:#|//|<!--|--\s)")
CLOSING = {
    opening: re.compile(rf"(?<!\\){closing}(?=[ \t]*(?:[,;:)\]}}]|[\r\n]|\Z))")
    for opening, closing in ('""', "''", "``", "“”", "‘’", "«»")
}
SURE = 0.9
STRUCTURED = re.compile(r'\\|"(?:jsonrpc|parts)"')
"""What may hide a message from the expressions that look for one: an escape, or a wrapper that carries objects."""
NEXT_OBJECT = re.compile(r"(?:\r\n|\n|\r)(?=\{)|(?:\r\n|\n|\r)[ \t]*(?=\r\n|\n|\r)")


class Cut(Struct, frozen=True, gc=False):
    """One message: its place in the text, its wire, its protocol, and what it was carried in.

    The wire is the text at that place. Only of a message in a JSON string with escapes it is what that text stands for.
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
    """A stretch that is no message, and why."""

    span: Span
    text: str
    reason: str


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
    cutter = _Cutter(text, final=final, most=len(text) if most is None else most)
    if protocol is None:
        cutter.detect()
    else:
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


class _Anchor(NamedTuple):
    """Where a message may begin on a line, and how surely one of that protocol does."""

    score: float
    at: int
    protocol: str


class _Unfinished(Exception):
    """The text ends inside a message, and more is to come."""


class _Cutter:
    def __init__(
        self, text: str, *, final: bool, most: int, levels: int = carrier.DEPTH, arguments: bool = False
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
            end = self._unfold(codec, start, end)
        elif self.text[start] in "{[":
            end = self._value_end(start) or end
        self._cut(codec.name, start, end)
        return end

    def _detect_line(self, start: int, end: int) -> int:
        line = self.text[start:end]
        if FENCE.fullmatch(line):
            return self._ignore(start, end, "code fence")
        brace = self.text.find("{", start, end)
        found = None if brace == start else self._anchor(start, end)
        # What stands in a value of a message that is beyond doubt is data, however much it looks like a message.
        if brace >= 0 and not (found and found.at < brace and found.score >= detect.CERTAIN):
            stop = self._object(start, brace, end)
            if stop is not None:
                return stop
            if brace == start:
                found = self._anchor(start, end)
        if found is not None:
            return self._message(start, end, found.at, found.protocol)
        guess = detect.first(line)
        if guess is not None and registry.get(guess).form == "line" and not COMMENT.match(line):
            stop = self._unfold(registry.get(guess), start, end)
            self._cut(guess, start, stop)
            return stop
        return self._ignore(start, end, "comment" if COMMENT.match(line) else "no protocol claims it")

    def _object(self, start: int, brace: int, end: int) -> int | None:
        """The messages from the first ``{`` of a line on; None when no protocol claims one."""
        at, taken = brace, start
        claimed = False
        while True:
            stop = self._value_end(at) or end
            name = detect.first(self.text[at:stop])
            is_message = name is not None and registry.get(name).form == "json"
            inside = self._inside(at, stop, is_message=is_message)
            if not (inside or is_message):
                if not claimed:
                    return None
                break
            claimed = True
            self._ignore(taken, at, "log prefix" if taken == start else "between messages")
            if inside:
                self._unwrap(inside, at, stop)
            else:
                assert name is not None
                self._cut(name, at, stop)
            taken = stop
            if stop > end:
                end = self._line_end(stop)
            at = self.text.find("{", stop, end)
            if at < 0:
                break
        self._ignore(taken, end, "behind a message")
        return end

    def _inside(self, start: int, stop: int, *, is_message: bool) -> list[Cut]:
        """The messages that a wrapper carries; none when it is no wrapper, or a message of its own."""
        if not (self.levels and self._may_carry(start, stop)):
            return []
        carried = carrier.unwrap(self.text[start:stop], arguments=self.arguments)
        if carried is None or (carried.yields and is_message):
            return []
        found: list[Cut] = []
        for inner in carried.inner:
            base = start + inner.span.start
            if found and base < found[-1].span.end:
                continue  # inside an object that is a message
            around = Carrier(carried.kind, carried.words, inner.path, Span(start, stop), inner.sender, inner.recipient)
            if not inner.is_object:
                found += self._inside_text(inner, base, around)
                continue
            name = detect.first(inner.text)
            if name is not None and registry.get(name).form == "json":
                found.append(Cut(Span(base, start + inner.span.end), inner.text, name, around))
        return found

    def _inside_text(self, inner: Inner, base: int, around: Carrier) -> Iterator[Cut]:
        """The messages of a string that begins at ``base``, wrappers in there taken off too."""
        if base in self.opened:
            return  # every line may begin a wrapper, so one that held nothing is met again in the lines inside it
        self.opened.add(base)
        within = _Cutter(inner.text, final=True, most=self.most, levels=self.levels - 1, arguments=inner.is_arguments)
        within.detect()
        if not within.messages:
            return
        places = carrier.locate(self.text[base : base + inner.span.end - inner.span.start])
        for one in within.messages:
            inside = None if one.carrier is None else _move(one.carrier, base, places)
            span = _moved(one.span, base, places)
            yield Cut(span, one.wire, one.protocol, around if inside is None else replace(around, inner=inside))

    def _may_carry(self, start: int, stop: int) -> bool:
        """False for most records of a log: nothing in there looks like a message."""
        if self.arguments or STRUCTURED.search(self.text, start, stop):
            return True
        return any(codec.anchor.search(self.text, start, stop) for codec in self.anchored if codec.anchor is not None)

    def _unwrap(self, inside: list[Cut], start: int, stop: int) -> None:
        """Take the messages of a wrapper; what stands around them is ignored, and said to be."""
        assert inside[0].carrier is not None
        reason = f"{inside[0].carrier.words} around a message"
        for cut in inside:
            self._ignore(start, cut.span.start, reason)
            start = cut.span.end
        self._ignore(start, stop, reason)
        self.messages += inside

    def _value_end(self, start: int) -> int | None:
        """Where the JSON value that begins at ``start`` ends; None when it ends with its line.

        A value that never closes ends before the next line that begins with a brace, so that it takes no neighbour.
        """
        depth = 0
        stop = min(len(self.text), start + JSON_LIMIT + 1, start + self.budget)
        for bracket in BRACKETS.finditer(self.text, start, stop):
            if bracket[0] in "{[":
                depth += 1
            elif bracket[0] in "}]":
                depth -= 1
                if depth <= 0:
                    self.budget -= bracket.end() - start
                    return bracket.end()
        if not self.final and stop == len(self.text):
            raise _Unfinished
        self.budget -= stop - start
        following = NEXT_OBJECT.search(self.text, start, stop)
        return trim(self.text, start, following.start() if following else stop).end

    def _anchor(self, start: int, end: int) -> _Anchor | None:
        """Where on the line a message begins, and its protocol: the surest one, the first of equals."""
        return self._certain(start, end) or self._surest(start, end)

    def _certain(self, start: int, end: int) -> _Anchor | None:
        """A message that begins the line beyond doubt: none is surer, and most lines of a log hold one."""
        for codec in self.anchored:
            assert codec.anchor is not None
            if codec.anchor.match(self.text, start, end):
                sniffed = codec.sniff(self.text[start:end])
                if sniffed is not None and sniffed.score >= detect.CERTAIN:
                    return _Anchor(sniffed.score, start, codec.name)
        return None

    def _surest(self, start: int, end: int) -> _Anchor | None:
        best: _Anchor | None = None
        for codec in self.anchored:
            assert codec.anchor is not None
            found = codec.anchor.search(self.text, start, end)
            if found is None:
                continue
            sniffed = codec.sniff(self.text[found.start() : end])
            if sniffed is not None and (best is None or (-sniffed.score, found.start()) < (-best.score, best.at)):
                best = _Anchor(sniffed.score, found.start(), codec.name)
        return best

    def _message(self, start: int, end: int, at: int, name: str) -> int:
        """A message that begins at ``at`` on its line, behind a prefix, perhaps in quotes."""
        prefix = self.text[start:at]
        closing = CLOSING[prefix[-1]].search(self.text, at, end) if prefix and prefix[-1] in CLOSING else None
        stop = closing.start() if closing else self._unfold(registry.get(name), at, end)
        if prefix.strip(BLANKS):
            self._ignore(start, at, "comment" if COMMENT.match(prefix) else "log prefix")
        self._cut(name, at, stop)
        if closing:
            self._ignore(stop, end, "behind a message")
        return max(stop, end)

    def _unfold(self, codec: Codec, start: int, end: int) -> int:
        """The end of a message that may go on over the next lines."""
        while codec.folded and codec.continues(self.text[start:end]):
            begin = self._next_line(end)
            content = trim(self.text, begin, self._line_end(begin))
            if content.start >= content.end or self._begins_anew(content):
                break
            end = content.end
        return end

    def _begins_anew(self, content: Span) -> bool:
        """True when a line holds a message of its own, perhaps behind a log prefix, and so continues none."""
        found = self._anchor(*content)
        return found is not None and found.score > SURE

    def _next_line(self, at: int) -> int:
        line = LINE.match(self.text, at)
        assert line is not None
        return line.end()

    def _line_end(self, at: int) -> int:
        line = LINE.match(self.text, at)
        assert line is not None
        if not line[2] and not self.final:
            raise _Unfinished
        return line.end(1)

    def _cut(self, protocol: str, start: int, end: int) -> None:
        self.messages.append(Cut(Span(start, end), self.text[start:end], protocol))

    def _ignore(self, start: int, end: int, reason: str) -> int:
        content = trim(self.text, start, end)
        if content.start < content.end:
            self.ignored.append(Ignored(content, self.text[slice(*content)], reason))
        return end


def _move(one: Carrier, base: int, places: Sequence[int]) -> Carrier:
    """A wrapper inside a string, with its places in the text where that string is written."""
    inner = None if one.inner is None else _move(one.inner, base, places)
    return replace(one, span=_moved(one.span, base, places), inner=inner)


def _moved(span: Span, base: int, places: Sequence[int]) -> Span:
    return Span(base + places[span.start], base + places[span.end])
