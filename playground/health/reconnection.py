"""Fresh database connections once a fault of the database is over.

A connection outlives its request. One that SQLite opened while the file was read-only stays
read-only, and one that failed may fail for ever. So each thread closes its own before the first
request after a fault.
"""

import threading
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from playground.health import readiness

_seen = threading.local()


class Reconnect:
    """Middleware, before all that asks the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        faults = readiness.faults_seen()
        if vars(_seen).get("faults", faults) != faults and not connection.in_atomic_block:
            connection.close()
        _seen.faults = faults
        return self.get_response(request)
