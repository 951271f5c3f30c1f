"""What a signed-in person may do beyond reading, saving, and reviewing: administrators change what
applies everywhere.

Verbs, tools, and agents of SACP and the rules of AACP answer for every log, so only administrators
change them here, and over the API only admin keys that are for all logs.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from playground.http import security_events
from playground.http.refusals import NotAdministrator

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def is_administrator(request: HttpRequest) -> bool:
    return bool(request.user.is_authenticated and request.user.is_superuser)


def require_administrator(request: HttpRequest) -> None:
    """Raises NotAdministrator, and logs who tried."""
    if not is_administrator(request):
        security_events.refuse_right(
            request, "administrator", person=request.user.get_username() or None
        )
        raise NotAdministrator


def administrators_only(view: View[P]) -> View[P]:
    """Strangers are asked to sign in; other people are refused."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        require_administrator(request)
        return view(request, *args, **kwargs)

    return guarded
