"""In a browser: the slider along a conversation, its keys, and the table of all states."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import show_tab
from tests.browser.workbench.test_light import write
from tests.installation import Installation

pytestmark = pytest.mark.browser

WRONG = "REQ/TSK|g=42,t=1\nACC/PLN|g=42,t=1\nINF/OBS|g=42,t=1,s=done\nINF/OBS|g=42,t=1,s=failed\n"


def open_slider(page: Page) -> Locator:
    write(page, WRONG)
    show_tab(page, "Conversation")
    slider = page.get_by_role("slider", name="Message", exact=True)
    slider.focus()
    return slider


def test_a_message_says_where_its_conversation_stands(page: Page) -> None:
    write(page, WRONG)
    stands = page.locator("#stands")
    expect(stands).to_have_text(
        "First finding at message 2 · the task failed; waiting for evaluation"
    )
    expect(stands).to_have_attribute("title", re.compile("2 · goal 42, task 1 · the task failed"))
    # On one line, so that it moved no sentence.
    assert (stands.bounding_box() or {"height": 99})["height"] < 26
    expect(page.get_by_role("tab", name="Conversation").locator(".tally")).to_contain_text("▲")

    stands.click()
    expect(page.get_by_role("slider", name="Message", exact=True)).to_be_visible()

    page.locator("#text").fill("REQ/TSK|g=42,t=1\nREQ/TSK|g=43,t=1")
    expect(stands).to_have_text("Now: waiting for a proposal")
    expect(page.get_by_role("tab", name="Conversation").locator(".tally")).to_have_text("▲ 2")


def test_the_buttons_to_problems_are_on_one_line_on_a_phone(page: Page) -> None:
    page.goto("/?example=mistakes")
    show_tab(page, "Conversation")
    page.set_viewport_size({"width": 390, "height": 844})
    buttons = [
        page.get_by_role("button", name=f"{name} problem or finding")
        for name in ("Previous", "Next")
    ]
    one, other = (each.evaluate("(it) => it.getBoundingClientRect().top") for each in buttons)
    assert one == other


FAILED = "REQ/TSK|g=42,t=1\nPRO/PLN|g=42,t=1\nACC/PLN|g=42,t=1\nINF/OBS|g=42,t=1,s=failed\n"
ASKED = (
    '{"format":"text","subformat":"english","content":"Rooms?","submessages":'
    '[{"format":"token","subformat":"conversation","content":"c-17"}]}\n'
    '{"format":"text","subformat":"english","content":"Two."}\n'
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("REQ/TSK|g=42,t=1\nPRO/PLN|g=42,t=1,p=x\n", r"First problem at message 2 · \w.*"),
        (FAILED, "Now: the task failed.*"),
        (ASKED, "First finding at message 2"),
    ],
)
def test_the_line_names_findings_problems_and_states_as_what_they_are(
    page: Page, text: str, said: str
) -> None:
    write(page, text)

    expect(page.locator("#stands")).to_have_text(re.compile(f"^{said}$"))


def state(page: Page, kind: str, name: str) -> Locator:
    row = page.locator(f".time-travel .now tr[data-kind='{kind}']").filter(has_text=name)
    return row.locator(".state")


def test_the_slider_begins_where_it_went_wrong_and_steps_by_arrow_keys(page: Page) -> None:
    slider = open_slider(page)
    expect(slider).to_have_value("1")
    expect(page.locator(".went-wrong")).to_contain_text(
        "First finding at message 2: Unexpected ACC"
    )
    expect(page.locator(".time-travel .ticks .wrong")).to_have_text("▲")
    expect(slider).to_have_attribute("aria-valuetext", r"2, accept PLN. goal 42 accepted, "
        "task 1 accepted, agent coordinator [inferred] accepted, agent planner [inferred] ready. "
        "▲ Unexpected ACC/PLN: nothing was proposed before it.")  # fmt: skip

    page.keyboard.press("ArrowRight")
    expect(state(page, "task", "1")).to_have_text("✓ done")
    expect(page.locator(".time-travel h4")).to_have_text("After message 3")
    page.keyboard.press("Home")
    expect(state(page, "task", "1")).to_have_text("requested")
    expect(state(page, "agent", "executor")).to_have_text("–")
    page.keyboard.press("End")
    expect(state(page, "task", "1")).to_have_text("✖ failed")
    expect(state(page, "agent", "coordinator")).to_have_text("notified")
    since = page.locator(".time-travel .now tr", has_text="coordinator").locator(".since")
    expect(since).to_have_text("since 3")
    expect(slider).to_be_focused()
    require_accessible(page, ".time-travel")


def test_n_and_p_walk_the_problems_and_buttons_do_the_same(page: Page) -> None:
    slider = open_slider(page)
    for key, value in (("n", "3"), ("n", "3"), ("p", "1"), ("p", "1")):
        page.keyboard.press(key)
        expect(slider).to_have_value(value)

    page.get_by_role("button", name="Next finding").click()
    expect(page.locator(".moment .note")).to_contain_text("The status changes to")
    page.get_by_role("button", name="Previous finding").click()
    expect(slider).to_have_value("1")
    page.keyboard.press("?")
    expect(page.get_by_text("Next problem or finding in conversation")).to_be_visible()


def test_the_message_is_lit_in_the_sequence_and_its_button_shows_it(page: Page) -> None:
    open_slider(page)
    page.keyboard.press("End")

    expect(page.locator(".sequence g.arrow.now title")).to_have_text("4 inform OBS, failed")
    expect(page.locator(".sequence-table tr.now")).to_have_attribute("aria-current", "true")
    expect(page.locator(".sequence-table tr.now .number")).to_have_text("4")
    page.locator(".moment").get_by_role("button", name="Show message 4").click()
    expect(page.locator("#panel-fields")).to_contain_text("failed")


def test_an_edit_keeps_the_slider_where_it_was(page: Page) -> None:
    slider = open_slider(page)
    page.keyboard.press("Home")
    page.locator("#text").focus()
    page.keyboard.press("Control+End")
    with page.expect_response("**/reading/whole"):
        page.keyboard.insert_text("EVL/EVL|g=42,t=1,sc=8\n")

    expect(page.locator(".all-states tbody tr")).to_have_count(5)
    expect(slider).to_have_value("0")
    expect(page.locator(".time-travel h4")).to_have_text("After message 1")


def test_without_scripts_the_table_has_every_state(chromium: Browser, server: Installation) -> None:
    context = chromium.new_context(base_url=server.base_url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/?example=wrong")

    expect(page.get_by_role("slider")).to_have_count(0)
    first = page.locator(".time-travel").first
    expect(first.locator(".went-wrong")).to_contain_text("First finding at message 2")
    first.locator("summary").click()
    last = first.locator(".all-states tbody tr").last
    expect(last).to_contain_text("✖ failed")
    expect(last.locator(".why")).to_contain_text("The status changes to")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_page_does_not_scroll_sideways(page: Page, scheme: str) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_slider(page)
    page.locator(".all-states summary").click()

    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    boxes = page.locator(".travel button, .travel input").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert min(boxes) >= 24
    require_accessible(page, ".time-travel")
