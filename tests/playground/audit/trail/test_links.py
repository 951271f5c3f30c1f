"""The links of the table of packets, and its link to erase what a search finds."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from auditlog.ingest.item import Item
from auditlog.models import Log
from playground.audit import packet_rows
from playground.audit.table import lines
from playground.audit.table.columns import Column, choose
from tests.auditlog.sending import keep
from tests.playground.audit.pages import read

pytestmark = pytest.mark.django_db


def test_a_link_to_a_packet_is_the_same_address_after_it_is_read() -> None:
    packet = keep(Item("REQ/TSK|g=42,t=1"))
    packet.uid = 'a"b?c#d&e <f>'

    drawn = lines.draw(
        packet_rows.draw([packet]), choose([]), Log.objects.get(), kept="q=a%20b&lt=1"
    )

    (address,) = re.findall(r'href="([^"]*)"', drawn)
    assert "&lt=" not in address
    assert unescape(address) == "/audit/default/a%22b%3Fc%23d%26e%20%3Cf%3E?q=a%20b&lt=1"


def test_no_title_of_a_column_becomes_markup() -> None:
    packet = keep(Item("REQ/TSK|g=42,t=1"))
    column = Column("odd", 'A "<b>"', show=lambda _row: "<i>")

    drawn = lines.draw(packet_rows.draw([packet]), [column], Log.objects.get(), kept="")

    assert 'data-label="A &quot;&lt;b&gt;&quot;">&lt;i&gt;</td>' in drawn


def test_only_administrators_are_offered_to_erase_what_a_search_finds(
    client: Client, ada: User
) -> None:
    keep(Item("REQ/TSK|g=42,t=1"))
    assert "/audit/erase?" not in read(client, "/audit/", q="goal:42")

    User.objects.filter(pk=ada.pk).update(is_superuser=True)

    assert "/audit/erase?" in read(client, "/audit/", q="goal:42")
