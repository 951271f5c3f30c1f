"""The routes of C2SP tlog-tiles, below the origin of a log: `<host>/log/<slug>`."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from auditlog.models import Log
from auditlog.tree import checkpoints, publication
from cablese.tlog.tile import BadTile, parse_path
from playground.rest import keys
from playground.tiles import bundles

TEXT, BYTES = "text/plain; charset=utf-8", "application/octet-stream"
YEAR = 31_536_000
_REFUSED = (
    "This log is not public. Sign in, or send a key with the scope read: "
    "Authorization: Bearer cbl_live_…"
)


@require_safe
def checkpoint(request: HttpRequest, log: str) -> HttpResponseBase:
    """Send the newest checkpoint of a log."""
    found, caching = _find(request, log)
    if found is None:
        return _refuse()
    newest = checkpoints.latest(found)
    if newest is None:
        return _miss("This log has no checkpoint yet.")
    return _send(request, newest.note.encode(), TEXT, f"{caching}, no-cache")


@require_safe
def tile(request: HttpRequest, log: str, place: str) -> HttpResponseBase:
    """Send a tile or an entry bundle, which never changes."""
    found, caching = _find(request, log)
    if found is None:
        return _refuse()
    try:
        data = bundles.read(found, parse_path(f"tile/{place}"))
    except BadTile as error:
        return _miss(str(error))
    if data is None:
        return _miss("No published checkpoint covers this tile.")
    return _send(request, data, BYTES, f"{caching}, max-age={YEAR}, immutable")


def _find(request: HttpRequest, slug: str) -> tuple[Log | None, str]:
    """Return a log, and who may cache it; None unless the caller may read it."""
    log = Log.objects.filter(slug=slug).first()
    if log is not None and publication.read(log).public:
        return log, "public"
    return (log if _may_read(request, slug) else None), "private"


def _may_read(request: HttpRequest, slug: str) -> bool:
    if keys.read_token(request) is None:
        return request.user.is_authenticated
    caller = keys.optional(request)
    return caller is not None and "read" in caller.scopes and caller.log in (None, slug)


def _send(request: HttpRequest, data: bytes, media: str, caching: str) -> HttpResponseBase:
    etag = f'"{sha256(data).hexdigest()}"'
    headers = {"ETag": etag, "Cache-Control": caching}
    response = HttpResponse(data, content_type=media, headers=headers)
    return get_conditional_response(request, etag=etag, response=response) or response


def _refuse() -> HttpResponse:
    """Answer alike for a log that is not public and one that does not exist."""
    headers = {"WWW-Authenticate": "Bearer", "Cache-Control": "no-store"}
    return HttpResponse(f"{_REFUSED}\n", status=401, content_type=TEXT, headers=headers)


def _miss(words: str) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(f"{words}\n", status=404, content_type=TEXT, headers=headers)
