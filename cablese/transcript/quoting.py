"""Quotes, backticks, tags, and brackets that are open at a place on a line.

    level=info msg="planner: REQ/TSK|g=1" took=12ms      the string ends before `took`
    - `ACC/PLN|g=1` and `INF/OBS|g=1`                    two messages
    <td>REQ/TSK|g=1</td>                                 the cell's text
    [REQ/TSK|g=1 ACC/PLN|g=1]                            a printed list

A quote opens after a space or punctuation and closes before one. The apostrophe of "don't" does
neither.
"""

import re
from typing import NamedTuple

TAG = re.compile(
    r"<(?:code|pre|td|th|li|p|span|div|samp|kbd|tt|b|i|u|em|strong|blockquote|a|br|dd|dt|summary|"
    r"textarea|body|font"
    r"|mark|output|h[1-6])(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
MARKS = re.compile(
    r"\\.|<!\[CDATA\[|[\"'`„“”‘’«»‹›「」『』]|</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?>", re.DOTALL
)
ELEMENT = re.compile(r"<([A-Za-z][\w:.-]*)(\s[^<>]*=[^<>]*)?/?>")
MARKUP = re.compile(
    r"""(?:(\*{1,3}|_{1,3}|~~|"{3}|'{3}|`{2,3})|\{(code|noformat|quote)(?::[^{}\r\n]*)?\})\Z"""
)
"""What opens bold and other text in Markdown, a long string of Python, or a block of Jira."""
MARKING = "*_~\"'`}"
"""One of these is the last sign of what opens."""
MAX_MARKUP = 40
"""Characters of what opens."""
PAIRS = {"„": "“", "“": "”", "‘": "’", "«": "»", "‹": "›", "「": "」", "『": "』"}
CLOSERS = {"”": "“", "’": "‘", "»": "«", "›": "‹", "」": "「", "』": "『"}
CORNERS = "」』"
"""Quotes that close in any place: no space is between the words of Chinese and Japanese."""
SHELL = ("'\"'\"'", "'\\''")
"""How a quote is written inside single quotes of a shell."""
MAX_FAR = 4_000
"""Characters within which what is open is closed."""
MAX_DEPTH = 32
MAX_TAG = 400
"""Characters of a tag."""
MAX_TRIES = 64
"""Quotes that may close a string and do not."""
SPACES = frozenset(("", " ", "\t", "\r", "\n"))
"""What is after a quote that opens nothing."""
BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
OPENERS = {closer: opener for opener, closer in BRACKETS.items()}
BEFORE = frozenset(" \t\r\n=()[]{,:;<>|*~\"'`-+/")
AFTER = frozenset(" \t\r\n,;:)]}>|.…!?<'\"`*_/")
TAGS = "<", "]]>"
"""The marks of an element and of CDATA among quotes."""


class Quote(NamedTuple):
    """A quote that is open: which one, and where its text begins."""

    mark: str
    start: int

    @property
    def close(self) -> str:
        return PAIRS.get(self.mark, self.mark)


class Quotes:
    """What is open on the line that begins at ``start``.

    Asking for places in their order reads each once.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self._read = start
        self._place = -1
        self._stack: list[Quote] = []

    def at(self, place: int) -> Quote | None:
        """Return the innermost quote or tag that is open at ``place``."""
        if place != self._place:
            self._pass_to(place)
        return self._stack[-1] if self._stack else None

    def _pass_to(self, place: int) -> None:
        if place < self._read:
            self._read, self._stack = self.start, []
        for mark in MARKS.finditer(self.text, self._read, place):
            self._pass(mark[0], mark.start(), mark.end())
            self._read = mark.end()
        self._read = max(self._read, place - MAX_TAG)
        self._place = place

    def _pass(self, sign: str, start: int, end: int) -> None:
        stack = self._stack
        if sign[0] == "\\":
            return
        if sign[0] == "<":
            self._pass_tag(sign, end)
            return
        if sign == "“" and stack and stack[-1].mark == "„":
            stack.pop()
            return
        opener = CLOSERS.get(sign, sign)
        known = next((n for n in range(len(stack) - 1, -1, -1) if stack[n].mark == opener), None)
        may_close = opener != sign or (sign not in PAIRS and _ends_word(self.text, end))
        if known is not None and may_close:
            del stack[known:]
        elif sign not in CLOSERS and len(stack) < MAX_DEPTH:
            is_before_text = self.text[end : end + 1] not in SPACES
            if is_before_text and _may_open(self.text, self.start, start):
                stack.append(Quote(sign, end))

    def _pass_tag(self, sign: str, end: int) -> None:
        stack = self._stack
        if sign[1] == "/":
            tags = [n for n, quote in enumerate(stack) if quote.mark == "<"]
            del stack[tags[-1] if tags else len(stack) :]
        elif len(stack) < MAX_DEPTH:
            if sign[1] == "!":
                stack.append(Quote("]]>", end))
            elif _is_element(self.text, sign, end):
                stack.append(Quote("<", end))


def closing(text: str, quote: Quote, at: int, end: int) -> int | None:
    """Return where ``quote``, which is open at ``at``, closes before ``end``."""
    if quote.mark in TAGS:
        close = text.find(quote.mark, at, end)
        return close if close >= 0 else None
    mark = quote.close
    doubled = mark in "\"'" and is_doubled(text, quote, end)
    place = at
    for _ in range(MAX_TRIES):
        place = text.find(mark, place, end)
        if place < 0:
            return None
        shell = mark == "'" and next(
            (escape for escape in SHELL if text.startswith(escape, place)), ""
        )
        if shell:
            place += len(shell)
        elif doubled and text.startswith(2 * mark, place):
            place += 2
        elif (doubled or mark in CORNERS or _ends_word(text, place + 1, end)) and not _is_escaped(
            text, quote.start, place
        ):
            return place
        else:
            place += 1
    return None


def is_long(text: str, quote: Quote) -> bool:
    """Return whether ``quote`` is one of three, which open a string of several lines."""
    return text.endswith(3 * quote.mark, 0, quote.start) or text.startswith(
        2 * quote.mark, quote.start
    )


def only_closes(text: str, quote: Quote, start: int, end: int) -> bool:
    """Return whether ``quote``, open from an earlier line, closes between ``start`` and ``end`` at
    a mark that opens nothing there.
    """
    before, _, after = text[start:end].partition(quote.close)
    if quote.mark != quote.close:
        return quote.mark not in before
    is_end = not after[:1].isalnum() and after[:1] not in (" ", "\t")
    return before[-1:] not in BEFORE and is_end


def unbalanced(text: str, start: int, at: int, end: int) -> int:
    """Return how many closing brackets at ``end`` were opened between ``start`` and ``at``."""
    count = 0
    while at < end - count and text[end - count - 1] in ")]}":
        closer = text[end - count - 1]
        opener = OPENERS[closer]
        before, own = (
            text[max(start, at - MAX_FAR) : at],
            text[max(at, end - MAX_FAR) : end - count],
        )
        if before.count(opener) <= before.count(closer) or own.count(closer) <= own.count(opener):
            break
        count += 1
    return count


def is_doubled(text: str, quote: Quote, end: int) -> bool:
    """Return whether quotes inside are doubled, as in CSV and YAML: the first one decides.

    Three of them close a string that three open.
    """
    first = text.find(quote.mark, quote.start, end)
    if first < 0 or not text.startswith(2 * quote.mark, first):
        return False
    after = text[first + 2 : first + 3]
    return after not in ("", " ") and not (after == quote.mark and is_long(text, quote))


def is_csv(text: str, start: int, quote: Quote, raw: str) -> bool:
    """Return whether ``quote`` begins a field of CSV, where a backslash is a backslash."""
    before = text[start : quote.start - 1]
    is_field = before.endswith(",") and "[" not in before and "{" not in before
    return is_field and '\\"' not in raw


def is_attribute(text: str, start: int, quote: Quote) -> bool:
    """Return whether ``quote`` begins the value of an attribute in HTML."""
    return re.search(r"(?<!#)<[A-Za-z][^<>]*=\Z", text[start : quote.start - 1]) is not None


def _is_element(text: str, tag: str, at: int) -> bool:
    """Return whether ``tag`` is HTML or XML; in IRC `<planner>` is a name."""
    element = ELEMENT.fullmatch(tag)
    return element is not None and (
        bool(TAG.fullmatch(tag) or element[2]) or f"</{element[1]}>" in text[at : at + MAX_FAR]
    )


def bracket_end(text: str, at: int, end: int, start: int) -> int | None:
    """Return where the bracket directly before ``at`` closes before ``end``."""
    if at == start or text[at - 1] not in BRACKETS:
        return None
    opener = text[at - 1]
    closer, depth = BRACKETS[opener], 1
    stop = min(end, at + MAX_FAR)
    if text.find(closer, at, stop) < 0:  # brackets that never close are common in hostile text
        return None
    for sign in re.finditer(f"[{re.escape(opener + closer)}]", text[at:stop]):
        depth += 1 if sign[0] == opener else -1
        if not depth:
            after = at + sign.end()
            is_link = text.startswith("](", after - 1)
            return at + sign.start() if is_link or _ends_word(text, after, end) else None
    return None


def markup_end(text: str, start: int, at: int, end: int) -> int | None:
    """Return where markup that opens directly before ``at`` closes before ``end``."""
    last = text[at - 1] if at > start else " "
    if last not in MARKING or (last in "\"'`~" and text[at - 2] != last):
        return None
    opened = MARKUP.search(text, max(start, at - MAX_MARKUP), at)
    if opened is None:
        return None
    mark = opened[1] or f"{{{opened[2]}}}"
    close = text.find(mark, at, end)
    is_end = close > at and _ends_word(text, close + len(mark), end)
    return close if is_end else None


def _may_open(text: str, start: int, at: int) -> bool:
    return (
        at == start
        or text[at - 1] in BEFORE
        # Python's b'…' and r'…', $'…' of a shell, @"…" of C#, L"…" of C, and E'…' and N'…' of SQL
        or (text[at - 1] in "bBrRuUfF$@LEN" and (at - 1 == start or text[at - 2] in BEFORE))
    )


def _ends_word(text: str, at: int, end: int | None = None) -> bool:
    return at >= (len(text) if end is None else end) or text[at] in AFTER


def _is_escaped(text: str, start: int, at: int) -> bool:
    before = at
    while before > start and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2 == 1
