"""Pages of the AACP tools: packets from workflows and from English, and rule candidates."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from auditlog.findings import sensitive
from cablese import tokens
from cablese.codec import Unencodable
from cablese.protocols.aacp.authoring.briefing import PROMPTS
from cablese.protocols.aacp.authoring.template import CASES, KINDS, BadTemplate
from cablese.protocols.aacp.authoring.workflow import Workflow, check_input
from cablese.protocols.aacp.authoring.workflows import PAYROLL, WORKFLOWS
from playground.aacp import candidates, hops, router, rules
from playground.accounts.rights import administrators_only
from playground.http import security_events
from playground.tokens import benchmark
from playground.workbench.forms import WireField

SHOWN = 100


class WorkflowForm(forms.Form):
    """The inputs of an AACP workflow, checked by the workflow."""

    def __init__(self, workflow: Workflow, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.workflow = workflow
        for field in workflow.inputs:
            widget = forms.TextInput(
                {"pattern": field.kind.pattern, "title": field.kind.hint, "autocomplete": "off"}
            )
            self.fields[field.name] = forms.CharField(
                required=False,
                label=field.label,
                help_text=field.kind.hint,
                widget=widget,
            )

    def clean(self) -> dict[str, str]:
        for field in self.workflow.inputs:
            if field.name in self.errors:
                continue
            try:
                check_input(field, self.cleaned_data.get(field.name))
                sensitive.refuse({field.name: self.cleaned_data.get(field.name)})
            except Unencodable as bad:
                self.add_error(field.name, bad.reason)
        return self.cleaned_data


class SlotsForm(forms.Form):
    """An instruction and its packet, both with slots, checked by
    `cablese.protocols.aacp.authoring.template`.
    """

    english = WireField(required=False)
    packet = WireField(required=False)


class EnglishForm(forms.Form):
    """An instruction in English, checked by the router."""

    english = WireField(required=False)
    again = forms.BooleanField(required=False)
    prompt = forms.TypedChoiceField(
        choices=list(PROMPTS.items()), required=False, empty_value="brief"
    )


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the first workflow with its example, and the benchmark."""
    return render(
        request, "aacp/aacp.html", _describe(PAYROLL, WorkflowForm(PAYROLL, PAYROLL.example))
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def workflow(request: HttpRequest, name: str) -> HttpResponse:
    """Show a workflow with its example or with the inputs that were sent."""
    if name not in WORKFLOWS:
        raise Http404(name)
    chosen = WORKFLOWS[name]
    form = WorkflowForm(chosen, request.POST if request.method == "POST" else chosen.example)
    context = _describe(chosen, form)
    return render(request, "aacp/aacp.html", context, status=200 if form.is_valid() else 422)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def english(request: HttpRequest) -> HttpResponse:
    """Generate a packet from English: by rule for everyone, with the model for signed-in users."""
    if request.method != "POST":
        return render(request, "aacp/english.html", _context(EnglishForm()))
    form = EnglishForm(request.POST)
    person = request.user.pk  # None for people who are not signed in.
    if not form.is_valid():
        return render(request, "aacp/english.html", _context(form), status=422)
    try:
        written = router.write(may_ask=person is not None, user=person, **form.cleaned_data)
    except router.Unroutable as unroutable:
        context = _context(form) | {"problem": unroutable}
        return render(request, "aacp/english.html", context, status=422)
    return render(request, "aacp/english.html", _context(form) | {"written": written})


@never_cache
@require_safe
@login_required
def listed(request: HttpRequest) -> HttpResponse:
    """List model requests and their cost for review."""
    return render(
        request,
        "aacp/candidates.html",
        {"section": "tools", "candidates": candidates.recent(SHOWN)},
    )


@require_POST
@administrators_only
def decide(request: HttpRequest, number: int) -> HttpResponse:
    """Promote a candidate, reject it, or undo the decision."""
    assert request.user.is_authenticated
    try:
        chosen = candidates.decide(
            candidate=number, state=request.POST.get("state", ""), reviewer=request.user
        )
    except candidates.BadDecision as bad:
        messages.error(request, str(bad))
    else:
        security_events.change_rule(request, "aacp", chosen.state, candidate=number)
        done = "restored" if chosen.state == "candidate" else chosen.state
        messages.success(request, f"Candidate {chosen.pk} {done}.")
    return redirect("aacp-candidates")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def slots(request: HttpRequest, number: int) -> HttpResponse:
    """Propose slots for a candidate, then preview or promote the edited texts."""
    assert request.user.is_authenticated
    candidate = candidates.find(number)
    if candidate is None or not candidate.packet:
        raise Http404(number)
    form = SlotsForm(request.POST if request.method == "POST" else None)
    english, packet = rules.propose(candidate)
    if form.is_bound:
        english, packet = (
            form.cleaned_data[name] if form.is_valid() else "" for name in ("english", "packet")
        )
    context = {"section": "tools", "candidate": candidate, "english": english, "packet": packet}
    context |= {"kinds": KINDS, "cases": [case for case in CASES if case]}
    try:
        if request.POST.get("step") == "promote":
            rule = rules.promote(
                candidate=number, english=english, packet=packet, reviewer=request.user
            )
            security_events.change_rule(
                request, "aacp", "promoted", candidate=number, version=rule.version
            )
            messages.success(
                request, f"Candidate {number} promoted with slots as version {rule.version}."
            )
            return redirect("aacp-candidates")
        context["preview"] = rules.preview(candidate=number, english=english, packet=packet)
    except (BadTemplate, candidates.BadDecision) as bad:
        context["problem"] = bad
    refused = form.is_bound and "problem" in context
    return render(request, "aacp/slots.html", context, status=422 if refused else 200)


@require_POST
@administrators_only
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    """Withdraw a rule with slots."""
    try:
        rule, is_new = rules.withdraw(number)
    except candidates.BadDecision as bad:
        messages.error(request, str(bad))
    else:
        if is_new:
            security_events.change_rule(
                request, "aacp", "withdrawn", candidate=rule.candidate_id, version=rule.version
            )
        messages.success(request, f"Version {rule.version} of rule {rule.candidate_id} withdrawn.")
    return redirect("aacp-candidates")


def _describe(chosen: Workflow, form: WorkflowForm) -> dict[str, Any]:
    context = {
        "section": "tools",
        "workflows": WORKFLOWS.values(),
        "chosen": chosen,
        "form": form,
        "benchmark": benchmark.measure(),
    }
    if not form.is_valid():
        return context
    tokenizer = tokens.names()[0]
    encoded = hops.encode(chosen, form.cleaned_data, [tokenizer])
    return context | {
        "hops": [(hop, hop.tokens[tokenizer]) for hop in encoded],
        "total": hops.add(encoded, tokenizer),
        "tokenizer": tokenizer,
        "text": "".join(f"{hop.packet}\n" for hop in encoded),
    }


def _context(form: EnglishForm) -> dict[str, Any]:
    endpoint = settings.LLM
    return {"section": "tools", "form": form, "model": endpoint.model if endpoint else None}
