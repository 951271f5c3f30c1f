"""The review desk, asked by a test: what its pages say, and the forms on them."""

import re
from typing import Any

from django.test import Client

from auditlog.models import LogEnd
from tests.playground.drawn import words

NOW = "20261120T100001Z"
SCRIPT = {"HX-Request": "true"}


def fields(query: str = "", **more: Any) -> dict[str, Any]:
    """Return the state of a queue that is opened now."""
    size = LogEnd.objects.get(log__slug="default").size
    return {"log": "default", "q": query, "at": size, "now": NOW, **more}


def read(client: Client, state: dict[str, Any], path: str = "", status: int = 200) -> str:
    answer = client.get(f"/audit/review/{path}", state)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


def leaves(page: str) -> list[int]:
    """Return the leaves of the rows of the list."""
    return [int(leaf) for leaf in re.findall(r'<li class="[^"]*" data-leaf="(\d+)"', page)]


def shown(page: str) -> int:
    """Return the leaf of the packet that is shown."""
    found = re.search(r'id="packet"[^>]*data-leaf="(\d+)"', page)
    assert found is not None
    return int(found[1])


def progress(page: str) -> str:
    found = re.search(r"<span>(<strong>.*?)</span>", page, re.DOTALL)
    assert found is not None
    return words(found[1])


def states(page: str) -> dict[int, str]:
    """Return the states in the list, by leaf."""
    return {
        int(leaf): state for leaf, state in re.findall(r'id="state-(\d+)" data-state="(\w+)"', page)
    }


def hidden(page: str, name: str, form: str) -> str:
    """Return the value of a hidden field of a form."""
    part = page.split(f'id="{form}"')[1].split("</form>")[0]
    found = re.search(f'name="{name}" value="([^"]*)"', part)
    assert found is not None
    return found[1]
