"""Open, find, and close live sessions for the API and for pages, with the problem if that fails."""

from django.http import HttpRequest
from django.urls import reverse

from auditlog.sender import Sender
from cablese import registry
from playground.http.proxy import caller, network_of
from playground.http.throttle import Throttle
from playground.rest.keys import identify, require
from playground.rest.problems import Problem
from playground.stream.pad import LIFE, Ended, KeyLost, Pad
from playground.stream.pads import PADS_PER_CALLER, NoPad, TooMany, address_of, pads

KEY_LOST = (
    "This live session has ended, because its key expired, was revoked, "
    "or may no longer write to the log."
)
_RESTARTED = "Restarting the server ends all live sessions."
throttle = Throttle(burst=30, pace=0.5)


def open_for(
    request: HttpRequest, *, protocol: str | None, sender: Sender | None
) -> tuple[str, Pad]:
    """Open a pad for the caller. Raises Problem 429 and 503, and registry.UnknownProtocol."""
    if protocol in ("", "auto"):
        protocol = None
    if protocol is not None:
        registry.get(protocol)
    opener = f"key:{sender.key_id}" if sender else network_of(caller(request))
    if seconds := throttle.wait(opener):
        raise Problem(
            429, f"Too many live sessions were started. Try again in {seconds} s."
        ).with_headers(Retry_After=str(seconds))
    try:
        return pads.open(opener, protocol=protocol, key_id=sender.key_id if sender else None)
    except TooMany as full:
        detail = (
            f"The limit is {PADS_PER_CALLER} live sessions per "
            f"{'API key' if sender else 'IP address'}. Close one, or wait until one ends."
            if full.mine
            else "The server is at its limit of live sessions. Wait until one ends."
        )
        raise Problem(429 if full.mine else 503, detail).with_headers(
            Retry_After=str(full.seconds)
        ) from None


def find(key: str) -> Pad:
    """Return the pad with a key. Raises Problem 404 and 410."""
    try:
        return pads.get(key)
    except NoPad:
        raise Problem(404, f"No live session has this key. {_RESTARTED}", "/key") from None
    except Ended as ended:
        raise explain_end(
            ended,
            f"This live session was closed, or reached the limit of {LIFE // 60} minutes.",
            "/key",
        ) from None


def find_address(address: str) -> Pad:
    """Return the pad with a posting address. Raises Problem 404 and 410."""
    try:
        return pads.at(address)
    except NoPad:
        raise Problem(404, f"No live session at this URL. {_RESTARTED}") from None
    except Ended as ended:
        raise explain_end(ended) from None


def close(key: str) -> None:
    """Close a pad and delete its messages. Raises Problem 404 and 410."""
    pads.close(find(key))


def explain_end(
    ended: Ended,
    detail: str = "This live session has ended. Start another one.",
    pointer: str = "",
) -> Problem:
    return Problem(410, KEY_LOST if isinstance(ended, KeyLost) else detail, pointer)


def post_address(request: HttpRequest, key: str) -> str:
    return request.build_absolute_uri(reverse("api:post", args=[address_of(key)]))


def identify_sender(request: HttpRequest, token: str) -> Sender:
    """Return the sender of a key that opens a storing pad. Raises Problem 401 and 403."""
    sender = identify(request, token.strip())
    if sender is None:
        raise Problem(401, "This key is mistyped, expired, or revoked.").with_headers(
            WWW_Authenticate="Bearer"
        )
    require(request, sender, "ingest")
    return sender
