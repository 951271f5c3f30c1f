"""List, save, and delete saved searches. Every operation requires a key."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from msgspec import Meta, Struct
from ninja import Router

from auditlog.models import SavedSearch
from auditlog.search.query import MAX_LENGTH
from auditlog.search.saved import searches
from auditlog.search.saved.models import NAME_LIMIT
from auditlog.search.saved.searches import BadSearch, Content, NoSuchSearch
from cablese.text import quote
from playground.audit.searches import listing
from playground.audit.table.columns import COLUMNS
from playground.http import security_events
from playground.rest.body import read_json, write_json
from playground.rest.choices import LogParameter, one_of
from playground.rest.keys import Key, read_log, sender
from playground.rest.openapi import described
from playground.rest.problems import Problem

router = Router(tags=["Log"], auth=Key())
ColumnName = Annotated[str, one_of([column.name for column in COLUMNS])]


class SearchRequest(Struct, forbid_unknown_fields=True):
    """A search to save. With ``at``, it is pinned to that many leaves."""

    name: Annotated[str, Meta(description=f"1 to {NAME_LIMIT} characters, unique in the log.")]
    q: Annotated[str, Meta(description=f"At most {MAX_LENGTH:,} characters.")] = ""
    columns: Annotated[tuple[ColumnName, ...], Meta(max_length=len(COLUMNS))] = ()
    at: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None


class SearchShape(Struct, frozen=True):
    """A saved search. ``url`` is the address of its page, and ``owner`` the person or the source of
    the key that saved it.
    """

    id: str
    log: str
    name: str
    q: str
    columns: tuple[str, ...]
    at: int | None
    owner: str
    created: datetime
    updated: datetime
    url: str


class SearchesAnswer(Struct, frozen=True):
    """The saved searches of a log by name."""

    searches: list[SearchShape]


@router.get(
    "/searches",
    summary="List saved searches",
    openapi_extra=described(answer=SearchesAnswer, problems=(401, 403, 404, 422)),
)
def list_searches(request: HttpRequest, log: LogParameter | None = None) -> HttpResponse:
    """Return the saved searches of a log."""
    found = read_log(request, sender(request, "read"), log)
    return write_json(SearchesAnswer([_shape(one) for one in searches.list_searches(found)]))


@router.post(
    "/searches",
    summary="Create a saved search",
    openapi_extra=described(
        body=SearchRequest,
        answer=SearchShape,
        statuses=(201,),
        problems=(400, 401, 403, 404, 413, 422),
    ),
)
def save_search(request: HttpRequest, log: LogParameter | None = None) -> HttpResponse:
    """Save a search for everyone who can read the log. Requires the scope admin."""
    by = sender(request, "admin")
    found = read_log(request, by, log)
    body = read_json(request, SearchRequest)
    for at, name in enumerate(body.columns):
        if name not in _NAMES:
            detail = f"Unknown column {quote(name)}. Expected {', '.join(_NAMES)}."
            raise Problem(422, detail, f"/columns/{at}")
    content = Content(body.q, body.columns, body.at)
    try:
        search = searches.save(log=found, name=body.name, content=content, key=by.key_id)
    except BadSearch as bad:
        raise Problem(422, str(bad), f"/{bad.part}") from None
    security_events.change_search(request, "search.saved", log=found.slug, search=search.uid)
    return write_json(_shape(searches.get(found, search.uid)), 201)


@router.delete(
    "/searches/{uid:uid}",
    summary="Delete a saved search",
    openapi_extra=described(answer=SearchShape, problems=(401, 403, 404, 422)),
)
def delete_search(request: HttpRequest, uid: UUID, log: LogParameter | None = None) -> HttpResponse:
    """Delete a saved search, and return what it was. Requires the scope admin."""
    found = read_log(request, sender(request, "admin"), log)
    try:
        search = searches.get(found, str(uid))
    except NoSuchSearch:
        raise Problem(404, "Unknown saved search.", "/id") from None
    was = _shape(search)
    searches.delete(search)
    security_events.change_search(request, "search.deleted", log=found.slug, search=was.id)
    return write_json(was)


_NAMES = tuple(column.name for column in COLUMNS)


def _shape(search: SavedSearch) -> SearchShape:
    return SearchShape(
        id=search.uid,
        log=search.log.slug,
        name=search.name,
        q=search.query,
        columns=tuple(search.columns.split()),
        at=search.size,
        owner=listing.name_owner(search),
        created=search.created,
        updated=search.updated,
        url=f"{reverse('audit')}?{listing.write(search)}",
    )
