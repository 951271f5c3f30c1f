"""`Strict-Transport-Security` of CABLESE_HSTS, for responses that Django does not make."""

from wsgiref.types import WSGIEnvironment

from django.conf import settings

from playground.http.proxy import scheme_of

NAME = "Strict-Transport-Security"


def policy() -> str | None:
    """Return the value of the header; None if it is not set."""
    if not settings.SECURE_HSTS_SECONDS:
        return None
    more = ["includeSubDomains"] if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else []
    more += ["preload"] if settings.SECURE_HSTS_PRELOAD else []
    return "; ".join([f"max-age={settings.SECURE_HSTS_SECONDS}", *more])


def headers(environ: WSGIEnvironment) -> list[tuple[str, str]]:
    """Return the header if the request used TLS, to us or to a trusted proxy."""
    value = policy()
    return [(NAME, value)] if value is not None and is_secure(environ) else []


def is_secure(environ: WSGIEnvironment) -> bool:
    """Return whether a request used TLS, to us or to a trusted proxy."""
    return scheme_of(environ, settings.TRUSTED_PROXY) == "https"
