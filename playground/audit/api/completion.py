"""Complete a query while it is typed."""

from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from ninja import Query, Router

from auditlog.search.completion.complete import MOST, complete
from auditlog.search.query import MAX_LENGTH
from cablese.message import Span
from playground.rest.body import write_json
from playground.rest.choices import LogParameter
from playground.rest.keys import Key, read_log, sender
from playground.rest.openapi import described

router = Router(tags=["Log"], auth=Key())


class Completion(Struct, frozen=True):
    """A suggestion. ``insert`` replaces the span. ``count`` is the number of packets, or null."""

    insert: str
    label: str
    detail: str
    count: int | None


class QueryProblem(Struct, frozen=True):
    """Why the query as it is cannot be answered. The span is in code points."""

    message: str
    suggestion: str | None
    span: Span


class Completions(Struct, frozen=True):
    """Suggestions, the best first, and the span that each replaces, in code points.

    Counts are estimates unless they are ``exact``.
    """

    span: Span
    completions: list[Completion]
    exact: bool
    problem: QueryProblem | None


@router.get(
    "/search/complete",
    summary="Complete a query",
    openapi_extra=described(answer=Completions, problems=(401, 403, 404, 422)),
    description=f"Return at most {MOST} suggestions for what is typed at ``caret``, a position "
    "in code points (default: the end of the query). Example: ``act:re``.",
)
def complete_query(
    request: HttpRequest,
    q: Annotated[str, Query(max_length=MAX_LENGTH)] = "",
    caret: Annotated[int | None, Query(ge=0)] = None,
    log: LogParameter | None = None,
) -> HttpResponse:
    found = complete(
        read_log(request, sender(request, "read"), log),
        q,
        len(q) if caret is None else caret,
        now=datetime.now(UTC),
    )
    problem = found.problem
    return write_json(
        Completions(
            found.span,
            [Completion(one.insert, one.label, one.detail, one.count) for one in found.items],
            found.exact,
            None
            if problem is None
            else QueryProblem(problem.message, problem.suggestion, problem.span),
        )
    )
