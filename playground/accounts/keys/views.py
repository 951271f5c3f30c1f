import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from auditlog import access
from auditlog.models import ApiKey
from playground.accounts.keys.forms import GRACES, KeyForm, RotateForm
from playground.accounts.rights import administrators_only

SENT = "This key was already created and shown once. To create another key, use the form below."
_SENT = "sent_key_forms"
_KEPT = 100
"""Forms that made a key and are remembered, so that reloading its page makes no other."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def page(request: HttpRequest) -> HttpResponse:
    """List all keys, or create one and show it this once."""
    if request.method != "POST":
        return _render(request, KeyForm())
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _render(request, form, status=422)
    once, sent = form.cleaned_data["once"], request.session.get(_SENT, [])
    if once in sent:
        return _render(request, KeyForm(), status=409, problem=SENT)
    days = form.cleaned_data["days"]
    try:
        key, token = access.create_key(
            source=form.cleaned_data["source"],
            scopes=tuple(form.cleaned_data["scopes"]),
            log=form.cleaned_data["log"],
            expires=datetime.now(UTC) + timedelta(days=days) if days else None,
            by=request.user.get_username(),
        )
    except ValueError as error:
        form.add_error("source", str(error))
        return _render(request, form, status=422)
    if once:
        request.session[_SENT] = [*sent, once][-_KEPT:]
    return _render(request, KeyForm(), made=key, token=token)


@never_cache
@require_POST
@administrators_only
def rotate(request: HttpRequest, key_id: str) -> HttpResponse:
    """Replace a key, and show the new one this once."""
    form = RotateForm(request.POST)
    if not form.is_valid():
        return _render(
            request, KeyForm(), status=422, problem="Choose how long the old key still works."
        )
    grace = access.GRACES[form.cleaned_data["grace"]]
    try:
        key, token = access.rotate_key(key_id, grace=grace, by=request.user.get_username())
    except access.NoSuchKey:
        raise Http404 from None
    except access.KeyEnded as ended:
        return _render(request, KeyForm(), status=422, problem=str(ended))
    return _render(request, KeyForm(), made=key, token=token, replaced=key_id)


@never_cache
@require_POST
@administrators_only
def revoke(request: HttpRequest, key_id: str) -> HttpResponse:
    """Revoke a key."""
    try:
        key = access.revoke_key(key_id, by=request.user.get_username())
    except access.NoSuchKey:
        raise Http404 from None
    messages.success(request, f"Key {key.pk} revoked.")
    return redirect("keys")


def _render(request: HttpRequest, form: KeyForm, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "section": "tools",
        "form": form,
        "once": secrets.token_hex(8),
        "keys": _list_keys(datetime.now(UTC)),
        "graces": GRACES,
    }
    return render(request, "accounts/keys.html", context | more, status=status)


def _list_keys(now: datetime) -> list[tuple[ApiKey, str]]:
    """Return all keys, the newest first, each with its state."""
    keys = ApiKey.objects.select_related("source", "log").order_by("-created", "pk")
    return [(key, _name_state(key, now)) for key in keys]


def _name_state(key: ApiKey, now: datetime) -> str:
    if key.revoked is not None:
        return "revoked"
    return "expired" if key.expires is not None and key.expires <= now else "active"
