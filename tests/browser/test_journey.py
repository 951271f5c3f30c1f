"""In a browser: from a pasted conversation to a reviewed packet in the log, with and without
JavaScript.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from playground.workbench.examples import CONVERSATION
from tests.installation import Installation

pytestmark = pytest.mark.browser


@pytest.fixture
def bare(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A page of a browser that runs no scripts."""
    context = chromium.new_context(base_url=server.base_url, java_script_enabled=False)
    yield context.new_page()
    context.close()


def paste(page: Page, text: str) -> None:
    """Put the text in at once, as the clipboard does."""
    page.locator("#text").focus()
    page.keyboard.insert_text(text)


def wires(page: Page) -> Locator:
    return page.locator("ol.messages > li.message")


def lit(page: Page) -> list[str]:
    """What is lit of the message itself; the lines of its bill hold numbers only."""
    return page.locator(".shown .lit:not(.bill *)").all_inner_texts()


def caret(page: Page) -> str:
    """What is selected in the input."""
    return str(
        page.locator("#text").evaluate(
            "box => box.value.slice(box.selectionStart, box.selectionEnd)"
        )
    )


def test_a_conversation_is_pasted_understood_saved_found_and_reviewed(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    page.goto("/?example=")
    paste(page, CONVERSATION)
    expect(wires(page)).to_have_count(6)
    expect(page.locator("#list-title")).to_have_text("6 messages")
    expect(page.locator("p.english")).to_contain_text("Requests task 1 of goal 42")

    page.locator("#panel-fields tr[data-f='@']").hover()
    for panel in ("#panel-fields pre", "#panel-fields table", "#panel-means", "#panel-tokens"):
        expect(page.locator(f"{panel} .lit[data-f='@']").first).to_be_visible()
    assert all("auth_refactor" in text or len(text) < 13 for text in lit(page))

    box = page.locator("#text")
    box.fill(CONVERSATION.replace("REJ/PLN", "RJE/PLN"))
    expect(page.locator(".diagnostic")).to_contain_text("nslip.unknown-act")
    page.get_by_role("button", name="Apply RJE → REJ").click()
    expect(page.locator(".diagnostic")).to_have_count(0)
    expect(box).to_have_value(CONVERSATION)

    page.get_by_role("button", name="Save 6 valid packets to the log…").click()
    expect(page.get_by_role("heading", name="What will be stored")).to_be_visible()
    expect(page.locator("ol.trail > li")).to_have_count(6)
    page.get_by_role("button", name="Save 6 packets").click()
    expect(page.get_by_role("status")).to_have_text("6 packets saved to log default.")
    expect(page.locator("ol.trail > li")).to_have_count(6)

    search = page.get_by_role("searchbox")
    search.fill("@auth_refactor goal:42")
    search.press("Enter")
    expect(page.locator("ol.trail > li")).to_have_count(1)
    page.locator("ol.trail a.wire").click()
    expect(page.locator("h1")).to_contain_text("valid")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=42,t=1,p=2,@=auth_refactor")
    page.locator("#panel-fields tr[data-f='g']").hover()
    expect(page.locator("#panel-fields pre .lit").first).to_be_visible()

    page.get_by_label("Note").fill("As agreed.")
    page.get_by_role("button", name="Mark reviewed").click()
    expect(page.get_by_role("status")).to_have_text("Packet reviewed.")
    expect(page.locator("ol.steps")).to_contain_text("admin")
    expect(page.locator("ol.steps")).to_contain_text("As agreed.")
    page.goto("/audit/?q=is:reviewed+@auth_refactor")
    expect(page.locator("ol.trail .chip.review")).to_have_text("reviewed")


def test_the_same_works_without_javascript(bare: Page, server: Installation) -> None:
    server.sign_in(bare, "grace")
    bare.goto("/?example=")
    bare.locator("#text").fill("REQ/TSK|g=4711,t=1,@=bare_hands\nRJE/PLN|g=4711,t=1,!=no\n")
    bare.get_by_role("button", name="Decode", exact=True).click()
    expect(wires(bare)).to_have_count(2)

    wires(bare).nth(1).get_by_role("button").click()
    expect(bare.locator(".pager")).to_contain_text("2 of 2")
    bare.get_by_role("button", name="Apply RJE → REJ").click()
    expect(bare.locator("#text")).to_have_value(
        "REQ/TSK|g=4711,t=1,@=bare_hands\nREJ/PLN|g=4711,t=1,!=no\n"
    )
    bare.get_by_role("button", name="Save 2 valid packets to the log…").click()
    bare.get_by_label("From").fill("planner")
    bare.get_by_role("button", name="Save 2 packets").click()
    expect(bare.get_by_role("status")).to_have_text("2 packets saved to log default.")

    bare.get_by_role("searchbox").fill("@bare_hands from:planner")
    bare.get_by_role("button", name="Search").click()
    bare.locator("ol.trail a.wire").click()
    bare.get_by_role("button", name="Flag packet").click()
    expect(bare.locator("ol.steps")).to_contain_text("flagged")


def test_a_click_pins_a_field_and_escape_lets_go(page: Page) -> None:
    page.goto("/")
    page.locator("#panel-fields tr[data-f='g']").click()
    page.locator("#panel-fields tr[data-f='t']").hover()
    expect(page.locator("#panel-fields tr.lit")).to_have_attribute("data-f", "g")

    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)


def test_the_keyboard_alone_is_enough(page: Page) -> None:
    page.goto("/?example=")
    paste(page, "REQ/TSK|g=1,t=1\nRJE/PLN|g=1,t=01\nACC/PLN|g=1,t=1\n")
    expect(wires(page)).to_have_count(3)

    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator(".pager")).to_contain_text("2 of 3")
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator(".pager")).to_contain_text("3 of 3")
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator(".pager")).to_contain_text("2 of 3")

    page.keyboard.press("Shift+F8")
    assert caret(page) == "01"
    page.keyboard.press("F8")
    assert caret(page) == "RJE"
    page.keyboard.press("F8")
    assert caret(page) == "01"
    page.keyboard.press("Shift+F8")
    assert caret(page) == "RJE"
    page.keyboard.press("Control+.")
    expect(page.locator("#text")).to_have_value(
        "REQ/TSK|g=1,t=1\nREJ/PLN|g=1,t=01\nACC/PLN|g=1,t=1\n"
    )
    expect(page.locator(".diagnostic")).to_have_count(2)

    page.locator("#text").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value(
        "REQ/TSK|g=1,t=1\nRJE/PLN|g=1,t=01\nACC/PLN|g=1,t=1\n"
    )

    with page.expect_response("**/reading"):
        page.keyboard.press("Control+Enter")
    page.keyboard.press("Alt+5")
    expect(page.locator("#panel-tokens")).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).to_be_hidden()


def command(page: Page, words: str) -> None:
    """By name, in the palette; a button that sends a form only gets the focus there."""
    page.keyboard.press("Control+k")
    page.keyboard.type(words)
    expect(page.locator("#palette-list [aria-selected='true']")).to_contain_text(words)
    page.keyboard.press("Enter")


def tab_to(page: Page, wanted: Locator) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError("Tab does not come there")


def test_paste_fix_translate_save_and_search_without_a_mouse(
    page: Page, server: Installation
) -> None:
    """Nothing but keys: no click, no hover, and no focus that a key did not give."""
    server.sign_in(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/?example=")
    broken = "REQ/TSK|g=815,t=1,@=by_keys_alone\nRJE/PLN|g=815,t=01,!=no\nACC/PLN|g=815,t=007\n"
    page.evaluate("(text) => navigator.clipboard.writeText(text)", broken)
    page.keyboard.press("Alt+1")
    page.keyboard.press("Control+v")
    expect(wires(page)).to_have_count(3)
    expect(page.locator(".diagnostic:visible")).to_have_count(3)

    page.keyboard.press("Shift+F8")
    page.keyboard.press("F8")
    expect(page.locator(".diagnostic:focus")).to_have_attribute("data-code", "nslip.unknown-act")
    page.keyboard.press("Control+.")
    expect(page.locator(".diagnostic:visible")).to_have_count(2)
    expect(page.locator("#text")).to_be_focused()
    command(page, "Apply all safe fixes")
    expect(page.get_by_role("dialog", name="All safe fixes")).to_be_visible()
    tab_to(page, page.locator("#mending button.primary"))
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_have_value(
        "REQ/TSK|g=815,t=1,@=by_keys_alone\nREJ/PLN|g=815,t=1,!=no\nACC/PLN|g=815,t=7\n"
    )
    expect(page.locator("#panel-diagnostics .diagnostic")).to_have_count(0)

    page.keyboard.press("Alt+6")
    tab_to(page, page.locator("#translate-to"))
    page.keyboard.press("t")  # a list forgets what was typed when a busy machine takes a second
    expect(page.locator("#panel-translate pre.wire").first).to_contain_text("T|")
    expect(page.locator("#translate-to")).to_be_focused()

    tab_to(page, page.locator(".savebar button"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What will be stored")).to_be_visible()
    tab_to(page, page.get_by_role("button", name="Save 3 packets"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").first).to_have_text("3 packets saved to log default.")

    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("@by_keys_alone goal:815")
    page.keyboard.press("Enter")
    expect(page.locator("ol.trail > li")).to_have_count(1)
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=815,t=1,@=by_keys_alone")


def test_a_slash_goes_to_the_search(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/audit/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_the_caret_and_the_undo_survive_an_answer(page: Page) -> None:
    page.goto("/?example=")
    box = page.locator("#text")
    box.press_sequentially("REQ/TSK|g=42,t=1")
    expect(wires(page)).to_have_count(1)
    expect(box).to_be_focused()
    page.keyboard.press("ArrowLeft")
    with page.expect_response("**/reading"):
        page.keyboard.type("2")

    expect(box).to_have_value("REQ/TSK|g=42,t=21")
    expect(page.locator("#panel-fields tr[data-f='t'] .value")).to_have_text("21")
    assert box.evaluate("box => box.selectionStart") == len("REQ/TSK|g=42,t=2")


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

    expect(wires(page)).to_have_count(3)
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=4,t=1")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (413, "The text is larger than the limit of 1 MiB."),
        (503, "The server responded with status 503."),
    ],
)
def test_a_refusal_is_said_until_the_next_answer(
    chromium: Browser, server: Installation, status: int, words: str
) -> None:
    context = chromium.new_context(base_url=server.base_url)
    page = context.new_page()
    page.goto("/")
    page.route("**/reading", lambda route: route.fulfill(status=status, body="no"))
    page.locator("#text").fill("REQ/TSK|g=1,t=1")
    expect(page.locator("#text-note")).to_contain_text(words)

    page.unroute("**/reading")
    page.locator("#text").fill("REQ/TSK|g=2,t=1")
    expect(page.locator("#text-note")).to_have_text(
        "Decoded on this server. Nothing is stored until you save."
    )
    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=2,t=1")
    context.close()


def test_a_refusal_says_why_and_the_text_is_sent_again(
    chromium: Browser, server: Installation
) -> None:
    context = chromium.new_context(base_url=server.base_url)
    page = context.new_page()
    page.goto("/")
    refused = {"status": 429, "detail": "Too much for now. Try again in 1 s."}
    page.route(
        "**/reading",
        lambda route: route.fulfill(status=429, json=refused, headers={"Retry-After": "1"}),
        times=1,
    )
    page.locator("#text").fill("REQ/TSK|g=1,t=1")
    expect(page.locator("#text-note")).to_have_text(
        "Too much for now. Try again in 1 s. The fields below are out of date."
    )

    expect(page.locator("pre.wire.full")).to_have_text("REQ/TSK|g=1,t=1")
    expect(page.locator("#text-note")).to_have_text(
        "Decoded on this server. Nothing is stored until you save."
    )
    context.close()


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

    expect(page.locator("#text-note")).to_contain_text("Can't reach the server.")
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


def test_more_rows_come_as_the_list_is_scrolled(page: Page) -> None:
    page.goto("/?example=")
    page.locator("#text").fill("".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 251)))
    expect(page.locator("#list-title")).to_have_text("250 messages")
    for last in (49, 99, 149, 199):
        expect(wires(page).nth(last)).to_contain_text(f"g={last + 1},")
        wires(page).nth(last).scroll_into_view_if_needed()

    expect(wires(page).nth(249)).to_contain_text("g=250")
    expect(wires(page)).to_have_count(250)
    expect(page.locator("li.more")).to_have_count(0)


def test_what_is_scrolled_to_is_coloured(page: Page) -> None:
    page.goto("/?example=")
    paste(page, "".join(f"REQ/TSK|g={n},t=1\n" for n in range(1, 1001)))
    expect(page.locator("#list-title")).to_have_text("1,000 messages")
    lowest = """() => {
      const lines = [...document.getElementById("backdrop").childNodes];
      const ranges = [...CSS.highlights.get("hue-0")];
      return Math.max(...ranges.map((one) => lines.indexOf(one.startContainer.parentElement)));
    }"""

    for line in (500, 990):
        page.locator(".editor").evaluate(
            "(box, line) => { box.scrollTop = (box.scrollHeight * line) / 1000; }", line
        )
        for _ in range(100):
            if page.evaluate(lowest) >= line:
                break
            page.wait_for_timeout(50)
        assert page.evaluate(lowest) >= line
