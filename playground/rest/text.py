"""The text of a request: checked against the limits and split into messages."""

from collections.abc import Iterable

from cablese import detection, registry, tokens
from cablese.message import Message
from cablese.text import quote
from cablese.transcript import Transcript, split
from playground.http import wanted
from playground.http.decoding import decode_cuts
from playground.rest.choices import DIALECTS
from playground.rest.problems import Problem
from playground.rest.shapes import TEXT_LIMIT, WireRequest

AUTO = "auto"
MESSAGES = 10_000
MOST_PARTS = 100_000


def check_text(text: str, pointer: str) -> None:
    """Raise Problem 413 if the text is longer than the limit."""
    if len(text) > TEXT_LIMIT:
        raise Problem(
            413,
            f"The text has {len(text):,} characters. The limit is {TEXT_LIMIT:,}.",
            pointer,
            limit=TEXT_LIMIT,
        )


def name_protocol(name: str, dialect: str | None) -> str | None:
    """Return the requested protocol; None to detect the protocol of each message.

    Raises UnknownProtocol, UnknownDialect, and Problem 422 for a dialect that no protocol has.
    """
    if name == AUTO:
        if dialect is not None and dialect not in DIALECTS:
            raise Problem(
                422,
                f"Unknown dialect {quote(dialect)}. Expected one of {', '.join(DIALECTS)}.",
                "/dialect",
            )
        return None
    registry.check_dialect(name, dialect)
    return name


def check_tokenizers(names: Iterable[str]) -> None:
    """Raise UnknownTokenizer, even if there is nothing to count."""
    for name in names:
        tokens.info(name)


def decode_text(text: str, protocol: str, dialect: str | None) -> tuple[Transcript, list[Message]]:
    """Split the text at `/text` into messages and decode each as ``protocol`` or as detected.

    Raises Problem 413 over a limit, UnknownProtocol, and UnknownDialect for a message of a protocol
    without that dialect.
    """
    check_text(text, "/text")
    transcript = _cut(text, name_protocol(protocol, dialect))
    return transcript, list(decode_cuts(transcript.messages, dialect=dialect))


def decode_wire(body: WireRequest) -> Message:
    """Decode the message at `/wire` as requested or as detected.

    Raises Problem 413 over the limit, UnknownProtocol, and UnknownDialect.
    """
    check_text(body.wire, "/wire")
    protocol = name_protocol(body.protocol, body.dialect)
    return detection.decode(body.wire, protocol, dialect=body.dialect)


def _cut(text: str, protocol: str | None) -> Transcript:
    """Split the text at `/text`. Raises Problem 413 over the limit of messages."""
    transcript = split(text, protocol, most=MOST_PARTS, check=wanted.check)
    if len(transcript.messages) > MESSAGES:
        raise Problem(
            413,
            f"The text has {len(transcript.messages):,} messages. The limit is {MESSAGES:,}.",
            "/text",
            limit=MESSAGES,
        )
    return transcript
