"""What is shown when there is no page: one template and one table of words.

A failure of ours gets a template of its own that needs nothing, since what failed may be what the
other pages stand on.
"""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from playground.accounts.rights import NotAdministrator
from playground.health import failures, outage
from playground.http import security_events

_WORDS = {
    400: ("This request cannot be read", "Something in it is not what this page expects."),
    403: (
        "Not allowed",
        "You may not see or do this. If a form brought you here, go back, reload and send it again.",
    ),
    404: ("No such page", "There is nothing at this address."),
    413: (
        "Too large",
        "More was sent at once than one form may carry. A whole log can be imported as a file.",
    ),
    503: ("Not available right now", ""),
    500: (
        "Something went wrong",
        "This failure is ours. The log of this installation has the reason.",
    ),
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403, str(exception) if isinstance(exception, NotAdministrator) else None)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    security_events.record_stranger(request, "form.refused", route=security_events.route(request))
    return _page(request, 403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """A fault of the database, which passes, or a failure of ours."""
    found = outage.find(failures.of(request), request.method)
    status = 503 if found else 500
    title, words = _WORDS[status]
    context = {
        "status": status,
        "title": title,
        "words": found or words,
        "id": failures.identify(request),
    }
    response = render(request, "server_error.html", context, status=status)
    if found:
        response.headers["Retry-After"] = str(found.retry_after)
    return response


def _page(request: HttpRequest, status: int, reason: str | None = None) -> HttpResponse:
    title, words = _WORDS[status]
    return render(
        request,
        "error.html",
        {"status": status, "title": title, "words": reason or words},
        status=status,
    )
