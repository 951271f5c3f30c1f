"""Read valid SLIP v3 fast: one regular expression for the whole line, then one split.

It handles every message without an error. Most match TIGHT, which `Slip.glance` tries first; LOOSE
also accepts a Fallback and other spacing.
"""

import re
from collections.abc import Callable

from cablese.codec import in_order
from cablese.message import Field, Message, Span
from cablese.text import BLANKS

from . import remarks
from .vocabulary import (
    AGENT_LIMIT,
    FORCES,
    ODD_PAIRS,
    PAYLOAD_LIMIT,
    PREFIX,
    REF_LIMIT,
    TOKEN_LIMIT,
    VERSION,
)

GAP = r"[ \t\v\f]++"
AGENT = f"[A-Za-z0-9]{{1,{AGENT_LIMIT}}}+"
TOKEN = f"[A-Za-z0-9]{{1,{TOKEN_LIMIT}}}+"
FORCE = f"(?:{'|'.join(FORCES)})"
PAYLOAD = f"{{0,{PAYLOAD_LIMIT}}}+"
TIGHT = re.compile(
    f"{PREFIX} {VERSION} {AGENT} {AGENT} (?!Fallback){FORCE} (?![a-z]){TOKEN}(?: {TOKEN}){PAYLOAD}"
)
LOOSE = re.compile(
    rf"[{BLANKS}]*+{PREFIX}{GAP}{VERSION}{GAP}{AGENT}{GAP}{AGENT}{GAP}{FORCE}{GAP}"
    rf"({TOKEN})(?:{GAP}{TOKEN}){PAYLOAD}[{BLANKS}]*+"
)
is_tight = TIGHT.fullmatch
ODD_GAP = re.compile(r"[ \t\v\f]{2,}|[\t\v\f]")
ADVISED = {force: frozenset(objects) for force, objects in ODD_PAIRS.items()} | {
    "Accept": frozenset(("Task", "Condition"))
}
"""The Objects that may be reported, by Force."""


def glance(wire: str, scan: Callable[[str], tuple[Field, ...]]) -> Message | None:
    """Decode any message, or return None when it has an error. ``scan`` returns its fields."""
    seen = LOOSE.fullmatch(wire)
    if seen is None:
        return None
    _, _, src, dst, force, obj, *payload = wire.split()
    values = {
        "version": VERSION, "src": src, "dst": dst, "force": force, "obj": obj, "payload": payload
    }  # fmt: skip
    if force == "Fallback":
        if not payload or len(payload[0]) > REF_LIMIT:
            return None
        values["fallback_ref"] = payload.pop(0)
    diagnostics = remarks.pair(values, Span(*seen.span(1)))
    start, stop = wire.index(PREFIX), len(wire.rstrip(BLANKS))
    gaps = tuple(remarks.gap(Span(*gap.span())) for gap in ODD_GAP.finditer(wire, start, stop))
    return Message("slip", "slip/3", wire, values, in_order((*diagnostics, *gaps)), scan)


def find_object(words: list[str]) -> Span:
    """Return the span of the Object in a message with single spaces."""
    start = sum(len(word) + 1 for word in words[:5])
    return Span(start, start + len(words[5]))
