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
    """A decision that is not possible; the message gives the reason."""


class RequestCost(NamedTuple):
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
    cost: RequestCost,
    user: int | None = None,
    key: str | None = None,
) -> Candidate:
    """Store one request, with or without a packet."""
    return Candidate.objects.create(
        english=english,
        digest=_digest(english),
        packet=packet,
        failure=failure,
        model=cost.model,
        calls=cost.calls,
        tokens_in=cost.tokens_in,
        tokens_out=cost.tokens_out,
        reported=cost.reported,
        asked=datetime.now(UTC),
        user_id=user,
        key_id=key,
    )


def decide(*, candidate: int, state: str, reviewer: AbstractBaseUser | None) -> Candidate:
    """Promote a candidate, reject it, or undo a decision. Raises BadDecision.

    A promoted candidate replaces the earlier rule. One that is no longer a rule answers nothing,
    including its versions with slots. ``reviewer`` is None for a program with a key.
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
            reviewer.pk if reviewer else None,
            datetime.now(UTC),
        )
        chosen.save(update_fields=["state", "reviewer", "reviewed"])
    return chosen


def find(number: int) -> Candidate | None:
    return Candidate.objects.filter(pk=number).first()


def recent(limit: int) -> list[Candidate]:
    """Return the newest candidates and rules, newest first."""
    rules = Prefetch("rules", Rule.objects.select_related("user").order_by("-version"))
    candidates = Candidate.objects.select_related("user", "reviewer").prefetch_related(rules)
    return list(candidates.order_by("-id")[:limit])


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
