"""Serve the SACP library and registry. Reading is open; registering requires an admin key."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from auditlog.sender import Sender
from cablese import detection
from cablese.conversation.gather import group, recorded
from cablese.message import Message
from cablese.protocols.sacp.agents import dryrun, interface, registry, similarity
from cablese.protocols.sacp.agents.answer import answer
from cablese.protocols.sacp.agents.definition import BadDefinition
from cablese.protocols.sacp.agents.library import Tool, Verb
from cablese.protocols.sacp.agents.prompt import make_prompt
from cablese.protocols.sacp.agents.report import Outlook, look
from cablese.protocols.sacp.codec import codec
from cablese.protocols.sacp.tasks import history, output_rules, states
from playground.http import security_events
from playground.rest.body import read_json, write_json
from playground.rest.keys import Key, for_installation
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.rest.text import AUTO, check_text, decode_text
from playground.sacp import ranking, spawning, store
from playground.sacp.shapes import (
    Agents,
    Answer,
    Assembled,
    AssembleRequest,
    DryRunRequest,
    Fitting,
    Judged,
    MessageRequest,
    Prompt,
    RankRequest,
    ReplyRequest,
    SpawnAnswer,
    States,
    StatesRequest,
    Tools,
    Verbs,
)

router = Router(tags=["SACP"])


def _register(request: HttpRequest, kind: type[store.Defined]) -> HttpResponse:
    by = for_installation(request, "admin")
    return _add(request, by, read_json(request, kind))


def _add(request: HttpRequest, by: Sender, definition: store.Defined) -> HttpResponse:
    (registered,) = store.add([definition], by.source_id)
    security_events.change_rule(
        request,
        store.kind_of(definition),
        "registered",
        name=registered.name,
        revision=str(registered.revision),
    )
    return write_json(registered, 201 if registered.revision == 1 else 200)


@router.get("/verbs", summary="List verbs", openapi_extra=described(answer=Verbs))
def verbs(request: HttpRequest) -> HttpResponse:
    """List the newest revision of each verb."""
    return write_json(Verbs(store.listed("verb")))


@router.get("/tools", summary="List tools", openapi_extra=described(answer=Tools))
def tools(request: HttpRequest) -> HttpResponse:
    """List the newest revision of each tool."""
    return write_json(Tools(store.listed("tool")))


@router.get("/agents", summary="List agents", openapi_extra=described(answer=Agents))
def agents(request: HttpRequest) -> HttpResponse:
    """List the newest revision of each agent in the capability registry."""
    return write_json(Agents(store.listed("agent")))


@router.get(
    "/verbs/{name}",
    summary="List a verb's revisions",
    openapi_extra=described(answer=Verbs, problems=(404,)),
)
def verb_revisions(request: HttpRequest, name: str) -> HttpResponse:
    """List all revisions of a verb, newest first."""
    return write_json(Verbs(_revisions("verb", name)))


@router.get(
    "/tools/{name}",
    summary="List a tool's revisions",
    openapi_extra=described(answer=Tools, problems=(404,)),
)
def tool_revisions(request: HttpRequest, name: str) -> HttpResponse:
    """List all revisions of a tool, newest first."""
    return write_json(Tools(_revisions("tool", name)))


@router.get(
    "/agents/{name}",
    summary="List an agent's revisions",
    openapi_extra=described(answer=Agents, problems=(404,)),
)
def agent_revisions(request: HttpRequest, name: str) -> HttpResponse:
    """List all revisions of an agent, newest first."""
    return write_json(Agents(_revisions("agent", name)))


REGISTERING: Any = {"statuses": (200, 201), "problems": (400, 401, 403, 413, 422)}


@router.post(
    "/verbs",
    summary="Register a verb",
    auth=Key(),
    openapi_extra=described(body=Verb, answer=store.Registered[Verb], **REGISTERING),
)
def register_verb(request: HttpRequest) -> HttpResponse:
    """Register a verb or its next revision."""
    return _register(request, Verb)


@router.post(
    "/tools",
    summary="Register a tool",
    auth=Key(),
    openapi_extra=described(body=Tool, answer=store.Registered[Tool], **REGISTERING),
)
def register_tool(request: HttpRequest) -> HttpResponse:
    """Register a tool or its next revision."""
    return _register(request, Tool)


@router.post(
    "/agents",
    summary="Register an agent",
    auth=Key(),
    openapi_extra=described(
        body=registry.Agent, answer=store.Registered[registry.Agent], **REGISTERING
    ),
)
def register_agent(request: HttpRequest) -> HttpResponse:
    """Register an agent or its next revision.

    A registered agent can publish ``{"agent", "embedding", "description"}`` alone, as in Appendix
    B.
    """
    by = for_installation(request, "admin")
    try:
        agent = registry.read_agent(read_json(request, dict), store.load()[1])
    except BadDefinition as bad:
        raise Problem(422, bad.reason, bad.pointer) from None
    return _add(request, by, agent)


WITHDRAWING: Any = {"problems": (401, 403, 404)}


@router.delete(
    "/verbs/{name}",
    summary="Withdraw a verb",
    auth=Key(),
    openapi_extra=described(answer=store.Registered[Verb], **WITHDRAWING),
)
def withdraw_verb(request: HttpRequest, name: str) -> HttpResponse:
    """Withdraw a verb. Its last revision records who and when. Register it again to restore it."""
    return _withdraw(request, "verb", name)


@router.delete(
    "/tools/{name}",
    summary="Withdraw a tool",
    auth=Key(),
    openapi_extra=described(answer=store.Registered[Tool], **WITHDRAWING),
)
def withdraw_tool(request: HttpRequest, name: str) -> HttpResponse:
    """Withdraw a tool. Its last revision records who and when. Register it again to restore it."""
    return _withdraw(request, "tool", name)


@router.delete(
    "/agents/{name}",
    summary="Withdraw an agent",
    auth=Key(),
    openapi_extra=described(answer=store.Registered[registry.Agent], **WITHDRAWING),
)
def withdraw_agent(request: HttpRequest, name: str) -> HttpResponse:
    """Withdraw an agent. Its last revision records who and when. Register again to restore it."""
    return _withdraw(request, "agent", name)


@router.get(
    "/agents/{name}/prompt",
    summary="Get an agent's prompt",
    openapi_extra=described(answer=Prompt, problems=(404, 422)),
)
def prompt(request: HttpRequest, name: str, *, specification: bool = False) -> HttpResponse:
    """Return the prompt for an agent, optionally with the SACP specification."""
    agent = registry.get(store.load()[1], name)
    if agent is None:
        raise Problem(404, "Unknown agent.", "/name")
    return write_json(Prompt(make_prompt(agent, specification=specification)))


@router.post(
    "/query",
    summary="Query agents",
    openapi_extra=described(body=registry.Query, answer=Fitting, problems=(400, 413, 422)),
)
def query(request: HttpRequest) -> HttpResponse:
    """Find agents by verb, inputs (by the last part of their path), and type of output, as in the
    specification.
    """
    parsed = registry.read_query(read_json(request, dict[str, Any]))
    return write_json(Fitting(registry.find(store.load()[1], parsed)))


@router.post(
    "/rank",
    summary="Rank agents",
    openapi_extra=described(body=RankRequest, answer=ranking.Ranking, problems=(400, 413, 422)),
)
def rank(request: HttpRequest) -> HttpResponse:
    """Rank agents by description.

    A vector is compared with the embeddings that agents publish. Text is compared with their
    descriptions: by meaning if the extra ``embeddings`` is installed (first 256 tokens), otherwise
    by shared words.
    """
    body = read_json(request, RankRequest)
    known = store.load()[1]
    if body.embedding is not None:
        return write_json(
            ranking.Ranking("embedding", similarity.rank_by_vector(known, body.embedding))
        )
    return write_json(ranking.rank(known, body.text))


@router.post(
    "/validate",
    summary="Validate a message",
    openapi_extra=described(body=MessageRequest, answer=Answer, problems=(400, 413, 422)),
)
def validate(request: HttpRequest) -> HttpResponse:
    """Validate a message as the specification does: VALID, ERR (code, step), or REQ_CLARIFY."""
    return write_json(Answer(answer(_message(read_json(request, MessageRequest).message))))


@router.post(
    "/feasible",
    summary="Check a plan's feasibility",
    openapi_extra=described(body=MessageRequest, answer=Outlook, problems=(400, 413, 422)),
)
def feasibility(request: HttpRequest) -> HttpResponse:
    """Check that each step has a registered verb and tool that belong together, and find its
    agents.

    Subtasks are checked too, and withdrawn definitions are listed.
    """
    message = _message(read_json(request, MessageRequest).message)
    return write_json(look(message, *store.load_all()))


@router.post(
    "/assemble",
    summary="Assemble a message",
    openapi_extra=described(body=AssembleRequest, answer=Assembled, problems=(400, 413, 422)),
)
def assemble(request: HttpRequest) -> HttpResponse:
    """Assemble a message from a goal, context, and registered pairs, as an Interface agent does."""
    body = read_json(request, AssembleRequest)
    pairs = interface.arrange(
        ((interface.Pair(step.verb, step.tool, step.params), step.group) for step in body.steps),
        body.join,
    )
    more = [
        (name, value)
        for name, value in (("msg_id", body.msg_id), ("test_mode", body.test_mode))
        if value
    ]
    values = interface.assemble(
        body.goal, body.context, pairs, *store.load(), out_fmt=body.out_fmt, more=more
    )
    return write_json(Assembled(codec.encode(values)))


@router.post(
    "/dry-run",
    summary="Test a plan",
    openapi_extra=described(body=DryRunRequest, answer=dryrun.DryRun, problems=(400, 413, 422)),
)
def dry_run(request: HttpRequest) -> HttpResponse:
    """Dry-run a plan against the registry, with fallbacks for agents that are set to fail. Nothing
    is executed.
    """
    body = read_json(request, DryRunRequest)
    message = _plan(body.message)
    library, agents = store.load()
    proposed = look(message, library, agents).proposed
    return write_json(
        dryrun.rehearse(message.values, agents, frozenset(body.failing), proposed=proposed)
    )


@router.post(
    "/discipline",
    summary="Check a reply",
    openapi_extra=described(body=ReplyRequest, answer=Judged, problems=(400, 413, 422)),
)
def judge(request: HttpRequest) -> HttpResponse:
    """Check whether an agent of this role may give this reply. Prose is allowed only if the role or
    out_fmt allows it.
    """
    body = read_json(request, ReplyRequest)
    check_text(body.reply, "/reply")
    before = None if body.request is None else _message(body.request, "/request")
    return write_json(
        Judged(output_rules.judge(_message(body.reply, "/reply"), role=body.role, asked=before))
    )


@router.post(
    "/states",
    summary="Track task states",
    openapi_extra=described(body=StatesRequest, answer=States, problems=(400, 413, 422)),
)
def track_states(request: HttpRequest) -> HttpResponse:
    """Track the task states that messages and replies set, and report invalid transitions."""
    body = read_json(request, StatesRequest)
    transcript, messages = decode_text(body.text, AUTO, None)
    groups = group(messages, recorded(transcript.messages))
    courses = history.follow(messages, store.load()[1], groups)
    return write_json(States(states.track(messages, groups), courses))


@router.post(
    "/spawn",
    summary="Spawn agents",
    auth=Key(),
    openapi_extra=described(
        body=MessageRequest, answer=SpawnAnswer, problems=(400, 401, 403, 413, 422)
    ),
)
def spawn_agents(request: HttpRequest) -> HttpResponse:
    """Answer a SPAWN_AGENT message; for other messages, create an agent for each step that lacks
    one and retry the plan.

    Repeating the request creates nothing new.
    """
    by = for_installation(request, "admin")
    sent = spawning.send(_plan(read_json(request, MessageRequest).message), by.source_id)
    names = [agent.agent_name for spawned in sent.spawned for agent in spawned.made]
    if names:
        security_events.change_rule(request, "agent", "spawned", name=", ".join(names))
    wires, replies = (
        [spawned.wire for spawned in sent.spawned],
        [spawned.reply for spawned in sent.spawned],
    )
    return write_json(SpawnAnswer(wires, replies, names, sent.retried))


def _message(text: str, pointer: str = "/message") -> Message:
    check_text(text, pointer)
    return codec.decode(text) if text.lstrip()[:1] == "{" else detection.decode(text)


def _plan(text: str) -> Message:
    """Return a valid message with a plan. Raises Problem 422 with the reply of an agent."""
    message = _message(text)
    replied = answer(message)
    if replied["status"] != "VALID" or "steps" not in message.values:
        detail = replied.get("details", "A reply does not have a plan.")
        raise Problem(422, detail, "/message", answer=replied)
    return message


def _revisions(kind: str, name: str) -> list[store.Registered[Any]]:
    revisions = store.revisions(kind, name)
    if not revisions:
        raise Problem(404, f"Unknown {kind}.", "/name")
    return revisions


def _withdraw(request: HttpRequest, kind: str, name: str) -> HttpResponse:
    by = for_installation(request, "admin")
    found = store.withdraw(kind, name, by.source_id)
    if found is None:
        raise Problem(404, f"Unknown {kind}.", "/name")
    withdrawn, is_new = found
    if is_new:
        security_events.change_rule(
            request, kind, "withdrawn", name=withdrawn.name, revision=str(withdrawn.revision)
        )
    return write_json(withdrawn)
