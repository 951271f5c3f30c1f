"""The tables of the rollup, which `auditlog.models` has among its own."""

from django.db import models


class Rollup(models.Model):
    """Counts of packets that share a value, a source, and a day or month, see `auditlog.rollup`."""

    pk = models.CompositePrimaryKey("log_id", "dimension", "source", "period", "start", "value")
    log = models.ForeignKey(
        "auditlog.Log", models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    dimension = models.CharField(max_length=8)
    source = models.BigIntegerField()
    """The ID of a source; 0 in the rows that count those of all sources."""
    period = models.CharField(max_length=1)
    """`d` for a day, `m` for a month."""
    start = models.DateField()
    """The first day, in UTC, by receive time."""
    value = models.CharField(max_length=100)
    packets = models.BigIntegerField(default=0)
    invalid = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    json_packets = models.BigIntegerField(default=0)
    """The packets that have a JSON baseline."""
    json_sent = models.BigIntegerField(default=0)
    json_tokens = models.BigIntegerField(default=0)
    """The tokens of those packets as sent, and of their baselines."""
    english_read = models.BigIntegerField(default=0)
    """The packets whose English was counted so far, whether they have any or not."""
    english_packets = models.BigIntegerField(default=0)
    english_sent = models.BigIntegerField(default=0)
    english_tokens = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.dimension} {self.value!r} in {self.log_id} {self.period} {self.start}"


class RollupPosition(models.Model):
    """A log whose packets are being counted again, see `auditlog.rollup.recount`. A log without a
    row is counted.
    """

    log = models.OneToOneField(
        "auditlog.Log", models.PROTECT, primary_key=True, related_name="rollup_position"
    )
    leaf = models.BigIntegerField(default=0)
    """The first leaf that is not counted yet."""
    until = models.BigIntegerField()
    """The leaf after the last to count. The writer counted the packets from here on."""
    english = models.BigIntegerField()
    """The same for English. The follower counted it from here on."""

    def __str__(self) -> str:
        return f"rollup of {self.log_id} up to {self.leaf}"
