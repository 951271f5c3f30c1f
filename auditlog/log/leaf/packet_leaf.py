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
    return b'{"commit":%b%b' % (commit, _rest(log, dialect, received, source))


@lru_cache(maxsize=1024)
def _rest(log: str, dialect: str, received: str, source: int) -> bytes:
    # The packets of a request share most of it.
    middle = _middle(log, dialect)
    return b',%b,"recv":"%b","src":%d,"v":%d}' % (middle, received.encode(), source, VERSION)


@lru_cache(maxsize=1024)
def _middle(log: str, dialect: str) -> bytes:
    return b'"kind":"packet","log":%b,"proto":%b' % (canonical(log), canonical(dialect))
