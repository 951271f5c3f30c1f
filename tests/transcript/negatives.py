"""Hard negatives: texts of published standards and installed packages that are not messages."""

import json
from pathlib import Path

from msgspec import Struct, convert

from cablese import detection
from cablese.transcript import split

VECTORS = Path(__file__).parent.parent / "vectors" / "transcript"


class Negative(Struct, frozen=True):
    """A text that is not a message, where it comes from, and the protocol that it resembles."""

    name: str
    text: str
    source: str
    resembles: str | None


def load() -> tuple[Negative, ...]:
    """Return the hard negatives in the order of their file."""
    lines = (VECTORS / "negatives.jsonl").read_text("utf-8").splitlines()
    return tuple(convert(json.loads(line), Negative) for line in lines)


def is_claimed(negative: Negative) -> bool:
    """Return whether the text is cut into at least one message."""
    return bool(split(negative.text).messages)


def is_valid(negative: Negative) -> bool:
    """Return whether a message that is cut from the text is called valid."""
    return any(
        detection.decode(cut.wire, cut.protocol).valid for cut in split(negative.text).messages
    )
