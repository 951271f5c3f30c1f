"""Error pages: one template and one table of messages.

A server error has its own template without dependencies, because any of them may be what failed.
"""

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from playground.health import failures, outage
from playground.http import security_events
from playground.http.refusals import TITLES, Explained

_MESSAGES = {
    400: "Cablese cannot process this request.",
    403: "You don’t have access.",
    404: "There is nothing at this address.",
    405: "This address only accepts forms. Open the page with the form, and send it again.",
    413: "The form is too large. To store a large log, import it as a file.",
}
OUT_OF_DATE = (
    "This page is out of date, or you have signed in as another person. Reload it, then try again."
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 413 if isinstance(exception, RequestDataTooBig) else 400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 403, str(exception) if isinstance(exception, Explained) else None)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    security_events.record_stranger(request, "form.refused", route=security_events.route(request))
    return _page(request, 403, OUT_OF_DATE)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404)


def not_sent(request: HttpRequest, allowed: str) -> HttpResponse:
    response = _page(request, 405)
    response.headers["Allow"] = allowed
    return response


def signed_out(request: HttpRequest) -> HttpResponse:
    """Answer a form that needs a sign-in with all that was entered, to be sent afterward."""
    entered = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    response = render(request, "accounts/signed_out.html", {"entered": entered}, status=403)
    add_never_cache_headers(response)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 503 for a temporary fault of the database, and 500 for any other error."""
    problem = outage.find(failures.of(request), request.method)
    status = 503 if problem else 500
    context = {
        "status": status,
        "title": TITLES[status],
        "words": problem or "The error was logged.",
        "id": failures.identify(request),
    }
    response = render(request, "server_error.html", context, status=status)
    if problem:
        response.headers["Retry-After"] = str(problem.retry_after)
    return response


def _page(request: HttpRequest, status: int, reason: str | None = None) -> HttpResponse:
    context = {"status": status, "title": TITLES[status], "words": reason or _MESSAGES[status]}
    return render(request, "error.html", context, status=status)
