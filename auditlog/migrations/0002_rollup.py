import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def count_stored_packets(apps: Apps, _: BaseDatabaseSchemaEditor) -> None:
    """Have the packets counted that are stored already. The server does it after it started."""
    position = apps.get_model("auditlog", "RollupPosition")
    ends = apps.get_model("auditlog", "LogEnd").objects.filter(size__gt=0)
    english = dict(apps.get_model("auditlog", "FindingPosition").objects.values_list("pk", "leaf"))
    for end in ends:
        position.objects.create(log_id=end.pk, until=end.size, english=english.get(end.pk, 0))


class Migration(migrations.Migration):
    dependencies = [
        ("auditlog", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="RollupPosition",
            fields=[
                (
                    "log",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="rollup_position",
                        serialize=False,
                        to="auditlog.log",
                    ),
                ),
                ("leaf", models.BigIntegerField(default=0)),
                ("until", models.BigIntegerField()),
                ("english", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Rollup",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "dimension",
                        "source",
                        "period",
                        "start",
                        "value",
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
                ("dimension", models.CharField(max_length=8)),
                ("source", models.BigIntegerField()),
                ("period", models.CharField(max_length=1)),
                ("start", models.DateField()),
                ("value", models.CharField(max_length=100)),
                ("packets", models.BigIntegerField(default=0)),
                ("invalid", models.BigIntegerField(default=0)),
                ("tokens", models.BigIntegerField(default=0)),
                ("json_packets", models.BigIntegerField(default=0)),
                ("json_sent", models.BigIntegerField(default=0)),
                ("json_tokens", models.BigIntegerField(default=0)),
                ("english_read", models.BigIntegerField(default=0)),
                ("english_packets", models.BigIntegerField(default=0)),
                ("english_sent", models.BigIntegerField(default=0)),
                ("english_tokens", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.RunPython(count_stored_packets, migrations.RunPython.noop),
    ]
