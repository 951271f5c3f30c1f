"""The workbench as a browser sends and receives it."""

import re
from html import unescape

from django.test import Client


def decoded(client: Client, text: str, **more: str) -> str:
    response = client.post("/reading", {"text": text, **more})
    assert response.status_code == 200
    return response.content.decode()


def textarea(page: str) -> str:
    """What a browser would hold in the field of the page: one line feed at its beginning is
    markup.
    """
    held = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    assert held is not None
    return unescape(held[1])
