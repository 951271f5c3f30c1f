"""The facets and the histogram of a search, which the list does not wait for."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from auditlog.search.query import QueryError
from auditlog.search.saved.pin import BadPin
from playground.audit.facets.links import Links
from playground.audit.facets.panel import counted
from playground.audit.forms import SearchForm


@never_cache
@require_safe
@login_required
def fragment(request: HttpRequest) -> HttpResponse:
    """Return the facets and the histogram. The parameters are those of the list."""
    form = SearchForm(request.GET)
    if not form.is_valid():
        wrong = " ".join(str(error) for errors in form.errors.values() for error in errors)
        return HttpResponse(wrong, status=400, content_type="text/plain; charset=utf-8")
    try:
        links = Links.of(request, form.cleaned_data["log"])
        context = counted(links, form.cleaned_data["q"].strip())
    except (QueryError, BadPin) as error:
        return HttpResponse(str(error), status=422, content_type="text/plain; charset=utf-8")
    return render(request, "audit/facets/_facets.html", context)
