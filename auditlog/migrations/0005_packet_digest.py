"""What packets with the same bytes share, and an index of it (see `auditlog.repeats`)."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from auditlog.repeats import digest

STEP = 2_000


def fill(apps: StateApps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Digest the packets that are there, some at a time."""
    packets = apps.get_model("auditlog", "Packet").objects
    last = 0
    while some := list(packets.filter(seq__gt=last, digest=None).order_by("seq").only("seq", "wire")[:STEP]):
        for packet in some:
            packet.digest = digest(bytes(packet.wire))
        packets.bulk_update(some, ["digest"], batch_size=200)
        last = some[-1].seq


class Migration(migrations.Migration):
    dependencies = [("auditlog", "0004_rule")]
    operations = [
        migrations.AddField("packet", "digest", models.BinaryField(max_length=16, null=True)),
        migrations.AddIndex("packet", models.Index(fields=["log", "digest", "leaf"], name="auditlog_packet_digest")),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
