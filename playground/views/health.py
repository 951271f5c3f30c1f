"""For whoever watches this installation: whether its process lives, and whether it can do its work."""

import msgspec
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from playground import failures, readiness

_JSON = "application/json"


@never_cache
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """The process lives and answers. It asks neither the database nor the disk."""
    return HttpResponse(b'{"status":"ok"}', content_type=_JSON)


@never_cache
@require_safe
def ready(request: HttpRequest) -> HttpResponse:
    """200 when packets can be stored and read, 503 when not, and what is wrong."""
    state = readiness.current()
    failures.leave_out(request)
    body = msgspec.json.encode(readiness.report(state))
    return HttpResponse(body, status=200 if state.ready else 503, content_type=_JSON)
