"""A message that was pasted into the search box is offered as queries."""

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from tests.auditlog.sending import keep
from tests.playground.audit.pages import find, read, rows

pytestmark = pytest.mark.django_db
WIRE = "REQ/TSK|g=42,t=1,@=auth_refactor"
MEANING = "act:request goal:42 task:1 @auth_refactor"


def offered(page: str) -> list[str]:
    notice = page.partition('class="notice offer"')[2].partition("</div>")[0]
    links = [unescape(link) for link in re.findall(r'href="([^"]+)"', notice)]
    return [parse_qs(urlsplit(link).query)["q"][0] for link in links]


def test_a_pasted_message_is_offered_beside_its_results(client: Client, ada: User) -> None:
    keep(Item(WIRE))

    page = find(client, q=WIRE)

    assert rows(page) == [WIRE]
    assert offered(page) == [f'proto:nslip "{WIRE}"', MEANING]
    for query in offered(page):
        assert rows(find(client, q=query)) == [WIRE]


def test_it_is_offered_with_the_error_of_a_query_that_cannot_be_read(
    client: Client, ada: User
) -> None:
    page = read(client, "/audit/", 422, q="REQ/TSK|g=42,@=a (b")

    assert "Unclosed parenthesis" in page
    assert offered(page)[1] == 'act:request goal:42 @"a (b"'


def test_a_query_offers_nothing(client: Client, ada: User) -> None:
    assert offered(read(client, "/audit/", q="goal:42")) == []
