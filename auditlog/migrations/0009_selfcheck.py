import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auditlog", "0008_erasure"),
    ]

    operations = [
        migrations.CreateModel(
            name="SelfCheck",
            fields=[
                (
                    "log",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="self_check",
                        serialize=False,
                        to="auditlog.log",
                    ),
                ),
                ("asked", models.DateTimeField(null=True)),
                ("began", models.DateTimeField(null=True)),
                ("ended", models.DateTimeField(null=True)),
                ("touched", models.DateTimeField(null=True)),
                ("full", models.BooleanField(default=False)),
                ("size", models.BigIntegerField(default=0)),
                ("leaves", models.BigIntegerField(default=0)),
                ("terms", models.BigIntegerField(default=0)),
                ("skipped", models.BigIntegerField(default=0)),
                ("faults", models.BigIntegerField(default=0)),
                ("found", models.TextField(default="[]")),
                ("result", models.BigIntegerField(null=True)),
            ],
        ),
    ]
