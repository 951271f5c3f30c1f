import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import auditlog.database.composite_key
from auditlog.log import triggers
from auditlog.tree import growth


def build_tiles(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make the tiles of logs that have leaves, which are read in pieces."""
    with schema_editor.connection.cursor() as cursor:
        if cursor.db.vendor == "postgresql":  # Hashes cannot be compressed, so do not try to.
            cursor.execute("ALTER TABLE auditlog_tile ALTER COLUMN hashes SET STORAGE EXTERNAL")
        for log_id, size in apps.get_model("auditlog", "LogEnd").objects.values_list("pk", "size"):
            growth.build(cursor, log_id, size)


def put_triggers(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.put(schema_editor.connection, triggers.TREE)


def take_triggers(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    triggers.take(schema_editor.connection, triggers.TREE)


class Migration(migrations.Migration):
    dependencies = [
        ("auditlog", "0006_apikey_successor"),
    ]

    operations = [
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "size",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("size", models.BigIntegerField()),
                ("root", models.BinaryField(max_length=32)),
                ("signed", models.DateTimeField()),
                ("note", models.TextField()),
                (
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="checkpoints",
                        to="auditlog.log",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Tile",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "level",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("level", models.SmallIntegerField()),
                ("number", models.BigIntegerField()),
                ("hashes", models.BinaryField()),
                (
                    "log",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tiles",
                        to="auditlog.log",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TreeSettings",
            fields=[
                (
                    "log",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="tree_settings",
                        serialize=False,
                        to="auditlog.log",
                    ),
                ),
                ("public", models.BooleanField(default=False)),
                ("required", models.SmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="TreeLeaf",
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
                ("leaf", models.BigIntegerField()),
                ("kind", models.CharField(max_length=12)),
                ("seed", models.BinaryField(max_length=32, null=True)),
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
            ],
            options={
                "constraints": [
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=False,
                        columns=("log_id", "leaf"),
                        name="auditlog_treeleaf_leaf",
                        references=("log_id", "index"),
                        table="auditlog_leaf",
                    )
                ],
            },
        ),
        migrations.RunPython(build_tiles, migrations.RunPython.noop),
        migrations.RunPython(put_triggers, take_triggers),
    ]
