"""The exchange of two NLIP agents on the workbench."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.workbench.elements import show_tab

pytestmark = pytest.mark.browser

TOKEN = '{"Format":"token","Subformat":"conversation","Content":"c-17"}'
ASKED = (
    '{"Format":"text","Subformat":"English","Content":"Rooms in Paris?","Submessages":['
    + TOKEN
    + "]}"
)
FORGOT = '{"Format":"text","Subformat":"English","Content":"Two."}'


@pytest.mark.requirement("NLIP-21")
def test_what_is_owed_comes_as_it_is_typed_and_leads_to_its_message(page: Page) -> None:
    page.goto("/?example=")

    page.locator("#text").fill(f"{ASKED}\n{FORGOT}\n")
    owed = page.locator("#panel-exchange .diagnostic")
    expect(owed).to_contain_text("the answer does not return it")
    show_tab(page, "Conversation")
    owed.locator(".mark").click()
    expect(page.locator("#reading-state")).to_have_attribute("data-chosen", "2")

    page.locator("#text").fill(f'{ASKED}\n{FORGOT[:-1]},"Submessages":[{TOKEN}]}}\n')
    expect(page.locator("#panel-exchange")).to_contain_text("No pending replies.")
    page.locator("#text").fill(ASKED)
    expect(page.locator("#panel-exchange")).to_have_count(0)
