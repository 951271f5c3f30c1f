"""The tables of the playground: the registered verbs, tools, and agents of SACP, a heartbeat, and
those of its rooms.

Definitions are only added. A change is a new revision of the same name, and the newest one applies.
So is a withdrawal, which repeats the definition that no longer applies.
"""

from typing import ClassVar

from django.db import models

from auditlog.models import Source
from playground.aacp.models import Candidate, Rule
from playground.audit.searches.models import ChosenColumns

__all__ = ["Candidate", "ChosenColumns", "Definition", "Heartbeat", "Rule"]


class Definition(models.Model):
    """One revision of a verb, a tool, or an agent, as JSON for `cablese.protocols.sacp`."""

    KINDS = ("verb", "tool", "agent")

    kind = models.CharField(max_length=5)
    name = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    body = models.TextField()
    at = models.DateTimeField()
    source = models.ForeignKey(Source, models.PROTECT, null=True, related_name="+")
    """The source that registered or withdrew it; null for preinstalled definitions."""
    withdrawn = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "name", "revision"], name="playground_definition_revision"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name} {self.revision}"


class Heartbeat(models.Model):
    """One row that `playground.health.heartbeat` writes to check that the database is writable."""

    id = models.SmallIntegerField(primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.at)
