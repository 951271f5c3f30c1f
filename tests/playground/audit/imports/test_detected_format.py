"""The first lines of a file tell its format where none is chosen, and items their log."""

import pytest
from django.test import Client

from auditlog.log import logs
from auditlog.models import Packet

from .test_importing import send

pytestmark = pytest.mark.django_db

ITEM = b'{"wire":"REQ/TSK|g=1,t=1","from":"a"}\n'


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (ITEM, "ndjson"),
        (ITEM * 2 + b"{oops\n", "ndjson"),
        (ITEM * 2000 + b"REQ/TSK|g=2,t=1\n", "ndjson"),  # after what is looked at
        (ITEM + b"planner: REQ/TSK|g=2,t=1\n", "text"),
        (b'{"wire":"REQ/TSK|g=1,t=1","level":"info"}\n' * 3, "text"),
        (ITEM + b'{"msg":"REQ/TSK|g=1,t=1","level":"info"}\n' * 3, "text"),
        (b'{"msg":"REQ/TSK|g=1,t=1"}\n' + ITEM, "text"),
        (b'{"wire":"%b"}\n' % (b"x" * 70_000) + ITEM, "ndjson"),
    ],
)
def test_the_first_lines_tell_the_format(admin_client: Client, data: bytes, kind: str) -> None:
    answer = send(admin_client, data)

    assert answer["kind"] == kind
    assert answer["kept"] > 0


def test_an_item_that_names_its_log_goes_there(admin_client: Client) -> None:
    logs.create(slug="other")

    send(admin_client, b'{"wire":"REQ/TSK|g=1,t=1"}\n{"wire":"ACC/PLN|g=1","log":"other"}\n')

    stored = Packet.objects.order_by("log__slug").values_list("log__slug", "wire")
    assert [(slug, bytes(wire)) for slug, wire in stored] == [
        ("default", b"REQ/TSK|g=1,t=1"),
        ("other", b"ACC/PLN|g=1"),
    ]
