"""The rights of administrators, who can change what applies to every log.

SACP's verbs, tools, and agents and AACP's rules apply to every log. So only administrators can
change them on pages, and only admin keys for all logs can change them through the API.
"""

from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from playground.http import security_events
from playground.http.refusals import NotAdministrator
from playground.http.streaming import P, View


def is_administrator(request: HttpRequest) -> bool:
    return request.user.is_superuser


def require_administrator(request: HttpRequest) -> None:
    """Raise NotAdministrator, and log who tried, unless the person is an administrator."""
    if not is_administrator(request):
        security_events.refuse_right(
            request, "administrator", person=request.user.get_username() or None
        )
        raise NotAdministrator


def administrators_only(view: View[P]) -> View[P]:
    """Ask strangers to sign in, and reject people who are not administrators."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        require_administrator(request)
        return view(request, *args, **kwargs)

    return guarded
