"""In a browser: signing in with a link, signing out again, and pages that break none of our own
rules.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.installation import Installation

pytestmark = pytest.mark.browser


def test_a_link_signs_in_and_a_button_out(page: Page, server: Installation) -> None:
    page.goto(server.sign_in_link("grace"))
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{server.base_url}/")
    expect(page.locator(".masthead .who")).to_have_text("grace")

    page.get_by_role("button", name="Sign out").click()

    expect(page).to_have_url(re.compile("/signin$"))
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_spent_link_says_so(page: Page, server: Installation) -> None:
    link = server.sign_in_link("ada")
    page.goto(link)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto("/signin")

    assert page.request.get(link).status == 410
