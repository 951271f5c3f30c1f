from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cablese import tokens
from playground.tokens.claims import measure
from playground.workbench.forms import TokenizerForm


@require_safe
def claims(request: HttpRequest) -> HttpResponse:
    """Show what sources claim to save, and our counts of the same texts."""
    form = TokenizerForm(request.GET)
    context = {
        "section": "tools",
        "form": form,
        "tokenizers": [tokens.info(name) for name in tokens.names()],
    }
    if not form.is_valid():
        return render(request, "tokens/claims.html", context, status=422)
    context["measured"] = measure(form.cleaned_data["tokenizer"])
    return render(request, "tokens/claims.html", context)
