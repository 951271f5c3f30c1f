from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_ADD = """\
UPDATE auditlog_search SET terms = terms || array_to_tsvector(ARRAY[
    '=0.' || log_id || '.' || (leaf >> 12),
    '=1.' || log_id || '.' || (leaf >> 16),
    '=2.' || log_id || '.' || (leaf >> 20)
])"""


def add_blocks(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the lexemes of blocks to packets that were indexed without them (PostgreSQL)."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(_ADD)


class Migration(migrations.Migration):
    dependencies = (("auditlog", "0004_savedsearch"),)
    operations = (migrations.RunPython(add_blocks, migrations.RunPython.noop),)
