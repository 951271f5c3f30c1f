"""What was opened before a place on a line and is not closed yet: quotes, backticks, tags, brackets.

    level=info msg="planner: REQ/TSK|g=1" took=12ms      the string ends before ` took`
    - `ACC/PLN|g=1` and `INF/OBS|g=1`                    two messages
    <td>REQ/TSK|g=1</td>                                 the cell's text
    [REQ/TSK|g=1 ACC/PLN|g=1]                            a printed list

A quote opens after a space or punctuation, and closes before one, so that the apostrophe of "don't" does neither.
"""

import re
from typing import NamedTuple

TAG = re.compile(
    r"<(?:code|pre|td|th|li|p|span|div|samp|kbd|tt|b|i|u|em|strong|blockquote|a|br|dd|dt|summary|textarea|body|font"
    r"|mark|output|h[1-6])(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
MARKS = re.compile(r"\\.|<!\[CDATA\[|[\"'`“”‘’«»‹›]|</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?>", re.DOTALL)
ELEMENT = re.compile(r"<([A-Za-z][\w:.-]*)(\s[^<>]*=[^<>]*)?/?>")
PAIRS = {"“": "”", "‘": "’", "«": "»", "‹": "›"}
CLOSERS = {"”": "“", "’": "‘", "»": "«", "›": "‹"}
SHELL = ("'\"'\"'", "'\\''")
"""How a quote is written inside single quotes of a shell."""
FAR = 4_000
DEPTH = 32
TAG_LIMIT = 400
TRIES = 64
BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
BEFORE = frozenset(" \t\r\n=()[]{,:;>|*~\"'`-+/")
AFTER = frozenset(" \t\r\n,;:)]}>|.!?<'\"`*_")


class Quote(NamedTuple):
    """A quote that is open: which one, and where its text begins."""

    mark: str
    start: int


class Quotes:
    """What is open on the line that begins at ``start``. Places are asked for in their order, so each is read once."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self._read = start
        self._stack: list[Quote] = []

    def at(self, place: int) -> Quote | None:
        """The innermost quote or tag that is open at ``place``."""
        if place < self._read:
            self._read, self._stack = self.start, []
        for mark in MARKS.finditer(self.text, self._read, place):
            self._pass(mark[0], mark.start(), mark.end())
            self._read = mark.end()
        self._read = max(self._read, place - TAG_LIMIT)
        return self._stack[-1] if self._stack else None

    def _pass(self, sign: str, here: int, end: int) -> None:
        stack = self._stack
        if sign[0] == "\\":
            return
        if sign[0] == "<":
            self._pass_tag(sign, end)
            return
        opener = CLOSERS.get(sign, sign)
        known = next((n for n in range(len(stack) - 1, -1, -1) if stack[n].mark == opener), None)
        if known is not None and sign not in PAIRS and (opener != sign or _ends_word(self.text, end)):
            del stack[known:]
        elif sign not in CLOSERS and len(stack) < DEPTH and self._opens(here, end):
            stack.append(Quote(sign, end))

    def _opens(self, here: int, end: int) -> bool:
        return _may_open(self.text, self.start, here) and not _is_space(self.text, end)

    def _pass_tag(self, sign: str, end: int) -> None:
        stack = self._stack
        if sign[1] == "!":
            stack.append(Quote("]]>", end))
        elif sign[1] != "/" and _is_element(self.text, sign, end):
            if len(stack) < DEPTH:
                stack.append(Quote("<", end))
        elif sign[1] == "/":
            tags = [n for n, one in enumerate(stack) if one.mark == "<"]
            del stack[tags[-1] if tags else len(stack) :]


def closing(text: str, quote: Quote, at: int, end: int) -> int | None:
    """Where ``quote``, open at ``at``, is closed before ``end``; None when it is not."""
    if quote.mark in ("<", "]]>"):
        found = text.find(quote.mark, at, end)
        return found if found >= 0 else None
    mark = PAIRS.get(quote.mark, quote.mark)
    doubled = mark in "\"'" and is_doubled(text, quote, end)
    place = at
    for _ in range(TRIES):
        place = text.find(mark, place, end)
        if place < 0:
            return None
        shell = mark == "'" and next((one for one in SHELL if text.startswith(one, place)), "")
        if shell:
            place += len(shell)
        elif doubled and text.startswith(2 * mark, place):
            place += 2
        elif (doubled or _ends_word(text, place + 1, end)) and not _is_escaped(text, quote.start, place):
            return place
        else:
            place += 1
    return None


def unbalanced(text: str, start: int, at: int, end: int) -> int:
    """How many closing brackets at ``end`` belong to brackets that were opened from ``start`` to ``at``."""
    count = 0
    while at < end - count and text[end - count - 1] in ")]}":
        closer = text[end - count - 1]
        opener = "([{"[")]}".index(closer)]
        before, own = text[max(start, at - FAR) : at], text[max(at, end - FAR) : end - count]
        if before.count(opener) <= before.count(closer) or own.count(closer) <= own.count(opener):
            break
        count += 1
    return count


def is_doubled(text: str, quote: Quote, end: int) -> bool:
    """True when the quotes inside are doubled, as in CSV and YAML: the first one inside is."""
    first = text.find(quote.mark, quote.start, end)
    return first >= 0 and text.startswith(2 * quote.mark, first) and text[first + 2 : first + 3] not in ("", " ")


def is_csv(text: str, start: int, quote: Quote, raw: str) -> bool:
    """True for a field of CSV, in which a backslash is a backslash."""
    before = text[start : quote.start - 1]
    return "[" not in before and "{" not in before and before.endswith(",") and '\\"' not in raw


def is_attribute(text: str, start: int, quote: Quote) -> bool:
    """True for the value of an attribute in HTML."""
    return re.search(r"(?<!#)<[A-Za-z][^<>]*=\Z", text[start : quote.start - 1]) is not None


def _is_element(text: str, tag: str, at: int) -> bool:
    """True for a tag of HTML or XML; in IRC `<planner>` is a name."""
    element = ELEMENT.fullmatch(tag)
    if element is None:
        return False
    return bool(TAG.fullmatch(tag) or element[2]) or f"</{element[1]}>" in text[at : at + FAR]


def bracket_end(text: str, at: int, end: int, start: int) -> int | None:
    """Where the bracket directly before ``at`` is closed; None when there is none, or it is not closed."""
    if at == start or text[at - 1] not in BRACKETS:
        return None
    opener = text[at - 1]
    closer, depth = BRACKETS[opener], 1
    for sign in re.finditer(f"[{re.escape(opener + closer)}]", text[at : min(end, at + FAR)]):
        depth += 1 if sign[0] == opener else -1
        if not depth:
            return at + sign.start() if _ends_word(text, at + sign.end(), end) else None
    return None


def _may_open(text: str, start: int, at: int) -> bool:
    if at == start or text[at - 1] in BEFORE:
        return True
    # Python's b'…' and r'…'
    return text[at - 1] in "bBrRuUfF" and (at - 1 == start or text[at - 2] in BEFORE)


def _ends_word(text: str, at: int, end: int | None = None) -> bool:
    return at >= (len(text) if end is None else end) or text[at] in AFTER


def _is_space(text: str, at: int) -> bool:
    return at >= len(text) or text[at] in " \t\r\n"


def _is_escaped(text: str, start: int, at: int) -> bool:
    before = at
    while before > start and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2 == 1
