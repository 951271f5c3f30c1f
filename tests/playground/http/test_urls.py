"""Every route is looked at: by the tests that hold on every page and in the pictures, or it says
why not.
"""

import pytest
from django.urls import resolve

from playground.urls import urlpatterns
from tests.pages.catalogue import SIGHTS, WITHOUT_PAGE

ROUTES = {name for name in (getattr(pattern, "name", None) for pattern in urlpatterns) if name}
SHOWN = {route for sight in SIGHTS.values() for route in sight.routes if ":" not in route}


def test_each_route_has_a_sight_or_answers_no_page() -> None:
    assert ROUTES - SHOWN - set(WITHOUT_PAGE) == set()


def test_each_sight_is_of_a_route_that_exists() -> None:
    assert (SHOWN | set(WITHOUT_PAGE)) - ROUTES == set()


def test_no_route_is_said_to_be_both() -> None:
    assert SHOWN & set(WITHOUT_PAGE) == set()


@pytest.mark.parametrize("address", ["/api/v1/post/x", "/api/v1/packets", "/api/v1/packets/batch"])
def test_what_programs_post_to_is_found_among_the_first_addresses(address: str) -> None:
    tried = resolve(address).tried

    assert tried is not None
    assert len(tried) < 12
