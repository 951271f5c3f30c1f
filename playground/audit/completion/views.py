from datetime import UTC, datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from auditlog.search.completion.complete import complete
from playground.audit.completion.forms import CompletionForm
from playground.audit.completion.options import draw
from playground.display.offsets import Places


@never_cache
@require_safe
@login_required
def fragment(request: HttpRequest) -> HttpResponse:
    """Return the suggestions for a query, whose caret is in UTF-16 units."""
    form = CompletionForm(request.GET)
    if not form.is_valid():
        message = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return HttpResponse(message, status=400, content_type="text/plain; charset=utf-8")
    query, units = form.cleaned_data["q"], form.cleaned_data["caret"]
    caret = len(query) if units is None else Places(query).point(units)
    found = complete(form.log_with_end, query, caret, now=datetime.now(UTC))
    return render(request, "audit/completion/_options.html", {"found": draw(query, found)})
