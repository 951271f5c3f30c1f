"""Packets that a model wrote: candidates for rules, promoted by a person."""

import operator
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import F, Prefetch

from auditlog.database.errands import Errand
from auditlog.log import group_commit
from cablese.protocols.aacp.authoring.template import normalize
from playground.aacp.models import Candidate, Rule


class BadDecision(ValueError):
    """A decision that is not possible; the text says why."""


class Spent(NamedTuple):
    """The cost of a model request. ``reported`` if the endpoint gave the tokens itself."""

    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    reported: bool


def find_rule(english: str) -> Candidate | None:
    """Return the promoted rule of an instruction, and count its use."""
    rule = Candidate.objects.filter(digest=_digest(english), state="promoted").first()
    if rule is not None:
        count_use(rule)
    return rule


def find_written(english: str) -> Candidate | None:
    """Return the newest unreviewed packet that a model wrote for an instruction."""
    written = Candidate.objects.filter(digest=_digest(english), state="candidate").exclude(
        packet=""
    )
    return written.order_by("-id").first()


def add(
    *,
    english: str,
    packet: str,
    failure: str,
    spent: Spent,
    user: int | None = None,
    key: str | None = None,
) -> Candidate:
    """Store one request, with or without a packet."""
    return Candidate.objects.create(
        english=english,
        digest=_digest(english),
        packet=packet,
        failure=failure,
        model=spent.model,
        calls=spent.calls,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        reported=spent.reported,
        asked=datetime.now(UTC),
        user_id=user,
        key_id=key,
    )


def decide(*, candidate: int, state: str, who: AbstractBaseUser | None) -> Candidate:
    """Promote a candidate, reject it, or take a decision back. A promoted one replaces the rule
    before it.

    What is no rule any more answers nothing, its slots included. ``who`` is None for a program with
    a key.

    Raises BadDecision.
    """
    if state not in Candidate.STATES:
        raise BadDecision(f'Unknown state "{state}". Expected {", ".join(Candidate.STATES)}.')
    with transaction.atomic():
        chosen = Candidate.objects.select_for_update().filter(pk=candidate).first()
        if chosen is None:
            raise BadDecision("Unknown candidate.")
        if state == "promoted":
            if not chosen.packet:
                raise BadDecision("This candidate has no packet and cannot be promoted.")
            before = Candidate.objects.filter(digest=chosen.digest, state="promoted").exclude(
                pk=chosen.pk
            )
            Rule.objects.filter(candidate__in=before, withdrawn=None).update(
                withdrawn=datetime.now(UTC)
            )
            before.update(state="candidate")
        else:
            chosen.rules.filter(withdrawn=None).update(withdrawn=datetime.now(UTC))
        chosen.state, chosen.reviewer_id, chosen.reviewed = (
            state,
            who.pk if who else None,
            datetime.now(UTC),
        )
        chosen.save(update_fields=["state", "reviewer", "reviewed"])
    return chosen


def find(number: int) -> Candidate | None:
    return Candidate.objects.filter(pk=number).first()


def recent(limit: int) -> list[Candidate]:
    """Return the newest candidates and rules, newest first."""
    rules = Prefetch("rules", Rule.objects.select_related("user").order_by("-version"))
    found = Candidate.objects.select_related("user", "reviewer").prefetch_related(rules)
    return list(found.order_by("-id")[:limit])


def count_use(used: Candidate | Rule) -> None:
    """Count one use of a rule, later."""
    group_commit.run(_USES, (type(used), used.pk), 1)


def _write_uses(
    _cursor: CursorWrapper, uses: Mapping[tuple[type[Candidate] | type[Rule], int], int]
) -> None:
    for (kind, number), times in uses.items():
        kind.objects.filter(pk=number).update(uses=F("uses") + times)


_USES = Errand(_write_uses, operator.add)


def _digest(english: str) -> str:
    return sha256(normalize(english).encode(errors="surrogatepass")).hexdigest()
