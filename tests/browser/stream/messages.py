"""Messages posted to a live session, and the lines that show them."""

import urllib.request

from playwright.sync_api import Locator, Page, expect

WIRE = "REQ/TSK|g={},t=1,@=live_feed"
HOSTILE = "INF/OBS|g=1,t=1,@=<img/src=x/onerror=window.broken=1>"


def address(page: Page) -> str:
    return page.locator("#posting summary code").inner_text()


def post(page: Page, text: str, media: str = "text/plain") -> None:
    data = text.encode()
    request = urllib.request.Request(address(page), data, {"Content-Type": media})  # noqa: S310
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
        assert answer.status in (200, 207)


def post_many(page: Page, first: int, last: int) -> None:
    post(page, "".join(f"{WIRE.format(at)}\n" for at in range(first, last + 1)))


def lines(page: Page) -> Locator:
    return page.locator("#lines").get_by_role("option")


def wires(page: Page) -> list[str]:
    return page.locator("#lines .line:not([hidden]) .wire").all_inner_texts()


def newest(page: Page) -> int:
    """The number of the lowest line in view."""
    found = page.locator("#lines .line:not([hidden])").evaluate_all(
        "(all) => all.map((one) => Number(one.dataset.n))"
    )
    return int(max(found))


def close(page: Page) -> None:
    """Close the pad of a page, and its messages with it."""
    page.get_by_role("button", name="Close live session").click()
    closed = page.get_by_text("Live session closed. Its messages were deleted.")
    question = page.get_by_role("button", name="Close and delete")
    closed.or_(question).wait_for()
    if question.count():
        question.click()
    expect(closed).to_be_visible()
