"""Published token claims beside counts: open to everyone who can reach the server."""

from django.http import HttpRequest, HttpResponse
from ninja import Router

from cablese import tokens
from playground.rest.body import write_json
from playground.rest.choices import TokenizerParameter
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.tokens.claims import Claims, measure

router = Router(tags=["Reading"])


@router.get(
    "/claims",
    summary="List published claims",
    openapi_extra=described(answer=Claims, problems=(422,)),
)
def claims(request: HttpRequest, tokenizer: TokenizerParameter = "o200k_base") -> HttpResponse:
    """What sources claim to save, with the texts that can be counted again and what ``tokenizer``
    counts in them.
    """
    if tokenizer not in tokens.names():
        raise Problem(
            422, f"There is no such tokenizer; there are {', '.join(tokens.names())}.", "/tokenizer"
        )
    return write_json(measure(tokenizer))
