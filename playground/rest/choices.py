"""Names in requests, such as protocols and tokenizers, as enumerations of the OpenAPI document.

The document only lists them. Each name is checked where it is used, with a message and a pointer.
"""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta
from pydantic import Field as Parameter

from cablese import registry, tokens
from cablese.protocols.nslip.training.examples import ROLES
from cablese.translation.translate import ENGLISH, JSON, get_targets

AUTO = "auto"
PROTOCOLS = tuple(codec.name for codec in registry.all_codecs())
DIALECTS = tuple(dialect for codec in registry.all_codecs() for dialect in codec.dialects)


def one_of(names: Iterable[str], description: str = "") -> Meta:
    """Return the schema of a field whose value is one of ``names``."""
    return Meta(description=description or None, extra_json_schema={"enum": list(names)})


Protocol = Annotated[str, one_of([AUTO, *PROTOCOLS], "A protocol's name, or auto.")]
NamedProtocol = Annotated[str, one_of(PROTOCOLS, "A protocol's name.")]
ReadAs = Annotated[
    str, one_of([AUTO, *PROTOCOLS, ENGLISH, JSON], "A protocol's name, english, json, or auto.")
]
Target = Annotated[
    str, one_of(get_targets(), "A protocol's name, english, or json for plain JSON.")
]
Dialect = Annotated[str, one_of(DIALECTS, "A version of the protocol.")] | None
NlipDialect = Annotated[str, one_of(registry.get("nlip").dialects, "A version of NLIP.")] | None
Tokenizer = Annotated[str, one_of(tokens.names(), "The name of a tokenizer.")]
Tokenizers = Annotated[tuple[Tokenizer, ...], Meta(max_length=20)]

# The same for query parameters, which pydantic describes.
ProtocolParameter = Annotated[str, Parameter(json_schema_extra={"enum": [AUTO, *PROTOCOLS]})]
TokenizerParameter = Annotated[str, Parameter(json_schema_extra={"enum": list(tokens.names())})]
LogParameter = Annotated[str, Parameter(pattern="^[a-z0-9-]{1,40}$")]
SizeParameter = Annotated[
    int,
    Parameter(
        ge=1,
        le=2**53 - 1,
        description="Pins the search to this many leaves of the log: the response is always what "
        "it was when the log had that size. Relative times count from the receive time of the last "
        "of these leaves, and later review steps are ignored. Findings can still change, because "
        "newer detectors make them again.",
    ),
]
_ROLE = "|".join(ROLES)
RolesParameter = Annotated[
    str,
    Parameter(
        json_schema_extra={"pattern": f"^({_ROLE})(,({_ROLE}))*$"},
        description="Separated by commas.",
    ),
]
