"""The table of self-checks: the running or last one of each log."""

from django.db import models


class SelfCheck(models.Model):
    """The self-check of a log: where it is, and what it found. Its results are leaves, too."""

    log = models.OneToOneField(
        "auditlog.Log", models.PROTECT, primary_key=True, related_name="self_check"
    )
    asked = models.DateTimeField(null=True)
    """When somebody asked for one that has not begun."""
    began = models.DateTimeField(null=True)
    ended = models.DateTimeField(null=True)
    """When it ended; none while it runs, or waits to be continued."""
    touched = models.DateTimeField(null=True)
    """When it last stored how far it is."""
    full = models.BooleanField(default=False)
    """Whether readings and terms are compared too."""
    size = models.BigIntegerField(default=0)
    """The leaves that are checked."""
    leaves = models.BigIntegerField(default=0)
    """The first leaf that is not yet checked, with tiles, checkpoints, and commitments."""
    terms = models.BigIntegerField(default=0)
    """The first leaf whose terms are not yet compared."""
    skipped = models.BigIntegerField(default=0)
    """Packets whose terms could not be compared, because they are of another version."""
    faults = models.BigIntegerField(default=0)
    found = models.TextField(default="[]")
    """The first faults, see `auditlog.check.fault`."""
    result = models.BigIntegerField(null=True)
    """The leaf of the result."""

    def __str__(self) -> str:
        return f"self-check of {self.log_id}"
