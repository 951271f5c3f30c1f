"""API keys in `Authorization: Bearer`, and their rights."""

from typing import NoReturn

from django.http import HttpRequest
from ninja.security import HttpBearer

from auditlog.access import Sender, authenticate
from auditlog.log.draft import DEFAULT_LOG
from playground.http import security_events
from playground.rest.problems import Problem


class Key(HttpBearer):
    """A key `cbl_live_…`. A missing, mistyped, expired, or revoked key is answered 401."""

    def authenticate(self, request: HttpRequest, token: str) -> Sender | None:
        return identify(request, token)


def identify(request: HttpRequest, token: str) -> Sender | None:
    """Return the sender of a key. For an invalid key, return None and log a security event."""
    found = authenticate(token)
    if found is None:
        security_events.refuse_key(request, token)
    return found


def shown(request: HttpRequest) -> str | None:
    """Return the key of a request, valid or not, where a key is optional."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def optional(request: HttpRequest) -> Sender | None:
    """Return the sender where a key is optional: None without a valid key."""
    token = shown(request)
    return None if token is None else identify(request, token)


def sender(request: HttpRequest, scope: str) -> Sender:
    """Return the sender of a request. Raises Problem 403 if its key lacks ``scope``."""
    found: Sender = vars(request)["auth"]
    require(request, found, scope)
    return found


def require(request: HttpRequest, found: Sender, scope: str) -> None:
    """Raises Problem 403 unless the sender's key has ``scope``."""
    if scope not in found.scopes:
        _refuse(
            request,
            found,
            f"scope {scope}",
            f"This key lacks the {scope} scope. It has: {', '.join(sorted(found.scopes))}.",
        )


def for_installation(request: HttpRequest, scope: str) -> Sender:
    """Return the sender of a request about the whole installation. Raises Problem 403 for a key of
    one log.
    """
    found = sender(request, scope)
    if found.log is not None:
        _refuse(
            request,
            found,
            "a key for all logs",
            f"This key is limited to log {found.log}. Use a key for all logs.",
        )
    return found


def readable_log(request: HttpRequest, found: Sender, slug: str | None) -> str:
    """Return the name of the log to read. Raises Problem 403 if the key is for another log."""
    slug = slug or found.log or DEFAULT_LOG
    if found.log not in (None, slug):
        _refuse(
            request, found, f"the log {slug}", f"This key is limited to log {found.log}.", "/log"
        )
    return slug


def _refuse(
    request: HttpRequest, found: Sender, needed: str, words: str, pointer: str = ""
) -> NoReturn:
    security_events.refuse_right(request, needed, key=found.key_id)
    raise Problem(403, words, pointer)
