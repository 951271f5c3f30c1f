"""In a browser: text that means harm changes nothing but its own display, whatever of the workbench
is used on it.
"""

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, StorageState, expect

from tests.browser.test_pages import watched
from tests.browser.workbench.elements import press_message, rest, show_tab
from tests.installation import Installation

__all__ = ["watched"]
pytestmark = pytest.mark.browser

SCRIPT = "<script>window.broken=1</script>"
HARM = (
    f"RJE/PLN|g=42,t=01,!={SCRIPT},@=<img/src=x/onerror=window.broken=1>\n"
    "REQ/TSK|g=42,t=1,@=<|endoftext|><|im_start|>system\n"
    "REQ/TSK|g=42,t=1,@=\u202egpj.exe\u2066\u200b\x00\x07\n"
    f'{{"g":"</textarea>{SCRIPT}","plan":[["s","T",{{"n":"javascript:window.broken=1"}}]]}}\n'
    f"T|17|Q|obj=x;note='\"--></style>{SCRIPT}\n"
    f"REQ/TSK|g=42,t=1,@={'unbroken' * 400}\n"
)
FIXED = HARM.replace("RJE", "REJ").replace("t=01", "t=1")
MESSAGES = 6
MILLION = 1_000_000
LONG = 30_000
"""Milliseconds for an answer to the largest text."""


def put(page: Page, text: str) -> None:
    """What a paste does, for characters too that no keyboard and no clipboard passes on."""
    page.locator("#text").evaluate(
        "(box, text) => { box.focus(); box.value = text;"
        " box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType:"
        " 'insertFromPaste' })); }",
        text,
    )


def fits(page: Page) -> None:
    """Nothing is wider than the window, so nothing is scrolled sideways."""
    width, room = page.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    widest = page.evaluate(
        "() => [...document.querySelectorAll('main *')]"
        ".filter((one) => one.getBoundingClientRect().right > innerWidth + 1)"
        ".map((one) => `${one.tagName}.${one.className}`).slice(0, 5)"
    )
    assert width <= room, widest


def unharmed(page: Page) -> None:
    """Nothing of the text has become a part of the page."""
    assert page.evaluate("() => window.broken") is None
    assert (
        page.locator(
            "main script, main img, main iframe, main style, main a[href^=javascript]"
        ).count()
        == 0
    )


def open_everything(page: Page) -> None:
    """Every part that is folded, and what it fetches."""
    page.locator("main").evaluate(
        "(main) => { for (const one of main.querySelectorAll('details:not(.menu)')) one.open ="
        " true; }"
    )
    rest(page)


def choose(page: Page, number: int) -> None:
    press_message(page, number)
    expect(page.locator("#means-title")).to_contain_text(f"{number} of {MESSAGES}", timeout=LONG)


def show_as(page: Page, *views: str) -> None:
    for view in views:
        page.get_by_role("button", name=view, exact=True).click()
        expect(page.get_by_role("button", name=view, exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )


def translate_to_all(page: Page) -> None:
    targets = page.locator("#translate-to option").evaluate_all(
        "(all) => all.map((one) => one.value).filter(Boolean)"
    )
    for target in targets:
        with page.expect_response("**/reading"):
            show_tab(page, "Translate")
            page.locator("#translate-to").select_option(target)


def use_what_every_page_has(page: Page) -> None:
    """The palette, the sheet of keys, and the other theme."""
    page.keyboard.press("Control+k")
    page.keyboard.type("<script")
    expect(page.locator("#palette-list")).to_contain_text("<script>")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keyboard shortcuts", exact=True).click()
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Switch between light and dark").click()


def edit(page: Page, field: str, value: str) -> None:
    """Write a value into the table of fields."""
    page.locator(f"#panel-fields tr[data-f='{field}']").focus()
    page.keyboard.press("Enter")
    page.keyboard.insert_text(value)
    page.keyboard.press("Enter")
    expect(page.locator(f"#panel-fields tr[data-f='{field}'] .value")).to_contain_text(value)


@pytest.fixture(scope="module")
def cookies(server: Installation, chromium: Browser) -> StorageState:
    """What a browser holds once somebody has signed in."""
    context = chromium.new_context(base_url=server.base_url)
    server.sign_in(context.new_page())
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def spoken(watched: Page) -> list[str]:
    """What the page complained of, and every dialog of the browser that it opened."""
    heard: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            heard.append(message.text)

    def dismiss(dialog: Dialog) -> None:
        heard.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    watched.on("console", listen)
    watched.on("pageerror", lambda error: heard.append(str(error)))
    watched.on("dialog", dismiss)
    return heard


def compare_with(page: Page, number: str) -> None:
    show_tab(page, "Compare")
    page.locator("#other").fill(number)
    page.locator("#other").press("Enter")
    expect(page.locator(".comparetable")).to_be_visible()


def test_everything_on_the_workbench_is_used_on_hostile_text_within_our_policy(
    watched: Page, spoken: list[str]
) -> None:
    page = watched
    page.goto("/?example=")
    put(page, HARM)
    expect(page.locator("#list-title")).to_have_text(f"{MESSAGES} messages")
    for number in range(1, MESSAGES + 1):
        choose(page, number)
        open_everything(page)
        unharmed(page)
    show_as(page, "Tree", "Raw", "Table")
    translate_to_all(page)
    compare_with(page, "1")
    show_tab(page, "Tokens")
    page.get_by_role("button", name="all 6").click()
    show_tab(page, "Problems")
    for place in ("#panel-fields tr[data-f]", "#panel-tokens .token", ".diagnostic .where"):
        page.locator(place).first.hover()
    page.locator("#panel-fields tr[data-f]").first.click()
    page.locator("#tokenizer").select_option(index=1)
    expect(page.locator("#panel-tokens .panel-head")).to_contain_text("cl100k_base", timeout=LONG)
    page.locator("#detection summary").click()
    with page.expect_response("**/reading"):
        page.locator("#detection button").first.click()
    use_what_every_page_has(page)
    open_everything(page)
    page.get_by_role("button", name="Apply all safe fixes").click()
    expect(page.locator("#fixes .changes")).to_contain_text(SCRIPT[:20])
    unharmed(page)
    page.locator("#fixes button.primary").click()
    expect(page.locator("#text")).to_have_value(FIXED)
    choose(page, 2)
    edit(page, "@", SCRIPT)
    page.get_by_role("button", name="Save to log…").click()
    expect(page.get_by_role("heading", name="What will be stored")).to_be_visible()

    unharmed(page)
    assert spoken == []


def test_control_characters_are_signs_and_special_tokens_are_words(watched: Page) -> None:
    put_and_choose = [
        (3, "@=⟨U+202E⟩gpj.exe⟨U+2066⟩⟨U+200B⟩␀␇"),
        (2, "@=<|endoftext|><|im_start|>system"),
    ]
    watched.goto("/?example=")
    put(watched, HARM)
    expect(watched.locator("#list-title")).to_have_text(f"{MESSAGES} messages")
    for number, drawn in put_and_choose:
        choose(watched, number)
        expect(watched.locator("pre.wire.full")).to_contain_text(drawn)
        expect(watched.locator("#panel-tokens .chips")).to_contain_text(drawn)
    # A tokenizer that took <|endoftext|> for what it is to a model would make one token of it.
    assert watched.locator("#panel-tokens .token").filter(has_text="<|endoftext|>").count() == 0


def test_half_a_character_is_read_and_the_rest_stays_in_its_place(watched: Page) -> None:
    watched.goto("/?example=")
    watched.evaluate("window.half = 'RJE/PLN|g=4\\ud8002,t=01\\nREQ/TSK|g=1,t=1\\n'")
    watched.locator("#text").evaluate(
        "(box) => { box.value = half;"
        " box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType:"
        " 'insertFromPaste' })); }"
    )
    expect(watched.locator("#list-title")).to_have_text("2 messages")
    watched.get_by_role("button", name="Apply 01 → 1").click()

    expect(watched.locator("pre.wire.full")).to_have_text("RJE/PLN|g=4\ufffd2,t=1")
    assert watched.locator("#text").evaluate("(box) => box.value === half.replace('01', '1')")


@pytest.mark.parametrize("letter", ["a", "\u202e", "<|x|>", "😀"])
def test_a_million_characters_on_one_line_are_answered_and_fit(watched: Page, letter: str) -> None:
    watched.goto("/?example=")
    head = "REQ/TSK|g=42,t=1,@="
    put(watched, head + letter * ((MILLION - len(head)) // len(letter.encode())))
    expect(watched.locator("#list-title")).to_have_text("1 message", timeout=LONG)

    expect(watched.locator("#panel-fields")).to_contain_text("Showing the beginning of")
    fits(watched)
    watched.set_viewport_size({"width": 360, "height": 740})
    fits(watched)
    put(watched, "REQ/TSK|g=7,t=1\n")
    expect(watched.locator("pre.wire.full")).to_have_text("REQ/TSK|g=7,t=1", timeout=LONG)


def test_long_unbroken_wires_fit_a_small_screen_in_every_panel(watched: Page) -> None:
    watched.set_viewport_size({"width": 360, "height": 740})
    watched.goto("/?example=")
    put(watched, HARM)
    expect(watched.locator("#list-title")).to_have_text(f"{MESSAGES} messages")
    for number in range(1, MESSAGES + 1):
        choose(watched, number)
        open_everything(watched)
        fits(watched)
    for target in ("tline", "english", "json"):
        with watched.expect_response("**/reading"):
            show_tab(watched, "Translate")
            watched.locator("#translate-to").select_option(target)
        fits(watched)
    compare_with(watched, "1")
    expect(watched.locator(".comparetable")).to_be_visible()
    fits(watched)
    for view in ("Tree", "Raw"):
        show_as(watched, view)
        fits(watched)
    watched.get_by_role("button", name="Save to log…").click()
    expect(watched.get_by_role("heading", name="What will be stored")).to_be_visible()
    fits(watched)


def test_hostile_text_is_text_without_javascript_too(bare: Page) -> None:
    bare.set_viewport_size({"width": 360, "height": 740})
    bare.goto("/?example=")
    sent = HARM.replace("\x00", "")
    bare.locator("#text").fill(sent)
    bare.get_by_role("button", name="Decode", exact=True).click()

    expect(bare.locator("#list-title")).to_have_text(f"{MESSAGES} messages")
    expect(bare.locator("#text")).to_have_value(sent)
    assert bare.locator("main script, main img, main iframe, main style").count() == 0
    expect(bare.locator("pre.wire.full")).to_contain_text(SCRIPT)
