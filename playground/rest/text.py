"""A text of messages, as requests send it: within its limits, and cut into its messages."""

from collections.abc import Iterable

from cablese import registry, tokens
from cablese.message import Message
from cablese.transcript import Transcript, split
from playground.rest.choices import DIALECTS
from playground.rest.problems import Problem
from playground.rest.shapes import TEXT_LIMIT
from playground.workbench.decoding import decode_each

AUTO = "auto"
MESSAGES = 10_000
PIECES = 100_000


def check_text(text: str, pointer: str) -> None:
    """Raises Problem 413 for a text that is too long."""
    if len(text) > TEXT_LIMIT:
        raise Problem(
            413,
            f"The text has {len(text):,} characters; at most {TEXT_LIMIT:,} are read.",
            pointer,
            limit=TEXT_LIMIT,
        )


def name_protocol(asked: str, dialect: str | None) -> str | None:
    """The protocol that a request means; None when each message is to be detected.

    Raises UnknownProtocol, UnknownDialect, and Problem 422 for a dialect that no protocol has.
    """
    if asked == AUTO:
        if dialect not in (None, *DIALECTS):
            raise Problem(
                422,
                f'Unknown dialect "{dialect}". Expected one of {", ".join(DIALECTS)}.',
                "/dialect",
            )
        return None
    registry.check_dialect(asked, dialect)
    return asked


def check_tokenizers(names: Iterable[str]) -> None:
    """Raises UnknownTokenizer, also where there is nothing to count."""
    for name in names:
        tokens.info(name)


def decode_text(text: str, asked: str, dialect: str | None) -> tuple[Transcript, list[Message]]:
    """The text at `/text` cut into messages, and each of them decoded, in the protocol ``asked``
    for or as detected.

    Raises Problem 413 when it is too long, UnknownProtocol, and UnknownDialect for a message of a
    protocol without it.
    """
    check_text(text, "/text")
    transcript = _cut(text, name_protocol(asked, dialect))
    return transcript, list(decode_each(transcript.messages, dialect=dialect))


def _cut(text: str, protocol: str | None) -> Transcript:
    """The messages at `/text`. Raises Problem 413 when there are too many."""
    transcript = split(text, protocol, most=PIECES)
    if len(transcript.messages) > MESSAGES:
        words = f"The text holds {len(transcript.messages):,} messages; at most {MESSAGES:,} are read at once."
        raise Problem(413, words, "/text", limit=MESSAGES)
    return transcript
