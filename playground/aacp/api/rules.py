"""Manage AACP rules with slots: list candidates, preview, promote, and withdraw."""

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from ninja import Path, Router

from auditlog.log.leaf import format_time
from cablese.protocols.aacp.authoring.template import BadTemplate
from playground.aacp import candidates, rules
from playground.aacp.models import Candidate, Rule
from playground.http import security_events
from playground.rest.body import read_json, write_json
from playground.rest.keys import Key, for_installation
from playground.rest.openapi import described
from playground.rest.problems import Problem

router = Router(tags=["AACP"], auth=Key())
LIMIT = 100
Number = Annotated[int, Path(ge=0, le=2**63 - 1)]
Text = Annotated[str, Meta(max_length=5_000)]


class CandidateShape(Struct, frozen=True):
    """A request to a model and its packet. ``failure`` says why there is no packet."""

    id: int
    english: str
    packet: str
    failure: str
    state: Annotated[str, Meta(pattern="^(candidate|promoted|rejected)$")]
    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    asked: str
    uses: int


class RuleShape(Struct, frozen=True):
    """A version of a rule with slots, with its texts. ``withdrawn`` is when it ended."""

    id: int
    candidate: int
    version: int
    english: str
    packet: str
    made: str
    withdrawn: str | None
    uses: int


class CandidatesAnswer(Struct, frozen=True):
    candidates: list[CandidateShape]


class RulesAnswer(Struct, frozen=True):
    rules: list[RuleShape]


class SlotsRequest(Struct, forbid_unknown_fields=True):
    """An instruction and its packet with slots. Omitted texts are proposed.

    The instruction uses ``{name:number}``, ``word``, ``date``, or ``text 40``; the packet uses
    ``{name}``, ``{name:lower}``, ``{name:upper}``, or ``{name:snake}``.
    """

    english: Text | UnsetType = UNSET
    packet: Text | UnsetType = UNSET


class CaughtShape(Struct, frozen=True):
    """A recent candidate that the rule would answer. ``same`` is true if its model wrote the same
    packet.
    """

    candidate: int
    english: str
    packet: str
    same: bool


class PreviewAnswer(Struct, frozen=True):
    """What a template would do. ``conflicts`` lists active rules that match one of these
    instructions too.
    """

    english: str
    packet: str
    catches: list[CaughtShape]
    conflicts: list[RuleShape]


@router.get(
    "/aacp/candidates",
    summary="List candidates",
    openapi_extra=described(answer=CandidatesAnswer, problems=(401, 403)),
)
def list_candidates(request: HttpRequest) -> HttpResponse:
    """List the newest 100 model requests. Requires a key for all logs with the scope read."""
    for_installation(request, "read")
    return write_json(
        CandidatesAnswer([_candidate(candidate) for candidate in candidates.recent(LIMIT)])
    )


@router.get(
    "/aacp/rules",
    summary="List rules",
    openapi_extra=described(answer=RulesAnswer, problems=(401, 403)),
)
def list_rules(request: HttpRequest) -> HttpResponse:
    """List the newest 100 versions of rules with slots, including withdrawn ones. Requires a key
    for all logs with the scope read.
    """
    for_installation(request, "read")
    return write_json(RulesAnswer([_rule(rule) for rule in rules.recent(LIMIT)]))


@router.post(
    "/aacp/candidates/{int:number}/preview",
    summary="Preview a rule",
    openapi_extra=described(
        body=SlotsRequest, answer=PreviewAnswer, problems=(400, 401, 403, 404, 413, 422)
    ),
)
def preview(request: HttpRequest, number: Number) -> HttpResponse:
    """Preview what a candidate with slots would answer, without creating a rule. Requires a key for
    all logs with the scope read.
    """
    for_installation(request, "read")
    english, packet = _texts(number, read_json(request, SlotsRequest))
    try:
        result = rules.preview(candidate=number, english=english, packet=packet)
    except (BadTemplate, candidates.BadDecision) as bad:
        raise _problem(bad) from None
    catches = [
        CaughtShape(caught.candidate.pk, caught.candidate.english, caught.packet, caught.same)
        for caught in result.caught
    ]
    return write_json(
        PreviewAnswer(english, packet, catches, [_rule(fit.rule) for fit in result.conflicts])
    )


@router.post(
    "/aacp/candidates/{int:number}/rule",
    summary="Promote a candidate",
    openapi_extra=described(
        body=SlotsRequest,
        answer=RuleShape,
        statuses=(201,),
        problems=(400, 401, 403, 404, 413, 422),
    ),
)
def promote(request: HttpRequest, number: Number) -> HttpResponse:
    """Promote a candidate to a rule with slots, or add a version to the rule. Requires a key for
    all logs with the scope admin.
    """
    by = for_installation(request, "admin")
    body = read_json(request, SlotsRequest)
    if body.english is UNSET or body.packet is UNSET:
        missing = "english" if body.english is UNSET else "packet"
        raise Problem(
            422, "Provide both the instruction and the packet that you reviewed.", f"/{missing}"
        )
    try:
        _texts(number, body)
        rule = rules.promote(
            candidate=number, english=body.english, packet=body.packet, key=by.key_id
        )
    except (BadTemplate, candidates.BadDecision) as bad:
        raise _problem(bad) from None
    security_events.change_rule(request, "aacp", "promoted", candidate=number, version=rule.version)
    return write_json(_rule(rule), 201)


class DecisionRequest(Struct, forbid_unknown_fields=True):
    """The decision on a candidate: rule, rejected, or candidate again."""

    state: Literal["promoted", "rejected", "candidate"]


@router.post(
    "/aacp/candidates/{int:number}/decision",
    summary="Decide on a candidate",
    openapi_extra=described(
        body=DecisionRequest, answer=CandidateShape, problems=(400, 401, 403, 404, 413, 422)
    ),
)
def decide(request: HttpRequest, number: Number) -> HttpResponse:
    """Promote a candidate without slots, reject it, or undo the decision. Requires a key for all
    logs with the scope admin.
    """
    for_installation(request, "admin")
    state = read_json(request, DecisionRequest).state
    if candidates.find(number) is None:
        raise Problem(404, "Unknown candidate.", "/number")
    try:
        decided = candidates.decide(candidate=number, state=state, reviewer=None)
    except candidates.BadDecision as bad:
        raise Problem(422, str(bad), "/state") from None
    security_events.change_rule(request, "aacp", state, candidate=number)
    return write_json(_candidate(decided))


@router.delete(
    "/aacp/rules/{int:number}",
    summary="Withdraw a rule",
    openapi_extra=described(answer=RuleShape, problems=(401, 403, 404)),
)
def withdraw(request: HttpRequest, number: Number) -> HttpResponse:
    """Withdraw a version. It stays readable and no longer answers. Requires a key for all logs with
    the scope admin.
    """
    for_installation(request, "admin")
    try:
        withdrawn, is_new = rules.withdraw(number)
    except candidates.BadDecision as bad:
        raise Problem(404, str(bad), "/number") from None
    if is_new:
        security_events.change_rule(
            request,
            "aacp",
            "withdrawn",
            candidate=withdrawn.candidate_id,
            version=withdrawn.version,
        )
    return write_json(_rule(withdrawn))


def _texts(number: int, body: SlotsRequest) -> tuple[str, str]:
    candidate = candidates.find(number)
    if candidate is None:
        raise Problem(404, "Unknown candidate.", "/number")
    proposed = rules.propose(candidate) if candidate.packet else ("", "")
    english = proposed[0] if body.english is UNSET else body.english
    return english, proposed[1] if body.packet is UNSET else body.packet


def _problem(bad: BadTemplate | candidates.BadDecision) -> Problem:
    return Problem(422, str(bad), f"/{bad.field}" if isinstance(bad, BadTemplate) else "/number")


def _candidate(candidate: Candidate) -> CandidateShape:
    return CandidateShape(
        candidate.pk,
        candidate.english,
        candidate.packet,
        candidate.failure,
        candidate.state,
        candidate.model,
        candidate.calls,
        candidate.tokens_in,
        candidate.tokens_out,
        format_time(candidate.asked),
        candidate.uses,
    )


def _rule(rule: Rule) -> RuleShape:
    return RuleShape(
        rule.pk,
        rule.candidate_id,
        rule.version,
        rule.english,
        rule.packet,
        format_time(rule.made),
        format_time(rule.withdrawn) if rule.withdrawn else None,
        rule.uses,
    )
