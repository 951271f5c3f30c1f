"""Generate AACP packets by rule for everyone, and with a model for callers with a key."""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from ninja import Router
from pydantic import Field as Parameter

from cablese.codec import Unencodable
from cablese.protocols.aacp.authoring.briefing import Prompt
from cablese.protocols.aacp.authoring.workflow import Workflow
from cablese.protocols.aacp.authoring.workflows import WORKFLOWS
from playground.aacp.hops import EncodedHop, encode
from playground.aacp.router import Unroutable, Written, write
from playground.rest.body import read_json, write_json
from playground.rest.choices import Tokenizers
from playground.rest.keys import optional
from playground.rest.openapi import described
from playground.rest.problems import NotYet, Problem
from playground.rest.shapes import DEFAULT_TOKENIZERS
from playground.tokens import benchmark

WorkflowName = Annotated[str, Parameter(json_schema_extra={"enum": list(WORKFLOWS)})]
router = Router(tags=["AACP"])


class InputShape(Struct, frozen=True):
    """An input of a workflow. ``pattern`` is a regular expression for the whole text."""

    name: str
    label: str
    pattern: str
    hint: str
    example: str


class HopShape(Struct, frozen=True):
    """One packet of a workflow, its inputs, and its English with input names in braces."""

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
    """The inputs of a workflow by name. All values are text."""

    inputs: dict[str, Any]
    tokenizers: Tokenizers = DEFAULT_TOKENIZERS


class EnglishRequest(Struct, forbid_unknown_fields=True):
    """An instruction in English, as one agent would give it to another.

    ``again`` calls the model even if it has answered this instruction before. ``prompt`` selects
    the model's instructions: a short briefing, or the full specification, which takes about five
    times as many tokens.
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
    """List all workflows with their inputs."""
    return write_json(WorkflowsAnswer([_about(workflow) for workflow in WORKFLOWS.values()]))


@router.post(
    "/aacp/workflows/{name}",
    summary="Generate a workflow's packets",
    openapi_extra=described(body=HopsRequest, answer=HopsAnswer, problems=(400, 404, 413, 422)),
)
def encode_workflow(request: HttpRequest, name: WorkflowName) -> HttpResponse:
    """Generate all packets of a workflow by rule, without a model. The same inputs always give the
    same bytes.
    """
    workflow = WORKFLOWS.get(name)
    if workflow is None:
        raise Problem(404, f"Unknown workflow. Expected {', '.join(WORKFLOWS)}.", "/name")
    body = read_json(request, HopsRequest)
    try:
        return write_json(HopsAnswer(name, encode(workflow, body.inputs, body.tokenizers)))
    except Unencodable as bad:
        raise Problem(422, bad.reason, f"/inputs{bad.pointer}") from None


@router.post(
    "/aacp/english",
    summary="Generate a packet from English",
    openapi_extra=described(
        body=EnglishRequest,
        answer=Written,
        optional_key=True,
        problems=(400, 401, 403, 413, 422, 502, 503),
    ),
)
def write_packet(request: HttpRequest) -> HttpResponse:
    """Generate a packet for an English instruction.

    Promoted rules answer everyone for free. Asking the model requires a key with the scope ingest,
    because the request is stored as a rule candidate. The same instruction is then answered from
    that candidate, free and not yet reviewed.
    """
    body = read_json(request, EnglishRequest)
    by = optional(request)
    may_ask = by is not None and "ingest" in by.scopes
    try:
        written = write(
            body.english,
            may_ask=may_ask,
            again=body.again,
            prompt=body.prompt,
            key=by.key_id if by else None,
        )
    except Unroutable as unroutable:
        if unroutable.reason == "endpoint":
            raise NotYet(str(unroutable)) from None
        status = (
            _STATUS[unroutable.reason] if by is None or unroutable.reason != "anonymous" else 403
        )
        problem = Problem(
            status, str(unroutable), "/english" if unroutable.reason == "input" else ""
        )
        if status == 401:
            problem = problem.with_headers(WWW_Authenticate="Bearer")
        raise problem from None
    return write_json(written)


@router.get(
    "/aacp/benchmark",
    summary="Get the four-hop benchmark",
    openapi_extra=described(answer=benchmark.Benchmark),
)
def four_hops(request: HttpRequest) -> HttpResponse:
    """Return the four-hop benchmark of the specification: its claims and our counts."""
    return write_json(benchmark.measure())


_STATUS = {"input": 422, "anonymous": 401, "busy": 503, "model": 502}


def _about(workflow: Workflow) -> WorkflowShape:
    return WorkflowShape(
        workflow.name,
        workflow.title,
        workflow.summary,
        [
            InputShape(field.name, field.label, field.kind.pattern, field.kind.hint, field.example)
            for field in workflow.inputs
        ],
        [HopShape(hop.title, hop.task, hop.dom, hop.needs, hop.english) for hop in workflow.hops],
    )
