"""The page of the autopilot, and its panel as a fragment. Nothing is stored."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from auditlog.search.query import QueryError
from cablese import tokens
from playground.autopilot.forms import FoundForm, TextForm
from playground.autopilot.panel import Panel
from playground.autopilot.traffic import of_search, of_text
from playground.tokens.formats import get_titles
from playground.tokens.notations.notation import MINIFIED


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the form, or the analysis of a text or of a search of the trail."""
    if request.method == "POST":
        form = TextForm(request.POST)
        return _render(request, form, _analyze(form))
    if "q" in request.GET or "log" in request.GET:
        return _trail(request)
    return _render(request, TextForm(request.GET), {})


@never_cache
@require_POST
def panel(request: HttpRequest) -> HttpResponse:
    """Return the analysis of a text as a fragment."""
    form = TextForm(request.POST)
    return render(request, "autopilot/_panel.html", _analyze(form) | {"form": form})


@login_required
def _trail(request: HttpRequest) -> HttpResponse:
    form = FoundForm(request.GET)
    if not form.is_valid():
        wrong = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return _render(request, form, {"problem": wrong}, 400)
    sent = form.cleaned_data
    try:
        traffic = of_search(sent["log"], sent["q"].strip(), datetime.now(UTC))
    except QueryError as error:
        problem = f"{error.message} {error.suggestion or ''}".strip()
        return _render(request, form, {"problem": problem}, 422)
    return _render(request, form, {"panel": Panel(traffic, sent["tokenizer"], sent["baseline"])})


def _analyze(form: TextForm) -> dict[str, Any]:
    """Return the analysis of a text; without one, there is none."""
    if not form.is_valid():
        wrong = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return {"problem": wrong}
    sent = form.cleaned_data
    if not sent["text"].strip():
        return {}
    traffic = of_text(sent["text"], sent["protocol"])
    return {"panel": Panel(traffic, sent["tokenizer"], sent["baseline"])}


def _render(
    request: HttpRequest, form: forms.Form, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    is_search = isinstance(form, FoundForm)
    choices: dict[str, Any] = {
        "section": "tools",
        "form": form,
        "text": "" if is_search else form.fields["text"].to_python(form["text"].data),
        "search": form if is_search else None,
        "logs": _list_logs(request, form),
        "tokenizers": [tokens.info(name) for name in tokens.names()],
        "protocols": TextForm()["protocol"].field.widget.choices,
        "baselines": get_titles().items(),
        "baseline": form.data.get("baseline") or MINIFIED,
    }
    return render(request, "autopilot/autopilot.html", choices | context, status=status)


def _list_logs(request: HttpRequest, form: forms.Form) -> list[str]:
    """Return the names of the logs that the person may search."""
    if not request.user.is_authenticated:
        return []
    logs = form.logs if isinstance(form, FoundForm) else FoundForm().logs
    return [log.slug for log in logs]
