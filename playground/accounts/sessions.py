"""Sessions of signed-in people. They end after 8 hours without a request, or 14 days after the
sign-in.

A row expires at the earlier of the two times. Requests extend it at most every few minutes, and
through the committer, so reading a page never waits for a lock of the database.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY, get_user, get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.http import HttpRequest

from auditlog import securitylog
from auditlog.database.errands import Errand
from auditlog.log import group_commit
from playground.http import security_events
from playground.http.throttle import Throttle

IDLE = timedelta(hours=8)
LONGEST = timedelta(days=14)
EVERY = timedelta(minutes=5)
"""How often a session in use is extended."""
_BEGAN = "began"
_RECEIVER = "playground.sessions"

_touches = Throttle(burst=1, pace=1 / EVERY.total_seconds())
_reports = Throttle(burst=1, pace=1 / EVERY.total_seconds())


class SessionStore(db.SessionStore):
    """Django's sessions in the database. The row's expiry includes both limits."""

    expires: datetime | None = None
    """Of the row that was read."""
    _stored: dict[str, Any] | None = None
    """What this request has already stored."""

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - as in Django
        """Store the session if it has changed. The middleware saves after a view that has saved."""
        data = dict(self.items())
        if must_create or data != self._stored:
            super().save(must_create)
            self._stored = data

    def _get_session_from_db(self) -> Session | None:
        key = self.session_key
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc]
        if row is not None:
            self.expires = row.expire_date
        elif key:
            _tell_end(key)
        return row

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = Session(session_data=self.encode(data))
        row.session_key = self._get_or_create_session_key()  # type: ignore[attr-defined]
        row.expire_date = _end(data.get(_BEGAN), datetime.now(UTC))
        return row


def connect() -> None:
    """Log when people sign in and out."""
    user_logged_in.connect(_begin, dispatch_uid=_RECEIVER)
    user_logged_out.connect(_finish, dispatch_uid=_RECEIVER)


def touch(session: Any) -> None:
    """Extend a session that is in use. No request waits for it, and it may fail."""
    if (
        not isinstance(session, SessionStore)
        or session.expires is None
        or session.modified
        or _BEGAN not in session
    ):
        return
    expires, key = _end(session[_BEGAN], datetime.now(UTC)), str(session.session_key)
    if expires - session.expires < EVERY or _touches.wait(key):
        return
    group_commit.run(_TOUCH, key, expires)


def is_signed_in(request: HttpRequest) -> bool:
    """Return whether the session of a request is still valid in the database."""
    again = HttpRequest()
    again.session = SessionStore(request.session.session_key)
    return bool(get_user(again).is_authenticated)


def of(person: User) -> Iterator[Session]:
    """Yield the sessions of a person that have not ended."""
    for session in Session.objects.filter(expire_date__gt=datetime.now(UTC)).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(person.pk):
            yield session


def delete(keys: Sequence[str]) -> None:
    """End sessions now."""
    Session.objects.filter(pk__in=keys).delete()


def purge() -> None:
    """Delete the rows of sessions that have ended."""
    SessionStore.clear_expired()


def _end(began: str | None, now: datetime) -> datetime:
    idle = now + IDLE
    return min(idle, datetime.fromisoformat(began) + LONGEST) if began else idle


def _begin(request: HttpRequest, user: User, **_: Any) -> None:
    request.session[_BEGAN] = datetime.now(UTC).isoformat()
    security_events.record(request, "signin.accepted", person=user.get_username())


def _finish(request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        security_events.record(
            request, "session.ended", reason="signed_out", person=user.get_username()
        )


def _write(cursor: CursorWrapper, ends: Mapping[str, datetime]) -> None:
    """Extend only rows that exist, so that a session that ended in the meantime stays ended."""
    moment = connection.ops.adapt_datetimefield_value
    for key, expires in ends.items():
        cursor.execute(
            "UPDATE django_session SET expire_date = %s "
            "WHERE session_key = %s AND expire_date > %s",
            (moment(expires), key, moment(datetime.now(UTC))),
        )


_TOUCH = Errand(_write, max)


def _tell_end(key: str) -> None:
    """Log once that a session has ended that a browser still sends."""
    row = Session.objects.filter(pk=key).first()
    data = row.get_decoded() if row is not None else {}
    person = (
        get_user_model().objects.filter(pk=str(data[SESSION_KEY])).first()
        if SESSION_KEY in data
        else None
    )
    if row is None or person is None or _reports.wait(key):
        return
    is_old = _BEGAN in data and row.expire_date - datetime.fromisoformat(data[_BEGAN]) >= LONGEST
    securitylog.record(
        "session.ended", reason="age" if is_old else "idle", person=person.get_username()
    )
