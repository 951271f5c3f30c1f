"""Who calls: a key of the log in `Authorization: Bearer`, and what it allows."""

from django.http import HttpRequest
from ninja.security import HttpBearer

from auditlog.access import Sender, authenticate
from auditlog.draft import DEFAULT_LOG
from playground.api.problem import Problem


class Key(HttpBearer):
    """A key `cbl_live_…`. None, or one that is mistyped, expired or revoked, is answered 401."""

    def authenticate(self, request: HttpRequest, token: str) -> Sender | None:
        return authenticate(token)


def sender(request: HttpRequest, scope: str) -> Sender:
    """The sender of an authenticated request. Raises Problem 403 when its key lacks ``scope``."""
    found: Sender = vars(request)["auth"]
    if scope not in found.scopes:
        raise Problem(403, f"This key lacks the scope {scope}; it has {', '.join(sorted(found.scopes))}.")
    return found


def readable_log(found: Sender, slug: str | None) -> str:
    """The log that a reading request means. Raises Problem 403 when the key is for another one."""
    slug = slug or found.log or DEFAULT_LOG
    if found.log not in (None, slug):
        raise Problem(403, f"This key reads the log {found.log} only.", "/log")
    return slug
