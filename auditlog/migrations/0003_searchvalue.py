from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from auditlog.search.completion import table


def make_values(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    table.create(schema_editor)


def drop_values(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    table.drop(schema_editor)


class Migration(migrations.Migration):
    dependencies = [("auditlog", "0002_rollup")]

    operations = [migrations.RunPython(make_values, drop_values)]
