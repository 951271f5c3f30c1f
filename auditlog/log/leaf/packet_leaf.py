"""The leaf of a packet."""

from functools import lru_cache

from auditlog.log.leaf.canonical import canonical
from auditlog.log.leaf.shape import VERSION


def format_packet(*, commit: bytes, log: str, dialect: str, received: str, source: int) -> bytes:
    """Return a packet's leaf. `commit` comes from `commit_packet`; `received` ends in six digits
    and Z.

    It is written out rather than encoded, because thousands are made per second. A test compares it
    with RFC 8785.
    """
    about = _middle(log, dialect)
    return b'{"commit":%b,%b,"recv":"%b","src":%d,"v":%d}' % (
        commit, about, received.encode(), source, VERSION,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _middle(log: str, dialect: str) -> bytes:
    return b'"kind":"packet","log":%b,"proto":%b' % (canonical(log), canonical(dialect))
