from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from playground.accounts import sessions
from playground.accounts.signin import holder
from playground.http import security_events


@never_cache
@require_GET
def explain(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(_next(request))
    return render(request, "accounts/signin.html", {"next": _next(request)})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def follow(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    """Show a link, or use it. Only the button uses it, because programs open links for previews."""
    if request.method == "POST":
        return _use(request, uid, token)
    person = holder(uid, token)
    if person is None:
        return _refuse_link(request)
    return render(request, "accounts/signin_link.html", {"person": person, "next": _next(request)})


@transaction.atomic
def _use(request: HttpRequest, uid: str, token: str) -> HttpResponse:
    person = holder(uid, token, hold=True)
    if person is None:
        return _refuse_link(request)
    sessions.purge()
    _sign_in(request, person)
    # In the transaction that uses the link, so that the link stays valid if this fails.
    request.session.save()
    return redirect(_next(request))


def _sign_in(request: HttpRequest, person: User) -> None:
    """Sign in. Pages in other tabs can still send their forms, unless they are another person's.

    Django replaces the token of forms. But a link opens a tab, and the text to save is in another.
    """
    token = request.META.get("CSRF_COOKIE")
    same = request.user.is_anonymous or request.user == person
    login(request, person, backend="django.contrib.auth.backends.ModelBackend")
    if token and same:
        request.META["CSRF_COOKIE"] = token


def _refuse_link(request: HttpRequest) -> HttpResponse:
    security_events.record_stranger(request, "signin.refused", method=request.method)
    return render(request, "accounts/signin_spent.html", status=410)


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("signin")


def _next(request: HttpRequest) -> str:
    """Return where to go next: an address of ours or the home page, never another site."""
    place = request.POST.get("next", request.GET.get("next", ""))
    if place.startswith("/") and url_has_allowed_host_and_scheme(
        place, allowed_hosts=None, require_https=False
    ):
        return place
    return resolve_url(settings.LOGIN_REDIRECT_URL)
