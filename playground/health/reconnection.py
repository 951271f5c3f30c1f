"""New database connections after a fault of the database.

Connections stay open between requests. One that SQLite opened while the file was read-only stays
read-only, and one that failed may keep failing. So each thread closes its connection before its
first request after a fault.
"""

import threading
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from playground.health import readiness

_seen = threading.local()


class Reconnect:
    """Middleware that runs before anything queries the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        faults = readiness.faults_seen()
        if vars(_seen).get("faults", faults) != faults and not connection.in_atomic_block:
            connection.close()
        _seen.faults = faults
        return self.get_response(request)
