"""How a finding speaks of the text it was found in: in quotes, and never at length."""

LONGEST = 40


def shorten(text: str) -> str:
    """The beginning of ``text``: a hostile value is as long as a message."""
    return f"{text[:LONGEST]}…" if len(text) > LONGEST else text


def quote(text: str) -> str:
    return f'"{shorten(text)}"'


def capitalize_first(text: str) -> str:
    """``text`` as a sentence begins. `str.capitalize` would also take the capitals of ``Object`` or ``TASK`` away."""
    return text[:1].upper() + text[1:]
