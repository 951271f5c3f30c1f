import re

import pytest

from auditlog.log import logs
from auditlog.models import Log

pytestmark = pytest.mark.django_db


def origins() -> dict[str, str | None]:
    return dict(Log.objects.values_list("slug", "origin"))


def test_a_log_has_no_origin_until_it_is_fixed() -> None:
    logs.create(slug="night")

    assert origins() == {"default": None, "night": None}


def test_the_origin_is_that_of_the_host() -> None:
    logs.create(slug="night")

    logs.fix_origins("log.example.org")

    assert origins() == {
        "default": "log.example.org/log/default",
        "night": "log.example.org/log/night",
    }


def test_without_a_host_the_origin_is_a_random_name_that_no_host_has() -> None:
    logs.fix_origins()

    origin = origins()["default"]
    assert origin is not None
    assert re.fullmatch(r"cablese-[0-9a-f]{16}\.invalid/log/default", origin)


def test_an_origin_never_changes_and_is_that_of_later_logs() -> None:
    logs.fix_origins("log.example.org")
    logs.create(slug="night")

    logs.fix_origins("other.example.org")

    assert origins() == {
        "default": "log.example.org/log/default",
        "night": "log.example.org/log/night",
    }


def test_a_log_can_have_a_host_of_its_own() -> None:
    logs.fix_origins("log.example.org")

    assert logs.create(slug="day", host="day.example.org").origin == "day.example.org/log/day"
