"""Long texts in parts: tiktoken's expressions run out of stack on, say, a million blanks in a row.

No tokenizer here has a token in which a letter or digit is followed by a blank, and those that
first split a text into words end one between the two, whatever stands around them. There a text can
be cut, and its parts counted one by one, without changing a single token.
"""

import re
from collections.abc import Iterator

LIMIT = 200_000
"""Characters that are given to a tokenizer at once. The first trouble seen was above 500,000."""

_LAST_SEAM = re.compile(r"(?s:.*)[A-Za-z0-9](?=[ \t\r\n])")


def cut(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of `text`, none longer than LIMIT, and whether each ends where no token could have
    gone on.
    """
    start = 0
    while len(text) - start > LIMIT:
        seam = _LAST_SEAM.match(text, start, start + LIMIT + 1)
        end = seam.end() if seam else start + LIMIT
        yield text[start:end], seam is not None
        start = end
    yield text[start:], True
