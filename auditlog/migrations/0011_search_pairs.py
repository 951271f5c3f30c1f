from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_ADD = r"""
UPDATE auditlog_search SET terms = terms || COALESCE((
    WITH words AS (
        SELECT lexeme, place
        FROM unnest(terms) AS term (lexeme, places, weights), unnest(places) AS place
        WHERE lexeme ~ '^([^ !=0-9_.-]{2,}|[^\x01-\x7f])$'
    )
    SELECT array_to_tsvector(array_agg(DISTINCT '=' || left(encode(
        sha256(convert_to(first.lexeme || ' ' || second.lexeme, 'UTF8')), 'hex'), 3)))
    FROM words AS first JOIN words AS second ON second.place = first.place + 1
), '')"""


def add_pairs(_: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the lexemes of pairs of words to packets that were indexed without them (PostgreSQL)."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(_ADD)


class Migration(migrations.Migration):
    dependencies = (("auditlog", "0010_witness"),)
    operations = (migrations.RunPython(add_pairs, migrations.RunPython.noop),)
