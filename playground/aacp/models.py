"""The tables of AACP: packets that a model wrote, and rules made of them.

Both have the names that they had in `auditlog`, so that no table is renamed.
"""

from typing import ClassVar

from django.conf import settings
from django.db import models

from auditlog.models import ApiKey


class Candidate(models.Model):
    """One request to a model for a packet: its instruction, its result, its cost, and its review.

    A promoted candidate is a rule: the same English then gives its packet, and no model is asked.
    An instruction has at most one rule.
    """

    STATES = ("candidate", "promoted", "rejected")

    english = models.TextField()
    digest = models.CharField(max_length=64, db_index=True)
    """SHA-256 of the English, with runs of spaces as one, to find its rule."""
    packet = models.TextField()
    """Canonical; empty if the model gave no valid packet."""
    failure = models.TextField()
    """Why there is no packet; empty if there is one."""
    model = models.CharField(max_length=200)
    calls = models.PositiveSmallIntegerField()
    tokens_in = models.BigIntegerField()
    tokens_out = models.BigIntegerField()
    reported = models.BooleanField()
    """Whether the endpoint reported the tokens; otherwise they are our own count."""
    asked = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    key = models.ForeignKey(ApiKey, models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=10, default="candidate")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    reviewed = models.DateTimeField(null=True)
    uses = models.BigIntegerField(default=0)
    """How often the rule was used instead of a model."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["digest"],
                condition=models.Q(state="promoted"),
                name="playground_candidate_rule",
            )
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"


class Rule(models.Model):
    """A promoted candidate with slots, which matches every instruction of its form. A version never
    changes: another one replaces it, and a withdrawn one stays readable.
    """

    candidate = models.ForeignKey(Candidate, models.PROTECT, related_name="rules")
    version = models.PositiveIntegerField()
    english = models.TextField()
    packet = models.TextField()
    """Both with their slots, as `cablese.protocols.aacp.authoring.template` reads them."""
    made = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    key = models.ForeignKey(ApiKey, models.PROTECT, null=True, related_name="+")
    withdrawn = models.DateTimeField(null=True)
    uses = models.BigIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["candidate", "version"], name="playground_rule_version"
            ),
            models.UniqueConstraint(
                fields=["candidate"],
                condition=models.Q(withdrawn=None),
                name="playground_rule_standing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.candidate_id} version {self.version}"
