import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auditlog", "0012_search_partitions"),
    ]

    operations = [
        migrations.CreateModel(
            name="ImportedFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("size", models.BigIntegerField()),
                ("settled", models.BigIntegerField()),
                ("seal", models.BinaryField(max_length=32)),
                ("file", models.BinaryField(max_length=32)),
                ("created", models.DateTimeField()),
                (
                    "earlier",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.importedfile",
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
                    "source",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="auditlog.source",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("log", "source", "seal"), name="auditlog_importedfile_seal"
                    )
                ],
            },
        ),
    ]
