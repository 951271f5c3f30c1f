"""In a browser: the review desk in a low window, as with a zoom of 200%."""

import pytest
from playwright.sync_api import Page

from tests.browser.review.desk import fill, open_queue
from tests.installation import Installation

pytestmark = pytest.mark.browser

COVERED = """(row) => {
  row.scrollIntoView({ block: "nearest" });
  const { left, top, height } = row.getBoundingClientRect();
  return !row.contains(document.elementFromPoint(left + 20, top + height / 2));
}"""


def test_the_form_covers_no_field_of_a_packet(page: Page, server: Installation) -> None:
    fill(page, server, "zoom", "RJE/PLN|g=1,t=1,@=queue")
    page.set_viewport_size({"width": 640, "height": 430})
    open_queue(page, "zoom")

    rows = page.locator("#packet .fieldtable tbody th")
    assert rows.count() == 5
    assert [row.evaluate(COVERED) for row in rows.all()] == [False] * 5
