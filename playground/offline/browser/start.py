"""Django in the browser, ready to answer: importing this module takes seconds."""

import os
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "playground.offline.browser.settings"
# Pyodide runs an event loop, and Django would refuse to read a database inside one.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

django.setup()

from playground.offline.browser import answer as answering  # noqa: E402 - after the settings

answering.start()


def answer(method: str, url: str, headers: Any, body: Any) -> tuple[int, dict[str, str], bytes]:
    """Answer a request of the page, whose headers and body are objects of JavaScript."""
    return answering.answer(method, url, headers.to_py(), body.to_bytes())
