"""The route of C2SP tlog-witness. Whoever can sign a watched log's checkpoints may use it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from auditlog.ingest.body import BadBody
from auditlog.tree import keys
from auditlog.witness import cosigning
from auditlog.witness.submission import LIMIT
from playground.rest.body import blocks


@csrf_exempt
@require_POST
def add_checkpoint(request: HttpRequest) -> HttpResponse:
    """Cosign a checkpoint of another installation's log."""
    try:
        answer = cosigning.answer(b"".join(blocks(request, LIMIT)).decode())
    except BadBody as bad:
        answer = cosigning.Answer(bad.status, cosigning.TEXT, f"{bad}\n")
    except UnicodeDecodeError:
        answer = cosigning.Answer(400, cosigning.TEXT, "The body is not UTF-8.\n")
    except (keys.Unsound, OSError) as error:
        answer = cosigning.Answer(503, cosigning.TEXT, f"{type(error).__name__}\n")
    return HttpResponse(
        answer.body,
        status=answer.status,
        content_type=answer.media,
        headers={"Cache-Control": "no-store"},
    )
