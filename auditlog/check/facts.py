"""What a self-check knows of a log beforehand: names, and which packets were erased."""

from functools import cached_property

from django.contrib.auth import get_user_model
from django.db import connection

from auditlog import access
from auditlog.check.rows.form import BadLeaf, parse
from auditlog.models import Log, LogEnd, Packet, Source


class Facts:
    """The log, and what is read once for all of it."""

    def __init__(self, log: Log) -> None:
        self.log_id = log.pk
        self.slug = log.slug
        self._missing: set[int] = set()
        """Sources that packets name, and that do not exist."""

    def read_size(self) -> int:
        """Return how many leaves the log’s end says that the log has now; 0 without an end."""
        found = LogEnd.objects.filter(pk=self.log_id).values_list("size", flat=True).first()
        return found or 0

    @cached_property
    def sources(self) -> dict[int, str]:
        return dict(Source.objects.values_list("pk", "name"))

    @cached_property
    def people(self) -> dict[int, str]:
        """The source names of people, by their number."""
        return {user.pk: access.name_person(user) for user in get_user_model().objects.all()}

    def find_missing_source(self, leaf: int) -> int | None:
        """Return the ID of the source that a packet names; None if it exists, or was returned
        before.
        """
        row = Packet.objects.filter(log_id=self.log_id, leaf=leaf).values_list("source_id")
        found = row.first()
        if found is None or found[0] in self.sources or found[0] in self._missing:
            return None
        self._missing.add(found[0])
        return int(found[0])

    @cached_property
    def erased(self) -> set[int]:
        """The leaves of packets that a redaction leaf says were erased."""
        return set(self._read_erased())

    def is_erased(self, leaf: int) -> bool:
        """Return whether a packet was erased, perhaps since the last look."""
        if leaf in self.erased:
            return True
        self.erased |= set(self._read_erased())
        return leaf in self.erased

    def _read_erased(self) -> list[int]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT bytes FROM auditlog_leaf WHERE log_id = %s AND kind = 'redaction'",
                (self.log_id,),
            )
            rows = cursor.fetchall()
        found = []
        for (data,) in rows:
            try:
                fields = parse(bytes(data), kind="redaction", log=self.slug)
            except BadLeaf:
                continue  # It is a fault of its own.
            found.append(fields["leaf"])
        return found
