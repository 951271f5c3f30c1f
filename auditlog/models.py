"""The tables: logs, who may write to them, and two kinds of rows for every event.

A `Leaf` is permanent: the exact bytes hashed into the log's tree, insert-only, contiguous from 0 in
each log. A `Packet` is the wire and what was decoded from it. It can be erased with its `Seed`, and
every proof over the leaves stays valid (docs/design/audit.md). Only `auditlog.log.writer` adds rows
of either.

The log leads every key, so that a log is the unit of locking, of partitions, and of distribution.
What belongs to a leaf is keyed by (log, leaf).

JSON columns are text with the exact bytes that a leaf commits to, so that no database rewrites
them. Text from agents is stored as UTF-8 bytes where it may contain NUL, which PostgreSQL's text
type does not allow.
"""

from typing import ClassVar

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models

from auditlog.check.table import SelfCheck as SelfCheck
from auditlog.database.composite_key import CompositeForeignKey
from auditlog.database.uid import UidField
from auditlog.erasure.tables import Erasure as Erasure
from auditlog.ingest.repeats.tables import IdempotentPiece as IdempotentPiece
from auditlog.ingest.repeats.tables import IdempotentRequest as IdempotentRequest
from auditlog.ingest.repeats.tables import ImportedFile as ImportedFile
from auditlog.rollup.tables import Rollup as Rollup
from auditlog.rollup.tables import RollupPosition as RollupPosition
from auditlog.search.saved.models import SavedSearch as SavedSearch
from auditlog.tree.tables import Checkpoint as Checkpoint
from auditlog.tree.tables import Tile as Tile
from auditlog.tree.tables import TreeLeaf as TreeLeaf
from auditlog.tree.tables import TreeSettings as TreeSettings
from auditlog.witness.tables import WatchedLog as WatchedLog
from auditlog.witness.tables import Witness as Witness


class Log(models.Model):
    """One append-only log. Its slug never changes, nor does its origin once it is set: checkpoints
    name it.
    """

    slug = models.CharField(
        max_length=40, unique=True, validators=[RegexValidator(r"\A[a-z0-9-]{1,40}\Z")]
    )
    origin = models.CharField(max_length=300, unique=True, null=True)  # noqa: DJ001 - none is unset
    """``<host>/log/<slug>``; none until `auditlog.log.logs.fix_origins` sets it."""
    title = models.CharField(max_length=200)
    created = models.DateTimeField()

    def __str__(self) -> str:
        return self.slug


class LogEnd(models.Model):
    """Where a log ends. Whoever appends to the log locks this row."""

    log = models.OneToOneField(Log, models.PROTECT, primary_key=True, related_name="end")
    size = models.BigIntegerField(default=0)
    """The number of leaves, which is the index of the next one."""
    received = models.DateTimeField(null=True)
    """Receive time of the newest leaf. The next one of its segment is never earlier."""
    behind = models.DateTimeField(null=True)
    """The time of the machine's clock when it was first seen behind the newest leaf; none while it
    is not.
    """
    head = models.BinaryField(max_length=32, null=True)
    """The hash of the newest leaf; none for an empty log."""

    def __str__(self) -> str:
        return f"end of {self.log_id}"


class Segment(models.Model):
    """A part of a log in which receive times rise. It starts at a leaf that confirms the machine's
    clock.

    The first segment, from leaf 0, has no row.
    """

    pk = models.CompositePrimaryKey("log_id", "leaf")
    log = models.ForeignKey(Log, models.PROTECT, db_index=False, related_name="segments")
    leaf = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.log_id} from leaf {self.leaf}"


class Source(models.Model):
    """A sender, with any number of keys. An event ID is unique within a log and a source."""

    name = models.CharField(max_length=100, unique=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """A key `cbl_live_<id>_<secret>_<check>`. Only its ID and the SHA-256 of it all are stored."""

    id = models.CharField(max_length=12, primary_key=True)
    digest = models.BinaryField(max_length=32)
    source = models.ForeignKey(Source, models.PROTECT, related_name="keys")
    scopes = models.CharField(max_length=60)
    """Space-separated, in the order of `access.SCOPES`."""
    log = models.ForeignKey(Log, models.PROTECT, null=True, related_name="keys")
    """The log that the key is limited to; none for every log."""
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True)
    revoked = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)
    successor = models.CharField(max_length=12, null=True)  # noqa: DJ001 - none is not empty
    """The ID of the key that replaced it, if it was rotated."""

    def __str__(self) -> str:
        return self.id


class Leaf(models.Model):
    """The bytes hashed into the tree, and their RFC 6962 leaf hash. Triggers reject UPDATE and
    DELETE.
    """

    pk = models.CompositePrimaryKey("log_id", "index")
    log = models.ForeignKey(Log, models.PROTECT, db_index=False, related_name="leaves")
    index = models.BigIntegerField()
    kind = models.CharField(max_length=12)
    bytes = models.BinaryField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name_plural = "leaves"

    def __str__(self) -> str:
        return f"{self.log_id}/{self.index}"


class Packet(models.Model):
    """A message as received, valid or not, with what was decoded from it then.

    `uid`, a UUIDv7 as text, is the packet's ID outside this table (Django reserves the name `id`
    for primary keys). It is unique within a log.
    """

    pk = models.CompositePrimaryKey("log_id", "leaf")
    log = models.ForeignKey(
        Log, models.PROTECT, db_index=False, db_constraint=False, related_name="packets"
    )
    leaf = models.BigIntegerField()
    uid = UidField()
    received = models.DateTimeField()
    # Columns of fixed sizes come first: between others, PostgreSQL would align them with padding.
    source = models.ForeignKey(Source, models.PROTECT, db_index=False, related_name="packets")
    tokens = models.IntegerField()
    tokens_json = models.IntegerField(null=True)
    """Tokens of the JSON baseline; none without one, such as for an unknown protocol."""
    baseline_version = models.SmallIntegerField()
    terms_version = models.SmallIntegerField()
    """`auditlog.search.terms.VERSION` of what the search index has of the packet."""
    codec_version = models.SmallIntegerField()
    """`cablese.codec.VERSION` of what is stored here. A later codec may read more in the wire."""
    valid = models.BooleanField()
    sent_at = models.CharField(max_length=40, null=True)  # noqa: DJ001 - none is not empty
    protocol = models.CharField(max_length=20)
    dialect = models.CharField(max_length=40)
    wire = models.BinaryField()
    canonical = models.BinaryField(null=True)
    """UTF-8; empty if the wire is canonical, none for an invalid message."""
    diagnostics = models.TextField()
    """A JSON array, as in the API."""
    meaning = models.TextField()
    supplied = models.TextField()
    """RFC 8785 objects. The leaf's `index` commits to both of them (see `leaf.facts_bytes`)."""
    content = models.BinaryField(null=True)
    """UTF-8; the task content that the packet coordinates, as metadata."""
    key = models.ForeignKey(
        ApiKey, models.PROTECT, null=True, db_index=False, related_name="packets"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    event_id = models.CharField(max_length=200, null=True)  # noqa: DJ001 - none is not empty
    tokenizer = models.CharField(max_length=40)
    damage: tuple[str, ...] = ()
    """Sentences about unreadable parts of the row, see `auditlog.database.damage`. Not stored."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "uid"], name="auditlog_packet_uid"),
            models.UniqueConstraint(
                fields=["log", "source", "event_id"],
                condition=models.Q(event_id__isnull=False),
                name="auditlog_packet_event",
            ),
            CompositeForeignKey(
                columns=("log_id", "leaf"),
                table="auditlog_leaf",
                references=("log_id", "index"),
                name="auditlog_packet_leaf",
            ),
        ]

    def __str__(self) -> str:
        return str(self.uid)


def _of_packet(name: str, leaf: str = "leaf") -> CompositeForeignKey:
    """Return the constraint by which a row belongs to a packet and is deleted with it."""
    return CompositeForeignKey(
        columns=("log_id", leaf),
        table="auditlog_packet",
        references=("log_id", "leaf"),
        name=name,
        cascade=True,
    )


class Seed(models.Model):
    """The secret that salts a packet's commitments. Without it, they can never be guessed."""

    pk = models.CompositePrimaryKey("log_id", "leaf")
    log = models.ForeignKey(
        Log, models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    leaf = models.BigIntegerField()
    value = models.BinaryField(max_length=32)

    class Meta:
        constraints: ClassVar = [_of_packet("auditlog_seed_packet")]

    def __str__(self) -> str:
        return f"seed of {self.log_id}/{self.leaf}"


class Finding(models.Model):
    """What a detector found in a packet, without its text, see `auditlog.findings`."""

    pk = models.CompositePrimaryKey("log_id", "leaf", "detector", "number")
    log = models.ForeignKey(
        Log, models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    leaf = models.BigIntegerField()
    """The leaf of the packet."""
    detector = models.CharField(max_length=12)
    number = models.SmallIntegerField()
    """Counts the findings of a detector in a packet, from 0."""
    version = models.SmallIntegerField()
    """The version of the detector."""
    code = models.CharField(max_length=40)
    part = models.CharField(max_length=8)
    """The text that has the place: `wire` or `content`; empty for the whole packet."""
    start = models.IntegerField(null=True)
    end = models.IntegerField(null=True)
    """The place, in code points."""
    other = models.BigIntegerField(null=True)
    """The leaf of another packet that it concerns."""

    class Meta:
        constraints: ClassVar = [_of_packet("auditlog_finding_packet")]
        indexes: ClassVar = [
            models.Index(fields=["log", "detector", "leaf"], name="auditlog_finding_of")
        ]

    def __str__(self) -> str:
        return f"{self.detector} {self.code} in {self.log_id}/{self.leaf}"


class FindingPosition(models.Model):
    """How far the findings of a log are made. Whoever makes them locks this row."""

    log = models.OneToOneField(
        Log, models.PROTECT, primary_key=True, related_name="finding_position"
    )
    leaf = models.BigIntegerField(default=0)
    """The first leaf without findings."""
    again = models.BigIntegerField(null=True)
    until = models.BigIntegerField(null=True)
    """The first leaf whose findings are to be made again, and the leaf after the last; none when
    all are of `versions`.
    """
    versions = models.CharField(max_length=100, default="")
    """The versions of the detectors, and of the English that is counted, see
    `auditlog.findings.versions`.
    """

    def __str__(self) -> str:
        return f"findings of {self.log_id} up to {self.leaf}"


class Review(models.Model):
    """One step of a packet's review, keyed by its own leaf, see `auditlog.review`."""

    pk = models.CompositePrimaryKey("log_id", "leaf")
    log = models.ForeignKey(
        Log, models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    leaf = models.BigIntegerField()
    packet_leaf = models.BigIntegerField()
    """The leaf of the packet."""
    state = models.CharField(max_length=10)
    note = models.TextField()
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    seed = models.BinaryField(max_length=32)
    """Empty if the note was erased."""
    undoes = models.BigIntegerField(null=True)
    """The leaf of the step that it undoes."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["log", "undoes"],
                condition=models.Q(undoes__isnull=False),
                name="auditlog_review_undoes",
            ),
            CompositeForeignKey(
                columns=("log_id", "leaf"),
                table="auditlog_leaf",
                references=("log_id", "index"),
                name="auditlog_review_leaf",
            ),
            # Not the packet: the steps of its review stay when it is erased.
            CompositeForeignKey(
                columns=("log_id", "packet_leaf"),
                table="auditlog_leaf",
                references=("log_id", "index"),
                name="auditlog_review_of",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["log", "packet_leaf", "leaf"], name="auditlog_review_steps")
        ]

    def __str__(self) -> str:
        return f"{self.log_id}/{self.packet_leaf} {self.state}"


class Conflict(models.Model):
    """An item that reused the event ID of a packet with other bytes: rejected and recorded."""

    pk = models.CompositePrimaryKey("log_id", "leaf", "uid")
    log = models.ForeignKey(
        Log, models.PROTECT, db_index=False, db_constraint=False, related_name="+"
    )
    leaf = models.BigIntegerField()
    """The leaf of the packet."""
    uid = UidField()
    """The ID that the rejected item would have got."""
    wire = models.BinaryField()
    facts = models.BinaryField()
    """The metadata of the wire: `content`, `sent_at`, and `supplied` in one JSON object."""
    received = models.DateTimeField()
    key = models.ForeignKey(ApiKey, models.PROTECT, null=True, db_index=False, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )

    class Meta:
        constraints: ClassVar = [_of_packet("auditlog_conflict_packet")]

    def __str__(self) -> str:
        return f"conflict with {self.log_id}/{self.leaf}"
