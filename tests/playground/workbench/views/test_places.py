"""What the palette and the menu of tools can go to is there."""

from html import unescape

import pytest
from django.test import Client

from cablese import registry
from playground.workbench.command_palette import list_tools
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
def test_the_palette_offers_the_trail_to_those_who_may_search_it(
    admin_client: Client, client: Client
) -> None:
    assert b'data-search="/audit/"' in admin_client.get("/").content
    assert b"data-search" not in client.get("/").content


@pytest.mark.django_db
def test_every_page_has_the_menu_of_tools_and_marks_where_one_is(client: Client) -> None:
    page = unescape(client.get("/claims/").content.decode())
    menu = page.split('<details class="menu tools-menu">')[1].split("</details>")[0]

    tools = [tool for _, tools in list_tools() for tool in tools]
    assert len(tools) > 10
    for title, address in tools:
        assert f'href="{address}"' in menu
        assert f">{title}</a>" in menu
    assert menu.count('aria-current="page"') == 1
    assert '<summary aria-current="true">' in menu
    assert set(tools) <= {tuple(place) for place in client.get("/places").json()["pages"]}
