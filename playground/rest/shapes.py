"""What the API takes and gives, as types: they check requests, write answers, and are the OpenAPI
document.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from auditlog.sensitive import Finding as Sensitive
from cablese.meaning import Meaning
from cablese.message import Diagnostic, Field, Piece, Rule, Span
from cablese.reference import Reference
from cablese.tokens import Piece as TokenPiece
from cablese.transcript import Ignored
from cablese.transcript.records.wrapper import Carrier
from playground.rest.choices import Dialect, OneProtocol, Protocol, Tokenizers
from playground.rest.problems import ProblemBody

TEXT_LIMIT = 1024 * 1024
DEFAULT_TOKENIZERS = ("o200k_base", "cl100k_base")
Text = Annotated[str, Meta(description=f"At most {TEXT_LIMIT:,} characters.")]


class DecodeRequest(Struct, forbid_unknown_fields=True):
    """A text that holds any number of messages."""

    text: Text
    protocol: Protocol = "auto"
    dialect: Dialect = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class EncodeRequest(Struct, forbid_unknown_fields=True):
    """Values in a protocol's own shape, as decoding gives them."""

    protocol: OneProtocol
    values: dict[str, Any]
    dialect: Dialect = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class TokensRequest(Struct, forbid_unknown_fields=True):
    """Texts to count."""

    texts: Annotated[list[Text], Meta(max_length=1000)]
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS
    pieces: bool = False


class Cost(Struct, frozen=True):
    """Tokens of the wire, of its minified-JSON baseline and of its description in English.

    ``wrapper`` is what stands around it where it was carried in something else, all messages in
    there taken out.
    """

    count: int
    exact: bool
    json: int | None
    english: int
    wrapper: int | None = None


class LineFacts(Struct, frozen=True):
    """What the text around a message says about it, as it would be stored: null where it says
    nothing.

    ``sent_text`` is the time as written. A time without a time zone is read as UTC, and
    ``sent_zone`` then is ``UTC``; it is null when the text gives the zone.
    """

    sent_at: str | None
    sent_text: str | None
    sent_zone: str | None
    from_: str | None = field(name="from")
    to: str | None
    thread: str | None
    attributes: dict[str, Any]


class Decoded(Struct, frozen=True):
    """One message. ``span`` is its place in the text; every other span is a place in ``wire``, in
    code points.

    ``wire`` is the text at ``span``. Only where it was carried in a JSON string with escapes,
    ``span`` holds the escapes and ``wire`` what they stand for. ``span`` of the ``carrier`` is the
    place of the whole wrapper. ``sensitive`` are values that should be references, such as a
    data_ptr; a message is valid all the same. ``facts`` are what its log line or record says about
    it; null when it says nothing.
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

    ``resembles`` names the protocol that an ignored fragment resembles, or is null. To read it as
    that protocol, send it again with ``protocol``.
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
    """What became of one item: 201 appended, 200 there before, with its place in the log; or why it
    was not kept.
    """

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
    """Receipts in the order of the items. Plain text also says what it held that is no message.

    ``resembles`` names the protocol that an ignored fragment resembles, or is null.
    """

    results: list[ReceiptShape]
    ignored: list[Ignored] | UnsetType = UNSET
    ignored_more: int | UnsetType = UNSET


class RefusedBatch(ProblemBody, frozen=True):
    """A problem. When the body was read and none of its items was stored, ``results`` says why each
    was refused.
    """

    results: list[ReceiptShape] | UnsetType = UNSET
    ignored: list[Ignored] | UnsetType = UNSET
    ignored_more: int | UnsetType = UNSET


class Spent(Struct, frozen=True):
    """Tokens of a packet and of its JSON baseline, as counted when it was received."""

    tokenizer: str
    count: int
    json: int | None


class Repeated(Struct, frozen=True):
    """How many packets of the log have these very bytes, at least so many when not exact, and the
    ID of the first.
    """

    count: int
    exact: bool
    first: str


class PacketRecord(Struct, frozen=True):
    """A packet as it was received. ``wire_base64`` is there when its bytes are not UTF-8.

    ``repeats`` is null for a packet whose bytes were received once; otherwise it may be a replay.
    ``damaged`` says what cannot be read because the database is damaged; it is empty otherwise.
    ``leaf_hash`` is null if the leaf is missing.
    """

    id: str
    log: str
    leaf: int
    leaf_hash: str | None
    received: str
    sent_at: str | None
    event_id: str | None
    source: str
    protocol: str
    version: str
    wire: str
    valid: bool
    canonical: str | None
    meaning: dict[str, Any]
    supplied: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...]
    tokens: Spent
    review: dict[str, Any] | None
    repeats: Repeated | None
    damaged: tuple[str, ...]
    wire_base64: str | UnsetType = UNSET


class ContentSpent(Struct, frozen=True):
    """Tokens of the task content that came beside a packet, by the packet's tokenizer."""

    count: int
    exact: bool


class PacketDetail(PacketRecord, frozen=True, kw_only=True):
    """A packet with what it says, decoded when it is asked for. ``sensitive`` are values that
    should be references.

    ``content_tokens`` are those of the task content that was supplied beside it, which ``tokens``
    does not hold; null without content.
    """

    values: dict[str, Any]
    fields: tuple[Field, ...]
    english: tuple[Piece, ...]
    sensitive: tuple[Sensitive, ...]
    content_tokens: ContentSpent | None


class Matches(Struct, frozen=True):
    """How many packets match; at least so many when not exact."""

    value: int
    exact: bool


class Found(Struct, frozen=True):
    """A page of packets, newest first, and the cursor of the next page."""

    results: list[PacketRecord]
    next: str | None
    count: Matches
