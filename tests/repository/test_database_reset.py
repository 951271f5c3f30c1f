"""The tests' own broom: after a test that committed, the database is as the migrations left it, on
both engines.
"""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import DatabaseError
from django.utils import timezone

from auditlog.models import Leaf, Log, LogEnd

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_takes_away_what_a_test_wrote_and_leaves_what_migrations_wrote(
    django_db_setup: Callable[[], None],
) -> None:
    log = Log.objects.create(
        slug="made-here", origin="made/here", title="Made here", created=timezone.now()
    )
    Leaf.objects.create(log=log, index=0, kind="packet", bytes=b"{}", hash=bytes(32))

    django_db_setup()

    assert list(Log.objects.values_list("slug", flat=True)) == ["default"]
    assert not Leaf.objects.exists()


def test_it_brings_back_what_a_test_changed(django_db_setup: Callable[[], None]) -> None:
    before = Log.objects.get()
    Log.objects.update(title="Changed")
    LogEnd.objects.update(size=7)

    django_db_setup()

    after = Log.objects.get()
    assert (after.title, after.end.size) == (before.title, 0)


def test_it_leaves_the_guards_in_place(django_db_setup: Callable[[], None]) -> None:
    django_db_setup()
    leaf = Leaf.objects.create(
        log=Log.objects.get(), index=0, kind="packet", bytes=b"{}", hash=bytes(32)
    )

    with pytest.raises((DatabaseError, IntegrityError)), transaction.atomic():
        Leaf.objects.filter(pk=leaf.pk).delete()

    assert connection.is_usable()
