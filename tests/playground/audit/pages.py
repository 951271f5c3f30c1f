"""The audit pages, and the rows on them."""

import re

from django.test import Client

from tests.playground.drawn import words

WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
BROKEN = "RJE/PLN|g=42,t=1"


def read(client: Client, address: str, status: int = 200, **parameters: str) -> str:
    response = client.get(address, parameters)
    assert response.status_code == status
    return response.content.decode()


def rows(page: str) -> list[str]:
    return [words(row) for row in re.findall(r'<a class="wire"[^>]*>(.*?)</a>', page, re.DOTALL)]
