"""What splitting a text gives: messages, ignored text, and how far the text was read."""

import re
from collections.abc import Iterable

from msgspec import Struct, structs

from cablese.message import Span

from .encoding import Decoded
from .facts import NOTHING, Facts
from .records.wrapper import Carrier

PATH_STEP = re.compile(r"[.›\s]+")
HIGHLIGHT = re.compile(r"(\bhighlight\.[^›]*?)\.\d+(?=\Z| ›)")
"""The path to a value of which Elasticsearch lists the parts that it has marked."""
BLOCKS = re.compile(r"(?<=\bblocks)\.\d+|(?<=\belements)\.\d+(?=\.(?:elements|text)\b)")
"""The places of Slack's blocks, in which it writes the text of a message again."""
TEXTS = frozenset((
    "text", "message", "msg", "log", "raw", "_raw", "line", "body", "content", "event", "original",
    "formatted", "rendered", "output", "textpayload", "short_message", "full_message", "@m", "@mt",
    "value", "payload", "data", "record", "stringvalue", "template", "exception", "error",
))  # fmt: skip
"""Keys of the text of a record, which some programs write twice."""
RECORDS = frozenset(("log", "event", "record", "fields", "_source"))
"""Objects that loggers put the same text in again."""
MESSAGE_KEYS = TEXTS | {"wire", "packet"}
"""Keys of a message."""


_Place = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A raw text in a record, its places in lists, and the objects around it."""
_Known = tuple[int, str]
"""Which message it is, and its path."""


class Cut(Struct, frozen=True, gc=False):
    """One message: its place in the text, its raw text, its protocol, and what carried it.

    The raw text differs from the text at that place when it is written there with escapes,
    colors, or a prefix on every line.
    """

    span: Span
    wire: str
    protocol: str
    carrier: Carrier | None = None
    facts: Facts = NOTHING
    """What the text around the message states about it."""

    @property
    def verbatim(self) -> bool:
        """True when the raw text is at ``span``: escapes are longer than what they mean."""
        return len(self.wire) == self.span.end - self.span.start


TOO_MANY = "text after too many lines"
"""Why the rest of a text is ignored when there are as many pieces as wanted."""


class Ignored(Struct, frozen=True, gc=False):
    """Text that is not a message, the reason, and the protocol that it resembles."""

    span: Span
    text: str
    reason: str
    resembles: str | None = None


class Transcript(Struct, frozen=True):
    """The content of a text. ``end`` is how far it was read: all of it, unless more is to come."""

    messages: tuple[Cut, ...]
    ignored: tuple[Ignored, ...]
    end: int
    context: str = ""
    """Lines before ``end`` that tell how the text after it is read: the columns of a table, the
    last rows of one without, and who speaks in a chat.
    """

    @property
    def remainder(self) -> Ignored | None:
        """What was not read because there were as many pieces as wanted; None if all was read."""
        # Only a color code can stand behind it.
        return next((ignored for ignored in self.ignored[-2:] if ignored.reason == TOO_MANY), None)


def move(cut: Cut, read: Decoded, base: int) -> Cut:
    """Return a message of a decoded text with its places in the text around it.

    The decoded text is written there from ``base`` on.
    """
    return structs.replace(
        cut,
        span=_place(cut.span, read, base),
        carrier=None if cut.carrier is None else _move_carrier(cut.carrier, read, base),
    )


def drop_repeated(cuts: Iterable[Cut]) -> list[Cut]:
    """Return the messages of one record without repetitions.

    Loguru, for one, writes a message under two keys, and one of them is a usual one. They are in
    one object, or one is in an object around the other. The items of a list, the lines of one text,
    a request and its response, and what different agents sent are not repetitions.
    """
    unique: list[Cut] = []
    seen: dict[_Place, _Known] = {}
    below: dict[_Place, _Known] = {}
    for cut in cuts:
        path = _plain(cut.carrier.place) if cut.carrier is not None else ""
        numbers = tuple(step for step in PATH_STEP.split(path) if step.isdigit())
        # What is in a string is often a copy of what is beside the string.
        *steps, _ = PATH_STEP.split(_outer(path))
        parents = [step for step in steps if step.lower() not in RECORDS]
        places = [(cut.wire, numbers, tuple(parents[:n])) for n in range(len(parents) + 1)]
        known = below.get(places[-1]) or next((seen[one] for one in places if one in seen), None)
        if known is not None and _repeats(cut, path, unique[known[0]], known[1]):
            at = known[0]
            unique[at] = structs.replace(unique[at], facts=unique[at].facts.or_else(cut.facts))
            continue
        seen.setdefault(places[-1], (len(unique), path))
        for place in places:
            below.setdefault(place, (len(unique), path))
        unique.append(cut)
    return unique


def _plain(path: str) -> str:
    """Return the path to a value without its places in the lists of a copy."""
    path = HIGHLIGHT.sub(r"\1", path)
    return BLOCKS.sub("", path) if "blocks." in path else path


def _repeats(cut: Cut, path: str, other: Cut, other_path: str) -> bool:
    """Return whether a message is the same as one whose object is around its own, or in it."""
    pairs = [(path, other_path)]
    if "›" in path and "›" in other_path:
        pairs.append((_outer(path), _outer(other_path)))
    are_texts = all(
        one == another or not TEXTS.isdisjoint((_last_key(one), _last_key(another)))
        for one, another in pairs
    )
    return path != other_path and are_texts and not _contradict(other, cut)


def _outer(path: str) -> str:
    """Return the path to the string that a message is in, or to the message."""
    return path.partition("›")[0].rstrip()


def _last_key(path: str) -> str:
    return PATH_STEP.split(path)[-1].lower()


def _contradict(cut: Cut, other: Cut) -> bool:
    """Return whether two messages state different parties."""
    pairs = (
        (cut.facts.sender, other.facts.sender),
        (cut.facts.recipient, other.facts.recipient),
    )
    return any(name and another and name != another for name, another in pairs)


def around_messages(text: str, cuts: Iterable[Cut], wrapper: Span) -> str:
    """Return the text of the wrapper at ``wrapper`` without its messages."""
    pieces, at = [], wrapper.start
    for cut in cuts:
        if cut.carrier is not None and cut.carrier.span == wrapper:
            pieces.append(text[at : cut.span.start])
            at = cut.span.end
    return "".join((*pieces, text[at : wrapper.end]))


def _move_carrier(carrier: Carrier, read: Decoded, base: int) -> Carrier:
    return structs.replace(
        carrier,
        span=_place(carrier.span, read, base),
        inner=None if carrier.inner is None else _move_carrier(carrier.inner, read, base),
    )


def _place(span: Span, read: Decoded, base: int) -> Span:
    start, end = read.place(*span)
    return Span(base + start, base + end)
