from typing import Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from playground.workbench.forms import RedactionForm
from playground.workbench.redaction import Redaction, Refused


@never_cache
@require_POST
def redacted(request: HttpRequest) -> JsonResponse:
    """Return the fields of a text, and the text without the named ones. Stores nothing."""
    form = RedactionForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"refused": "The text is not valid, so it can’t be redacted."})
    sent = form.cleaned_data
    try:
        return JsonResponse(
            _answer(Redaction(sent["text"], protocol=sent["protocol"], keys=sent["keys"]))
        )
    except Refused as refused:
        return JsonResponse({"refused": str(refused)})


def _answer(found: Redaction) -> dict[str, Any]:
    fields = [
        {
            "key": one.key,
            "name": one.name,
            "label": one.label,
            "protocol": one.protocol,
            "count": one.count,
            "what": one.what,
            "ticked": one.ticked,
        }
        for one in found.fields
    ]
    return {"fields": fields, "text": found.copy, "left": found.left}
