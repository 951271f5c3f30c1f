from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cablese import tokens
from playground.tokens.claims import measure
from playground.workbench.forms import TokenizerForm


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What sources claim to save, beside what one of our tokenizers counts in their texts."""
    form = TokenizerForm(request.GET)
    context = {
        "section": "protocols",
        "form": form,
        "tokenizers": [tokens.info(name) for name in tokens.names()],
    }
    if not form.is_valid():
        return render(request, "tokens/claims.html", context, status=422)
    return render(
        request,
        "tokens/claims.html",
        context | {"measured": measure(form.cleaned_data["tokenizer"])},
    )
