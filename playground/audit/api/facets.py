"""Count what a search finds, by value and over time."""

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from ninja import Router

from auditlog.search.facets.count import count
from auditlog.search.facets.shapes import Facets
from auditlog.search.saved import pin
from playground.rest.body import write_json
from playground.rest.choices import LogParameter, SizeParameter
from playground.rest.keys import Key, read_log, sender
from playground.rest.openapi import described

router = Router(tags=["Log"], auth=Key())


@router.get(
    "/search/facets",
    summary="Count packets by value and time",
    openapi_extra=described(answer=Facets, problems=(401, 403, 404, 422)),
)
def count_facets(
    request: HttpRequest,
    q: str = "",
    log: LogParameter | None = None,
    at: SizeParameter | None = None,
) -> HttpResponse:
    """Count the newest 10,000 packets that match a query, by protocol, validity, act, sender,
    recipient, source, tag, and finding, and over time. A ``key`` with a value is a field of a
    query, such as ``act:request``. Counting ends within 0.2 s; if not ``exact``, every count is a
    minimum.
    """
    found = read_log(request, sender(request, "read"), log)
    held = None if at is None else pin.read(found, at)
    if held is None:
        return write_json(count(found, q, now=datetime.now(UTC)))
    return write_json(count(found, q, now=held.received, size=held.size))
