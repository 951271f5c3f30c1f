"""Whether a text goes on with a message that another text begins."""

from cablese import registry
from cablese.transcript import hint
from cablese.transcript.anchor import SURE, Anchor, Anchors

MAX_TEXT = 10_000
"""Characters of a message in pieces. Each piece is decoded with those before it."""


def goes_on(first: str, rest: str, between: str = "") -> bool:
    """Return whether ``rest`` goes on with the message in ``first``, when they may be one text.

    It does not where a message begins that it is none of, or where the first one is valid only
    without it.
    """
    if len(first) > MAX_TEXT:
        return False
    if first.lstrip().startswith("{"):
        return hint.may_hold(first) and not first.rstrip().endswith("}")
    anchor = _anchor(first)
    if anchor is None or first.endswith("\\n"):
        return False
    other = _anchor(rest)
    if other is not None and other.at == 0 and other.score > SURE:
        return False
    codec, wire = registry.get(anchor.protocol), first[anchor.at :]
    return not codec.decode(wire).valid or codec.decode(wire + between + rest).valid


def is_valid(text: str) -> bool:
    """Return whether the message that ends a text is valid."""
    anchor = _anchor(text)
    return anchor is not None and registry.get(anchor.protocol).decode(text[anchor.at :]).valid


def _anchor(text: str) -> Anchor | None:
    return Anchors(text).find(0, len(text)) if hint.may_hold(text) else None
