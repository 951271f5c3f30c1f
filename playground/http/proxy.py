"""The caller of a request. Only proxies in CABLESE_TRUSTED_PROXY are believed."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.http import HttpRequest

from playground.server.environment import Network

_WITH_PORT = re.compile(r"([0-9.]+):[0-9]{1,5}|\[([0-9A-Fa-f:.]+)\](?::[0-9]{1,5})?")
"""An address as some proxies write it: 192.0.2.7:4711, [2001:db8::1]:4711."""


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    try:
        caller = _read(address)
    except ValueError:
        return False
    return any(caller in network for network in trusted)


def _read(address: str) -> IPv4Address | IPv6Address:
    """Return an address. A server that listens on `::` sees those of IPv4 as ::ffff:192.0.2.7."""
    ip = ip_address(address)
    return ip.ipv4_mapped or ip if isinstance(ip, IPv6Address) else ip


def scheme_of(environ: WSGIEnvironment, trusted: Sequence[Network]) -> str:
    """Return the scheme that the client used, as reported by a trusted proxy."""
    said: str = environ.get("HTTP_X_FORWARDED_PROTO", "")
    if said in ("https", "http") and is_trusted(environ.get("REMOTE_ADDR", ""), trusted):
        return said
    scheme: str = environ["wsgi.url_scheme"]
    return scheme


def caller_of(address: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Return the last address in ``forwarded_for`` if it comes from a trusted proxy.

    The caller can forge all addresses before the last. A port is left out: it differs for each
    connection of one caller.
    """
    if not is_trusted(address, trusted):
        return address
    last = forwarded_for.rpartition(",")[2].strip()
    if match := _WITH_PORT.fullmatch(last):
        last = match[1] or match[2]
    return last or address


def caller(request: HttpRequest) -> str:
    """Return the address of the client, as reported by trusted proxies."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return caller_of(request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXY)


def network_of(address: str) -> str:
    """Return the address, or the /64 network of an IPv6 address."""
    try:
        ip = _read(address)
    except ValueError:
        return address
    return str(ip_network((ip, 64), strict=False) if isinstance(ip, IPv6Address) else ip)
