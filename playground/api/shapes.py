"""What the API takes and gives, as types: they check requests, write answers, and are the OpenAPI document."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from auditlog.tokens import Piece as TokenPiece
from protocols.meaning import Meaning
from protocols.message import Diagnostic, Field, Piece, Rule, Span
from protocols.transcript import Ignored

TEXT_LIMIT = 1024 * 1024
DEFAULT_TOKENIZERS = ("o200k_base", "cl100k_base")
Text = Annotated[str, Meta(description=f"At most {TEXT_LIMIT:,} characters.")]
Protocol = Annotated[str, Meta(description="A protocol's name, or auto.")]
Tokenizers = Annotated[tuple[str, ...], Meta(max_length=20)]


class DecodeRequest(Struct, forbid_unknown_fields=True):
    """A text that holds any number of messages."""

    text: Text
    protocol: Protocol = "auto"
    dialect: str | None = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class EncodeRequest(Struct, forbid_unknown_fields=True):
    """Values in a protocol's own shape, as decoding gives them."""

    protocol: str
    values: dict[str, Any]
    dialect: str | None = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class TokensRequest(Struct, forbid_unknown_fields=True):
    """Texts to count."""

    texts: Annotated[list[Text], Meta(max_length=1000)]
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS
    pieces: bool = False


class Cost(Struct, frozen=True):
    """Tokens of the wire, of its minified-JSON baseline and of its description in English."""

    count: int
    exact: bool
    json: int | None
    english: int


class Decoded(Struct, frozen=True):
    """One message. ``span`` is its place in the text; every other span is a place in ``wire``, in code points."""

    protocol: str
    version: str
    span: Span
    wire: str
    valid: bool
    values: dict[str, Any]
    meaning: Meaning | None
    fields: tuple[Field, ...]
    diagnostics: tuple[Diagnostic, ...]
    canonical: str | None
    english: tuple[Piece, ...]
    tokens: dict[str, Cost]


class DecodeAnswer(Struct, frozen=True):
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


class ProtocolsAnswer(Struct, frozen=True):
    protocols: list[About]
    tokenizers: list[str]
