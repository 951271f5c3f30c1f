import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auditlog", "0009_selfcheck"),
    ]

    operations = [
        migrations.CreateModel(
            name="WatchedLog",
            fields=[
                ("origin", models.CharField(max_length=300, primary_key=True, serialize=False)),
                ("keys", models.TextField()),
                ("size", models.BigIntegerField(default=0)),
                ("root", models.BinaryField(max_length=32, null=True)),
                ("note", models.TextField(default="")),
                ("cosigned", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Witness",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=300)),
                ("key", models.TextField()),
                ("size", models.BigIntegerField(default=0)),
                ("cosigned", models.DateTimeField(null=True)),
                ("problem", models.TextField(default="")),
                (
                    "log",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="witnesses",
                        to="auditlog.log",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "witnesses",
                "constraints": [
                    models.UniqueConstraint(fields=("log", "key"), name="auditlog_witness_key")
                ],
            },
        ),
    ]
