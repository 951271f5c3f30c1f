"""Conversations in a text or in search results, and the problems in them."""

from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from ninja import Query, Router

from auditlog.log.packet import PacketRecord, records
from auditlog.search.find import DECODED, MAX_LIMIT, find
from auditlog.search.saved import pin
from cablese.conversation.finding import Finding
from cablese.conversation.gather import gather, recorded
from cablese.conversation.model import Conversation, Leg, Party, Step, Term
from cablese.conversation.timeline import Timeline, trace
from cablese.message import Diagnostic, Span
from cablese.transcript import Ignored
from playground.audit.conversations import LogThreads
from playground.rest.body import read_json, write_json
from playground.rest.choices import Dialect, LogParameter, Protocol, SizeParameter
from playground.rest.keys import Key, read_log, sender
from playground.rest.openapi import described
from playground.rest.shapes import Matches, MessagesText
from playground.rest.text import decode_text

router = Router(tags=["Messages"])


class ConversationsRequest(Struct, forbid_unknown_fields=True):
    """Text with any number of messages, in the order they were sent."""

    text: MessagesText
    protocol: Protocol = "auto"
    dialect: Dialect = None


class MessageShape(Struct, frozen=True):
    """One message. Its ``span`` is in the text; the spans of diagnostics are in ``wire``."""

    protocol: str
    version: str
    span: Span
    wire: str
    valid: bool
    diagnostics: tuple[Diagnostic, ...]


class ConversationShape(Struct, frozen=True):
    """Messages that belong together. Numbers are indexes of messages or packets, from 0.

    A party or leg with a ``reason`` is not in the wire: it is ``supplied`` as metadata, or
    inferred. ``complete`` is null if the protocol does not define it, and false if a task
    ``failed`` and was not resumed. ``answered`` has the message that each message answers.
    ``timeline`` has the state of each goal, task, step, and agent at each message.
    """

    protocol: str
    key: str
    messages: tuple[int, ...]
    answered: tuple[int | None, ...]
    legs: tuple[Leg, ...]
    parties: tuple[Party, ...]
    stage: str
    complete: bool | None
    failed: bool
    missing: tuple[str, ...]
    next: tuple[Step, ...]
    terms: tuple[Term, ...]
    findings: tuple[Finding, ...]
    timeline: Timeline


class ConversationsAnswer(Struct, frozen=True):
    """The messages of the text, their conversations, and the fragments that are not messages.

    ``resembles`` is the protocol that an ignored fragment resembles, or null.
    """

    messages: list[MessageShape]
    conversations: list[ConversationShape]
    ignored: tuple[Ignored, ...]


class PacketConversations(Struct, frozen=True):
    """Packets and their conversations, ordered by the sender's time. A packet without one comes
    after the packet of its conversation that was stored before it.

    They are the newest matching packets, or the next page after ``cursor``. ``count`` is the number
    of all matching packets.
    """

    packets: list[PacketRecord]
    conversations: list[ConversationShape]
    next: str | None
    count: Matches


@router.post(
    "/conversations",
    summary="Find conversations in a text",
    openapi_extra=described(
        body=ConversationsRequest, answer=ConversationsAnswer, problems=(400, 413, 422)
    ),
)
def conversations(request: HttpRequest) -> HttpResponse:
    """Return the conversations in a text: participants, possible next messages, and problems such
    as unanswered requests, repeated IDs, and lost tokens.
    """
    body = read_json(request, ConversationsRequest)
    transcript, messages = decode_text(body.text, body.protocol, body.dialect)
    shapes = [
        MessageShape(
            message.protocol,
            message.dialect,
            cut.span,
            message.wire,
            message.valid,
            message.diagnostics,
        )
        for message, cut in zip(messages, transcript.messages, strict=True)
    ]
    gathered = gather(messages, recorded(transcript.messages))
    return write_json(
        ConversationsAnswer(
            shapes, [_conversation(conversation) for conversation in gathered], transcript.ignored
        )
    )


@router.get(
    "/search/conversations",
    summary="Search conversations",
    auth=Key(),
    tags=["Log"],
    openapi_extra=described(answer=PacketConversations, problems=(401, 403, 404, 422)),
)
def search_conversations(
    request: HttpRequest,
    q: str = "",
    limit: Annotated[int, Query(ge=1, le=MAX_LIMIT)] = 200,
    cursor: str | None = None,
    log: LogParameter | None = None,
    at: SizeParameter | None = None,
) -> HttpResponse:
    """Return the conversations of matching packets, as `/search` and `/conversations` combined.

    A page ends after ``limit`` packets, or earlier when they are long. A conversation may continue
    on the next page.
    """
    found = read_log(request, sender(request, "read"), log)
    page = find(
        [found],
        q,
        limit=limit,
        size=DECODED,
        cursor=cursor,
        now=datetime.now(UTC),
        pin=None if at is None else pin.read(found, at),
    )
    threads = LogThreads(page.rows)
    return write_json(
        {
            "packets": records(threads.packets),
            "conversations": [_conversation(conversation) for conversation in threads.all],
            "next": page.next,
            "count": page.count,
        }
    )


def _conversation(conversation: Conversation) -> ConversationShape:
    return ConversationShape(
        protocol=conversation.protocol,
        key=conversation.key,
        messages=tuple(turn.index for turn in conversation.turns),
        answered=conversation.answered,
        legs=conversation.legs,
        parties=conversation.parties,
        stage=conversation.stage,
        complete=conversation.complete,
        failed=conversation.failed,
        missing=conversation.missing,
        next=conversation.next,
        terms=conversation.terms,
        findings=conversation.findings,
        timeline=trace(conversation),
    )
