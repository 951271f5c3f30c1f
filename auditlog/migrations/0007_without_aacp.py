"""The tables of AACP belong to the playground from here on. The database stays as it is."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("auditlog", "0006_clock")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel("Rule"), migrations.DeleteModel("Candidate")]
        )
    ]
