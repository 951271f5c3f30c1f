"""What is kept: logs, who may write to them, and for every event two kinds of row.

A `Leaf` is for ever: the exact bytes hashed into the log's tree, insert-only, contiguous from 0 in
each log. A `Packet` is the wire and what was read from it; it can be erased, with its `Seed`, while
every proof over the leaves still holds (docs/design/audit.md). Rows of both come only from
`auditlog.log.writer`.

JSON columns are text and hold the exact bytes that are committed to, so that no database rewrites
them. Text that an agent wrote is kept as UTF-8 bytes where it may hold NUL, which PostgreSQL's text
cannot.
"""

from typing import ClassVar

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models


class Log(models.Model):
    """One append-only trail. Slug and origin never change: the origin is what checkpoints are
    signed under.
    """

    slug = models.CharField(
        max_length=40, unique=True, validators=[RegexValidator(r"\A[a-z0-9-]{1,40}\Z")]
    )
    origin = models.CharField(max_length=300, unique=True)
    title = models.CharField(max_length=200)
    created = models.DateTimeField()
    size = models.BigIntegerField(default=0)
    """The number of leaves, which is the index of the next one."""
    received = models.DateTimeField(null=True)
    """Receive time of the newest leaf; the next of its segment is never earlier, whatever the
    machine's clock does.
    """
    behind = models.DateTimeField(null=True)
    """What the machine's clock showed when it was first seen to be behind that; none while it is
    not.
    """

    def __str__(self) -> str:
        return self.slug


class Segment(models.Model):
    """Where receive times of a log begin to rise again: at a leaf by which somebody confirmed the
    machine's clock.

    The first segment, from leaf 0, has no row.
    """

    pk = models.CompositePrimaryKey("log_id", "leaf")
    log = models.ForeignKey(Log, models.PROTECT, db_index=False, related_name="segments")
    leaf = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.log_id} from leaf {self.leaf}"


class Source(models.Model):
    """Who sends. Keys come and go; an event id is unique within a log and a source."""

    name = models.CharField(max_length=100, unique=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class ApiKey(models.Model):
    """A key `cbl_live_<id>_<secret>_<check>`, of which only the id and the SHA-256 of the whole are
    kept.
    """

    id = models.CharField(max_length=12, primary_key=True)
    digest = models.BinaryField(max_length=32)
    source = models.ForeignKey(Source, models.PROTECT, related_name="keys")
    scopes = models.CharField(max_length=60)
    """Space-separated, in the order of `access.SCOPES`."""
    log = models.ForeignKey(Log, models.PROTECT, null=True, related_name="keys")
    """The one log the key is for; none means every log."""
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True)
    revoked = models.DateTimeField(null=True)
    last_used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.id


class Leaf(models.Model):
    """The bytes hashed into the tree, and their RFC 6962 leaf hash. Triggers refuse UPDATE and
    DELETE.
    """

    pk = models.CompositePrimaryKey("log_id", "index")
    log = models.ForeignKey(Log, models.PROTECT, db_index=False, related_name="leaves")
    index = models.BigIntegerField()
    kind = models.CharField(max_length=10)
    bytes = models.BinaryField()
    hash = models.BinaryField(max_length=32)

    class Meta:
        verbose_name_plural = "leaves"

    def __str__(self) -> str:
        return f"{self.log_id}/{self.index}"


class Packet(models.Model):
    """A message as it was received, valid or not, with what was read from it then.

    `seq` orders packets and is the row id of their search terms; `uid`, a UUIDv7 as text, is the
    packet's id everywhere outside this table (Django keeps the name `id` for primary keys). Within
    a log `leaf` rises with `seq`.
    """

    seq = models.BigAutoField(primary_key=True)
    uid = models.CharField(max_length=36, unique=True)
    log = models.ForeignKey(Log, models.PROTECT, db_index=False, related_name="packets")
    leaf = models.BigIntegerField()
    received = models.DateTimeField()
    sent_at = models.CharField(max_length=40, null=True)  # noqa: DJ001 - none is not empty
    protocol = models.CharField(max_length=20)
    dialect = models.CharField(max_length=40)
    wire = models.BinaryField()
    canonical = models.BinaryField(null=True)
    """UTF-8; none when the message is invalid."""
    valid = models.BooleanField()
    diagnostics = models.TextField()
    """A JSON array as the API answers it."""
    meaning = models.TextField()
    supplied = models.TextField()
    """Both RFC 8785 objects; together they are what the leaf's `index` commits to (see
    `leaf.index_bytes`).
    """
    content = models.BinaryField(null=True)
    """UTF-8; the task content that the packet coordinates, supplied beside it."""
    source = models.ForeignKey(Source, models.PROTECT, db_index=False, related_name="packets")
    key = models.ForeignKey(
        ApiKey, models.PROTECT, null=True, db_index=False, related_name="packets"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, db_index=False, related_name="+"
    )
    event_id = models.CharField(max_length=200, null=True)  # noqa: DJ001 - none is not empty
    tokens = models.IntegerField()
    tokens_json = models.IntegerField(null=True)
    """Tokens of the JSON baseline; none when there is nothing to say in JSON, as for an unknown
    protocol.
    """
    tokenizer = models.CharField(max_length=40)
    baseline_version = models.SmallIntegerField()
    damage: tuple[str, ...] = ()
    """Sentences about what of the row could not be read, see `auditlog.database.damage`. Not
    stored.
    """

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["log", "leaf"], name="auditlog_packet_leaf"),
            models.UniqueConstraint(
                fields=["log", "source", "event_id"],
                condition=models.Q(event_id__isnull=False),
                name="auditlog_packet_event",
            ),
        ]

    def __str__(self) -> str:
        return self.uid


class Seed(models.Model):
    """The secret that salts a packet's commitments. Deleting it makes them unguessable for ever."""

    packet = models.OneToOneField(Packet, models.CASCADE, primary_key=True, related_name="seed")
    value = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"seed of {self.packet_id}"


class Review(models.Model):
    """One step of a packet's review; the newest is its state. Each is also a leaf of the packet's
    log.
    """

    packet = models.ForeignKey(Packet, models.PROTECT, related_name="reviews")
    leaf = models.BigIntegerField()
    state = models.CharField(max_length=10)
    note = models.TextField()
    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField()
    seed = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return f"{self.packet_id} {self.state}"


class Conflict(models.Model):
    """An event id that came again with other bytes: refused, and kept here beside the packet that
    came first.
    """

    packet = models.ForeignKey(Packet, models.CASCADE, related_name="conflicts")
    wire = models.BinaryField()
    facts = models.BinaryField()
    """What came beside the wire: `content`, `sent_at` and `supplied` in one JSON object."""
    received = models.DateTimeField()
    key = models.ForeignKey(ApiKey, models.PROTECT, null=True, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    def __str__(self) -> str:
        return f"conflict with {self.packet_id}"


class IdempotentRequest(models.Model):
    """A request that came with an `Idempotency-Key` and stored something: see
    `auditlog.ingest.idempotency`.
    """

    id = models.CharField(max_length=36, primary_key=True)
    key = models.ForeignKey(ApiKey, models.CASCADE, db_index=False, related_name="+")
    value = models.CharField(max_length=255)
    request = models.BinaryField(max_length=32)
    """SHA-256 of method, path, query parameters, and media type."""
    body = models.BinaryField(max_length=32, null=True)
    """SHA-256 of the whole content; none until all of it is stored, and none when its end cannot be
    told from a cut.
    """
    items = models.IntegerField()
    """How many items are answered by `pieces`."""
    created = models.DateTimeField(db_index=True)
    touched = models.DateTimeField(null=True)
    """When the running request last stored something; none when no request is running."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["key", "value"], name="auditlog_idempotent_value"),
        ]

    def __str__(self) -> str:
        return f"{self.key_id} {self.value}"


class IdempotentPiece(models.Model):
    """What became of the items that one commit of an idempotent request stored."""

    pk = models.CompositePrimaryKey("request_id", "item")
    request = models.ForeignKey(
        IdempotentRequest, models.CASCADE, db_index=False, related_name="pieces"
    )
    item = models.IntegerField()
    """The number of its first item."""
    digest = models.BinaryField(max_length=32)
    """SHA-256 of all items of the request up to the end of this piece."""
    results = models.TextField()
    """JSON, as `auditlog.ingest.results` writes it."""

    def __str__(self) -> str:
        return f"{self.request_id} from item {self.item}"


class Candidate(models.Model):
    """One call of a model for a packet: what was asked, what came of it, what it cost, and what a
    person made of it.

    A promoted one is a rule: the same English gives its packet from then on, and no model is asked.
    There is at most one rule for an instruction.
    """

    STATES = ("candidate", "promoted", "rejected")

    english = models.TextField()
    digest = models.CharField(max_length=64, db_index=True)
    """SHA-256 of the English with each run of blanks as one, by which a rule is found."""
    packet = models.TextField()
    """Canonical; empty when the model gave no valid packet."""
    failure = models.TextField()
    """Why there is no packet; empty when there is one."""
    model = models.CharField(max_length=200)
    calls = models.PositiveSmallIntegerField()
    tokens_in = models.BigIntegerField()
    tokens_out = models.BigIntegerField()
    reported = models.BooleanField()
    """Whether the tokens are what the endpoint reported; else we counted them ourselves."""
    asked = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    key = models.ForeignKey(ApiKey, models.PROTECT, null=True, related_name="+")
    state = models.CharField(max_length=10, default="candidate")
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    reviewed = models.DateTimeField(null=True)
    uses = models.BigIntegerField(default=0)
    """How often the rule answered instead of a model."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["digest"],
                condition=models.Q(state="promoted"),
                name="auditlog_candidate_rule",
            )
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"


class Rule(models.Model):
    """A promoted candidate with slots, which answers every instruction of its form. A version never
    changes: another one takes its place, and a withdrawn one stays to be read.
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
            models.UniqueConstraint(fields=["candidate", "version"], name="auditlog_rule_version"),
            models.UniqueConstraint(
                fields=["candidate"],
                condition=models.Q(withdrawn=None),
                name="auditlog_rule_standing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.candidate_id} version {self.version}"
