"""What a proxy says of a request: believed when it is one of ours, as CABLESE_TRUSTED_PROXY names them."""

from collections.abc import Sequence
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest

from playground.environment import Network


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    try:
        caller = ip_address(address)
    except ValueError:
        return False
    return any(caller in network for network in trusted)


def caller_of(address: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Who calls: the last one that a proxy of ours names, since those before it are what the caller itself may say."""
    if not is_trusted(address, trusted):
        return address
    return forwarded_for.rpartition(",")[2].strip() or address


def caller(request: HttpRequest) -> str:
    """The address that a request comes from, as far as our own proxies vouch for it."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return caller_of(request.META.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXY)
