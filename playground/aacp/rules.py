"""Rules with slots: a promoted candidate that answers every instruction of its form. See
`cablese.protocols.aacp.authoring.template`.

Where several rules fit an instruction, one answers, in this order: the rule without slots, then the
one with the most fixed text, then the older one. Which others would have answered otherwise is told
with the answer.
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

SEEN = 200
"""So many recent candidates are looked through for a preview."""
TOLD = 20
"""For so many of them it is said which other rules fit."""
STANDING = 1000
"""So many rules with slots there may be: each of them is held against an instruction."""


class Fit(NamedTuple):
    """A rule with slots that fits an instruction, and the packet that it gives."""

    rule: Rule
    packet: str


class Caught(NamedTuple):
    """A candidate that a rule would answer, with the packet of the rule; ``same`` when the model
    wrote that one too.
    """

    candidate: Candidate
    packet: str
    same: bool


class Preview(NamedTuple):
    """What a template would do: the recent candidates it answers, and standing rules that fit one
    of them as well.
    """

    caught: tuple[Caught, ...]
    conflicts: tuple[Fit, ...]


def propose(candidate: Candidate) -> tuple[str, str]:
    """An instruction and a packet with slots for what the two share. A standing rule is proposed as
    it stands.
    """
    standing = candidate.rules.filter(withdrawn=None).first()
    return (
        (standing.english, standing.packet)
        if standing
        else template.propose(candidate.english, candidate.packet)
    )


def preview(*, candidate: int, english: str, packet: str) -> Preview:
    """Preview a template without storing it. Raises BadDecision and BadTemplate."""
    chosen = _chosen(candidate)
    made = template.parse(english, packet)
    given = template.answer(made, chosen.english)
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
    seen = Candidate.objects.exclude(pk=chosen.pk).order_by("-id")[:SEEN]
    answers = ((one, template.answer(made, one.english)) for one in seen)
    caught = tuple(
        Caught(one, text, text == one.packet) for one, text in answers if text is not None
    )
    others = [fit for fit in fits(chosen.english) if fit.rule.candidate_id != chosen.pk]
    for one in caught[:TOLD]:
        others += [fit for fit in fits(one.candidate.english) if fit.rule.candidate_id != chosen.pk]
    return Preview(caught, tuple({fit.rule.pk: fit for fit in others}.values()))


def promote(
    *,
    candidate: int,
    english: str,
    packet: str,
    who: AbstractBaseUser | None = None,
    key: str | None = None,
) -> Rule:
    """Make a candidate a rule with slots, the next version where it has one. Raises BadDecision and
    BadTemplate.
    """
    preview(candidate=candidate, english=english, packet=packet)
    with transaction.atomic():
        chosen = decide(candidate=candidate, state="promoted", who=who)
        if Rule.objects.filter(withdrawn=None).exclude(candidate=chosen).count() >= STANDING:
            raise BadDecision(
                f"The limit of {STANDING:,} rules with slots is reached. Withdraw an unused rule."
            )
        chosen.rules.filter(withdrawn=None).update(withdrawn=datetime.now(UTC))
        last: int = chosen.rules.aggregate(last=Max("version"))["last"] or 0
        return Rule.objects.create(
            candidate=chosen,
            version=last + 1,
            english=template.normalize(english),
            packet=packet.strip(),
            made=datetime.now(UTC),
            user_id=who.pk if who else None,
            key_id=key,
        )


def withdraw(rule: int) -> Rule:
    """From now on a rule answers nothing. Its candidate stays a rule for its own instruction.
    Raises BadDecision.
    """
    found = Rule.objects.filter(pk=rule).first()
    if found is None:
        raise BadDecision("Unknown rule.")
    if found.withdrawn is None:
        found.withdrawn = datetime.now(UTC)
        found.save(update_fields=["withdrawn"])
    return found


def fits(english: str) -> list[Fit]:
    """Return the active rules with slots that match an instruction, the one that applies first."""
    found = sorted(_fits(english), key=lambda pair: (-pair[0].literal, pair[1].rule.pk))
    return [fit for _, fit in found]


def recent(limit: int) -> Sequence[Rule]:
    """Return the newest rules with slots, withdrawn ones included."""
    return list(Rule.objects.order_by("-id")[:limit])


def _fits(english: str) -> Iterator[tuple[template.Template, Fit]]:
    for rule in Rule.objects.filter(withdrawn=None).order_by("id")[:STANDING]:
        made = _parsed(rule.english, rule.packet)
        packet = template.answer(made, english)
        if packet is not None:
            yield made, Fit(rule, packet)


def _chosen(number: int) -> Candidate:
    chosen = Candidate.objects.filter(pk=number).first()
    if chosen is None:
        raise BadDecision("Unknown candidate.")
    if not chosen.packet:
        raise BadDecision("This candidate has no packet and cannot be promoted.")
    return chosen


_parsed = lru_cache(maxsize=2 * STANDING)(template.parse)
