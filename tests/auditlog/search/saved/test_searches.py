"""Saved searches: what is refused, and who may change one."""

import threading
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection

from auditlog import access
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import Log, SavedSearch
from auditlog.search.query import QueryError
from auditlog.search.saved import searches
from auditlog.search.saved.pin import BadPin
from auditlog.search.saved.searches import (
    LIMIT,
    BadSearch,
    Content,
    NameTaken,
    NoSuchSearch,
    TooMany,
)
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def default() -> Log:
    return Log.objects.get(slug="default")


def save(
    name: str, owner: User | None, query: str = "goal:42", log: Log | None = None
) -> SavedSearch:
    return searches.save(log=log or default(), name=name, content=Content(query), owner=owner)


def names(log: Log) -> list[str]:
    return [search.name for search in searches.list_searches(log)]


def test_searches_of_a_log_are_listed_by_name(ada: User) -> None:
    night = logs.create(slug="night")
    for name in ("zebra", "Émile", "apple", "Bear"):
        save(name, ada)
    save("other", ada, log=night)

    assert names(default()) == ["apple", "Bear", "zebra", "Émile"]
    assert names(night) == ["other"]


def test_all_of_a_search_is_stored(ada: User) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())
    content = Content("goal:42 since:7d", ("english", "state", "raw"), 1)

    saved = searches.save(log=default(), name="  Week \t  one ", content=content, owner=ada)

    stored = searches.get(default(), saved.uid)
    assert (stored.name, stored.query, stored.columns) == (
        "Week one", "goal:42 since:7d", "english state raw",
    )  # fmt: skip
    assert (stored.size, stored.owner, stored.key) == (1, ada, None)
    assert stored.created == stored.updated


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Enter a name"),
        (" \n ", "Enter a name"),
        ("x" * 81, "81 characters. The limit is 80"),
        ("a\0b", "control or invisible"),
        ("a\u202eb", "control or invisible"),
        ("\ud800", "control or invisible"),
    ],
)
def test_a_name_is_one_to_eighty_visible_characters(ada: User, name: str, message: str) -> None:
    with pytest.raises(BadSearch, match=message):
        save(name, ada)
    search = save("x" * 80, ada)
    with pytest.raises(BadSearch, match=message):
        searches.rename(search, name)
    assert names(default()) == ["x" * 80]


def test_a_name_is_unique_in_its_log(ada: User) -> None:
    night = logs.create(slug="night")
    first, second = save("week", ada), save("day", ada)
    save("week", ada, log=night)

    with pytest.raises(NameTaken, match='a saved search "week"'):
        save(" week ", ada)
    with pytest.raises(NameTaken):
        searches.rename(second, "week")
    searches.rename(first, "week")
    assert names(default()) == ["day", "week"]


def test_a_name_that_was_taken_a_moment_ago_is_refused(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("week", ada)
    # The look for others runs before another request commits the same name.
    monkeypatch.setattr("django.db.models.query.QuerySet.exists", lambda _: False)

    with pytest.raises(NameTaken):
        save("week", ada)


def test_a_query_that_cannot_be_answered_is_refused_with_its_place(ada: User) -> None:
    search = save("fine", ada)
    for query, span in (
        ("goal:42 (", (8, 9)),
        ("nothing:1", (0, 7)),
        ("x" * 5_000, (4_000, 5_000)),
    ):
        with pytest.raises(QueryError) as refused:
            save("bad", ada, query)
        assert tuple(refused.value.span) == span
        with pytest.raises(QueryError):
            searches.update(search, Content(query))
    for query in ("a\0b", "\udfff"):
        with pytest.raises(BadSearch) as unstorable:
            save("bad", ada, query)
        assert unstorable.value.part == "q"
    assert names(default()) == ["fine"]
    assert searches.get(default(), search.uid).query == "goal:42"


def test_a_size_that_the_log_never_had_is_refused(ada: User) -> None:
    append(Item("REQ/TSK|g=42,t=1"), sender=make_sender())
    search = save("fine", ada)

    for size in (0, -1, 2):
        with pytest.raises(BadPin):
            searches.save(log=default(), name="bad", content=Content("", size=size), owner=ada)
        with pytest.raises(BadPin):
            searches.update(search, Content("", size=size))
    with pytest.raises(BadSearch) as refused:
        searches.save(log=default(), name="bad", content=Content("", ["c" * 401]), owner=ada)
    assert refused.value.part == "columns"


def test_a_log_has_a_limit(ada: User) -> None:
    for number in range(LIMIT):
        save(f"{number}", ada)

    with pytest.raises(TooMany, match=f"The limit is {LIMIT} saved searches"):
        save("one more", ada)
    searches.delete(searches.list_searches(default())[0])
    save("one more", ada)
    assert len(names(default())) == LIMIT


def test_a_search_is_updated_and_deleted(ada: User) -> None:
    search = save("week", ada)

    searches.update(search, Content("goal:43", ("raw",)))
    stored = searches.get(default(), search.uid)
    assert (stored.name, stored.query, stored.columns) == ("week", "goal:43", "raw")
    assert stored.updated > stored.created

    searches.delete(search)
    assert names(default()) == []
    with pytest.raises(NoSuchSearch):
        searches.get(default(), search.uid)


def test_a_search_is_of_its_own_log(ada: User) -> None:
    night, search = logs.create(slug="night"), save("week", ada)

    with pytest.raises(NoSuchSearch):
        searches.get(night, search.uid)


def test_only_the_owner_and_administrators_may_change_it(ada: User) -> None:
    grace = User.objects.create_user("grace")
    root = User.objects.create_user("root", is_superuser=True)
    key, _ = access.create_key(source="bot", scopes=("admin",))
    own, of_key = (
        save("own", ada),
        searches.save(log=default(), name="bot", content=Content(""), key=key.pk),
    )

    assert [searches.may_change(own, person) for person in (ada, grace, root)] == [
        True, False, True,
    ]  # fmt: skip
    assert [searches.may_change(of_key, person) for person in (ada, root)] == [False, True]


@pytest.mark.django_db(transaction=True)
def test_of_two_that_save_one_name_at_once_one_is_refused(ada: User) -> None:
    together, results = threading.Barrier(2), list[str]()

    def run(work: Callable[[], object]) -> None:
        together.wait()
        try:
            work()
            results.append("saved")
        except NameTaken:
            results.append("taken")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(lambda: save("week", ada),)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(results) == ["saved", "taken"]
    assert names(default()) == ["week"]


def test_a_search_that_was_deleted_a_moment_ago_is_not_there(ada: User) -> None:
    search = save("Flagged", ada)
    SavedSearch.objects.all().delete()

    with pytest.raises(NoSuchSearch):
        searches.rename(search, "Other")
    with pytest.raises(NoSuchSearch):
        searches.update(search, Content("goal:43"))
