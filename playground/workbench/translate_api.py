"""Translation: one message in another protocol, in English or as plain JSON. Nothing is kept."""

from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from ninja import Router

from cablese import tokens
from cablese.translation.ledger import Row
from cablese.translation.statement import Place
from cablese.translation.translate import ENGLISH, JSON, Return, get_targets, translate_text
from playground.rest.body import read_json, write_json
from playground.rest.choices import Dialect, ReadAs, Target, Tokenizers
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.rest.shapes import DEFAULT_TOKENIZERS, Text
from playground.rest.text import AUTO, check_text, check_tokenizers, name_protocol
from playground.workbench.translate import withhold

router = Router(tags=["Reading"])


class TranslateRequest(Struct, forbid_unknown_fields=True):
    """One message, and what it is wanted in."""

    wire: Text
    to: Target
    protocol: ReadAs = AUTO
    dialect: Dialect = None
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class Spending(Struct, frozen=True):
    """Tokens of the translation, and of what was translated."""

    count: int
    exact: bool
    source: int


class TranslateAnswer(Struct, frozen=True, rename={"back": "return"}):
    """The translation, a row for each thing that the message says, and the return trip as it was
    really made.

    ``refused`` says in words why there is no faithful form; then there is no ``wire``.
    """

    protocol: str
    to: str
    wire: str | None
    valid: bool
    ledger: tuple[Row, ...]
    added: tuple[Place, ...]
    back: Return | None
    refused: str | None
    tokens: dict[str, Spending]


@router.post(
    "/translate",
    summary="Translate messages",
    openapi_extra=described(
        body=TranslateRequest, answer=TranslateAnswer, problems=(400, 413, 422)
    ),
)
def translate(request: HttpRequest) -> HttpResponse:
    """Say a message in another protocol, and say what became of each of its terms and fields. A
    refusal is a result.
    """
    asked = read_json(request, TranslateRequest)
    check_text(asked.wire, "/wire")
    if asked.to not in get_targets():
        words = f'Unknown target "{asked.to}". Expected {", ".join(get_targets())}.'
        raise Problem(422, words, "/to")
    protocol = None if asked.protocol == AUTO else asked.protocol
    name_protocol(AUTO if protocol in (ENGLISH, JSON) else asked.protocol, asked.dialect)
    check_tokenizers(asked.tokenizers)
    made = withhold(translate_text(asked.wire, asked.to, protocol=protocol, dialect=asked.dialect))
    spent = (
        {}
        if made.wire is None
        else {name: _spent(made.wire, asked.wire, name) for name in asked.tokenizers}
    )
    answer = TranslateAnswer(
        protocol=made.protocol,
        to=made.to,
        wire=made.wire,
        valid=made.valid,
        ledger=made.ledger,
        added=made.added,
        back=made.back,
        refused=made.refused,
        tokens=spent,
    )
    return write_json(answer)


def _spent(wire: str, source: str, tokenizer: str) -> Spending:
    ours, theirs = tokens.count_batch([wire, source], tokenizer)
    return Spending(ours.count, ours.exact, theirs.count)
