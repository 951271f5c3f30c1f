"""What a proxy says of a request: believed when it is one of ours, as CABLESE_TRUSTED_PROXY names
them.
"""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

from playground.server.environment import Network


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    try:
        caller = ip_address(address)
    except ValueError:
        return False
    return any(caller in network for network in trusted)


def caller_of(address: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Who calls: the last one that a proxy of ours names, since those before it are what the caller
    itself may say.
    """
    if not is_trusted(address, trusted):
        return address
    return forwarded_for.rpartition(",")[2].strip() or address


def caller(request: HttpRequest) -> str:
    """The address that a request comes from, as far as our own proxies vouch for it."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return caller_of(request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXY)


def network_of(address: str) -> str:
    """Return the address, or of an IPv6 address its network of 64 bits."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_network((found, 64), strict=False))
