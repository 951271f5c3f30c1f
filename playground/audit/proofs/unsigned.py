"""Files that need a checkpoint, while none covers their packets."""

from django.http import HttpRequest, HttpResponse

from auditlog.proofs.inclusion import SOON
from playground.health import failures


def refuse(request: HttpRequest, reason: Exception, *, soon: bool) -> HttpResponse:
    """Return the reason as text. What will be signed soon is not logged as a failure."""
    answer = HttpResponse(f"{reason}\n", status=503, content_type="text/plain; charset=utf-8")
    answer.headers["Retry-After"] = str(SOON)
    if soon:
        failures.leave_out(request)
    else:
        failures.note(request, reason)
    return answer
