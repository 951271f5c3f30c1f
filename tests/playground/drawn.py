"""What a person sees of a page."""

import re
from html import unescape

_INLINE = re.compile(r"</?(?:span|code|a|strong|mark|time)\b[^>]*>")


def words(page: str) -> str:
    """A page's text without its tags, each run of blanks as one; what stands side by side there is together here."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", _INLINE.sub("", page))).split())
