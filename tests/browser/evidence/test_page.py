"""The page that prepares evidence, in a browser of the smallest desktop."""

import pytest
from playwright.sync_api import Page, expect

from tests.installation import Installation

pytestmark = pytest.mark.browser


def test_the_end_of_a_download_is_in_view(page: Page, server: Installation) -> None:
    server.manage("log", "create", "prepared")
    server.sign_in(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto("/audit/evidence?log=prepared&q=leaf:0..1")

    with page.expect_download():
        page.get_by_role("button", name="Download pack").click()

    expect(page.get_by_text("Finished.")).to_be_in_viewport(ratio=1)
