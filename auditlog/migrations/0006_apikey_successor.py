from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (("auditlog", "0005_search_blocks"),)
    operations = (
        migrations.AddField(
            model_name="apikey",
            name="successor",
            field=models.CharField(max_length=12, null=True),
        ),
    )
