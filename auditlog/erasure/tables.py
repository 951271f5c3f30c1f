"""The table of erasures: what a redaction leaf commits to, and what stays of a packet."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from auditlog.database.composite_key import CompositeForeignKey
from auditlog.database.uid import UidField


class Erasure(models.Model):
    """One erasure of one packet, keyed by its redaction leaf, see `auditlog.erasure.erase`.

    A packet of which a field was erased has a redacted copy here, until the rest is erased too.
    """

    pk = models.CompositePrimaryKey("log_id", "leaf")
    log = models.ForeignKey(
        "auditlog.Log", models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    leaf = models.BigIntegerField()
    packet_leaf = models.BigIntegerField()
    """The leaf of the packet."""
    uid = UidField()
    """The ID of the packet."""
    at = models.DateTimeField()
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    key = models.ForeignKey(
        "auditlog.ApiKey", models.PROTECT, null=True, db_index=False, related_name="+"
    )
    source = models.CharField(max_length=200)
    """The name of the person, of the key's source, or of the command."""
    reason = models.TextField()
    field = models.TextField()
    """The field that was erased; empty for the whole packet."""
    notes = models.IntegerField()
    """The number of review notes that were erased with the packet."""
    seed = models.BinaryField(max_length=32)
    redacted = models.BinaryField(null=True)
    """What is left of the packet if a field was erased, see `auditlog.erasure.redaction`."""
    event = models.BinaryField(max_length=32, null=True)
    """A keyed hash of the packet's event ID, see `auditlog.erasure.events`."""
    purged = models.DateTimeField(null=True)
    """When the files of the database no longer had the content, see `auditlog.erasure.purging`."""

    class Meta:
        constraints: ClassVar = [
            CompositeForeignKey(
                columns=("log_id", "leaf"),
                table="auditlog_leaf",
                references=("log_id", "index"),
                name="auditlog_erasure_leaf",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["log", "packet_leaf"], name="auditlog_erasure_packet"),
            models.Index(fields=["log", "uid"], name="auditlog_erasure_uid"),
            models.Index(fields=["log", "event"], name="auditlog_erasure_event"),
        ]

    def __str__(self) -> str:
        return f"erasure of {self.log_id}/{self.packet_leaf}"
