from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("playground", "0002_definition_withdrawn"),
    ]

    operations = [
        migrations.CreateModel(
            "Heartbeat",
            fields=[
                ("id", models.SmallIntegerField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
        ),
    ]
