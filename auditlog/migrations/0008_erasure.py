import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import auditlog.database.composite_key
import auditlog.database.uid


class Migration(migrations.Migration):
    dependencies = [
        ("auditlog", "0007_tree"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Erasure",
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
                ("uid", auditlog.database.uid.UidField()),
                ("at", models.DateTimeField()),
                (
                    "who",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
                ("source", models.CharField(max_length=200)),
                ("reason", models.TextField()),
                ("field", models.TextField()),
                ("notes", models.IntegerField()),
                ("seed", models.BinaryField(max_length=32)),
                ("redacted", models.BinaryField(null=True)),
                ("event", models.BinaryField(max_length=32, null=True)),
                ("purged", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["log", "packet_leaf"], name="auditlog_erasure_packet"),
                    models.Index(fields=["log", "uid"], name="auditlog_erasure_uid"),
                    models.Index(fields=["log", "event"], name="auditlog_erasure_event"),
                ],
                "constraints": [
                    auditlog.database.composite_key.CompositeForeignKey(
                        cascade=False,
                        columns=("log_id", "leaf"),
                        name="auditlog_erasure_leaf",
                        references=("log_id", "index"),
                        table="auditlog_leaf",
                    ),
                ],
            },
        ),
        migrations.RemoveConstraint(model_name="review", name="auditlog_review_packet"),
        migrations.AddConstraint(
            model_name="review",
            constraint=auditlog.database.composite_key.CompositeForeignKey(
                cascade=False,
                columns=("log_id", "packet_leaf"),
                name="auditlog_review_of",
                references=("log_id", "index"),
                table="auditlog_leaf",
            ),
        ),
    ]
