"""The comparison of two texts. Nothing is stored."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from playground.diff.forms import DiffForm
from playground.diff.sides import Side
from playground.diff.texts import Texts
from playground.diff.threads import Meetings


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the form and, once it has a second text, what differs. The workbench sends only one."""
    form = DiffForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"section": "tools", "form": form}
    if request.method != "POST":
        return render(request, "diff/diff.html", context)
    has_second = "second" in request.POST or "second_json" in request.POST
    if form.is_valid() and has_second and not _has_text(form.cleaned_data):
        form.add_error("text", "Paste two texts to compare.")
    if not form.is_valid():
        return render(request, "diff/diff.html", context, status=422)
    if has_second:
        context |= _compare(form.cleaned_data)
    return render(request, "diff/diff.html", context)


def _has_text(sent: dict[str, Any]) -> bool:
    return any(str(sent[name]).strip() for name in ("text", "second"))


def _compare(sent: dict[str, Any]) -> dict[str, Any]:
    left, right = (
        Side(text, protocol=sent["protocol"], tokenizer=sent["tokenizer"], lines=sent["lines"])
        for text in (sent["text"], sent["second"])
    )
    return {"texts": Texts(left, right), "meetings": Meetings(left.reading, right.reading)}
