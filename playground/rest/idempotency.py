"""`Idempotency-Key`: the header that makes it safe to send a request that stores packets again."""

import json
import re
from hashlib import sha256

from django.http import HttpRequest, HttpResponse

from auditlog.ingest.body import STREAM_LIMIT
from auditlog.ingest.repeats import idempotency
from auditlog.sender import Sender
from playground.rest.body import drain
from playground.rest.problems import Problem

REPLAYED = "Idempotency-Replayed"
REPEATED = "cablese.repeated"
"""In the environ of a request: the headers that were sent more than once. The server joins their
values with commas, which a key may contain.
"""
_HEADER = "HTTP_IDEMPOTENCY_KEY"
_VALUE = re.compile(r"[\x20-\x7e]{1,255}")


def begin(request: HttpRequest, sender: Sender) -> idempotency.Attempt | None:
    """Return the attempt of a request with a key; None without a key. Raises Problem 400, Reused,
    and Running.
    """
    # As a parameter of the operation, it would cost every request without the header 5% more time.
    value = request.META.get(_HEADER)
    if value is None:
        return None
    if _HEADER in request.META.get(REPEATED, ()):
        raise Problem(400, "The header Idempotency-Key is given more than once. Send one key.")
    if not _VALUE.fullmatch(value):
        raise Problem(400, "Idempotency-Key must be 1 to 255 printable ASCII characters.")
    assert sender.key_id is not None, "a request of the API is authenticated by a key"
    try:
        return idempotency.begin(key_id=sender.key_id, value=value, request=_digest(request))
    except (idempotency.Reused, idempotency.Running):
        # Many clients read the response only after they have sent all of the body.
        drain(request, STREAM_LIMIT)
        raise


def marked(response: HttpResponse, attempt: idempotency.Attempt | None) -> HttpResponse:
    """Return the response, with a header if an earlier request stored all of it."""
    if attempt is not None and attempt.replayed:
        response.headers[REPLAYED] = "true"
    return response


def _digest(request: HttpRequest) -> bytes:
    """Hash what must be the same in addition to the body: path, query, and media type."""
    named = (
        request.method,
        request.path,
        sorted(request.GET.lists()),
        (request.content_type or "").lower(),
    )
    return sha256(json.dumps(named).encode()).digest()
