"""What the playground itself keeps: the verbs, tools and agents of SACP that are registered here,
and a heartbeat.

Definitions are only ever added. A change is a new revision of the same name, and the newest one
counts; so is a withdrawal, which repeats the definition that no longer holds.
"""

from typing import ClassVar

from django.db import models

from auditlog.models import Source
from playground.aacp.models import Candidate, Rule

__all__ = ["Candidate", "Definition", "Heartbeat", "Rule"]


class Definition(models.Model):
    """One revision of a verb, a tool or an agent, as the JSON that `cablese.protocols.sacp`
    reads.
    """

    KINDS = ("verb", "tool", "agent")

    kind = models.CharField(max_length=5)
    name = models.CharField(max_length=64)
    revision = models.PositiveIntegerField()
    body = models.TextField()
    at = models.DateTimeField()
    source = models.ForeignKey(Source, models.PROTECT, null=True, related_name="+")
    """Who registered or withdrew it; none for what comes with the installation."""
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
    """One row that `playground.health.heartbeat` writes again and again, to see whether the
    database can be written.
    """

    id = models.SmallIntegerField(primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.at)
