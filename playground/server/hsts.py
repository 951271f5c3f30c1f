"""`Strict-Transport-Security` of CABLESE_HSTS, for responses that Django does not make."""

from wsgiref.types import WSGIEnvironment

from django.conf import settings

from playground.http.proxy import is_trusted

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
    return [(NAME, value)] if value is not None and _is_secure(environ) else []


def _is_secure(environ: WSGIEnvironment) -> bool:
    if environ["wsgi.url_scheme"] == "https":
        return True
    scheme = environ.get("HTTP_X_FORWARDED_PROTO")
    return scheme == "https" and is_trusted(environ.get("REMOTE_ADDR", ""), settings.TRUSTED_PROXY)
