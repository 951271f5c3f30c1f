"""Sample conversations for `manage.py demo`: quoted from the specifications, our own where a
specification has none, and invalid packets.

The metadata of a packet is what its source states around it, such as sender and recipient if the
protocol has no field for them.
"""

from dataclasses import dataclass
from typing import NamedTuple

from auditlog.ingest.item import Item
from cablese.transcript import split
from playground.workbench.examples import BY_SLUG, CONVERSATION


class Beside(NamedTuple):
    """Metadata supplied with one packet."""

    sender: str | None = None
    recipient: str | None = None
    goal: str | None = None
    task: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A text and the metadata of each of its messages in order."""

    slug: str
    text: str
    beside: tuple[Beside, ...]
    protocol: str | None = None
    """Set if a message is too damaged to be detected."""

    def items(self, log: str) -> list[Item]:
        """Return its messages to store. Event IDs are fixed, so that a second run adds nothing."""
        cuts = split(self.text, self.protocol).messages
        return [
            Item(
                cut.wire,
                protocol=cut.protocol,
                event_id=f"demo-{self.slug}-{number}",
                from_=said.sender,
                to=said.recipient,
                goal=said.goal,
                task=said.task,
                tags=list(said.tags) or None,
                log=log,
            )
            for number, (cut, said) in enumerate(zip(cuts, self.beside, strict=True), 1)
        ]


_AACP = """\
MERGE|HR|return:HR-Agent|p:1|aacp:1.1|rules:payroll_v2|
validate:budget_cc
FLAG|LEGAL|return:LEG-Agent|p:1|aacp:1.1|type:NDA|
party:Acme-Ltd|clause:s7|issue:ip_rights_restriction|
risk:high|block:signature
BUILD|IT|return:IT-Agent|p:1|aacp:1.1|res:ad_account|
filter:usr=j.smith|fields:email,dept,grp,pwd_reset
"""
_SACP = """\
{
  "msg_id": "task-9823",
  "g": "SUMMARIZE_FEEDBACK",
  "ctx": {"lang": "en", "test_mode": true},
  "plan": [
    ["extract", "FEEDBACK_DOC", {"range": "Q2"}],
    ["analyze", "SENTIMENT", {}],
    ["generate", "SUMMARY", {"length": "short"}]
  ],
  "out_fmt": "human",
  "state": "PENDING"
}
{
  "g": "SPAWN_AGENT",
  "ctx": {
    "missing_capability": "visa_requirements_check",
    "input_hints": ["citizenship", "destination_country", "travel_dates"],
    "output_expectation": "visa_required: true/false"
  },
  "plan": [
    ["define", "VISA_QUERY", {
      "description": "Checks visa requirements for a citizen traveling to a country",
      "inputs": ["nationality", "destination"],
      "outputs": ["visa_required"]
    }],
    ["instantiate", "VISA_AGENT", {
      "tool": "VISA_QUERY",
      "verb": "check"
    }]
  ],
  "out_fmt": "raw"
}
"""
_NLIP = """\
{"messagetype":"request","format":"text","subformat":"english",\
"content":"Which trains reach Bergen before noon?",\
"submessages":[{"format":"token","subformat":"conversation","content":"trip-7"}]}
{"messagetype":"response","format":"text","subformat":"english",\
"content":"Two: one at 07:10 and one at 10:54.",\
"submessages":[{"format":"token","subformat":"conversation","content":"trip-7"},\
{"format":"structured","subformat":"json","content":{"arrivals":["07:10","10:54"]}}]}
{"messagetype":"request","format":"text","subformat":"english",\
"content":"Take the later one, two seats.",\
"submessages":[{"format":"token","subformat":"conversation","content":"trip-7"}]}
"""
_SLIP = """\
SLIP v3 planner exec Request Plan auth
SLIP v3 exec planner Propose Plan incremental
SLIP v3 planner exec Accept Plan
SLIP v3 exec planner Inform Complete auth
SLIP v3 critic exec Eval NeedsWork tests
"""
_BROKEN_NSLIP = """\
RJE/PLN|g=43,t=1,!=scope_too_large
REQ/TSK|g=43,t=1|p=2,,@=auth_refactor
REQTSK|g=43,t=1
"""
_BROKEN_AACP = "FETCH|HR|p:9|aacp:1.1|res:emp_salary|period\n"
_BROKEN_TLINE = "T|21|X|res=half;done\nT|22|A|res=2_fail;;cmd=a b%2\n"
_BROKEN_JSON = '{"format":"text","subformat":"english","content":"It ends too early\n'

_HR = Beside("orchestrator", "HR-Agent", goal="payroll-2024-08", tags=("payroll",))
_ASK, _ANSWER = Beside("traveller", "timetable"), Beside("timetable", "traveller")

CONVERSATIONS = (
    Conversation(
        "nslip",
        CONVERSATION,
        (
            Beside("coordinator", "planner"),
            Beside("planner", "coordinator"),
            Beside("coordinator", "planner"),
            Beside("executor", "coordinator"),
            Beside("critic", "coordinator"),
            Beside("coordinator", "planner"),
        ),
    ),
    Conversation("aacp-fetch", BY_SLUG["folded"].text, (_HR,)),
    Conversation(
        "aacp",
        _AACP,
        (
            _HR,
            Beside("orchestrator", "LEG-Agent", goal="acme-nda", tags=("contract",)),
            Beside("orchestrator", "IT-Agent", goal="onboarding", tags=("account",)),
        ),
    ),
    Conversation(
        "sacp-hotel",
        BY_SLUG["plan"].text,
        (Beside("orchestrator", "hotel-agent", tags=("travel",)),),
    ),
    Conversation(
        "sacp",
        _SACP,
        (
            Beside("orchestrator", "feedback-agent", tags=("feedback",)),
            Beside("orchestrator", "meta-agent", tags=("travel",)),
        ),
    ),
    Conversation("nlip", _NLIP, (_ASK, _ANSWER, _ASK)),
    Conversation(
        "tline",
        BY_SLUG["percent"].text,
        (
            Beside("asker", "tester", goal="api_auth"),
            Beside("tester", "asker", goal="api_auth"),
            Beside("asker", "tester", goal="api_auth"),
            Beside("tester", "asker", goal="api_auth"),
        ),
    ),
    Conversation("slip", _SLIP, (Beside(goal="42"),) * 5),
    Conversation(
        "broken-nslip", _BROKEN_NSLIP, (Beside("planner", "coordinator"),) * 3, protocol="nslip"
    ),
    Conversation("broken-aacp", _BROKEN_AACP, (_HR,), protocol="aacp"),
    Conversation("broken-tline", _BROKEN_TLINE, (Beside("tester", "asker"),) * 2, protocol="tline"),
    Conversation("broken-nlip", _BROKEN_JSON, (_ASK,), protocol="nlip"),
)
