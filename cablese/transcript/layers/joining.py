"""Whether a text goes on with a message that another text begins."""

from cablese import registry
from cablese.transcript import hint
from cablese.transcript.anchor import SURE, Anchor, Anchors

MAX_TEXT = 4_000
"""Characters of the first line of a message that goes on."""


def may_begin(first: str) -> bool:
    """Return whether a message begins in ``first`` that may go on after it."""
    if len(first) > MAX_TEXT or first.endswith("\\n"):
        return False
    if first.lstrip().startswith("{"):
        return hint.may_hold(first) and not first.rstrip().endswith("}")
    return _anchor(first) is not None


def has_message(rest: str) -> bool:
    """Return whether a message begins in ``rest``, so that it goes on with no other one."""
    if "{" in rest:
        return hint.may_hold(rest)
    anchor = _anchor(rest)
    return anchor is not None and anchor.score > SURE


def keeps_valid(first: str, joined: str) -> bool:
    """Return whether a message is not only valid without what goes on with it."""
    if first.lstrip().startswith("{"):
        return True
    return not _is_valid(first) or _is_valid(joined)


def _is_valid(text: str) -> bool:
    """Return whether the message that ends a text is valid."""
    anchor = _anchor(text)
    return anchor is not None and registry.get(anchor.protocol).decode(text[anchor.at :]).valid


def _anchor(text: str) -> Anchor | None:
    return Anchors(text).find(0, len(text)) if hint.may_hold(text) else None
