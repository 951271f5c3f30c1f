"""What the palette can go to is there."""

import pytest
from django.test import Client

from cablese import registry
from playground.workbench.examples import EXAMPLES


@pytest.mark.django_db
def test_every_place_of_the_palette_is_a_page(client: Client) -> None:
    found = client.get("/places").json()

    for words, address in found["pages"] + found["protocols"]:
        assert words
        assert client.get(address).status_code in (200, 302, 405), address


@pytest.mark.django_db
def test_every_protocol_and_example_is_a_place(client: Client) -> None:
    found = client.get("/places").json()

    assert [address for _, address in found["protocols"]] == [
        f"/protocols/{name}" for name in registry.get_names()
    ]
    assert [address for _, address in found["examples"]] == [
        f"/?example={example.slug}" for example in EXAMPLES
    ]


@pytest.mark.django_db
def test_the_palette_offers_the_audit_trail_to_those_who_may_search_it(
    admin_client: Client, client: Client
) -> None:
    assert b'data-search="/audit/"' in admin_client.get("/").content
    assert b"data-search" not in client.get("/").content
