from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from playground.workbench.examples import EXAMPLES, grouped
from playground.workbench.forms import FilterForm


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Every example under what it teaches; ``q`` leaves those that have all of its words."""
    form = FilterForm(request.GET)
    words = form.cleaned_data["q"] if form.is_valid() else ""
    context = {
        "section": "workbench",
        "groups": list(grouped(words)),
        "words": words,
        "total": len(EXAMPLES),
    }
    return render(request, "workbench/examples.html", context)
