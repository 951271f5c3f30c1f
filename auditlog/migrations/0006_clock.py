"""What a log notes of the machine's clock, and the segments that a confirmed clock begins (see
`auditlog.continuity.segments`).
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("auditlog", "0005_packet_digest")]
    operations = [
        migrations.AddField("log", "behind", models.DateTimeField(null=True)),
        migrations.CreateModel(
            "Segment",
            [
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
                (
                    "log",
                    models.ForeignKey(
                        "auditlog.log", models.PROTECT, db_index=False, related_name="segments"
                    ),
                ),
            ],
        ),
    ]
