from typing import Any

import msgspec
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from auditlog import access
from cablese import tokens
from cablese.codec import Unencodable
from cablese.protocols.sacp.agents import interface, registry
from cablese.protocols.sacp.agents.answer import answer
from cablese.protocols.sacp.agents.definition import BadDefinition
from cablese.protocols.sacp.agents.prompt import make_prompt
from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY
from cablese.protocols.sacp.codec import codec
from playground.accounts.rights import (
    administrators_only,
    is_administrator,
    require_administrator,
)
from playground.display.message import FullMessage
from playground.http import security_events
from playground.http.refusals import ONLY_ADMINISTRATORS
from playground.sacp import plan_check, ranking, spawning, store
from playground.sacp.forms import (
    AssembleForm,
    DefinitionForm,
    PlanForm,
    QueryForm,
    RankForm,
    TranscriptForm,
)
from playground.sacp.tasks import Courses
from playground.workbench.document import Reading
from playground.workbench.panels import show

EXAMPLE = (
    '{"g":"FIND_HOTEL","ctx":{"loc":"Paris","history":[140,155]},'
    '"plan":[{"parallel":[["s","H_API",{"c":"Paris","p_max":150}],'
    '["predict","PRC_EST",{"method":"linear","window":7}]]},'
    '["join","MERGE",{}],["p","PRES",{"n":5}]],"out_fmt":"human","test_mode":true}'
)
TRANSCRIPT = """\
{"g":"FIND_HOTEL","msg_id":"h-1",\
"plan":[["s","H_API",{"c":"Paris"}],["r","RANK",{}]],"state":"PENDING"}
{"g":"FIND_HOTEL","reply_to":"h-1",\
"plan":[["s","H_API",{"c":"Paris"}],["r","RANK",{}]],"state":"IN_PROGRESS"}
{"status":"ERR","code":"BAD_PARAM",\
"details":"Step 1: the catalog does not answer.","reply_to":"h-1"}
{"g":"FIND_HOTEL","reply_to":"h-1",\
"plan":[["s","H_API",{"c":"Paris"}],["r","RANK",{}]],"state":"FAILED"}
HOTEL_FINDER: I am sorry, I could not find any hotels.
{"g":"FIND_HOTEL","reply_to":"h-1",\
"plan":[["s","H_API",{"c":"Paris"}],["r","RANK",{}]],"state":"DONE"}
"""
SAMPLES: dict[str, Any] = {"verb": LIBRARY.verbs[0], "tool": LIBRARY.tools[0], "agent": AGENTS[0]}


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Show the libraries and the registry, and rank agents by description."""
    form = RankForm(request.GET)
    wish = form.cleaned_data["wish"] if form.is_valid() else ""
    query = QueryForm(request.GET if set(request.GET) & set(QueryForm.base_fields) else None)
    asks = query.is_bound and not query.is_empty
    agents = store.load()[1]
    context = {
        "section": "tools",
        "form": form,
        "wish": wish,
        "ranking": ranking.rank(agents, wish) if wish else None,
        "query": query,
        "fitting": registry.find(agents, query.cleaned_data["query"])
        if asks and query.is_valid()
        else None,
        "kinds": [(kind, store.listed(kind)) for kind in ("agent", "verb", "tool")],
        "roles": registry.ROLES.items(),
    }
    return render(request, "sacp/sacp.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, kind: str) -> HttpResponse:
    """Show a form for a new definition, filled with the specification's example."""
    _check_kind(kind)
    form = DefinitionForm(kind, {"body": request.POST.get("body", _written(SAMPLES[kind]))})
    if request.method == "POST":
        return _register(request, kind, form, {"kind": kind})
    return render(request, "sacp/definition.html", {"section": "tools", "kind": kind, "form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def definition(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """Show a definition: its revisions, a form for the next one, and an agent's prompt."""
    _check_kind(kind)
    revisions = store.revisions(kind, name)
    if not revisions:
        raise Http404(name)
    newest = revisions[0].definition
    agent = registry.get(store.load()[1], name) if kind == "agent" else None
    specification = "specification" in request.GET
    context = {
        "kind": kind,
        "name": name,
        "revisions": [(revision, _written(revision.definition)) for revision in revisions],
        "specification": specification,
        "withdrawn": revisions[0].withdrawn,
        "prompt": make_prompt(agent, specification=specification) if agent else None,
    }
    form = DefinitionForm(kind, {"body": request.POST.get("body", _written(newest))}, name=name)
    if request.method == "POST":
        return _register(request, kind, form, context)
    return render(request, "sacp/definition.html", context | {"section": "tools", "form": form})


@never_cache
@require_POST
@administrators_only
def withdraw(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    """Withdraw a definition. Its revisions stay readable."""
    _check_kind(kind)
    assert request.user.is_authenticated
    found = store.withdraw(kind, name, access.person(request.user).source_id)
    if found is None:
        raise Http404(name)
    withdrawn, is_new = found
    if is_new:
        security_events.change_rule(
            request, kind, "withdrawn", name=name, revision=str(withdrawn.revision)
        )
    messages.success(request, f"{name} withdrawn.")
    return redirect("sacp-definition", kind, name)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plan(request: HttpRequest) -> HttpResponse:
    """Check a pasted message against the registry and dry-run it."""
    form = PlanForm(request.POST if request.method == "POST" else {"text": EXAMPLE})
    context: dict[str, Any] = {"section": "tools", "form": form}
    if not form.is_valid():
        return render(request, "sacp/plan.html", context, status=422)
    planning = plan_check.plan(form.cleaned_data["text"], *store.load_all(), form.failing)
    return render(request, "sacp/plan.html", context | _planned(request, planning))


@never_cache
@require_POST
def spawn(request: HttpRequest) -> HttpResponse:
    """Create the agents that a plan lacks and retry it. The pasted message stays on the page."""
    form = PlanForm(request.POST)
    context: dict[str, Any] = {"section": "tools", "form": form}
    if not form.is_valid():
        return render(request, "sacp/plan.html", context, status=422)
    message = codec.decode(form.cleaned_data["text"])
    sent, refusal, status = None, "", 200
    if not request.user.is_authenticated:
        refusal, status = (
            "Nothing was sent: you have been signed out. Sign in and try again.",
            403,
        )
    elif not is_administrator(request):
        security_events.refuse_right(request, "administrator", person=request.user.get_username())
        refusal, status = f"Nothing was sent. {ONLY_ADMINISTRATORS}", 403
    elif answer(message)["status"] != "VALID" or "steps" not in message.values:
        refusal, status = "Nothing was sent: the message is invalid.", 422
    else:
        try:
            sent = spawning.send(message, access.person(request.user).source_id)
        except BadDefinition as bad:
            refusal, status = f"Nothing was registered: {bad.reason}", 422
        else:
            names = [agent.agent_name for spawned in sent.spawned for agent in spawned.made]
            if names:
                security_events.change_rule(request, "agent", "spawned", name=", ".join(names))
    planning = plan_check.plan(message.wire, *store.load_all(), form.failing)
    context |= _planned(request, planning) | {"sent": sent, "refusal": refusal}
    return render(request, "sacp/plan.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def history(request: HttpRequest) -> HttpResponse:
    """Track the tasks of a pasted transcript and find prose instead of data."""
    form = TranscriptForm(
        request.POST if request.method == "POST" else {"text": TRANSCRIPT, "role": "Executor"}
    )
    context: dict[str, Any] = {"section": "tools", "form": form, "roles": registry.ROLES}
    if not form.is_valid():
        return render(request, "sacp/history.html", context, status=422)
    reading = Reading(form.cleaned_data["text"], protocol=None, tokenizer=tokens.names()[0])
    courses = Courses(reading, lambda: store.load()[1], role=form.cleaned_data["role"])
    return render(request, "sacp/history.html", context | {"reading": reading, "courses": courses})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def assemble(request: HttpRequest) -> HttpResponse:
    """Assemble a message from a goal, a context, and registered pairs."""
    library, agents, withdrawn = store.load_all()
    form = AssembleForm(
        interface.find_pairs(library, agents), request.POST if request.method == "POST" else None
    )
    context: dict[str, Any] = {"section": "tools", "form": form}
    if "more" in request.POST:
        form.errors.clear()  # incomplete
    if request.method != "POST" or "more" in request.POST:
        return render(request, "sacp/assemble.html", context)
    wire = None
    try:
        wire = codec.encode(form.assemble(library, agents)) if form.is_valid() else None
    except (BadDefinition, Unencodable) as bad:
        form.add_error(None, bad.reason)
    if wire is None:
        return render(request, "sacp/assemble.html", context, status=422)
    planning = plan_check.plan(wire, library, agents, withdrawn)
    return render(request, "sacp/assemble.html", context | _planned(request, planning))


def _planned(request: HttpRequest, planning: dict[str, Any]) -> dict[str, Any]:
    return {"planning": planning} | show(
        request, FullMessage(planning["message"], tokens.names()[0])
    )


def _register(
    request: HttpRequest, kind: str, form: DefinitionForm, context: dict[str, Any]
) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    require_administrator(request)
    registered = None
    if form.is_valid():
        try:
            (registered,) = store.add(
                [form.cleaned_data["body"]], access.person(request.user).source_id
            )
        except BadDefinition as bad:
            form.refuse(bad)
    if registered is None:
        return render(
            request,
            "sacp/definition.html",
            context | {"section": "tools", "form": form},
            status=422,
        )
    security_events.change_rule(
        request, kind, "registered", name=registered.name, revision=str(registered.revision)
    )
    messages.success(request, f"{registered.name} registered as revision {registered.revision}.")
    return redirect("sacp-definition", kind, registered.name)


def _check_kind(kind: str) -> None:
    if kind not in store.TYPES:
        raise Http404(kind)


def _written(definition: object) -> str:
    """Return a definition as JSON with one field per line."""
    return msgspec.json.format(msgspec.json.encode(definition), indent=2).decode()
