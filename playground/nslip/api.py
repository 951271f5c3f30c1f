"""Serve nSLIP training examples, open to everyone. Nothing is stored."""

from typing import Annotated

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from cablese.protocols.nslip.training.examples import (
    ROLES,
    SEED_LIMIT,
    Example,
    make_examples,
    write_lines,
)
from cablese.text import quote
from playground.http import streaming
from playground.nslip.forms import TRAINING_LIMIT
from playground.rest.choices import RolesParameter
from playground.rest.openapi import described
from playground.rest.problems import Problem

ALL_ROLES = ",".join(ROLES)
router = Router(tags=["nSLIP"])


@router.get(
    "/training",
    summary="Get training examples",
    openapi_extra=described(answer=Example, written=streaming.NDJSON, problems=(422, 503)),
)
def training(
    request: HttpRequest,
    count: Annotated[int, Query(ge=1, le=TRAINING_LIMIT)] = 1_000,
    seed: Annotated[int, Query(ge=0, le=SEED_LIMIT)] = 0,
    roles: RolesParameter = ALL_ROLES,
) -> StreamingHttpResponse:
    """Return prompts and the messages that answer them, one per line. The same seed always gives
    the same bytes.
    """
    chosen = list(dict.fromkeys(roles.split(",")))
    if strange := [role for role in chosen if role not in ROLES]:
        detail = f"Unknown role {quote(strange[0])}. Expected {', '.join(ROLES)}."
        raise Problem(422, detail, "/roles")
    return streaming.respond(
        request,
        streaming.in_blocks(write_lines(make_examples(seed, count, chosen))),
        streaming.NDJSON,
    )
