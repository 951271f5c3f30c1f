"""Writing AACP by rule, open to everyone who can reach the server, and by a model, for those who
show a key.
"""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from ninja import Router
from pydantic import Field as Parameter

from auditlog.access import Sender
from cablese.codec import Unencodable
from cablese.protocols.aacp.authoring.briefing import Prompt
from cablese.protocols.aacp.authoring.workflow import Workflow
from cablese.protocols.aacp.authoring.workflows import WORKFLOWS
from playground.aacp import hops
from playground.aacp.hops import EncodedHop
from playground.aacp.router import Unroutable, Written, write
from playground.rest.body import read_json, write_json
from playground.rest.choices import Tokenizers
from playground.rest.keys import identify, shown
from playground.rest.openapi import described
from playground.rest.problems import Problem
from playground.rest.shapes import DEFAULT_TOKENIZERS
from playground.tokens import benchmark
from playground.tokens.benchmark import Benchmark

WorkflowName = Annotated[str, Parameter(json_schema_extra={"enum": list(WORKFLOWS)})]
router = Router(tags=["AACP"])


class InputShape(Struct, frozen=True):
    """What a workflow asks for: ``pattern`` is a regular expression for the whole text."""

    name: str
    label: str
    pattern: str
    hint: str
    example: str


class HopShape(Struct, frozen=True):
    """One packet of a workflow, the inputs that it is made of, and its English with their names in
    braces.
    """

    title: str
    task: str
    dom: str
    needs: tuple[str, ...]
    english: str


class WorkflowShape(Struct, frozen=True):
    name: str
    title: str
    summary: str
    inputs: list[InputShape]
    hops: list[HopShape]


class WorkflowsAnswer(Struct, frozen=True):
    workflows: list[WorkflowShape]


class HopsRequest(Struct, forbid_unknown_fields=True):
    """The inputs of a workflow by name, each of them text."""

    inputs: dict[str, Any]
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class EnglishRequest(Struct, forbid_unknown_fields=True):
    """An instruction in English, as one agent would give it to another.

    With ``again`` the model is asked although it has answered this instruction before. ``prompt``
    is what the model is told: a short briefing, or the whole specification, which takes about five
    times the tokens.
    """

    english: str
    again: bool = False
    prompt: Prompt = "brief"


class HopsAnswer(Struct, frozen=True):
    workflow: str
    hops: list[EncodedHop]


@router.get(
    "/aacp/workflows", summary="List workflows", openapi_extra=described(answer=WorkflowsAnswer)
)
def workflows(request: HttpRequest) -> HttpResponse:
    """The workflows that rules write packets for, with the inputs of each."""
    return write_json(WorkflowsAnswer([_about(workflow) for workflow in WORKFLOWS.values()]))


@router.post(
    "/aacp/workflows/{name}",
    summary="Write a workflow's packets",
    openapi_extra=described(body=HopsRequest, answer=HopsAnswer, problems=(400, 404, 413, 422)),
)
def encode_workflow(request: HttpRequest, name: WorkflowName) -> HttpResponse:
    """Write every packet of a workflow: by rule, without a model, the same bytes for the same
    inputs.
    """
    workflow = WORKFLOWS.get(name)
    if workflow is None:
        raise Problem(404, f"There is no such workflow; there are {', '.join(WORKFLOWS)}.", "/name")
    asked = read_json(request, HopsRequest)
    try:
        return write_json(HopsAnswer(name, hops.encode(workflow, asked.inputs, asked.tokenizers)))
    except Unencodable as bad:
        raise Problem(422, bad.reason, f"/inputs{bad.pointer}") from None


@router.post(
    "/aacp/english",
    summary="Write a packet from English",
    openapi_extra=described(
        body=EnglishRequest, answer=Written, problems=(400, 401, 403, 413, 422, 502, 503)
    ),
)
def write_packet(request: HttpRequest) -> HttpResponse:
    """Write a packet for an English instruction. A promoted rule answers everyone at no cost;
    asking the model needs a key with the scope ingest, because the question is kept as a candidate
    for a rule. The same instruction is then answered from that candidate, at no cost and not yet
    reviewed.
    """
    asked = read_json(request, EnglishRequest)
    by = _sender(request)
    may_ask = by is not None and "ingest" in by.scopes
    try:
        written = write(
            asked.english,
            may_ask=may_ask,
            again=asked.again,
            prompt=asked.prompt,
            key=by.key_id if by else None,
        )
    except Unroutable as unroutable:
        status = _STATUS[unroutable.reason] if by is None or unroutable.reason != "nobody" else 403
        problem = Problem(
            status, unroutable.words, "/english" if unroutable.reason == "input" else ""
        )
        if status == 401:
            problem = problem.with_headers(WWW_Authenticate="Bearer")
        raise problem from None
    return write_json(written)


@router.get(
    "/aacp/benchmark",
    summary="Get the four-hop benchmark",
    openapi_extra=described(answer=Benchmark),
)
def four_hops(request: HttpRequest) -> HttpResponse:
    """The four-hop benchmark of the specification: what it claims beside what we count."""
    return write_json(benchmark.measure())


_STATUS = {"input": 422, "nobody": 401, "endpoint": 503, "busy": 503, "model": 502}


def _sender(request: HttpRequest) -> Sender | None:
    """Who calls, where a key is shown; one that is no good is no key."""
    token = shown(request)
    return None if token is None else identify(request, token)


def _about(workflow: Workflow) -> WorkflowShape:
    return WorkflowShape(
        workflow.name,
        workflow.title,
        workflow.summary,
        [
            InputShape(one.name, one.label, one.kind.pattern, one.kind.hint, one.example)
            for one in workflow.inputs
        ],
        [HopShape(hop.title, hop.task, hop.dom, hop.needs, hop.english) for hop in workflow.hops],
    )
