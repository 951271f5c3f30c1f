"""Event IDs of erased packets, so that a packet that is sent again does not come back.

An event ID may name a person, so only a keyed hash of it stays. The key is the installation's
secret, which is outside of the database: whoever has only the database cannot guess an event ID.
With another secret, packets that were erased before can be stored again.
"""

from collections.abc import Collection, Mapping

from django.db.backends.utils import CursorWrapper
from django.utils.crypto import salted_hmac

from auditlog.database import uid

_SALT = "auditlog.erasure.event"
_ANY = "SELECT 1 FROM auditlog_erasure WHERE log_id = %s AND event IS NOT NULL LIMIT 1"
_FIND = "SELECT event, uid, packet_leaf FROM auditlog_erasure WHERE log_id = %s AND event IN "

Erased = tuple[str, int]
"""The ID and the leaf of an erased packet."""


def hash_event(log_id: int, source_id: int, event_id: str) -> bytes:
    """Return the keyed hash of an event ID, which is unique in a log and a source."""
    value = f"{log_id}\0{source_id}\0{event_id}"
    return salted_hmac(_SALT, value, algorithm="sha256").digest()


def find(
    cursor: CursorWrapper, log_id: int, source_id: int, event_ids: Collection[str]
) -> Mapping[str, Erased]:
    """Return the erased packets that had some of these event IDs."""
    cursor.execute(_ANY, (log_id,))
    if cursor.fetchone() is None:
        return {}
    hashes = {hash_event(log_id, source_id, event): event for event in event_ids}
    places = ", ".join(["%s"] * len(hashes))
    cursor.execute(f"{_FIND}({places})", (log_id, *hashes))
    return {
        hashes[bytes(event)]: (uid.to_text(stored), leaf)
        for event, stored, leaf in cursor.fetchall()
    }
