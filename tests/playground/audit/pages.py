"""The audit pages, and the rows on them."""

import re
from collections.abc import Sequence

from django.test import Client

from tests.playground.drawn import words

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
BROKEN = "RJE/PLN|g=42,t=1"


def read(client: Client, address: str, status: int = 200, **parameters: str | Sequence[str]) -> str:
    response = client.get(address, parameters)
    assert response.status_code == status
    return response.content.decode()


def find(client: Client, *columns: str, **parameters: str) -> str:
    """The trail, with the raw text of each packet."""
    return read(client, "/audit/", 200, columns=["raw", *columns], **parameters)


def rows(page: str) -> list[str]:
    """The raw texts of a list or a table."""
    found = re.findall(
        r'<a class="wire"[^>]*>(.*?)</a>|<td class="c-raw"[^>]*>(.*?)</td>', page, re.DOTALL
    )
    return [words(listed or tabled) for listed, tabled in found]
