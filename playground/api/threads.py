"""Conversations: which messages of a text belong together, and what is wrong between them. Nothing is kept."""

from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from ninja import Router

from playground.api.body import read_json, write_json
from playground.api.document import described
from playground.api.shapes import Protocol, Text
from playground.api.text import check_dialect, check_text, cut, decode_all, name_protocol
from protocols.conversation import Conversation, Leg, Party, Step, Term
from protocols.finding import Finding
from protocols.message import Diagnostic, Message, Span
from protocols.thread import gather
from protocols.transcript import Ignored

router = Router(tags=["Reading"])


class ConversationsRequest(Struct, forbid_unknown_fields=True):
    """A text that holds any number of messages, in the order they were sent."""

    text: Text
    protocol: Protocol = "auto"
    dialect: str | None = None


class MessageShape(Struct, frozen=True):
    """One message of the text. ``span`` is its place there; the spans of diagnostics are places in ``wire``."""

    protocol: str
    version: str
    span: Span
    wire: str
    valid: bool
    diagnostics: tuple[Diagnostic, ...]


class ConversationShape(Struct, frozen=True):
    """Messages that belong together. Every number in it is a place in the list of messages, from 0.

    A party or leg with a ``reason`` is inferred. ``complete`` is null where the protocol has no notion of it.
    """

    protocol: str
    key: str
    messages: tuple[int, ...]
    legs: tuple[Leg, ...]
    parties: tuple[Party, ...]
    stage: str
    complete: bool | None
    missing: tuple[str, ...]
    next: tuple[Step, ...]
    terms: tuple[Term, ...]
    findings: tuple[Finding, ...]


class ConversationsAnswer(Struct, frozen=True):
    messages: list[MessageShape]
    conversations: list[ConversationShape]
    ignored: tuple[Ignored, ...]


@router.post(
    "/conversations",
    openapi_extra=described(body=ConversationsRequest, answer=ConversationsAnswer, problems=(400, 413, 422)),
)
def conversations(request: HttpRequest) -> HttpResponse:
    """Who speaks, what may come next, and what does not fit: unanswered requests, ids that go back, lost tokens."""
    asked = read_json(request, ConversationsRequest)
    check_text(asked.text, "/text")
    protocol = name_protocol(asked.protocol)
    if protocol is not None:
        check_dialect(protocol, asked.dialect)
    transcript = cut(asked.text, protocol)
    messages = decode_all(transcript, asked.dialect)
    shapes = [_message(message, one.span) for message, one in zip(messages, transcript.messages, strict=True)]
    return write_json(ConversationsAnswer(shapes, [_conversation(one) for one in gather(messages)], transcript.ignored))


def _message(message: Message, span: Span) -> MessageShape:
    return MessageShape(message.protocol, message.dialect, span, message.wire, message.valid, message.diagnostics)


def _conversation(one: Conversation) -> ConversationShape:
    return ConversationShape(
        protocol=one.protocol,
        key=one.key,
        messages=tuple(turn.index for turn in one.turns),
        legs=one.legs,
        parties=one.parties,
        stage=one.stage,
        complete=one.complete,
        missing=one.missing,
        next=one.next,
        terms=one.terms,
        findings=one.findings,
    )
