"""What packets with the same bytes share (see `auditlog.log.replays`), for those that are stored
already.
"""

from django.db import connection, migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from auditlog.search import index, terms

STEP = 2_000


def make(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(index.SAME_BYTES, None)
    else:
        fill(apps)


def fill(apps: StateApps) -> None:
    """Add the token of their bytes to the packets that have none, some at a time."""
    packets = apps.get_model("auditlog", "Packet").objects
    last = 0
    with connection.cursor() as cursor:
        while some := list(
            packets.filter(seq__gt=last).order_by("seq").only("seq", "log", "wire")[:STEP]
        ):
            tokens = [(terms.same(one.log_id, bytes(one.wire)), one.seq) for one in some]
            cursor.executemany(
                "UPDATE auditlog_search SET terms = %s || ' ' || terms "
                "WHERE rowid = %s AND terms NOT LIKE '=%%'",
                tokens,
            )
            last = some[-1].seq


def drop(_apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX auditlog_packet_digest", None)


class Migration(migrations.Migration):
    dependencies = [("auditlog", "0004_rule")]
    operations = [migrations.RunPython(make, drop)]
