"""The rate limit for checking receipts, with the API and on the page together."""

from django.http import HttpRequest

from playground.http.proxy import caller
from playground.http.throttle import Throttle

throttle = Throttle(burst=30, pace=0.5)


def wait(request: HttpRequest) -> int:
    """Return the seconds until the caller may have another receipt checked."""
    return throttle.wait(caller(request))
