"""A server of this room's own, a page of it, and a live session."""

import json
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stream.messages import close
from tests.installation import Installation, running


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation of this folder's own: pads are counted by caller, and every test here is one
    caller.
    """
    with running(tmp_path_factory.mktemp("stream")) as one:
        warm(one)
        yield one


def warm(server: Installation) -> None:
    """The first message in full waits for every tokenizer to be loaded."""
    pads = f"{server.base_url}/api/v1/pads"
    with urllib.request.urlopen(pads, b"", timeout=60) as answer:  # noqa: S310
        opened = json.load(answer)
    urllib.request.urlopen(opened["post"], b"REQ/TSK|g=1,t=1", timeout=60).close()  # noqa: S310
    urllib.request.urlopen(f"{opened['page']}/message/1", timeout=60).close()  # noqa: S310


@pytest.fixture
def page(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A page that must keep our policy and throw nothing. What a test breaks on purpose may be said
    on its console.
    """
    complaints: list[str] = []
    context = chromium.new_context(
        base_url=server.base_url, viewport={"width": 1280, "height": 900}
    )
    context.expose_function("note_breach", lambda words: complaints.append(words))
    context.add_init_script(
        "document.addEventListener('securitypolicyviolation', (event) => "
        "window.note_breach(`${event.violatedDirective} ${event.blockedURI}`))"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def pad(page: Page) -> Iterator[Page]:
    """An open pad, watched."""
    page.goto("/stream/")
    page.get_by_role("button", name="Start live session").click()
    expect(page.locator("#state")).to_have_text("Live")
    yield page
    if page.get_by_role("button", name="Close live session").count():
        close(page)
