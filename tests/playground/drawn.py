"""What a person sees of a page, and what a browser makes of it."""

import re
from html import unescape
from html.parser import HTMLParser

_VOID = frozenset({"br", "hr", "img", "input", "link", "meta", "wbr"})
_INLINE = re.compile(r"</?(?:span|code|a|strong|mark|time)\b[^>]*>")


def words(page: str) -> str:
    """A page's text without its tags, each run of blanks as one; what stands side by side there is
    together here.
    """
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", _INLINE.sub("", page))).split())


def unstamped(page: str) -> str:
    """A page without what only says how its patches are put in."""
    return re.sub(r' data-stamp="[^"]*"', "", page)


def unfold(spans: str) -> list[tuple[int, int]]:
    """Where messages stand, out of `Reading.spans`: how far each begins behind the one before, and
    how long it is.
    """
    found, end = [], 0
    for gap, length in (map(int, part.split(",")) for part in spans.split()):
        start = end + gap
        end = start + length
        found.append((start, end))
    return found


class Elements(HTMLParser):
    """The elements of a stretch of HTML, their attributes, and its text. ``outermost`` are those in
    no other.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.outermost: list[tuple[str, dict[str, str | None]]] = []
        self._depth = 0
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if not self._depth:
            self.outermost.append(self.found[-1])
        self._depth += tag not in _VOID

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag not in _VOID

    def handle_data(self, data: str) -> None:
        self.text += data
