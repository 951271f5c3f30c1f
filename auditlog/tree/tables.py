"""The tables of the tree: tiles and checkpoints."""

from django.db import models


class Tile(models.Model):
    """Hashes of the tree, stored together (C2SP tlog-tiles): full tiles of the leaves, and those
    above them, which grow. Triggers reject DELETE, and an UPDATE that is no growth.
    """

    pk = models.CompositePrimaryKey("log_id", "level", "number")
    log = models.ForeignKey(
        "auditlog.Log", models.PROTECT, db_index=False, db_constraint=False, related_name="tiles"
    )
    level = models.SmallIntegerField()
    number = models.BigIntegerField()
    hashes = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.log_id}/{self.level}/{self.number}"


class Checkpoint(models.Model):
    """A signed size and root of a log. Triggers reject UPDATE and DELETE."""

    pk = models.CompositePrimaryKey("log_id", "size")
    log = models.ForeignKey(
        "auditlog.Log", models.PROTECT, db_index=False, related_name="checkpoints"
    )
    size = models.BigIntegerField()
    root = models.BinaryField(max_length=32)
    signed = models.DateTimeField()
    note = models.TextField()
    """The signed note (C2SP tlog-checkpoint), as it is served."""

    def __str__(self) -> str:
        return f"{self.log_id} at {self.size}"
