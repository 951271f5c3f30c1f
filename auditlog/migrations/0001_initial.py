from datetime import UTC, datetime

import django.core.validators
import django.db.models.deletion
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from auditlog.log import triggers


def make_default_log(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("auditlog", "Log").objects.create(
        slug="default",
        origin="localhost/log/default",
        title="Default log",
        created=datetime.now(UTC),
    )


def put_guards(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.put(schema_editor.connection)


def take_guards(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.take(schema_editor.connection)


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
                ("origin", models.CharField(max_length=300, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("created", models.DateTimeField()),
                ("size", models.BigIntegerField(default=0)),
                ("received", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Packet",
            fields=[
                ("seq", models.BigAutoField(primary_key=True, serialize=False)),
                ("uid", models.CharField(max_length=36, unique=True)),
                ("leaf", models.BigIntegerField()),
                ("received", models.DateTimeField()),
                ("sent_at", models.CharField(max_length=40, null=True)),
                ("protocol", models.CharField(max_length=20)),
                ("dialect", models.CharField(max_length=40)),
                ("wire", models.BinaryField()),
                ("canonical", models.BinaryField(null=True)),
                ("valid", models.BooleanField()),
                ("diagnostics", models.TextField()),
                ("meaning", models.TextField()),
                ("supplied", models.TextField()),
                ("content", models.BinaryField(null=True)),
                ("event_id", models.CharField(max_length=200, null=True)),
                ("tokens", models.IntegerField()),
                ("tokens_json", models.IntegerField(null=True)),
                ("tokenizer", models.CharField(max_length=40)),
                ("baseline_version", models.SmallIntegerField()),
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
                ("index", models.BigIntegerField()),
                ("kind", models.CharField(max_length=10)),
                ("bytes", models.BinaryField()),
                ("hash", models.BinaryField(max_length=32)),
                (
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="leaves",
                        to="auditlog.log",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "leaves",
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                ("id", models.CharField(max_length=12, primary_key=True, serialize=False)),
                ("digest", models.BinaryField(max_length=32)),
                ("scopes", models.CharField(max_length=60)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("expires", models.DateTimeField(null=True)),
                ("revoked", models.DateTimeField(null=True)),
                ("last_used", models.DateTimeField(null=True)),
                (
                    "log",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="auditlog.log",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="keys",
                        to="auditlog.source",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seed",
            fields=[
                (
                    "packet",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="seed",
                        serialize=False,
                        to="auditlog.packet",
                    ),
                ),
                ("value", models.BinaryField(max_length=32)),
            ],
        ),
        migrations.AddField(
            model_name="packet",
            name="key",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="packets",
                to="auditlog.apikey",
            ),
        ),
        migrations.AddField(
            model_name="packet",
            name="log",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="packets",
                to="auditlog.log",
            ),
        ),
        migrations.AddField(
            model_name="packet",
            name="user",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="Conflict",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("wire", models.BinaryField()),
                ("facts", models.BinaryField()),
                ("received", models.DateTimeField()),
                (
                    "key",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.apikey",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "packet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conflicts",
                        to="auditlog.packet",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Review",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("leaf", models.BigIntegerField()),
                ("state", models.CharField(max_length=10)),
                ("note", models.TextField()),
                ("at", models.DateTimeField()),
                ("seed", models.BinaryField(max_length=32)),
                (
                    "packet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reviews",
                        to="auditlog.packet",
                    ),
                ),
                (
                    "who",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="packet",
            name="source",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="packets",
                to="auditlog.source",
            ),
        ),
        migrations.CreateModel(
            name="IdempotentRequest",
            fields=[
                ("id", models.CharField(max_length=36, primary_key=True, serialize=False)),
                ("value", models.CharField(max_length=255)),
                ("request", models.BinaryField(max_length=32)),
                ("body", models.BinaryField(max_length=32, null=True)),
                ("items", models.IntegerField()),
                ("created", models.DateTimeField(db_index=True)),
                ("touched", models.DateTimeField(null=True)),
                (
                    "key",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="auditlog.apikey",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("key", "value"), name="auditlog_idempotent_value"
                    ),
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
                ("item", models.IntegerField()),
                ("digest", models.BinaryField(max_length=32)),
                ("results", models.TextField()),
                (
                    "request",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="auditlog.idempotentrequest",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="packet",
            constraint=models.UniqueConstraint(fields=("log", "leaf"), name="auditlog_packet_leaf"),
        ),
        migrations.AddConstraint(
            model_name="packet",
            constraint=models.UniqueConstraint(
                condition=models.Q(("event_id__isnull", False)),
                fields=("log", "source", "event_id"),
                name="auditlog_packet_event",
            ),
        ),
        migrations.RunPython(make_default_log, migrations.RunPython.noop),
        migrations.RunPython(put_guards, take_guards),
    ]
