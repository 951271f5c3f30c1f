"""A text that arrives whole or in parts, as a file or a stream does."""

from collections.abc import Iterator, Sequence

from cablese.transcript import Cut, split


def wires(text: str) -> list[str]:
    return [cut.wire for cut in split(text).messages]


def cut_at(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def feed(parts: Sequence[str]) -> Iterator[str]:
    """Yield the wires that are found while the parts arrive."""
    return (cut.wire for cut in feed_cuts(parts))


def feed_cuts(parts: Sequence[str]) -> Iterator[Cut]:
    """Yield the messages that are found while the parts arrive."""
    left = context = ""
    for number, part in enumerate(parts, 1):
        left += part
        found = split(left, final=number == len(parts), context=context)
        left, context = left[found.end :], found.context
        yield from found.messages
