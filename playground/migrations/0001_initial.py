from datetime import UTC, datetime

import django.db.models.deletion
import msgspec
from django.apps.registry import Apps
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
    table = apps.get_model("playground", "Definition").objects
    for kind, name, one in named:
        body = msgspec.json.encode(one).decode()
        table.create(kind=kind, name=name, revision=1, body=body, at=datetime.now(UTC))


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auditlog", "0001_initial"),
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("kind", "name", "revision"), name="playground_definition_revision"
                    )
                ],
            },
        ),
        migrations.RunPython(put_samples, migrations.RunPython.noop),
    ]
