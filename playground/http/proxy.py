"""The caller of a request. Only proxies in CABLESE_TRUSTED_PROXY are believed."""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest

from playground.server.environment import Network


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    try:
        caller = ip_address(address)
    except ValueError:
        return False
    return any(caller in network for network in trusted)


def scheme_of(environ: WSGIEnvironment, trusted: Sequence[Network]) -> str:
    """Return the scheme that the client used, as reported by a trusted proxy."""
    said: str = environ.get("HTTP_X_FORWARDED_PROTO", "")
    if said in ("https", "http") and is_trusted(environ.get("REMOTE_ADDR", ""), trusted):
        return said
    scheme: str = environ["wsgi.url_scheme"]
    return scheme


def caller_of(address: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Return the last address in ``forwarded_for`` if it comes from a trusted proxy.

    The caller can forge all addresses before the last.
    """
    if not is_trusted(address, trusted):
        return address
    return forwarded_for.rpartition(",")[2].strip() or address


def caller(request: HttpRequest) -> str:
    """Return the address of the client, as reported by trusted proxies."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return caller_of(request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXY)


def network_of(address: str) -> str:
    """Return the address, or the /64 network of an IPv6 address."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    return str(ip_network((ip, 64), strict=False))
