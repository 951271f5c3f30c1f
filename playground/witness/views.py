"""The route of C2SP tlog-witness. Whoever can sign a watched log's checkpoints may use it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from auditlog.tree import keys
from auditlog.witness import cosigning
from auditlog.witness.submission import LIMIT


@csrf_exempt
@require_POST
def add_checkpoint(request: HttpRequest) -> HttpResponse:
    """Cosign a checkpoint of another installation's log."""
    headers = {"Cache-Control": "no-store"}
    try:
        body = request.read(LIMIT + 1)
        if len(body) > LIMIT:
            return HttpResponse(
                f"The body is larger than the limit of {LIMIT // 1024} KiB.\n",
                status=413, content_type=cosigning.TEXT, headers=headers,
            )  # fmt: skip
        answer = cosigning.answer(body.decode())
    except UnicodeDecodeError:
        answer = cosigning.Answer(400, cosigning.TEXT, "The body is not UTF-8.\n")
    except (keys.Unsound, OSError) as error:
        answer = cosigning.Answer(503, cosigning.TEXT, f"{type(error).__name__}\n")
    return HttpResponse(
        answer.body, status=answer.status, content_type=answer.media, headers=headers
    )
