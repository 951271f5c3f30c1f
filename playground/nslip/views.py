from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cablese.protocols.nslip.training.examples import ROLES, make_examples, write_lines
from playground.http import streaming
from playground.nslip.forms import TRAINING_LIMIT, TrainingForm

SHOWN = 10


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the first ten training examples and a link to all of them."""
    form = TrainingForm(request.GET)
    context = {"section": "tools", "form": form, "roles_known": ROLES, "limit": TRAINING_LIMIT}
    if not form.is_valid():
        return render(request, "nslip/training.html", context, status=422)
    chosen = form.cleaned_data
    context |= {
        "examples": list(
            make_examples(chosen["seed"], min(chosen["count"], SHOWN), chosen["roles"])
        ),
        "file": f"{reverse('nslip-training-file')}?{urlencode(chosen, doseq=True)}",
    }
    return render(request, "nslip/training.html", context | chosen)


@require_safe
@streaming.sends_file
def download(request: HttpRequest) -> HttpResponseBase:
    """Send the same examples as a file, generated while it is sent."""
    form = TrainingForm(request.GET)
    if not form.is_valid():
        return HttpResponse(
            form.errors.as_text(), status=422, content_type="text/plain; charset=utf-8"
        )
    chosen = form.cleaned_data
    lines = write_lines(make_examples(chosen["seed"], chosen["count"], chosen["roles"]))
    return streaming.respond(
        request,
        streaming.in_blocks(lines),
        streaming.NDJSON,
        name=f"nslip-{chosen['seed']}-{chosen['count']}.jsonl",
    )
