"""The tables of AACP, which `auditlog` made. The database stays as it is."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auditlog", "0007_without_aacp"),
        ("playground", "0003_heartbeat"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Candidate",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
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
                        ("state", models.CharField(default="candidate", max_length=10)),
                        ("reviewed", models.DateTimeField(null=True)),
                        ("uses", models.BigIntegerField(default=0)),
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
                            "reviewer",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
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
                    ],
                    options={
                        "db_table": "auditlog_candidate",
                    },
                ),
                migrations.CreateModel(
                    name="Rule",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("version", models.PositiveIntegerField()),
                        ("english", models.TextField()),
                        ("packet", models.TextField()),
                        ("made", models.DateTimeField()),
                        ("withdrawn", models.DateTimeField(null=True)),
                        ("uses", models.BigIntegerField(default=0)),
                        (
                            "candidate",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rules",
                                to="playground.candidate",
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
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "db_table": "auditlog_rule",
                    },
                ),
                migrations.AddConstraint(
                    model_name="candidate",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("state", "promoted")),
                        fields=("digest",),
                        name="auditlog_candidate_rule",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="rule",
                    constraint=models.UniqueConstraint(
                        fields=("candidate", "version"), name="auditlog_rule_version"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="rule",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("withdrawn", None)),
                        fields=("candidate",),
                        name="auditlog_rule_standing",
                    ),
                ),
            ]
        )
    ]
