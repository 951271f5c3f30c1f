from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from cablese import tokens
from cablese.protocols.aacp.authoring.workflow import Workflow
from cablese.protocols.aacp.authoring.workflows import PAYROLL, WORKFLOWS
from playground.aacp import hops
from playground.tokens import benchmark
from playground.workbench.forms import WorkflowForm


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the first workflow with its example, and the benchmark."""
    return render(
        request, "aacp/aacp.html", _context(PAYROLL, WorkflowForm(PAYROLL, PAYROLL.example))
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def workflow(request: HttpRequest, name: str) -> HttpResponse:
    """Show a workflow with its example or with the inputs that were sent."""
    if name not in WORKFLOWS:
        raise Http404(name)
    chosen = WORKFLOWS[name]
    form = WorkflowForm(chosen, request.POST if request.method == "POST" else chosen.example)
    context = _context(chosen, form)
    return render(request, "aacp/aacp.html", context, status=200 if form.is_valid() else 422)


def _context(chosen: Workflow, form: WorkflowForm) -> dict[str, Any]:
    context = {
        "section": "protocols",
        "workflows": WORKFLOWS.values(),
        "chosen": chosen,
        "form": form,
        "benchmark": benchmark.measure(),
    }
    if not form.is_valid():
        return context
    tokenizer = tokens.names()[0]
    made = hops.encode(chosen, form.cleaned_data, [tokenizer])
    return context | {
        "hops": [(hop, hop.tokens[tokenizer]) for hop in made],
        "total": hops.add(made, tokenizer),
        "tokenizer": tokenizer,
        "text": "".join(f"{hop.packet}\n" for hop in made),
    }
