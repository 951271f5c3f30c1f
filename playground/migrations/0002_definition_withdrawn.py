from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("playground", "0001_initial"),
    ]

    operations = [
        migrations.AddField("definition", "withdrawn", models.BooleanField(default=False)),
    ]
