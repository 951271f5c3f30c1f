"""Rules with slots: a promoted candidate that answers every instruction of its form. See
`cablese.protocols.aacp.authoring.template`.

If several rules match an instruction, one answers, in this order: the rule without slots, then the
one with the most fixed text, then the older one. The answer lists the others with another packet.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max

from cablese.protocols.aacp.authoring import template
from playground.aacp.candidates import BadDecision, decide
from playground.aacp.models import Candidate, Rule

RECENT = 200
"""The limit of recent candidates in a preview."""
CHECKED = 20
"""The limit of candidates for which a preview lists other matching rules."""
MOST_RULES = 1000
"""The limit of active rules with slots, because each is compared with an instruction."""


class Fit(NamedTuple):
    """A rule with slots that matches an instruction, and the packet that it gives."""

    rule: Rule
    packet: str


class Caught(NamedTuple):
    """A candidate that a rule would answer, with the packet of the rule; ``same`` if the model
    wrote the same packet.
    """

    candidate: Candidate
    packet: str
    same: bool


class Preview(NamedTuple):
    """What a template would do: the recent candidates that it answers, and the active rules that
    match one of them too.
    """

    caught: tuple[Caught, ...]
    conflicts: tuple[Fit, ...]


def propose(candidate: Candidate) -> tuple[str, str]:
    """Return an instruction and a packet with slots for their shared values, or those of the active
    rule.
    """
    active = candidate.rules.filter(withdrawn=None).first()
    return (
        (active.english, active.packet)
        if active
        else template.propose(candidate.english, candidate.packet)
    )


def preview(*, candidate: int, english: str, packet: str) -> Preview:
    """Preview a template without storing it. Raises BadDecision and BadTemplate."""
    chosen = _chosen(candidate)
    parsed = template.parse(english, packet)
    given = template.answer(parsed, chosen.english)
    if given is None:
        raise template.BadTemplate(
            "english",
            "The pattern must match the candidate's own instruction, in exactly one way.",
        )
    if given != chosen.packet:
        raise template.BadTemplate(
            "packet",
            f"For the candidate's own instruction the rule gives {given}, "
            "which differs from the reviewed packet.",
        )
    others = Candidate.objects.exclude(pk=chosen.pk).order_by("-id")[:RECENT]
    answers = ((other, template.answer(parsed, other.english)) for other in others)
    caught = tuple(
        Caught(other, text, text == other.packet) for other, text in answers if text is not None
    )
    texts = [chosen.english, *(item.candidate.english for item in caught[:CHECKED])]
    matches = [fit for text in texts for fit in fits(text) if fit.rule.candidate_id != chosen.pk]
    return Preview(caught, tuple({fit.rule.pk: fit for fit in matches}.values()))


def promote(
    *,
    candidate: int,
    english: str,
    packet: str,
    reviewer: AbstractBaseUser | None = None,
    key: str | None = None,
) -> Rule:
    """Promote a candidate to a rule with slots, or to its next version. Raises BadDecision and
    BadTemplate.
    """
    preview(candidate=candidate, english=english, packet=packet)
    with transaction.atomic():
        chosen = decide(candidate=candidate, state="promoted", reviewer=reviewer)
        if Rule.objects.filter(withdrawn=None).exclude(candidate=chosen).count() >= MOST_RULES:
            raise BadDecision(
                f"The limit of {MOST_RULES:,} rules with slots is reached. Withdraw an unused rule."
            )
        chosen.rules.filter(withdrawn=None).update(withdrawn=datetime.now(UTC))
        last: int = chosen.rules.aggregate(last=Max("version"))["last"] or 0
        return Rule.objects.create(
            candidate=chosen,
            version=last + 1,
            english=template.normalize(english),
            packet=packet.strip(),
            made=datetime.now(UTC),
            user_id=reviewer.pk if reviewer else None,
            key_id=key,
        )


def withdraw(rule: int) -> tuple[Rule, bool]:
    """End a rule. Its candidate stays a rule for its own instruction. Return the rule, and whether
    it was active until now. Raises BadDecision.
    """
    ended = Rule.objects.filter(pk=rule, withdrawn=None).update(withdrawn=datetime.now(UTC))
    row = Rule.objects.filter(pk=rule).first()
    if row is None:
        raise BadDecision("Unknown rule.")
    return row, ended == 1


def fits(english: str) -> list[Fit]:
    """Return the active rules with slots that match an instruction, the one that applies first."""
    matches = sorted(_fits(english), key=lambda pair: (-pair[0].literal, pair[1].rule.pk))
    return [fit for _, fit in matches]


def recent(limit: int) -> Sequence[Rule]:
    """Return the newest rules with slots, including withdrawn ones."""
    return list(Rule.objects.order_by("-id")[:limit])


def _fits(english: str) -> Iterator[tuple[template.Template, Fit]]:
    for rule in Rule.objects.filter(withdrawn=None).order_by("id")[:MOST_RULES]:
        parsed = _parsed(rule.english, rule.packet)
        packet = template.answer(parsed, english)
        if packet is not None:
            yield parsed, Fit(rule, packet)


def _chosen(number: int) -> Candidate:
    chosen = Candidate.objects.filter(pk=number).first()
    if chosen is None:
        raise BadDecision("Unknown candidate.")
    if not chosen.packet:
        raise BadDecision("This candidate has no packet and cannot be promoted.")
    return chosen


_parsed = lru_cache(maxsize=2 * MOST_RULES)(template.parse)
