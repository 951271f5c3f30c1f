"""Elements of the workbench, as tests use them."""

from playwright.sync_api import Locator, Page


def paste(page: Page, text: str) -> None:
    """Put the text in at once, as the clipboard does."""
    page.locator("#text").focus()
    page.keyboard.insert_text(text)


def wires(page: Page) -> Locator:
    return page.locator("ol.messages > li.message")
