"""Support the NLIP server agent: senders, our tokens, and stored exchanges.

No state is stored between two messages. Our conversation token holds the state of a conversation
and our signature; upload addresses are signed in the same way.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from secrets import token_hex

from django.conf import settings
from django.core import signing
from msgspec import structs

from auditlog import access
from auditlog.ingest import zones
from auditlog.ingest.body import Piece
from auditlog.ingest.item import WIRE_LIMIT, Item, Refusal
from auditlog.ingest.logged import to_item
from auditlog.ingest.receive import Receipt, Rejection, keep, receive
from auditlog.log.draft import DEFAULT_LOG, TOKENIZER
from auditlog.sender import Sender
from auditlog.text import from_bytes
from cablese import amount, detection, registry, tokens
from cablese.codec import JSON_LIMIT
from cablese.message import Message
from cablese.protocols.nlip.exchange import agent
from cablese.protocols.nlip.exchange.asks import asks_for_authentication
from cablese.protocols.nlip.formats import CONVERSATION, DEFAULT
from cablese.protocols.nlip.parts import authentication
from cablese.protocols.nlip.parts import tokens as tokens_of
from cablese.transcript import split
from playground.http import wanted
from playground.http.throttle import BURST, PACE
from playground.nlip.censor import TAG, clean_item, remove_secrets

UPLOAD_LIFE = 15 * 60
"""Seconds for which an upload address is valid."""
ANONYMOUS = "nlip"
UPLOAD_LIMIT = WIRE_LIMIT
"""Bytes of one upload: an upload without messages is stored as one packet."""
PART_LIMIT = 100_000
PACKETS_PER_COMMIT = 500
"""Packets per commit."""
POLICY = (
    f"Messages are limited to {JSON_LIMIT:,} bytes. To send more, request an upload address in a"
    f" control message; it accepts {UPLOAD_LIMIT:,} bytes for {UPLOAD_LIFE // 60} minutes. Without"
    f" authentication, the limit is {BURST} requests at once, then {PACE:g} per second."
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Conversation:
    """The content of our token: the ID, whether we requested authentication, and whether the client
    did.
    """

    id: str
    asked: bool = False
    shows: bool = False

    @property
    def token(self) -> str:
        return _signer("conversation").sign_object([self.id, self.asked, self.shows])


@dataclass(frozen=True)
class Request:
    """A message without its secrets, and the secrets."""

    message: Message
    secrets: tuple[str, ...]
    censored: bool


@dataclass(frozen=True)
class Upload:
    """The content of an upload address: its ID, its conversation, the key of its owner, and the
    dialect.
    """

    id: str
    conversation: str
    key_id: str | None
    dialect: str = DEFAULT

    @property
    def token(self) -> str:
        return _signer("upload").sign_object(
            [self.id, self.conversation, self.key_id, self.dialect]
        )


class Expired(Exception):
    """Report an upload address that is not ours or has expired."""


def read(body: bytes, dialect: str) -> Request:
    """Return a body as a message. Its secrets are removed first."""
    return read_text(from_bytes(body), dialect)


def read_text(wire: str, dialect: str) -> Request:
    """Return a text as a message without its secrets."""
    codec = registry.get("nlip")
    message = codec.decode(wire, dialect=dialect)
    wire = remove_secrets(wire)
    secrets = tuple(part.text for part in authentication(message.values))
    return Request(codec.decode(wire, dialect=dialect), secrets, wire != message.wire)


def conversation_of(message: Message) -> Conversation | None:
    """Return the conversation that our token in a message names: the last one of several."""
    named = [_conversation(token.text) for token in tokens_of(message.values, (CONVERSATION,))]
    return next((conversation for conversation in reversed(named) if conversation), None)


def answer(
    request: Request, *, sender: Sender | None, refused: bool, upload: str, host: str
) -> tuple[agent.Answer, str]:
    """Return the answer to a request, and the conversation ID. ``upload`` is an upload address
    without its token.
    """
    message = request.message
    before = conversation_of(message)
    now = before or Conversation(token_hex(12))
    demanded = now.asked and sender is None
    if refused or demanded:
        now = replace(now, asked=True)
    address = Upload(token_hex(12), now.id, sender.key_id if sender else None, message.dialect)
    facts = structs.replace(
        _facts(message, now, host),
        upload=f"{upload}{address.token}{asking(message.dialect)}",
        sender=sender.source if sender else None,
        refused=refused,
        demanded=demanded,
        log=log_of(sender),
        policy=POLICY,
    )
    return agent.answer(message, facts), now.id


def refuse(reason: str, request: Request, *, host: str) -> agent.Answer:
    """Return an error for a request that was read, with the tokens that it must return, in its
    conversation.
    """
    message = request.message
    before = conversation_of(message)
    facts = _facts(message, before or Conversation(token_hex(12)), host)
    if before is None and not facts.proof:
        facts = structs.replace(facts, conversation="")
    return agent.refuse_message(reason, message, facts)


def _facts(message: Message, now: Conversation, host: str) -> agent.Facts:
    """Return the facts for an answer: our tokens, and our authentication token if requested."""
    if asks_for_authentication(message.values):
        now = replace(now, shows=True)
    return agent.Facts(
        count=count,
        conversation=now.token,
        upload="",
        proof=_signer("proof").sign_object([host, now.id]) if now.shows else "",
        own=frozenset(
            token.text
            for token in tokens_of(message.values, (CONVERSATION,))
            if _conversation(token.text)
        ),
        dialect=message.dialect,
    )


def asking(dialect: str) -> str:
    """Return the query of our address for a dialect."""
    return "" if dialect == DEFAULT else f"?dialect={dialect}"


def log_of(sender: Sender | None) -> str:
    """Return the log for exchanges with a sender, empty if they are not stored."""
    if sender is None:
        return settings.NLIP_LOG
    return (sender.log or DEFAULT_LOG) if "ingest" in sender.scopes else ""


def store_exchange(request: Request, answered: str, *, sender: Sender | None, thread: str) -> None:
    """Store both sides if exchanges with this sender are stored. Raises Unavailable."""
    source = sender.source if sender else None
    tags = [TAG] if request.censored else None
    _store(
        [
            Item(
                request.message.wire,
                protocol="nlip",
                from_=source,
                to=agent.IDENTITY,
                thread=thread,
                tags=tags,
            ),
            clean_item(
                Item(answered, protocol="nlip", from_=agent.IDENTITY, to=source, thread=thread)
            ),
        ],
        sender=sender,
    )


def open_upload(token: str) -> Upload:
    """Return the content of an upload address. Raises Expired."""
    try:
        return Upload(*_signer("upload").unsign_object(token, max_age=UPLOAD_LIFE))
    except (signing.BadSignature, TypeError, ValueError):
        raise Expired from None


def take_upload(upload: Upload, body: bytes) -> str:
    """Read an upload, store it for the owner of the address, and answer. Raises Unavailable.

    Its messages are stored one by one without their secrets, or the whole upload if it has none.
    Repeating it changes nothing.
    """
    text = from_bytes(body)
    transcript = split(text, most=PART_LIMIT, check=wanted.check)
    cuts = transcript.messages
    report = f"{amount.count(len(body), 'byte')} received."
    sender = access.holder(upload.key_id) if upload.key_id else None
    if sender is not None and log_of(sender):
        received = datetime.now(UTC)
        items = [to_item(cut, received=received, zone=zones.UTC) for cut in cuts]
        stored = _store_upload(upload, items or [Item(text)], sender)
        report += f" {amount.count(stored, 'packet is', 'packets are')} stored"
        report += f" in the log {log_of(sender)}."
    if len(cuts) + len(transcript.ignored) >= PART_LIMIT:
        report += f" Only the first {PART_LIMIT:,} lines were read."
    messages = [
        detection.decode(remove_secrets(cut.wire), cut.protocol) for cut in cuts[: agent.LISTED]
    ]
    facts = agent.Facts(
        count=count,
        conversation=Conversation(upload.conversation).token,
        upload="",
        dialect=upload.dialect,
    )
    return agent.tell(messages, facts, text=report, more=len(cuts) - len(messages))


def _store_upload(upload: Upload, items: list[Item], sender: Sender) -> int:
    """Store an upload and return the number of its packets in the log, including earlier ones.

    The sender is the uploader unless the lines name others.
    """
    named = [
        item
        if item.from_ or item.to
        else structs.replace(item, from_=sender.source, to=agent.IDENTITY)
        for item in map(clean_item, items)
    ]
    numbered: list[Item | Refusal] = [
        structs.replace(
            item, event_id=f"nlip-{upload.id}-{at}", thread=item.thread or upload.conversation
        )
        for at, item in enumerate(named)
    ]
    pieces = (
        Piece(numbered[at : at + PACKETS_PER_COMMIT])
        for at in range(0, len(numbered), PACKETS_PER_COMMIT)
    )
    return sum(isinstance(result, Receipt) for result in receive(pieces, sender=sender))


def count(texts: Sequence[str]) -> list[int]:
    return [result.count for result in tokens.count_batch(list(texts), TOKENIZER)]


def _store(items: list[Item], *, sender: Sender | None) -> None:
    log = log_of(sender)
    if not log:
        return
    receipts = keep(items, sender=sender or replace(access.anonymous(ANONYMOUS), log=log))
    for receipt in receipts:
        if isinstance(receipt, Rejection):
            logger.error(
                "an NLIP exchange was not stored in the log %s: %s", log, receipt.error.detail
            )


def _conversation(content: str) -> Conversation | None:
    try:
        id_, asked, shows = _signer("conversation").unsign_object(content)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    return Conversation(id_, asked, shows)


def _signer(purpose: str) -> signing.Signer:
    """Return a signer for one purpose. Upload addresses carry a time; conversation tokens stay the
    same.
    """
    kind = signing.TimestampSigner if purpose == "upload" else signing.Signer
    return kind(salt=f"cablese.nlip.{purpose}")
