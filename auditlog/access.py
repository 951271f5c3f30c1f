"""Who may write to the log and read it: API keys and what they grant.

A key is `cbl_live_<12>_<43>_<6>`, in base62: its id, its secret of 256 bits, and the CRC-32 of all
before the last underscore, by which a mistyped key is told apart without asking the database, and
scanners recognize a leaked one. Only the id and the SHA-256 of the whole are kept; a secret of that
size needs no slow hash.
"""

import hmac
import re
import secrets
import zlib
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper

from auditlog import securitylog
from auditlog.database.errands import Errand
from auditlog.log import group_commit
from auditlog.models import ApiKey, Log, Source
from auditlog.sender import Sender

SCOPES = ("ingest", "read", "export", "admin")
PREFIX = "cbl_live"
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEY = re.compile(rf"({PREFIX}_([0-9A-Za-z]{{12}})_[0-9A-Za-z]{{43}})_([0-9A-Za-z]{{6}})")
_PERSON = "user:"
_NOBODY = "nobody:"
_USED_EVERY = timedelta(minutes=1)

_VALID = """\
FROM auditlog_apikey k
JOIN auditlog_source s ON s.id = k.source_id
LEFT JOIN auditlog_log l ON l.id = k.log_id
WHERE k.revoked IS NULL AND (k.expires IS NULL OR k.expires > %s)"""
_GRANT = f"""\
SELECT k.digest, k.scopes, s.id, s.name, l.slug, k.last_used IS NULL OR k.last_used < %s
{_VALID} AND k.id = %s"""
_GRANTED = f"SELECT k.id, k.scopes, s.id, s.name, l.slug {_VALID} AND k.id IN "


GRACES = {
    "now": timedelta(0),
    "1h": timedelta(hours=1),
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
}
"""How long a key still works after it was rotated, by name."""


class NoSuchKey(LookupError):
    """A key with this ID does not exist."""


class KeyEnded(ValueError):
    """The key is revoked or has expired."""


def create_key(
    *,
    source: str,
    scopes: tuple[str, ...],
    log: Log | None = None,
    expires: datetime | None = None,
    by: str | None = None,
) -> tuple[ApiKey, str]:
    """A new key of a source, which is made when it is new, and the token: it can be shown now and
    never again. ``by`` is the person who makes it.

    Raises ValueError for a scope that is none of `SCOPES`, none at all, or a source name kept for
    persons.
    """
    unknown = [scope for scope in scopes or ("",) if scope not in SCOPES]
    if unknown:
        raise ValueError(f"Unknown scope {unknown[0]!r}. Expected {', '.join(SCOPES)}.")
    if (
        not source.strip()
        or len(source) > 100
        or source.startswith((_PERSON, _NOBODY))
        or not source.isprintable()
    ):
        raise ValueError(
            "A source name must have 1 to 100 printable characters and must not start with "
            f"{_PERSON} or {_NOBODY}."
        )
    token = new_token()
    with transaction.atomic():
        key = ApiKey.objects.create(
            id=token.split("_")[2],
            digest=sha256(token.encode()).digest(),
            source=Source.objects.get_or_create(name=source)[0],
            scopes=" ".join(scope for scope in SCOPES if scope in scopes),
            log=log,
            expires=expires,
        )
    facts = {"log": log.slug if log else None, "expires": expires.isoformat() if expires else None}
    securitylog.record("key.made", key=key.pk, source=source, scopes=key.scopes, by=by, **facts)
    return key, token


def rotate_key(key_id: str, *, grace: timedelta, by: str | None = None) -> tuple[ApiKey, str]:
    """Replace a key: return a new one with its source, scopes, and log, and the token. The old key
    works for ``grace`` and not beyond its own expiry. If it expires, the new one is valid for as
    long as it was.

    Raises NoSuchKey, and KeyEnded.
    """
    now = datetime.now(UTC)
    with transaction.atomic():
        keys = ApiKey.objects.select_for_update(of=("self",)).select_related("source", "log")
        old = keys.filter(pk=key_id).first()
        if old is None:
            raise NoSuchKey(key_id)
        if old.revoked is not None or (old.expires is not None and old.expires <= now):
            raise KeyEnded("This key is revoked or has expired. Create a new one.")
        if old.successor is not None:
            raise KeyEnded(f"This key is replaced already, by {old.successor}. Rotate that one.")
        key, token = create_key(
            source=old.source.name,
            scopes=tuple(old.scopes.split()),
            log=old.log,
            expires=None if old.expires is None else now + (old.expires - old.created),
            by=by,
        )
        old.expires = min(old.expires or now + grace, now + grace)
        old.successor = key.pk
        old.save(update_fields=["expires", "successor"])
    end = old.expires.isoformat()
    securitylog.record("key.rotated", key=old.pk, successor=key.pk, expires=end, by=by)
    return key, token


def revoke_key(key_id: str, *, by: str | None = None) -> ApiKey:
    """Revoke a key, from the next request on. Raises NoSuchKey."""
    key = ApiKey.objects.filter(pk=key_id).first()
    if key is None:
        raise NoSuchKey(key_id)
    if key.revoked is None:
        key.revoked = datetime.now(UTC)
        key.save(update_fields=["revoked"])
        securitylog.record("key.revoked", key=key.pk, by=by)
    return key


def new_token() -> str:
    body = f"{PREFIX}_{_random(12)}_{_random(43)}"
    return f"{body}_{_checksum(body)}"


def authenticate(token: str) -> Sender | None:
    """Return the sender of a token; None if it is mistyped, unknown, expired, or revoked."""
    seen = _KEY.fullmatch(token)
    if seen is None or _checksum(seen[1]) != seen[3]:
        return None
    now = datetime.now(UTC)
    moment = connection.ops.adapt_datetimefield_value
    with connection.cursor() as cursor:
        cursor.execute(_GRANT, (moment(now - _USED_EVERY), moment(now), seen[2]))
        found = cursor.fetchone()
    if found is None:
        return None
    digest, scopes, source_id, source, log, stale = found
    if not hmac.compare_digest(bytes(digest), sha256(token.encode()).digest()):
        return None
    if stale:
        group_commit.run(_USED, seen[2], now)
    return Sender(source_id, source, key_id=seen[2], scopes=frozenset(scopes.split()), log=log)


def reason_refused(token: str) -> tuple[str, str | None]:
    """Return why `authenticate` returned None, for the security log, and the key's ID if known."""
    seen = _KEY.fullmatch(token)
    if seen is None or _checksum(seen[1]) != seen[3]:
        return "malformed", None
    key = ApiKey.objects.filter(pk=seen[2]).first()
    if key is None or not hmac.compare_digest(bytes(key.digest), sha256(token.encode()).digest()):
        return "unknown", seen[2]
    return ("revoked" if key.revoked else "expired"), key.pk


def holder(key_id: str) -> Sender | None:
    """Return the sender of a key that was authenticated before; None if it is no longer valid."""
    key = ApiKey.objects.select_related("source", "log").filter(pk=key_id, revoked=None).first()
    if key is None or (key.expires is not None and key.expires <= datetime.now(UTC)):
        return None
    log = key.log.slug if key.log is not None else None
    return Sender(
        key.source_id, key.source.name, key_id=key.pk, scopes=frozenset(key.scopes.split()), log=log
    )


def find_granted(cursor: CursorWrapper, senders: Collection[Sender]) -> set[Sender]:
    """Return the senders whose keys still grant what they did, inside the transaction of
    `cursor`.
    """
    keys = {sender.key_id for sender in senders}
    places = ", ".join(["%s"] * len(keys))
    now = connection.ops.adapt_datetimefield_value(datetime.now(UTC))
    cursor.execute(f"{_GRANTED}({places})", (now, *keys))
    return set(senders) & {
        Sender(source_id, source, key_id=key_id, scopes=frozenset(scopes.split()), log=log)
        for key_id, scopes, source_id, source, log in cursor.fetchall()
    }


def anonymous(way: str) -> Sender:
    """Return a sender without a key. No key can have this source name."""
    source, _ = Source.objects.get_or_create(name=f"{_NOBODY}{way}")
    return Sender(source.pk, source.name)


def conceal(text: str, instead: str) -> str:
    """Return ``text`` with every key redacted: a key in the wrong place must not be stored or
    shown.
    """
    return _KEY.sub(instead, text)


def person(user: AbstractBaseUser) -> Sender:
    """Return a signed-in person as a sender. No key can have this source name."""
    source, _ = Source.objects.get_or_create(name=name_person(user))
    return Sender(source.pk, source.name, user_id=user.pk, scopes=frozenset(SCOPES[:3]))


def name_person(user: AbstractBaseUser) -> str:
    """Return the source name of a signed-in person."""
    return f"{_PERSON}{user.get_username()}"[:100]


def _write_used(cursor: CursorWrapper, used: Mapping[str, datetime]) -> None:
    moment = connection.ops.adapt_datetimefield_value
    rows = [(moment(at), key_id) for key_id, at in used.items()]
    cursor.executemany("UPDATE auditlog_apikey SET last_used = %s WHERE id = %s", rows)


_USED = Errand(_write_used, max)
"""When a key was last used: a request that reads must not wait for a writer to note it."""


def _random(length: int) -> str:
    return "".join(secrets.choice(_DIGITS) for _ in range(length))


def _checksum(text: str) -> str:
    number, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = _DIGITS[digit] + digits
    return digits
