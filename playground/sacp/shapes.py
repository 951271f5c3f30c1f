"""The requests and responses of the SACP API."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from cablese import registry
from cablese.protocols.sacp.agents.definition import Name
from cablese.protocols.sacp.agents.library import Tool, Verb
from cablese.protocols.sacp.agents.registry import Agent, Role
from cablese.protocols.sacp.agents.report import Outlook
from cablese.protocols.sacp.tasks.history import Course
from cablese.protocols.sacp.tasks.output_rules import Violation
from cablese.protocols.sacp.tasks.states import History
from playground.rest.shapes import Text
from playground.sacp.store import Registered

SacpText = Annotated[Text, Meta(examples=[registry.get("sacp").reference.example])]
_STEP = {"verb": "search", "tool": "H_API", "params": {"c": "Paris"}}
_REPLY = '{"status":"VALID","reply_to":"hotel-1"}'
_TASK = (
    '{"g":"FIND_HOTEL","plan":[["s","H_API",{"c":"Paris"}]],"out_fmt":"raw","state":"PENDING",'
    '"msg_id":"hotel-1"}\n'
    '{"g":"FIND_HOTEL","plan":[["s","H_API",{"c":"Paris"}]],"out_fmt":"raw","state":"DONE",'
    '"reply_to":"hotel-1"}'
)


class MessageRequest(Struct, forbid_unknown_fields=True):
    """One SACP message as sent."""

    message: SacpText


class DryRunRequest(Struct, forbid_unknown_fields=True):
    """A message, and the agents that fail in the dry run."""

    message: SacpText
    failing: tuple[str, ...] = ()


class ReplyRequest(Struct, forbid_unknown_fields=True):
    """An agent's answer, its role, and the request."""

    reply: Annotated[Text, Meta(examples=[_REPLY])]
    role: Role = "Executor"
    request: Text | None = None


class RankRequest(Struct, forbid_unknown_fields=True):
    """A request as text, or as a vector to compare with the embeddings of agents."""

    text: Annotated[str, Meta(max_length=2000, examples=["Find a hotel in Paris"])] = ""
    embedding: Annotated[tuple[float, ...], Meta(min_length=1, max_length=4096)] | None = None


class StepRequest(Struct, forbid_unknown_fields=True):
    """A registered pair with its parameters. Steps of one ``group`` run at the same time, and a
    join step follows.
    """

    verb: Name
    tool: Name
    params: dict[str, Any] = {}
    group: Annotated[str, Meta(max_length=40)] = ""


class AssembleRequest(Struct, forbid_unknown_fields=True):
    """The parts of a message. ``join`` is the tool that combines the results of a group."""

    goal: Annotated[str, Meta(min_length=1, max_length=200, examples=["FIND_HOTEL"])]
    steps: Annotated[list[StepRequest], Meta(min_length=1, max_length=100, examples=[[_STEP]])]
    context: dict[str, Any] = {}
    join: Name = "MERGE"
    out_fmt: Literal["human", "raw", "summary"] = "raw"
    msg_id: Annotated[str, Meta(max_length=200)] = ""
    test_mode: bool = False


class Assembled(Struct, frozen=True):
    """The message as sent."""

    message: str


class Answer(Struct, frozen=True):
    """An agent's reply: VALID, ERR with code and details, or REQ_CLARIFY."""

    answer: dict[str, Any]


class StatesRequest(Struct, forbid_unknown_fields=True):
    """Messages as one text, oldest first."""

    text: Annotated[Text, Meta(examples=[_TASK])]


class States(Struct, frozen=True):
    """The states of each task in order. An invalid transition has a ``reason``.

    ``courses`` adds the goal of each task, its replies, and the fallback agents of failed steps.
    """

    histories: tuple[History, ...]
    courses: tuple[Course, ...]


class Verbs(Struct, frozen=True):
    verbs: list[Registered[Verb]]


class Tools(Struct, frozen=True):
    tools: list[Registered[Tool]]


class Agents(Struct, frozen=True):
    agents: list[Registered[Agent]]


class Fitting(Struct, frozen=True):
    """The agents that match a query, most trusted first."""

    agents: tuple[Agent, ...]


class Prompt(Struct, frozen=True):
    prompt: str


class Judged(Struct, frozen=True):
    """``violation`` is null if the role may give this reply."""

    violation: Violation | None


class SpawnAnswer(Struct, frozen=True):
    """The reply to a SPAWN_AGENT message; for other messages, the SPAWN_AGENT messages that were
    sent and the plan after the retry.

    ``asked`` lists the SPAWN_AGENT messages, ``replies`` their replies, and ``agents`` the
    registered names.
    """

    asked: list[str]
    replies: list[dict[str, Any]]
    agents: list[str]
    retried: Outlook | None
