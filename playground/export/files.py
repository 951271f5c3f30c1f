"""The formats that a reading is saved in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Conversation
from playground.display.sequence_diagram import Pointed
from playground.export import markdown, mermaid, svg
from playground.rest import decoded
from playground.rest.body import to_json
from playground.rest.text import AUTO
from playground.workbench.document import Reading

Writer = Callable[[str, str | None, str], str | bytes]
"""Writes a text: with a protocol, or None to detect it, and a tokenizer."""
Drawer = Callable[[Sequence[Conversation], Sequence[Pointed]], str]


class NothingToDraw(Exception):
    """The text has no conversation."""


@dataclass(frozen=True, slots=True)
class File:
    """A format by the ending of its files. ``write`` raises NothingToDraw and Problem 413."""

    ending: str
    title: str
    media: str
    write: Writer


def _write_json(text: str, protocol: str | None, tokenizer: str) -> bytes:
    return to_json(decoded.answer(text, protocol or AUTO, None, [tokenizer]))


def _write_markdown(text: str, protocol: str | None, tokenizer: str) -> str:
    return markdown.write(Reading(text, protocol=protocol, tokenizer=tokenizer))


def _drawn_by(draw: Drawer) -> Writer:
    def write(text: str, protocol: str | None, tokenizer: str) -> str:
        reading = Reading(text, protocol=protocol, tokenizer=tokenizer)
        conversations = gather(reading.messages, recorded(reading.cuts))
        if not conversations:
            raise NothingToDraw
        return draw(conversations, [Pointed(at + 1) for at in range(reading.total)])

    return write


FILES = {
    file.ending: file
    for file in (
        File("json", "JSON", "application/json", _write_json),
        File("md", "Markdown", "text/markdown; charset=utf-8", _write_markdown),
        File("mmd", "Mermaid", "text/vnd.mermaid; charset=utf-8", _drawn_by(mermaid.write)),
        File("svg", "SVG", "image/svg+xml; charset=utf-8", _drawn_by(svg.write)),
    )
}
