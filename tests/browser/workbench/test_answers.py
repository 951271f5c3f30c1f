"""In a browser: answers of the server that come late, refuse, or replace a part of the page."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from playground.workbench.examples import CONVERSATION
from tests.browser.workbench.elements import COLORED, paste, show_tab, wires
from tests.installation import Installation

pytestmark = pytest.mark.browser


def test_the_caret_and_the_undo_survive_an_answer(page: Page) -> None:
    page.goto("/?example=")
    box = page.locator("#text")
    box.press_sequentially("REQ/TSK|g=42,t=1")
    expect(page.locator("#list-title")).to_have_text("1 message")
    expect(box).to_be_focused()
    page.keyboard.press("ArrowLeft")
    with page.expect_response("**/reading"):
        page.keyboard.type("2")

    expect(box).to_have_value("REQ/TSK|g=42,t=21")
    expect(page.locator("#panel-fields tr[data-f='t'] .value")).to_have_text("21")
    assert box.evaluate("box => box.selectionStart") == len("REQ/TSK|g=42,t=2")


def test_signs_that_mean_something_in_a_form_arrive_as_typed(page: Page) -> None:
    page.goto("/?example=")
    value = "a+b_&c=%20_%_é_\U0001f600_;"
    with page.expect_request("**/reading") as sent:
        paste(page, f"REQ/TSK|g=1,@={value}")

    assert "text=REQ/TSK|g=1,@=a%2Bb_%26c=%2520_%25_%C3%A9_%F0%9F%98%80_;" in (
        sent.value.post_data or ""
    )
    expect(page.locator("#panel-fields tr[data-f='@'] .value")).to_have_text(value)


def test_late_answers_are_dropped(page: Page) -> None:
    """The answer to an old text comes when another stands there; the fields shown in the end belong
    to that one.
    """
    held: list[Route] = []
    page.route("**/reading", lambda route: route.continue_() if held else held.append(route))
    page.goto("/?example=")
    box = page.locator("#text")
    with page.expect_request("**/reading"):
        box.fill("REQ/TSK|g=1,t=1")
    box.fill("REQ/TSK|g=2,t=1\nREQ/TSK|g=3,t=1")
    box.fill("REQ/TSK|g=4,t=1\nREQ/TSK|g=5,t=1\nREQ/TSK|g=6,t=1")
    page.wait_for_timeout(
        300
    )  # until the page would have asked again, had it not waited for the first answer

    held[0].continue_()

    expect(page.locator("#list-title")).to_have_text("3 messages")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=4,t=1")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (413, "The text is larger than the limit of 1 MiB."),
        (503, "The server responded with status 503."),
    ],
)
def test_a_refusal_is_said_until_the_next_answer(tolerant: Page, status: int, words: str) -> None:
    page = tolerant
    page.goto("/")
    page.route("**/reading", lambda route: route.fulfill(status=status, body="no"))
    page.locator("#text").fill("REQ/TSK|g=1,t=1")
    expect(page.locator("#text-note")).to_contain_text(words)

    page.unroute("**/reading")
    page.locator("#text").fill("REQ/TSK|g=2,t=1")
    expect(page.locator("#text-note")).to_have_text(
        "Decoded on this server. Nothing is stored there until you save."
    )
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=2,t=1")


def test_a_page_that_is_out_of_date_says_to_reload_it(tolerant: Page) -> None:
    tolerant.goto("/")
    tolerant.context.clear_cookies()
    tolerant.locator("#text").fill("REQ/TSK|g=1,t=1")

    note = tolerant.locator("#text-note")
    expect(note).to_contain_text("Not allowed. This page is out of date")
    expect(note).to_contain_text("Reload it, then try again.")


def test_a_refusal_says_why_and_the_text_is_sent_again(tolerant: Page) -> None:
    page = tolerant
    page.goto("/")
    refused = {"status": 429, "detail": "Too much for now. Try again in 1 s."}
    page.route(
        "**/reading",
        lambda route: route.fulfill(status=429, json=refused, headers={"Retry-After": "1"}),
        times=1,
    )
    page.locator("#text").fill("REQ/TSK|g=1,t=1")
    expect(page.locator("#text-note")).to_have_text(
        "Too much for now. Try again in 1 s. The results are out of date."
    )

    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=1,t=1")
    expect(page.locator("#text-note")).to_have_text(
        "Decoded on this server. Nothing is stored there until you save."
    )


def test_the_words_about_an_example_go_with_its_text(page: Page) -> None:
    page.goto("/")
    example = page.locator("#text").input_value()
    lesson = page.locator("section > .lesson")
    expect(lesson).to_be_visible()

    page.locator("#text").fill("REQ/TSK|g=1,t=1")
    expect(lesson).to_be_hidden()
    page.locator("#text").fill(example)
    expect(lesson).to_be_visible()


def test_a_server_that_is_gone_is_said(chromium: Browser, server: Installation) -> None:
    context = chromium.new_context(base_url=server.base_url)
    page = context.new_page()
    page.goto("/")
    page.route("**/reading", lambda route: route.abort())
    page.locator("#text").fill("REQ/TSK|g=1,t=1")

    note = page.get_by_role("status").filter(has_text="Can’t reach the server.")
    expect(note).to_have_class("warning")
    # Nothing is typed: the page asks whether the server is back.
    page.unroute("**/reading")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=1,t=1", timeout=15_000)
    expect(page.locator("#text-note")).to_have_text(
        "Decoded on this server. Nothing is stored there until you save."
    )
    expect(page.locator("#text-note")).not_to_have_class("warning")
    context.close()


def test_typing_fast_ends_with_the_fields_of_the_final_text(page: Page) -> None:
    page.goto("/?example=")
    page.locator("#text").press_sequentially("REQ/TSK|g=42,t=1,p=2,@=auth_refactor", delay=15)

    expect(page.locator("#panel-fields tr[data-f='@'] .value")).to_have_text("auth_refactor")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=42,t=1,p=2,@=auth_refactor")


def test_clear_empties_the_input_and_can_be_undone(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Clear").click()
    expect(page.locator("#text")).to_have_value("")
    expect(page.locator("#reading")).to_contain_text("Nothing decoded yet")

    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value(CONVERSATION)


def test_a_protocol_by_hand_and_a_tokenizer_are_answered_at_once(page: Page) -> None:
    page.goto("/")
    page.locator("#tokenizer").select_option("cl100k_base")
    expect(page.locator("#panel-tokens .hint").first).to_have_text("cl100k_base")
    page.locator("#detection summary").click()
    page.locator("#detection button[value=nslip]").click()
    expect(page.locator("#panel-means")).to_contain_text("because you chose it")
    page.get_by_text("All tokenizers").click()
    expect(page.locator(".costtable")).to_contain_text("cl100k")


def test_a_hidden_list_has_its_rows_when_it_is_opened(page: Page) -> None:
    page.goto("/?example=")
    page.locator("#text").fill("".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 9)))
    expect(page.locator("#list-title")).to_have_text("8 messages")
    expect(wires(page)).to_have_count(0)

    show_tab(page, "Messages")
    expect(wires(page)).to_have_count(8)
    expect(wires(page).first).to_have_class(re.compile("chosen"))

    show_tab(page, "Problems")
    with page.expect_response("**/reading"):
        page.locator("#text").fill("REQ/TSK|g=7,t=1\n")
    show_tab(page, "Messages")
    expect(wires(page)).to_have_count(1)
    expect(wires(page)).to_contain_text("g=7,")


def test_a_list_that_is_hidden_for_a_key_keeps_its_filter_and_its_length(page: Page) -> None:
    rows = page.locator(".scrolls > ol.messages > li.message")
    page.goto("/?example=")
    paste(page, "".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 101)))
    show_tab(page, "Messages")
    page.locator("li.more").scroll_into_view_if_needed()
    expect(rows).to_have_count(62)
    page.locator("#filter").fill("goal:42")
    expect(page.locator("#found")).to_contain_text("1 of 100")

    show_tab(page, "Problems")
    page.locator("#text").focus()
    page.keyboard.press("Control+End")
    with page.expect_response("**/reading"):
        page.keyboard.insert_text("ACC/PLN|g=7,t=1")
    show_tab(page, "Messages")

    expect(rows).to_have_count(62)
    expect(page.locator("#filter")).to_have_value("goal:42")
    expect(page.locator("#found")).to_contain_text("1 of 101")


def test_more_rows_come_as_the_list_is_scrolled(page: Page) -> None:
    page.goto("/?example=")
    paste(page, "".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 251)))
    expect(page.locator("#list-title")).to_have_text("250 messages")
    show_tab(page, "Messages")
    for last in (11, 61, 111, 161, 211):
        expect(wires(page).nth(last)).to_contain_text(f"g={last + 1},")
        wires(page).nth(last).scroll_into_view_if_needed()

    expect(wires(page).nth(249)).to_contain_text("g=250")
    expect(wires(page)).to_have_count(250)
    expect(page.locator("li.more")).to_have_count(0)


def paste_thousand(page: Page) -> None:
    page.goto("/?example=")
    paste(page, "".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 1001)))
    expect(page.locator("#list-title")).to_have_text("1,000 messages")


def scroll_to(page: Page, line: int) -> None:
    page.locator(".editor").evaluate(
        "(box, line) => { box.scrollTop = (box.scrollHeight * line) / 1000; }", line
    )


def is_colored(page: Page, line: int) -> bool:
    """Return whether a line is colored, at the latest in half a minute."""
    for _ in range(600):
        if line in page.evaluate(COLORED):
            return True
        page.wait_for_timeout(50)
    return False


def test_what_is_scrolled_to_is_colored(page: Page) -> None:
    paste_thousand(page)

    for line in (500, 990):
        scroll_to(page, line)
        assert is_colored(page, line)


def test_late_colors_of_what_was_scrolled_past_do_not_replace_those_in_view(page: Page) -> None:
    paste_thousand(page)
    for line in (500, 1000):
        scroll_to(page, line)
        assert is_colored(page, min(line, 990))
    late: list[Route] = []
    page.route("**/reading/marks", lambda route: route.continue_() if late else late.append(route))
    with page.expect_request("**/reading/marks"):
        scroll_to(page, 500)
    scroll_to(page, 1000)
    page.wait_for_timeout(300)
    with page.expect_response("**/reading/marks"):
        late[0].continue_()
    page.wait_for_timeout(300)

    assert 990 in page.evaluate(COLORED)
