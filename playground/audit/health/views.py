"""The page of a log's health, and its self-check."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from auditlog.check import run
from playground.audit.health import state
from playground.audit.health.forms import HealthForm


@never_cache
@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Show what proves a log, and its self-check."""
    form = HealthForm(request.GET)
    context = {"section": "audit", "form": form}
    if not form.is_valid():
        return render(request, "audit/health/health.html", context, status=400)
    log = form.cleaned_data["log"]
    return render(request, "audit/health/health.html", context | {"log": log} | state.read(log))


@never_cache
@require_safe
@login_required
def progress(request: HttpRequest) -> HttpResponse:
    """Return how far the self-check of a log is. At its end, the whole page is loaded again: the
    result is a leaf, and every line above it may be another one.
    """
    form = HealthForm(request.GET)
    if not form.is_valid():
        return HttpResponse(status=400)
    log = form.cleaned_data["log"]
    checked = state.read_check(log)
    if "HX-Request" in request.headers and not (checked and checked.is_running):
        return HttpResponseClientRefresh()
    return render(request, "audit/health/_check.html", {"log": log, "checked": checked})


@require_POST
@login_required
def start(request: HttpRequest) -> HttpResponse:
    """Ask for a self-check of a log, which the process of the server begins within seconds."""
    form = HealthForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    log = form.cleaned_data["log"]
    run.ask(log, full=True)
    if request.headers.get("HX-Request"):
        context = {"log": log, "checked": state.read_check(log)}
        return render(request, "audit/health/_check.html", context)
    return HttpResponseRedirect(f"{reverse('log-health')}?{urlencode({'log': log.slug})}#check")
