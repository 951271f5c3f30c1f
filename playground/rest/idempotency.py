"""`Idempotency-Key`: the header of a request that stores packets, and of its answer when it was
sent before.
"""

import json
import re
from contextlib import suppress
from hashlib import sha256

from django.http import HttpRequest, HttpResponse

from auditlog.access import Sender
from auditlog.ingest import idempotency
from auditlog.ingest.body import STREAM_LIMIT, BadBody
from auditlog.ingest.idempotency import Attempt, Reused, Running
from playground.rest.body import blocks
from playground.rest.problems import Problem

REPLAYED = "Idempotency-Replayed"
_VALUE = re.compile(r"[\x20-\x7e]{1,255}")


def begin(request: HttpRequest, sender: Sender) -> Attempt | None:
    """The attempt that a request with a key makes; None without a key. Raises Problem 400, Reused,
    and Running.
    """
    # A parameter of the operation would cost each request without the header a twentieth of its
    # time.
    value = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if value is None:
        return None
    if not _VALUE.fullmatch(value):
        raise Problem(400, "Idempotency-Key must be 1 to 255 printable ASCII characters.")
    assert sender.key_id is not None, "a request of the API is authenticated by a key"
    try:
        return idempotency.begin(key_id=sender.key_id, value=value, request=_digest(request))
    except (Reused, Running):
        _drain(request)
        raise


def marked(response: HttpResponse, attempt: Attempt | None) -> HttpResponse:
    """The response; with a header when all of it was stored by an earlier request."""
    if attempt is not None and attempt.replayed:
        response.headers[REPLAYED] = "true"
    return response


def _drain(request: HttpRequest) -> None:
    """Read the body to its end: many clients look for an answer only when they have sent
    all of it.
    """
    with suppress(BadBody):
        for _ in blocks(request, STREAM_LIMIT):
            pass


def _digest(request: HttpRequest) -> bytes:
    """What must be the same beside the body: path, query, and media type."""
    named = (
        request.method,
        request.path,
        sorted(request.GET.lists()),
        (request.content_type or "").lower(),
    )
    return sha256(json.dumps(named).encode()).digest()
