"""Where a message of a line protocol ends when nothing that was opened before it closes.

    REQ/TSK|g=42,t=1 (12ms)                      a remark of a logger
    REQ/TSK|g=42,t=1 {"service":"bus"}           its fields
    REQ/TSK|g=42,t=1 took=12ms level=info        more of its fields
    REQ/TSK|g=42,t=1    200                      the next column

On a line of prose, a sentence or a part of one ends it, if its last value is one word:

    Planner sent REQ/TSK|g=42,t=1. Then it waited.

A value may hold a space, so the end cannot always be known. Where one of these begins, the shortest
valid reading wins, and the rest is reported and never becomes part of a value. An invalid
message ends there if its errors are the same without the rest:

    RJE/PLN|g=42,t=1 (12ms)                      one error: the unknown act

Other words after a space are read as part of the message, which is then usually invalid.
"""

import re
from collections.abc import Iterator

from cablese.codec import Codec
from cablese.message import Span
from cablese.transcript import quoting

from . import sentence, stray
from .room import Room

NO_BREAK = "\u00a0\u2007\u202f"
"""Spaces that do not break, which pages and chats put for others."""
DRAWN = "│┃║"
"""Bars that are drawn around a text: before a line and after it."""
SPACE = re.compile(rf"[ \t{NO_BREAK}]+")
REMARK = re.compile(
    r"""\([^()]*\)?(?:\s|\Z)                        # (12ms)
    | \[[^\[\]]*\]?(?:\s|\Z)                      # [200]
    | [{].*                                        # {"service":"bus"}
    | (?:\#|//|/\*|\*/|<!--|--|<-|->|=>|<=|←|→|\.\.|…|;).*  # a comment, an arrow
    | \|(?!\s*[A-Za-z_][\w-]*\s*:).*               # the next cell of a table
    | [│┃║].*                                      # and of one that is drawn
    | [A-Za-z_][\w.-]*=\S*                         # took=12ms
    | <truncated[^<>]*>                            # <truncated 200 bytes>
    | <s:[\w.+`-]{1,200}>\s*\Z                     # the logger, as Serilog writes it
    | ["'`)\]}>*_,;]+(?:\s|\Z)                     # closed without having been opened
    """,
    re.VERBOSE | re.DOTALL,
)
DURATION = re.compile(r"(?:(?:took|in|after) )?[+~]?\d+(?:\.\d+)?(?:ns|[uµ]s|ms|s)\Z")
"""A remark of a logger, unless other words are before it: `period:2024-08: no answer after 5s`."""
NEEDS = re.compile(r"\b(?:about|after|at|by|every|for|in|is|of|than|to|within)\Z", re.IGNORECASE)
"""What is before a duration of a sentence."""
EDGE = "".join(filter(str.isspace, map(chr, range(0x3001)))) + ".!?)]}>\"'`*…。！？」』）】"
"""Spaces and punctuation that may be around a message."""
COLUMN = re.compile(
    r"(?:[\w.+-]{1,40}|<?[\w./-]{1,200}(?::\w{1,60})?:\d+>?|\d\d?:\d\d(?::\d\d)?"
    r"|[\w.-]*/[\w./-]{1,200})(?:\s|\Z)"
)
"""The next cell of a table that is printed with spaces: a word, the place in a program that logged
it, a time, or a path.
"""
MAX_TRIES = 40
"""Ends of one message that are tried."""
MAX_WORDS = 4
"""Words before the next message of a line that may be no part of this one."""
QUOTED = re.compile(r"""(?<=[=:|,])(?:"[^"]*"|'[^']*')(?!\w)""")
"""A value in quotes, in which no message ends."""
MEMBER = re.compile(r"[({\[](?:[^(){}\[\]]*[\s,])?[A-Za-z_]\w{0,39}(?:=|:\s?|\s=\s)\Z")
"""The name of a member in what a program prints of an object: `Event{id=7, wire=`, and in C#
`Event { Id = 7, Wire = `.
"""
FORM = re.compile(r"(?:\A|[?&\s\"'])[A-Za-z_][\w.-]{0,39}=\Z")
"""The name of a member of a form or of a query string before a message."""
FORM_END = re.compile(r"&[A-Za-z_][\w.-]{0,39}=|\sHTTP/\d")
"""The next member, or what follows the last one in the first line of a request."""
PROSE = re.compile(r"(?:[>*-][ ]+){0,3}[A-Z][a-z']*[ ]+(?:[\w'-]+[ ]+){0,5}?[a-z']+[ ]")
"""What a line of prose begins with: a word with a capital, and one without."""
STOP = re.compile(r"(?<![.…])[.!?](?![.…\S])|[,;](?=\s)")
"""What ends a sentence, or a part of one, after a message."""
REQUESTS = (
    (", client: ", re.compile(r"\[[a-z]+\] \d+#\d+: "), re.compile(r", client: [\w.:]+, server: ")),
    ("|url: ", re.compile(r"\|[A-Za-z]{4,5}\|[\w.]+\|\Z"), re.compile(r" ?\|url: [^|]*\|action: ")),
)
"""How nginx and NLog write the request during which a program said something, which comes last: a
sign of it, what is before what the program says, and how the request begins.
"""
NEXT_MEMBER = re.compile(r"[A-Za-z_]\w{0,39}(?:=|:(?!//))")
NEXT_SPACED = re.compile(r"(?<=, )[A-Za-z_]\w{0,39} = ")
PAIR = re.compile(r"[A-Za-z_][\w.-]*=")
"""A remark that a comma or a semicolon may be before: `, from=planner`."""
MAX_WORD = 20
"""Characters before a duration that are searched for such a word."""
MAX_PRINTED = 400
"""Characters before a message that are searched for the object that it is printed in."""


def find(
    codec: Codec,
    text: str,
    start: int,
    end: int,
    *,
    room: Room,
    line: int,
    is_alone: bool,
    is_closed: bool = False,
    is_told: bool = False,
) -> int:
    """Return the end of the message at ``start``, at most ``end``.

    The line begins at ``line``. With ``is_alone`` nothing comes before the message there. With
    ``is_closed`` it begins and ends with its quotes, so that all of it is the message if it can be.
    With ``is_told`` the line is prose, so a sentence may end after the message.
    """
    if is_closed:
        close = end - stray.count_line_end(text[start:end])
        if room.take(close - start) and codec.decode(text[start:close]).valid:
            return close
    end = _without_others(codec, text, line, start, end, room)
    wire = text[start:end]
    printed = text[max(line, start - MAX_PRINTED) : start]
    if is_told and (stop := _sentence_end(codec, wire)) is not None:
        return start + stop
    if printed.endswith("=") and (stop := _form_end(codec, wire, printed)) is not None:
        return start + stop
    if (stop := sentence.find(codec, wire, printed, room)) is not None:
        return start + stop
    following = _next_member(printed)
    ends = _ends(codec, wire, following=following, is_passed=sentence.is_passed(printed))
    if (at := _find_end(codec, wire, outside_quotes(wire, ends), room)) is not None:
        return start + at - stray.count(codec, wire[:at], room)
    edge = len(wire) if is_alone else len(wire.rstrip(EDGE))
    if edge == len(wire) or not room.take(len(wire)) or codec.decode(wire).valid:
        return end
    return start + _without_edge(codec, wire, edge, room)


def _without_others(codec: Codec, text: str, line: int, start: int, end: int, room: Room) -> int:
    """Return the end of a message without what never belongs to it."""
    end = _without_request(text, line, start, end)
    if line < start and text[line] in DRAWN and (bar := text.find(text[line], start, end)) >= 0:
        end = start + len(text[start:bar].rstrip())
    end -= quoting.unbalanced(text, line, start, end)
    end -= stray.count(codec, text[start:end], room)
    return end - stray.count_line_end(text[start:end])


def _without_request(text: str, line: int, start: int, end: int) -> int:
    """Return the end of what a program says during a request."""
    for sign, before, request in REQUESTS:
        if text.find(sign, start, end) >= 0 and before.search(text, line, start) is not None:
            *_, last = (None, *request.finditer(text, start, end))
            if last is not None and text.count('"', start, last.start()) % 2 == 0:
                return last.start()
    return end


def outside_quotes(wire: str, ends: Iterator[int]) -> Iterator[int]:
    """Yield the ``ends``, in their order, that are not inside a value in quotes."""
    values = QUOTED.finditer(wire)
    value = next(values, None)
    for at in ends:
        while value is not None and value.end() <= at:
            value = next(values, None)
        if value is None or at <= value.start():
            yield at


def _find_end(codec: Codec, wire: str, ends: Iterator[int], room: Room) -> int | None:
    """Return the first of the ends where ``wire`` is valid, or else where its errors are among
    those that it has with the rest.
    """
    likely: list[tuple[int, set[tuple[str, int]]]] = []
    for at in ends:
        if not room.take(at):
            break
        errors = _find_errors(codec, wire[:at])
        if not errors:
            return at
        if not any(_is_open(wire[:at], span) for _, span in errors):
            likely.append((at, _places(errors)))
    whole = _places(_find_errors(codec, wire)) if likely else set()
    return next((at for at, places in likely if places <= whole), None)


def _find_errors(codec: Codec, wire: str) -> list[tuple[str, Span]]:
    found = codec.decode(wire).diagnostics
    return [(one.code, one.span) for one in found if one.severity == "error"]


def _places(errors: list[tuple[str, Span]]) -> set[tuple[str, int]]:
    return {(code, span.start) for code, span in errors}


def _is_open(wire: str, span: Span) -> bool:
    """Return whether the rest may belong to an error: something is missing, or a wrong value of
    several words is at the end of ``wire``.
    """
    if span.start == span.end:
        return True
    return span.end == len(wire) and SPACE.search(wire, *span) is not None


def is_prose(text: str, line: int, start: int) -> bool:
    """Return whether the line that begins at ``line`` tells of the message at ``start``."""
    return start - line > 1 and PROSE.match(text, line, start) is not None


def _sentence_end(codec: Codec, wire: str) -> int | None:
    """Return where a message ends in a sentence: at a stop after a last value without spaces."""
    for stop in STOP.finditer(wire):
        at = stop.start()
        if SPACE.search(wire, 0, at) is not None:
            return None
        is_end = codec.further is None or not codec.further.search(wire, at)
        if is_end and codec.decode(wire[:at]).valid:
            return at
    return None


def _form_end(codec: Codec, wire: str, before: str) -> int | None:
    """Return where a message ends that is a member of a form or of a query string."""
    following = FORM_END.search(wire) if FORM.search(before) is not None else None
    if following is None or not codec.decode(wire[: following.start()]).valid:
        return None
    return following.start()


def _next_member(before: str) -> re.Pattern[str] | None:
    """Return how the next member begins if a message is one of an object that a program prints."""
    is_opened = "{" in before or "(" in before or "[" in before
    if not is_opened or before[-1] not in "=: " or MEMBER.search(before) is None:
        return None
    return NEXT_SPACED if before.endswith(" = ") else NEXT_MEMBER


def before(codec: Codec, wire: str) -> Iterator[int]:
    """Yield where a message may end that ``wire`` begins with, up to the next one on its line."""
    yield from _ends(codec, wire)
    left = wire
    for _ in range(MAX_WORDS):
        left, *word = left.rsplit(None, 1)
        if not word:
            return
        yield len(left)


def is_separate(wire: str) -> bool:
    """Return whether ``wire`` ends before the next message of its line also when it is invalid.

    A value of words may quote a message. One without spaces does not, unless a quote is open.
    """
    is_open = any(wire.count(mark) % 2 for mark in "\"'`")
    return not is_open and SPACE.search(wire) is None


def _ends(
    codec: Codec,
    wire: str,
    *,
    following: re.Pattern[str] | None = None,
    is_passed: bool = False,
) -> Iterator[int]:
    """Yield where ``wire`` may end: before a remark, the next column, or the next member, unless
    another field comes after it.
    """
    tried = 0
    for space in SPACE.finditer(wire):
        is_column = "\t" in space[0] or len(space[0]) > 1
        is_end = space.end() == len(wire)  # ordinary spaces are trimmed already
        is_cell = is_column and COLUMN.match(wire, space.end())
        at = space.start()
        is_next = following is not None and following.match(wire, space.end())
        if (is_next and wire[at - 1] == ",") or _is_pair(codec, wire, at, space.end()):
            at -= 1
        is_name = is_passed and _is_party(wire, at, space.end())
        is_remark = REMARK.match(wire, space.end()) or _is_duration(codec, wire, at, space.end())
        if is_end or is_cell or is_next or is_name or is_remark:
            if codec.further is None or not codec.further.search(wire, at):
                yield at
            tried += 1
            if tried == MAX_TRIES:
                return


def _is_party(wire: str, at: int, begin: int) -> bool:
    """Return whether from ``begin`` on a sentence says who sent ``wire[:at]``, and to whom."""
    party = sentence.TO_NAME.match(wire, begin)
    is_both = party is not None and (party["origin"] or party["source"])
    return party is not None and (not is_both or sentence.is_route(party, wire[:at]))


def _is_pair(codec: Codec, wire: str, at: int, begin: int) -> bool:
    """Return whether a pair of a logger follows a sign before ``at`` that parts no fields."""
    sign = wire[at - 1]
    return sign in ",;" and sign not in codec.separators and PAIR.match(wire, begin) is not None


def _is_duration(codec: Codec, wire: str, at: int, begin: int) -> bool:
    """Return whether all that is left from ``begin`` is a duration: one with a sign, or any after a
    value of one word.
    """
    if DURATION.match(wire, begin) is None:
        return False
    if wire[begin] in "+~":
        return NEEDS.search(wire, max(0, at - MAX_WORD), at) is None
    value = max((wire.rfind(sign, 0, at) for sign in codec.separators.strip()), default=-1)
    return SPACE.search(wire, value + 1, at) is None


def _without_edge(codec: Codec, wire: str, edge: int, room: Room) -> int:
    """Return the length without the punctuation from ``edge`` on, when only that is valid."""
    for at in range(edge, len(wire)):
        if not room.take(at):
            break
        if codec.decode(wire[:at]).valid:
            return at
    return len(wire)
