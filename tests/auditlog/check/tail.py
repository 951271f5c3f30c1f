"""Cut off the end of a log as somebody with the database would, so that its tables agree."""

from django.db import connection

from auditlog.log import reindex
from auditlog.models import (
    Checkpoint,
    Finding,
    FindingPosition,
    Leaf,
    Log,
    LogEnd,
    Packet,
    Review,
    Seed,
    TreeLeaf,
)
from auditlog.rollup import recount
from auditlog.search import index


def cut(log: Log, size: int) -> None:
    """Leave the first `size` leaves, of which the last is a packet, of a log without full tiles."""
    with connection.cursor() as cursor:
        gone = Packet.objects.filter(log=log, leaf__gte=size).values_list("log_id", "leaf")
        index.erase(cursor, list(gone))
    for table in (Finding, Review, Seed, Packet, TreeLeaf):
        table.objects.filter(log=log, leaf__gte=size).delete()
    Leaf.objects.filter(log=log, index__gte=size).delete()
    Checkpoint.objects.filter(log=log, size__gt=size).delete()
    FindingPosition.objects.filter(log=log, leaf__gt=size).update(leaf=size)
    last = Leaf.objects.get(log=log, index=size - 1)
    received = Packet.objects.filter(log=log, leaf=size - 1).values("received")
    LogEnd.objects.filter(log=log).update(size=size, head=last.hash, received=received)
    reindex.forget()
    recount.begin(log.pk)
    for _ in (*reindex.run(), *recount.run()):
        pass
