"""Save searches of a log, change them, and delete them.

Everyone who can read the log sees its saved searches. Only the owner and administrators change one.
A search is saved only if it can be answered, so that none of the list fails when it is opened.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction

from auditlog.log.uuid7 import new_ids
from auditlog.models import Log, SavedSearch
from auditlog.search import find
from auditlog.search.saved import pin
from auditlog.search.saved.models import COLUMNS_LIMIT, NAME_LIMIT

LIMIT = 200
"""Saved searches of a log."""
_T = TypeVar("_T")


class BadSearch(ValueError):
    """A search that cannot be saved. ``part`` is name, q, or columns."""

    def __init__(self, part: str, message: str) -> None:
        super().__init__(message)
        self.part = part


class NameTaken(BadSearch):
    """The log has a saved search with this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            "name", f'This log already has a saved search "{name}". Choose another name.'
        )


class TooMany(BadSearch):
    """The log has as many saved searches as it may have."""

    def __init__(self) -> None:
        super().__init__(
            "name", f"The limit is {LIMIT} saved searches in a log. Delete one that is not used."
        )


class NoSuchSearch(LookupError):
    """The log has no saved search with this ID."""


@dataclass(frozen=True)
class Content:
    """What a search finds, and how it is shown. ``size`` pins it."""

    query: str
    columns: Sequence[str] = ()
    size: int | None = None


def list_searches(log: Log) -> list[SavedSearch]:
    """Return the saved searches of a log by name."""
    found = SavedSearch.objects.filter(log=log).select_related("log", "owner", "key__source")
    return sorted(found, key=lambda search: (search.name.casefold(), search.name))


def get(log: Log, uid: str) -> SavedSearch:
    """Return a saved search of a log. Raises NoSuchSearch."""
    found = SavedSearch.objects.filter(log=log, uid=uid)
    search = found.select_related("log", "owner", "key__source").first()
    if search is None:
        raise NoSuchSearch(uid)
    return search


def may_change(search: SavedSearch, person: AbstractUser) -> bool:
    """Return whether a person may change or delete a search: its owner, or an administrator."""
    return person.is_superuser or search.owner_id == person.pk


def save(
    *,
    log: Log,
    name: str,
    content: Content,
    owner: AbstractUser | None = None,
    key: str | None = None,
) -> SavedSearch:
    """Save a search of a person or a key. Raises BadSearch, QueryError, and BadPin."""
    name, now = _check_name(name), datetime.now(UTC)
    _check_content(log, content, now)
    (uid,) = new_ids(now, 1)

    def create() -> SavedSearch:
        # The limit holds for requests at the same time too: each waits here for the one before.
        Log.objects.select_for_update(no_key=True).get(pk=log.pk)
        others = SavedSearch.objects.filter(log=log)
        if others.filter(name=name).exists():
            raise NameTaken(name)
        if others.count() >= LIMIT:
            raise TooMany
        return SavedSearch.objects.create(
            log=log, uid=uid, name=name, owner_id=owner.pk if owner else None, key_id=key,
            created=now, updated=now, **_columns_of(content),
        )  # fmt: skip

    return _settle(name, create)


def rename(search: SavedSearch, name: str) -> None:
    """Give a search another name. Raises BadSearch and NoSuchSearch."""
    search.name = _check_name(name)
    search.updated = datetime.now(UTC)
    _settle(search.name, lambda: _store(search, "name", "updated"))


def update(search: SavedSearch, content: Content) -> None:
    """Replace what a search finds. Raises BadSearch, QueryError, BadPin, and NoSuchSearch."""
    now = datetime.now(UTC)
    _check_content(search.log, content, now)
    search.updated = now
    for field, value in _columns_of(content).items():
        setattr(search, field, value)
    _store(search, "query", "columns", "size", "updated")


def _store(search: SavedSearch, *fields: str) -> None:
    values = {field: getattr(search, field) for field in fields}
    if not SavedSearch.objects.filter(pk=search.pk).update(**values):
        raise NoSuchSearch(search.uid)  # somebody has just deleted it


def delete(search: SavedSearch) -> None:
    """Delete a search. Nothing of it is left."""
    search.delete()


def _check_name(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise BadSearch("name", "Enter a name.")
    if len(name) > NAME_LIMIT:
        raise BadSearch(
            "name", f"The name has {len(name):,} characters. The limit is {NAME_LIMIT}."
        )
    if not name.isprintable():
        raise BadSearch("name", "A name cannot contain control or invisible characters.")
    return name


def _check_content(log: Log, content: Content, now: datetime) -> None:
    if "\0" in content.query or not _is_unicode(content.query):
        raise BadSearch("q", "A saved query cannot contain NUL or half of a surrogate pair.")
    if len(" ".join(content.columns)) > COLUMNS_LIMIT:
        raise BadSearch("columns", f"The limit is {COLUMNS_LIMIT} characters of column names.")
    held = None if content.size is None else pin.read(log, content.size)
    find.check(log, content.query, now=now, pin=held)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _columns_of(content: Content) -> dict[str, str | int | None]:
    return {
        "query": content.query,
        "columns": " ".join(content.columns),
        "size": content.size,
    }


def _settle(name: str, write: Callable[[], _T]) -> _T:
    """Write, all or nothing. Raises NameTaken if another request has just taken the name."""
    try:
        with transaction.atomic():
            return write()
    except IntegrityError:
        raise NameTaken(name) from None
