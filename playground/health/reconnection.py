"""New database connections after a fault of the database.

Connections stay open between requests. One that SQLite opened while the file was read-only stays
read-only, and one that failed may keep failing. So each thread closes its connection before its
first request after a fault.
"""

import threading

from django.db import connection
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from playground.health import readiness

_thread = threading.local()


class Reconnect(MiddlewareMixin):
    """Middleware that runs before anything queries the database."""

    def process_request(self, _request: HttpRequest) -> None:
        faults = readiness.count_faults()
        if vars(_thread).get("faults", faults) != faults and not connection.in_atomic_block:
            connection.close()
        _thread.faults = faults
