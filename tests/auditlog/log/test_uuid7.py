from datetime import UTC, datetime, timedelta
from uuid import RFC_4122, UUID

from auditlog.log.uuid7 import new_ids

MOMENT = datetime(2026, 11, 20, 10, 0, 1, 123456, tzinfo=UTC)


def test_ids_are_of_version_seven_and_carry_the_millisecond() -> None:
    for text in new_ids(MOMENT, 50):
        uuid = UUID(text)
        assert str(uuid) == text
        assert (uuid.version, uuid.variant) == (7, RFC_4122)
        assert uuid.int >> 80 == int(MOMENT.timestamp() * 1000)


def test_ids_of_one_moment_differ() -> None:
    assert len(set(new_ids(MOMENT, 1000))) == 1000


def test_ids_sort_by_the_microsecond() -> None:
    later = new_ids(MOMENT + timedelta(microseconds=1), 1)
    assert new_ids(MOMENT, 1) < later < new_ids(MOMENT + timedelta(milliseconds=1), 1)
