"""Export evidence of the packets that a query finds."""

from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router

from auditlog.evidence import selection
from auditlog.evidence.pack import Pack
from auditlog.evidence.selection import KINDS
from auditlog.evidence.signed import NoCheckpoint, NoCheckpointYet, find_signed
from auditlog.proofs.inclusion import SOON
from playground.http import streaming
from playground.rest.choices import LogParameter, SizeParameter
from playground.rest.keys import Key, read_log, sender, while_valid
from playground.rest.openapi import described
from playground.rest.problems import NotYet, Problem

router = Router(tags=["Log"], auth=Key())

_HEADERS = {
    "Cablese-Log-Size": {
        "description": "The size of the log that the search is pinned to, for `at`.",
        "schema": {"type": "integer", "minimum": 1},
    },
}
_KIND = "|".join(KINDS)
Withheld = Annotated[
    str,
    Query(
        pattern=f"^({_KIND})(,({_KIND}))*$",
        max_length=100,
        description="What to leave out of the pack, separated by commas.",
    ),
]


@router.get(
    "/evidence",
    summary="Export evidence",
    openapi_extra=described(
        answer=bytes,
        written="application/zip",
        headers=_HEADERS,
        problems=(401, 403, 404, 422, 503),
    ),
)
def export_evidence(
    request: HttpRequest,
    q: str = "",
    log: LogParameter | None = None,
    at: SizeParameter | None = None,
    withhold: Withheld | None = None,
) -> StreamingHttpResponse:
    """Return an evidence pack of all matching packets: a zip that proves that they are in the log
    and unchanged, for `cablese-verify`. ``at`` pins the search to a size of the log. ``withhold``
    leaves out content, separated by commas: `raw`, `index` (meaning and metadata), `reading`,
    `event`, or `by`.
    """
    by = sender(request, "export")
    withheld = withhold.split(",") if withhold else ()
    chosen = selection.begin(read_log(request, by, log), q.strip(), at=at, withheld=withheld)
    try:
        signed = find_signed(chosen)
    except NoCheckpointYet as error:
        raise NotYet(str(error), wait=SOON) from None
    except NoCheckpoint as error:
        raise Problem(503, str(error)) from None
    pack = Pack(chosen, signed, datetime.now(UTC), by.source)
    blocks = while_valid(by, pack.write())
    answer = streaming.respond(request, blocks, "application/zip", name=pack.name)
    answer.headers["Cablese-Log-Size"] = str(chosen.at)
    return answer
