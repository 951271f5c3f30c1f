"""Text that is written with escapes: a quoted string, an HTML element, colored output.

    \\u007b\\"g\\":1}      {"g":1}        the brace is at 0 to 6, the quote at 6 to 8

Each function decodes one way of writing and keeps the place of every character, so that a message
in the decoded text can be shown where it was pasted.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import unescape
from typing import NamedTuple
from urllib.parse import unquote

BACKSLASHED = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|"
    r"\\x[0-9a-fA-F]{2}"
    r"|\\U[0-9a-fA-F]{8}|\\.",
    re.DOTALL,
)
REPR = re.compile(r"(?:[^\\]|\\(?:[\\'\"nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}))*+")
ESCAPE = "\x1b"
"""What the codes of a terminal begin with."""
LETTERS = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0",
    "e": ESCAPE,
}  # fmt: skip


JSON_STRING = r'(?:[^"\\\r\n]++|\\.)*+'
"""What is between the quotes of a JSON string on one line, as a pattern."""


class Decoded(NamedTuple):
    """A decoded text. Its character ``n`` is written from ``starts[n]`` to ``ends[n]``."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters from ``start`` to ``end`` are written."""
        if start < end:
            return self.starts[start], self.ends[end - 1]
        if start < len(self.starts):
            return self.starts[start], self.starts[start]
        at = self.ends[-1] if self.ends else 0
        return at, at


def is_python(raw: str) -> bool:
    """Return whether ``raw`` has no other escapes than those of Python's ``repr``."""
    return REPR.fullmatch(raw) is not None


def join_lines(raw: str, pieces: Sequence[tuple[int, int]]) -> Decoded:
    """Join the pieces of ``raw`` at ``pieces`` with line ends."""
    text, starts, ends = [], [], []
    for number, (start, end) in enumerate(pieces):
        if number:
            text.append("\n")
            starts.append(pieces[number - 1][1])
            ends.append(start)
        text.append(raw[start:end])
        starts.extend(range(start, end))
        ends.extend(range(start + 1, end + 1))
    return Decoded("".join(text), starts, ends)


def _decode(escape: re.Pattern[str], read: Callable[[str], str], raw: str) -> Decoded:
    """Decode the escapes in ``raw``. ``read`` returns what one of them means."""
    return replace(raw, ((*match.span(), read(match[0])) for match in escape.finditer(raw)))


def replace(raw: str, pieces: Iterable[tuple[int, int, str]]) -> Decoded:
    """Replace pieces of ``raw``, in their order: each from where to where, and by what."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for begin, end, meant in pieces:
        text += raw[at:begin], meant
        starts.extend(range(at, begin))
        starts.extend([begin] * len(meant))
        ends.extend(range(at + 1, begin + 1))
        ends.extend([end] * len(meant))
        at = end
    text.append(raw[at:])
    starts.extend(range(at, len(raw)))
    ends.extend(range(at + 1, len(raw) + 1))
    return Decoded("".join(text), starts, ends)


def _backslash(piece: str) -> str:
    kind, digits = piece[1], piece[2:]
    if kind in "uU" and digits:
        if "\\" in digits:
            high, low = int(digits[:4], 16), int(digits[-4:], 16)
            return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
        code = int(digits, 16)
        return chr(code) if code < 0x110000 else piece
    return chr(int(digits, 16)) if kind == "x" and digits else LETTERS.get(kind, kind)


def _percent(piece: str) -> str:
    try:
        return unquote(piece, errors="strict")
    except UnicodeDecodeError:
        return piece


read_backslashes = partial(_decode, BACKSLASHED, _backslash)
"""Decode a string as JSON, Python, C, and logfmt write it."""
READ_DOUBLED = {
    quote: partial(_decode, re.compile(2 * quote), lambda piece: piece[-1]) for quote in "\"'"
}
"""Decode a string as CSV (RFC 4180 section 2) and SQL write it: quotes inside are doubled. The
other quote is not, so `""` in `'{"Content": ""}'` is an empty string.
"""
read_shell = partial(_decode, re.compile(r"""'"'"'|'\\''"""), lambda _: "'")
"""Decode a string in single quotes as a shell reads it.

A quote cannot be inside: the string ends, an escaped quote follows, and a new string begins.
"""
read_bars = partial(_decode, re.compile(r"\\\|"), lambda piece: piece[-1])
"""Decode rows of a Markdown table, where bars inside a cell are escaped."""
read_entities = partial(
    _decode,
    re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});"),
    unescape,
)
"""Decode text as HTML and XML write it."""
MARKUP = "em|mark|strong|b|i|u|span"
ATTRIBUTES = r"(?:\s[^<>]{0,200})?"
strip_markup = partial(
    _decode,
    re.compile(rf"</?(?:{MARKUP}){ATTRIBUTES}>"),
    lambda _: "",
)
"""Remove the elements with which a page or a search marks a part of a text."""
read_percent = partial(
    _decode,
    re.compile(
        r"%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}"
        r"|%f[0-4](?:%[89ab][\da-f]){3}|\+",
        re.IGNORECASE,
    ),
    lambda piece: " " if piece == "+" else _percent(piece),
)
"""Decode a value of a form or of a query string (URL Standard section 5). Bytes that are not UTF-8
stay as they are written.
"""
strip_colors = partial(
    _decode,
    re.compile(r"\x1b(?:\[[0-9;:]*[mK]|\]8;[^\x07\x1b\r\n]*(?:\x07|\x1b\\)|\([0AB])"),
    lambda _: "",
)
"""Remove the codes that color a text.

These are colors and styles of a terminal (ECMA-48, SGR), links (OSC 8), and the erase codes and
character sets printed with them.
"""
WRITTEN_ESCAPES = "^[[", "\\e[", "\\033["
"""What those begin with where they are written out: by `cat -v`, and in programs of a shell."""
strip_written_colors = partial(
    _decode,
    re.compile(r"(?:\^\[|\\e|\\033)\[[0-9;:]{0,20}[mK]"),
    lambda _: "",
)
"""Remove the same codes where they are written out. JSON and Python write them in other ways."""


def read_json(raw: str) -> str:
    """Return what the inside of a JSON string means, where the places do not matter."""
    return read_backslashes(raw).text if "\\" in raw else raw
