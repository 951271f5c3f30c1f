"""The review desk in a browser: packets to review, and what it shows."""

from playwright.sync_api import Page, expect

from tests.installation import Installation
from tests.pages.visits import preview

BROKEN = "\n".join(f"RJE/PLN|g={n},t=1,@=queue" for n in range(1, 61))
"""More packets than a page of the list has."""


def fill(page: Page, server: Installation, log: str, wires: str = BROKEN) -> None:
    server.sign_in(page)
    preview(page, wires)
    page.locator("select[name=log]").select_option(log)
    page.locator(".savebar button.primary").click()
    page.get_by_role("status").get_by_text("saved to log").wait_for()


def open_queue(page: Page, log: str) -> None:
    page.goto(f"/audit/?log={log}&q=is:invalid")
    page.keyboard.press("r")
    page.locator("#packet").wait_for()
    page.wait_for_load_state("networkidle")


def title(page: Page, leaf: int) -> None:
    """The first packet has leaf 1: leaf 0 is about the key of the log."""
    expect(page.locator("#packet-title")).to_contain_text(f"Packet {leaf} ")
