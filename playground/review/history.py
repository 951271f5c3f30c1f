"""The history of a packet's review, on its page and on the review desk."""

from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser

from auditlog import review
from auditlog.models import Packet, Review


@dataclass(frozen=True)
class Step:
    """A step, whether it is undone, and whether the person who looks can undo it."""

    step: Review
    is_undone: bool
    can_undo: bool


def list_steps(packet: Packet, who: AbstractBaseUser) -> list[Step]:
    """Return the steps of a packet's review, newest first."""
    steps = list(review.find_steps([packet]))
    effective = {step.leaf for step in review.list_effective(steps)}
    return [
        Step(
            step,
            step.state != review.UNDONE and step.leaf not in effective,
            step.leaf in effective and step.who_id == who.pk,
        )
        for step in reversed(steps)
    ]
