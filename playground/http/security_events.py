"""Security events of a request, with its address. Events that strangers can cause are limited."""

from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest

from auditlog import access, securitylog
from auditlog.sender import Sender
from playground.http.proxy import caller, caller_of
from playground.http.throttle import Throttle

_lines = Throttle(burst=20, pace=0.2)
"""Limits the lines that one address can cause without a key or a sign-in."""


def record(request: HttpRequest, event: str, **facts: str | int | None) -> None:
    """Log an event of a known person or key."""
    securitylog.record(event, **facts, address=caller(request))


def record_stranger(request: HttpRequest, event: str, **facts: str | int | None) -> None:
    """Log an event that a stranger can cause, unless this address has caused many already."""
    address = caller(request)
    if not _lines.wait(address):
        securitylog.record(event, **facts, address=address)


def change_rule(request: HttpRequest, rule: str, change: str, **facts: str | int) -> None:
    """Log that a key or a person changed a definition of SACP or a rule of AACP."""
    record(request, "rule.changed", change=change, **_actor(request), rule=rule, **facts)


def change_search(request: HttpRequest, event: str, *, log: str, search: str) -> None:
    """Log that a key or a person changed a saved search, by IDs: its name and query can repeat what
    agents sent.
    """
    record(request, event, **_actor(request), log=log, search=search)


def erase(request: HttpRequest, *, log: str, packets: int) -> None:
    """Log that a key or a person erased packets. The log itself has who, which, and why."""
    record(request, "packet.erased", **_actor(request), log=log, packets=packets)


def _actor(request: HttpRequest) -> dict[str, str | None]:
    """Return the key or the person of a request."""
    by: Sender | None = vars(request).get("auth")
    return {
        "key": by.key_id if by else None,
        "person": None if by else request.user.get_username(),
    }


def route(request: HttpRequest) -> str | None:
    """Return the pattern of the request's address, because the address itself can be a secret."""
    return request.resolver_match.route if request.resolver_match else None


def refuse_pace(environ: WSGIEnvironment) -> None:
    """Log that an address exceeded its rate limit, for a request that Django does not see."""
    forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
    address = caller_of(environ["REMOTE_ADDR"], forwarded, settings.TRUSTED_PROXY)
    if not _lines.wait(address):
        securitylog.record("pace.refused", address=address)


def refuse_key(request: HttpRequest, token: str) -> None:
    """Log that a key was refused, and why."""
    reason, key_id = access.reason_refused(token)
    record_stranger(request, "key.refused", reason=reason, key=key_id, route=route(request))


def refuse_right(
    request: HttpRequest, needed: str, *, key: str | None = None, person: str | None = None
) -> None:
    """Log that a key or a person lacks the right for a request."""
    facts = {"needed": needed, "key": key, "person": person}
    record(request, "right.refused", **facts, method=request.method, route=route(request))
