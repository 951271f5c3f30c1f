"""Who calls: a key of the log in `Authorization: Bearer`, and what it allows."""

from typing import NoReturn

from django.http import HttpRequest
from ninja.security import HttpBearer

from auditlog.access import Sender, authenticate
from auditlog.log.draft import DEFAULT_LOG
from playground.http import security_events
from playground.rest.problems import Problem


class Key(HttpBearer):
    """A key `cbl_live_…`. None, or one that is mistyped, expired or revoked, is answered 401."""

    def authenticate(self, request: HttpRequest, token: str) -> Sender | None:
        return identify(request, token)


def identify(request: HttpRequest, token: str) -> Sender | None:
    """The sender of a key; None, and a line in the security log, for one that is refused."""
    found = authenticate(token)
    if found is None:
        security_events.refuse_key(request, token)
    return found


def shown(request: HttpRequest) -> str | None:
    """The key that a request shows, good or not, where one is optional."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def sender(request: HttpRequest, scope: str) -> Sender:
    """The sender of an authenticated request. Raises Problem 403 when its key lacks ``scope``."""
    found: Sender = vars(request)["auth"]
    require(request, found, scope)
    return found


def require(request: HttpRequest, found: Sender, scope: str) -> None:
    """Raises Problem 403 unless the sender's key has ``scope``."""
    if scope not in found.scopes:
        words = f"This key lacks the scope {scope}; it has {', '.join(sorted(found.scopes))}."
        _refuse(request, found, f"scope {scope}", words)


def for_installation(request: HttpRequest, scope: str) -> Sender:
    """The sender where something belongs to all logs at once. Raises Problem 403 for a key of one
    log.
    """
    found = sender(request, scope)
    if found.log is not None:
        words = f"This key is for the log {found.log} only. Use a key for all logs."
        _refuse(request, found, "a key for all logs", words)
    return found


def readable_log(request: HttpRequest, found: Sender, slug: str | None) -> str:
    """The log that a reading request means. Raises Problem 403 when the key is for another one."""
    slug = slug or found.log or DEFAULT_LOG
    if found.log not in (None, slug):
        _refuse(
            request, found, f"the log {slug}", f"This key reads the log {found.log} only.", "/log"
        )
    return slug


def _refuse(
    request: HttpRequest, found: Sender, needed: str, words: str, pointer: str = ""
) -> NoReturn:
    security_events.refuse_right(request, needed, key=found.key_id)
    raise Problem(403, words, pointer)
