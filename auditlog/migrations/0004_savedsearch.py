import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import auditlog.database.uid


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("auditlog", "0003_searchvalue"),
    ]

    operations = [
        migrations.CreateModel(
            name="SavedSearch",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "log_id",
                        "uid",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("uid", auditlog.database.uid.UidField()),
                ("name", models.CharField(max_length=80)),
                ("query", models.TextField()),
                ("columns", models.CharField(max_length=400)),
                ("size", models.BigIntegerField(null=True)),
                ("created", models.DateTimeField()),
                ("updated", models.DateTimeField()),
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
                    "log",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.log",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("log", "name"), name="auditlog_savedsearch_name"
                    )
                ],
            },
        ),
    ]
