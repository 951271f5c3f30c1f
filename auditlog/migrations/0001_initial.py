from datetime import UTC, datetime

import django.core.validators
import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import auditlog.database.composite_key
import auditlog.database.uid
from auditlog.log import triggers
from auditlog.search import table


def make_default_log(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    log = apps.get_model("auditlog", "Log").objects.create(
        slug="default", title="Default log", created=datetime.now(UTC)
    )
    apps.get_model("auditlog", "LogEnd").objects.create(log=log)
    apps.get_model("auditlog", "FindingPosition").objects.create(log=log)


def put_triggers(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.put(schema_editor.connection, triggers.LEAVES)


def take_triggers(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.take(schema_editor.connection, triggers.LEAVES)


def make_index(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    table.create(schema_editor)


def drop_index(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    table.drop(schema_editor)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Log",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        max_length=40,
                        unique=True,
                        validators=[django.core.validators.RegexValidator("\\A[a-z0-9-]{1,40}\\Z")],
                    ),
                ),
                ("origin", models.CharField(max_length=300, null=True, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("created", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="LogEnd",
            fields=[
                (
                    "log",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="end",
                        serialize=False,
                        to="auditlog.log",
                    ),
                ),
                ("size", models.BigIntegerField(default=0)),
                ("received", models.DateTimeField(null=True)),
                ("behind", models.DateTimeField(null=True)),
                ("head", models.BinaryField(max_length=32, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Source",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, unique=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.CharField(max_length=12, primary_key=True, serialize=False)),
                ("digest", models.BinaryField(max_length=32)),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="auditlog.source",
                    ),
                ),
                ("scopes", models.CharField(max_length=60)),
                (
                    "log",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="auditlog.log",
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expires", models.DateTimeField(null=True)),
                ("revoked", models.DateTimeField(null=True)),
                ("last_used", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Leaf",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "index",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leaves",
                        to="auditlog.log",
                    ),
                ),
                ("index", models.BigIntegerField()),
                ("kind", models.CharField(max_length=12)),
                ("bytes", models.BinaryField()),
                ("hash", models.BinaryField(max_length=32)),
            ],
            options={
                "verbose_name_plural": "leaves",
            },
        ),
        migrations.CreateModel(
            name="Segment",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "leaf",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="segments",
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Packet",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "leaf",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="packets",
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField()),
                ("uid", auditlog.database.uid.UidField()),
                ("received", models.DateTimeField()),
                (
                    "source",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="packets",
                        to="auditlog.source",
                    ),
                ),
                ("tokens", models.IntegerField()),
                ("tokens_json", models.IntegerField(null=True)),
                ("baseline_version", models.SmallIntegerField()),
                ("terms_version", models.SmallIntegerField()),
                ("codec_version", models.SmallIntegerField()),
                ("valid", models.BooleanField()),
                ("sent_at", models.CharField(max_length=40, null=True)),
                ("protocol", models.CharField(max_length=20)),
                ("dialect", models.CharField(max_length=40)),
                ("wire", models.BinaryField()),
                ("canonical", models.BinaryField(null=True)),
                ("diagnostics", models.TextField()),
                ("meaning", models.TextField()),
                ("supplied", models.TextField()),
                ("content", models.BinaryField(null=True)),
                (
                    "key",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="packets",
                        to="auditlog.apikey",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("event_id", models.CharField(max_length=200, null=True)),
                ("tokenizer", models.CharField(max_length=40)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("log", "uid"), name="auditlog_packet_uid"),
                    models.UniqueConstraint(
                        condition=models.Q(("event_id__isnull", False)),
                        fields=("log", "source", "event_id"),
                        name="auditlog_packet_event",
                    ),
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=False,
                        columns=("log_id", "leaf"),
                        name="auditlog_packet_leaf",
                        references=("log_id", "index"),
                        table="auditlog_leaf",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Seed",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "leaf",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField()),
                ("value", models.BinaryField(max_length=32)),
            ],
            options={
                "constraints": [
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=True,
                        columns=("log_id", "leaf"),
                        name="auditlog_seed_packet",
                        references=("log_id", "leaf"),
                        table="auditlog_packet",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Finding",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "leaf",
                        "detector",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField()),
                ("detector", models.CharField(max_length=12)),
                ("number", models.SmallIntegerField()),
                ("version", models.SmallIntegerField()),
                ("code", models.CharField(max_length=40)),
                ("part", models.CharField(max_length=8)),
                ("start", models.IntegerField(null=True)),
                ("end", models.IntegerField(null=True)),
                ("other", models.BigIntegerField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["log", "detector", "leaf"], name="auditlog_finding_of")
                ],
                "constraints": [
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=True,
                        columns=("log_id", "leaf"),
                        name="auditlog_finding_packet",
                        references=("log_id", "leaf"),
                        table="auditlog_packet",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FindingPosition",
            fields=[
                (
                    "log",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="finding_position",
                        serialize=False,
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField(default=0)),
                ("again", models.BigIntegerField(null=True)),
                ("until", models.BigIntegerField(null=True)),
                ("versions", models.CharField(default="", max_length=100)),
            ],
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "leaf",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField()),
                ("packet_leaf", models.BigIntegerField()),
                ("state", models.CharField(max_length=10)),
                ("note", models.TextField()),
                (
                    "who",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("seed", models.BinaryField(max_length=32)),
                ("undoes", models.BigIntegerField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["log", "packet_leaf", "leaf"], name="auditlog_review_steps"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undoes__isnull", False)),
                        fields=("log", "undoes"),
                        name="auditlog_review_undoes",
                    ),
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=False,
                        columns=("log_id", "leaf"),
                        name="auditlog_review_leaf",
                        references=("log_id", "index"),
                        table="auditlog_leaf",
                    ),
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=False,
                        columns=("log_id", "packet_leaf"),
                        name="auditlog_review_packet",
                        references=("log_id", "leaf"),
                        table="auditlog_packet",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Conflict",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "leaf",
                        "uid",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "log",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField()),
                ("uid", auditlog.database.uid.UidField()),
                ("wire", models.BinaryField()),
                ("facts", models.BinaryField()),
                ("received", models.DateTimeField()),
                (
                    "key",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.apikey",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=True,
                        columns=("log_id", "leaf"),
                        name="auditlog_conflict_packet",
                        references=("log_id", "leaf"),
                        table="auditlog_packet",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotentRequest",
            fields=[
                ("id", models.CharField(max_length=36, primary_key=True, serialize=False)),
                (
                    "key",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="auditlog.apikey",
                    ),
                ),
                ("value", models.CharField(max_length=255)),
                ("request", models.BinaryField(max_length=32)),
                ("body", models.BinaryField(max_length=32, null=True)),
                ("items", models.IntegerField()),
                ("created", models.DateTimeField(db_index=True)),
                ("touched", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("key", "value"), name="auditlog_idempotent_value"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotentPiece",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "request_id",
                        "item",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "request",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="auditlog.idempotentrequest",
                    ),
                ),
                ("item", models.IntegerField()),
                ("digest", models.BinaryField(max_length=32)),
                ("results", models.TextField()),
            ],
        ),
        migrations.RunPython(make_default_log, migrations.RunPython.noop),
        migrations.RunPython(make_index, drop_index),
        migrations.RunPython(put_triggers, take_triggers),
    ]
