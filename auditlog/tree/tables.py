"""The tables of the tree: tiles, checkpoints, who signed them, and who may read them."""

from typing import ClassVar

from django.db import models

from auditlog.database.composite_key import CompositeForeignKey


class Tile(models.Model):
    """Hashes of the tree, stored together (C2SP tlog-tiles): full tiles of the leaves, and those
    above them, which grow. Triggers reject DELETE, and an UPDATE that does not extend it.
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


class TreeLeaf(models.Model):
    """A leaf about the tree itself, by its place: a signing key, a self-check, or an incident."""

    pk = models.CompositePrimaryKey("log_id", "leaf")
    log = models.ForeignKey(
        "auditlog.Log", models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    leaf = models.BigIntegerField()
    kind = models.CharField(max_length=12)
    seed = models.BinaryField(max_length=32, null=True)
    """What its commitments open with; none for a kind that has none."""

    class Meta:
        constraints: ClassVar = [
            CompositeForeignKey(
                columns=("log_id", "leaf"),
                table="auditlog_leaf",
                references=("log_id", "index"),
                name="auditlog_treeleaf_leaf",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.log_id}/{self.leaf}"


class TreeSettings(models.Model):
    """How a log is published. A log without a row has the defaults."""

    log = models.OneToOneField(
        "auditlog.Log", models.PROTECT, primary_key=True, related_name="tree_settings"
    )
    public = models.BooleanField(default=False)
    """Whether anyone can read checkpoints and tiles; otherwise keys and signed-in people."""
    required = models.SmallIntegerField(default=0)
    """How many witnesses must cosign a checkpoint before it is published."""

    def __str__(self) -> str:
        return f"settings of {self.log_id}"
