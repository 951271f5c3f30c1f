"""The types of the API: they check requests, write responses, and make the OpenAPI document."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from auditlog.erasure.find import ErasedPacket
from auditlog.findings.sensitive import Finding as Sensitive
from auditlog.log.packet import PacketRecord
from cablese.meaning import Meaning
from cablese.message import Diagnostic, Field, Piece, Rule, Span
from cablese.reference import Reference
from cablese.tokens import Piece as TokenPiece
from cablese.transcript import Ignored
from cablese.transcript.records.wrapper import Carrier
from playground.rest.choices import Dialect, NamedProtocol, Protocol, Tokenizers
from playground.rest.problems import ProblemBody

TEXT_LIMIT = 1024 * 1024
DEFAULT_TOKENIZERS = ("o200k_base", "cl100k_base")
EXAMPLE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
TWO_EXAMPLES = f"{EXAMPLE}\nACC/PLN|g=42,t=1"
Text = Annotated[str, Meta(description=f"At most {TEXT_LIMIT:,} characters.")]
MessageText = Annotated[Text, Meta(examples=[EXAMPLE])]
MessagesText = Annotated[Text, Meta(examples=[TWO_EXAMPLES])]


class DecodeRequest(Struct, forbid_unknown_fields=True):
    """Text with any number of messages."""

    text: MessagesText
    protocol: Protocol = "auto"
    dialect: Dialect = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class WireRequest(Struct, forbid_unknown_fields=True):
    """One message, and how to decode it."""

    wire: MessageText
    protocol: Protocol = "auto"
    dialect: Dialect = None


class EncodeRequest(Struct, forbid_unknown_fields=True):
    """Values in a protocol's own shape, as returned by decoding."""

    protocol: Annotated[NamedProtocol, Meta(examples=["nslip"])]
    values: Annotated[
        dict[str, Any],
        Meta(examples=[{"act": "REQ", "frame": "TSK", "slots": {"g": 42, "t": 1}}]),
    ]
    dialect: Dialect = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class TokensRequest(Struct, forbid_unknown_fields=True):
    """Texts to count."""

    texts: Annotated[list[Text], Meta(max_length=1000, examples=[[EXAMPLE]])]
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS
    pieces: bool = False


class Cost(Struct, frozen=True):
    """Token counts of the wire, its minified-JSON baseline, and its English description.

    ``wrapper`` counts the tokens around the messages if something else carried them.
    """

    count: int
    exact: bool
    json: int | None
    english: int
    wrapper: int | None = None


class LineFacts(Struct, frozen=True):
    """Metadata of a message from the text around it, as it would be stored; null if not stated.

    ``sent_text`` is the time as written. A time without a time zone is read as UTC, and
    ``sent_zone`` is then ``UTC``; it is null if the text states the zone.
    """

    sent_at: str | None
    sent_text: str | None
    sent_zone: str | None
    from_: str | None = field(name="from")
    to: str | None
    thread: str | None
    attributes: dict[str, Any]


class Decoded(Struct, frozen=True):
    """One message. Its ``span`` is in the text; every other span is in ``wire``, in code points.

    ``wire`` is the text at ``span``, with the escapes decoded if a JSON string carried it. The
    ``span`` of ``carrier`` is that of the whole wrapper. ``sensitive`` lists values that should be
    references, such as a data_ptr; they do not make the message invalid. ``facts`` is the metadata
    from its log line or record, or null.
    """

    protocol: str
    version: str
    span: Span
    wire: str
    carrier: Carrier | None
    facts: LineFacts | None
    valid: bool
    values: dict[str, Any]
    meaning: Meaning | None
    fields: tuple[Field, ...]
    diagnostics: tuple[Diagnostic, ...]
    sensitive: tuple[Sensitive, ...]
    canonical: str | None
    english: tuple[Piece, ...]
    tokens: dict[str, Cost]


class DecodeAnswer(Struct, frozen=True):
    """The messages of the text, and the fragments that are not messages.

    ``resembles`` is the protocol that an ignored fragment resembles, or null. To decode it as that
    protocol, send it again with ``protocol``.
    """

    messages: list[Decoded]
    ignored: tuple[Ignored, ...]


class Counted(Struct, frozen=True, omit_defaults=True):
    count: int
    exact: bool
    pieces: tuple[TokenPiece, ...] | UnsetType = UNSET


class EncodeAnswer(Struct, frozen=True):
    wire: str
    valid: bool
    diagnostics: tuple[Diagnostic, ...]
    tokens: dict[str, Counted]


class TokensAnswer(Struct, frozen=True):
    results: list[dict[str, Counted]]


class About(Struct, frozen=True):
    name: str
    title: str
    summary: str
    dialects: tuple[str, ...]
    form: Literal["line", "json"]
    fields: dict[str, str]
    diagnostics: tuple[Rule, ...]
    reference: Reference


class ProtocolsAnswer(Struct, frozen=True):
    protocols: list[About]
    tokenizers: list[str]


class ReceiptShape(Struct, frozen=True):
    """The result of one item: 201 stored or 200 duplicate, with its leaf; or an error."""

    item: int
    event_id: str | None
    status: int
    packet: str | UnsetType = UNSET
    log: str | UnsetType = UNSET
    leaf: int | UnsetType = UNSET
    leaf_hash: str | UnsetType = UNSET
    valid: bool | UnsetType = UNSET
    diagnostics: tuple[Diagnostic, ...] | UnsetType = UNSET
    error: dict[str, str] | UnsetType = UNSET
    span: Span | UnsetType = UNSET


class Receipts(Struct, frozen=True):
    """Receipts in the order of the items. For plain text, also the fragments that were ignored.

    ``resembles`` is the protocol that an ignored fragment resembles, or null.
    """

    results: list[ReceiptShape]
    ignored: list[Ignored] | UnsetType = UNSET
    ignored_more: int | UnsetType = UNSET


class RefusedBatch(ProblemBody, frozen=True):
    """A problem. If the body was read and no item was stored, ``results`` has the error of each."""

    results: list[ReceiptShape] | UnsetType = UNSET
    ignored: list[Ignored] | UnsetType = UNSET
    ignored_more: int | UnsetType = UNSET


class ErasedProblem(ProblemBody, frozen=True):
    """A problem about a packet that was erased, and what is known of it."""

    erased: ErasedPacket


class ContentSpent(Struct, frozen=True):
    """Token count of the task content in the metadata, with the packet's tokenizer."""

    count: int
    exact: bool


class PacketDetail(PacketRecord, frozen=True, kw_only=True):
    """A packet with its fields, decoded at the time of the request. ``sensitive`` lists values that
    should be references.

    ``content_tokens`` counts the task content in the metadata, which ``tokens`` does not include;
    null without content. ``review_steps`` are all steps of the review, undone ones too, oldest
    first.
    """

    values: dict[str, Any]
    fields: tuple[Field, ...]
    english: tuple[Piece, ...]
    sensitive: tuple[Sensitive, ...]
    content_tokens: ContentSpent | None
    review_steps: tuple[dict[str, Any], ...]


class Matches(Struct, frozen=True):
    """The number of matching packets. It is a minimum if not exact: there are more than 10,000, or
    counting took longer than 30 ms.
    """

    value: int
    exact: bool


class Found(Struct, frozen=True):
    """A page of packets, newest first, and the cursor of the next page.

    ``queries`` is present if ``q`` is a message: they find packets with its words, and packets with
    its meaning.
    """

    results: list[PacketRecord]
    next: str | None
    count: Matches
    queries: list[str] | UnsetType = UNSET
