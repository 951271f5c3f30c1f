"""Where the leaf of a packet is, also of one that was erased."""

from typing import NamedTuple

from auditlog.erasure import find as erasures
from auditlog.log import packet as packets
from auditlog.log.packet import NoSuchPacket
from auditlog.models import Log


class Place(NamedTuple):
    """A leaf of a log, and whether its packet was erased."""

    log: Log
    leaf: int
    erased: bool = False


def find(uid: str, *, log: str | None = None) -> Place:
    """Return the place of a packet in a log, or in any. Raises NoSuchPacket."""
    try:
        packet = packets.find(uid, log=log)
    except NoSuchPacket:
        return _find_erased(uid, log)
    return Place(packet.log, packet.leaf)


def _find_erased(uid: str, log: str | None) -> Place:
    try:
        first = erasures.find(uid, log=log)[0]
    except erasures.NotErased:
        raise NoSuchPacket(uid) from None
    return Place(first.log, first.packet_leaf, erased=True)
