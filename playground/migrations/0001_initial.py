from datetime import UTC, datetime

import django.db.models.deletion
import msgspec
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from cablese.protocols.sacp.agents.samples import AGENTS, LIBRARY


def put_samples(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """The definitions that the specification prints, and what its example plans need."""
    named = [
        *(("verb", one.name, one) for one in LIBRARY.verbs),
        *(("tool", one.id, one) for one in LIBRARY.tools),
        *(("agent", one.agent_name, one) for one in AGENTS),
    ]
    now, model = datetime.now(UTC), apps.get_model("playground", "Definition")
    model.objects.bulk_create(
        [
            model(kind=kind, name=name, revision=1, body=msgspec.json.encode(one).decode(), at=now)
            for kind, name, one in named
        ]
    )


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auditlog", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Definition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=5)),
                ("name", models.CharField(max_length=64)),
                ("revision", models.PositiveIntegerField()),
                ("body", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "source",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.source",
                    ),
                ),
                ("withdrawn", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("kind", "name", "revision"), name="playground_definition_revision"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", models.SmallIntegerField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Candidate",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("english", models.TextField()),
                ("digest", models.CharField(db_index=True, max_length=64)),
                ("packet", models.TextField()),
                ("failure", models.TextField()),
                ("model", models.CharField(max_length=200)),
                ("calls", models.PositiveSmallIntegerField()),
                ("tokens_in", models.BigIntegerField()),
                ("tokens_out", models.BigIntegerField()),
                ("reported", models.BooleanField()),
                ("asked", models.DateTimeField()),
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
                    "key",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.apikey",
                    ),
                ),
                ("state", models.CharField(default="candidate", max_length=10)),
                (
                    "reviewer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("reviewed", models.DateTimeField(null=True)),
                ("uses", models.BigIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state", "promoted")),
                        fields=("digest",),
                        name="playground_candidate_rule",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rules",
                        to="playground.candidate",
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("english", models.TextField()),
                ("packet", models.TextField()),
                ("made", models.DateTimeField()),
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
                    "key",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.apikey",
                    ),
                ),
                ("withdrawn", models.DateTimeField(null=True)),
                ("uses", models.BigIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("candidate", "version"), name="playground_rule_version"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("withdrawn", None)),
                        fields=("candidate",),
                        name="playground_rule_standing",
                    ),
                ],
            },
        ),
        migrations.RunPython(put_samples, migrations.RunPython.noop),
    ]
