"""Long texts in parts: tiktoken's expressions run out of stack on a million spaces in a row.

No tokenizer here has a token in which a letter or digit is followed by a space, and those that
first split a text into words end one between the two. There a text can be cut, and its parts
counted one by one, without changing a token.
"""

import re
from collections.abc import Iterator

LIMIT = 200_000
"""Characters that a tokenizer reads at once. Failures were seen above 500,000."""

_LAST_SEAM = re.compile(r"(?s:.*)[A-Za-z0-9](?=[ \t\r\n])")


def cut(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of `text`, at most LIMIT long, and whether each ends where a token does."""
    start = 0
    while len(text) - start > LIMIT:
        seam = _LAST_SEAM.match(text, start, start + LIMIT + 1)
        end = seam.end() if seam else start + LIMIT
        yield text[start:end], seam is not None
        start = end
    yield text[start:], True
