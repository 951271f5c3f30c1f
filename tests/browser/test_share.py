"""In a browser: a text is shared by a link that no server sees, without what was taken out; bad
links do nothing.
"""

import base64
import json
import zlib
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.axe import require_accessible
from tests.browser.workbench.elements import press_message, show_tab
from tests.browser.workbench.test_light import write

pytestmark = pytest.mark.browser

TEXT = "# for anna\nREQ/TSK|g=42,t=1,@=anna_smith\nRJE/PLN|g=42,t=01,!=🙂no\n"
CARD = "FETCH|FIN|return:A|p:1|aacp:1.1|res:4111 1111 1111 1111\n"


def packed(content: bytes) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (
        base64.urlsafe_b64encode(deflate.compress(content) + deflate.flush()).decode().rstrip("=")
    )


def fragment(**state: object) -> str:
    return f"#share=1.{packed(json.dumps(state, ensure_ascii=False).encode())}"


def carried(link: str) -> dict[str, object]:
    """What a link made by the page carries."""
    sent = urlsplit(link).fragment.removeprefix("share=1.")
    found: dict[str, object] = json.loads(
        zlib.decompress(base64.urlsafe_b64decode(sent + "=" * (-len(sent) % 4)), -15)
    )
    return found


def fill(page: Page, text: str, messages: int) -> None:
    page.goto("/?example=")
    page.locator("#text").fill(text)
    expect(page.locator("#list-title")).to_have_text(f"{messages} messages", timeout=20_000)


def make_link(page: Page) -> str:
    expect(page.locator("#share-link")).to_contain_text("#share=1.")
    return str(page.locator("#share-link").text_content())


def open_sheet(page: Page) -> None:
    page.get_by_role("button", name="Share…").click()
    expect(page.get_by_role("dialog", name="Share link")).to_be_visible()


def test_a_link_carries_the_page_to_another_browser(page: Page) -> None:
    write(page, TEXT.replace("# for anna\n", ""))
    press_message(page, 2)
    expect(page.locator("#means-title")).to_contain_text("2 of 2")
    with page.expect_response("**/reading"):
        page.locator("#tokenizer").select_option("cl100k_base")
    expect(page.locator("#list-title ~ .unit")).to_have_text("cl100k_base tokens")
    with page.expect_response("**/reading"):
        show_tab(page, "Translate")
        page.locator("#translate-to").select_option("english")
    open_sheet(page)
    link = make_link(page)

    assert set(carried(link)) == {"text", "tokenizer", "message", "to"}
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator("#text")).to_have_value(TEXT.replace("# for anna\n", ""))
    expect(other.locator("#from-link")).to_contain_text(
        "Opened from a shared link. Nothing is stored."
    )
    expect(other.locator("#means-title")).to_contain_text("2 of 2")
    expect(other.locator("#tokenizer")).to_have_value("cl100k_base")
    expect(other.locator("#translate-to")).to_have_value("english")


def test_no_request_carries_the_link_and_the_sheet_stores_nothing(page: Page) -> None:
    asked: list[Request] = []
    fill(page, TEXT, 2)
    page.get_by_label("Remember text in this tab").uncheck()
    page.context.on("request", lambda request: asked.append(request))
    open_sheet(page)
    link = make_link(page)
    addresses = ("/share/redacted", "/reading", "/static/share/")
    assert all(urlsplit(one.url).path.startswith(addresses) for one in asked)
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#from-link")).to_contain_text("Opened from a shared link.")

    sent = urlsplit(link).fragment
    assert all(sent not in one.url and sent not in (one.post_data or "") for one in asked)
    assert not any("save" in one.url for one in asked)
    assert "anna" not in page.evaluate(
        "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
    )


def test_what_is_ticked_is_taken_out_and_shown_before(page: Page) -> None:
    fill(page, TEXT.replace("# for anna\n", "# for anna_smith\n"), 2)
    open_sheet(page)
    make_link(page)
    sheet = page.get_by_role("dialog", name="Share link")
    expect(sheet.locator(".share-preview")).to_contain_text("@=anna_smith")
    sheet.get_by_label("@ ").check()

    expect(sheet.locator(".share-preview")).to_contain_text("@=redacted")
    expect(sheet.locator(".share-left")).to_contain_text(
        "Also appears elsewhere in the text: “anna_smith”."
    )
    sheet.get_by_label("text around the messages").check()
    expect(sheet.locator(".share-left")).to_have_text("")
    shared = str(carried(make_link(page))["text"])
    assert "anna" not in shared
    require_accessible(page)
    page.keyboard.press("Escape")
    expect(page.locator("#text")).to_have_value(TEXT.replace("# for anna\n", "# for anna_smith\n"))


def test_the_last_link_goes_before_a_field_is_taken_out(page: Page) -> None:
    fill(page, TEXT, 2)
    open_sheet(page)
    make_link(page)
    page.route("**/share/redacted", lambda _: None)
    page.get_by_role("dialog", name="Share link").get_by_label("@ ").check()

    expect(page.locator("#share-link")).to_be_empty()


def test_what_looks_sensitive_is_ticked_before_there_is_a_link(page: Page) -> None:
    write(page, CARD)
    open_sheet(page)
    shared = str(carried(make_link(page))["text"])

    assert "4111" not in shared
    expect(page.locator(".share-fields li").first).to_contain_text("contains a card number")
    expect(page.locator(".share-state")).to_contain_text("Sensitive fields are selected.")


def test_a_text_that_is_too_large_gets_no_link_and_is_told_why(page: Page) -> None:
    # No value is long enough to be ticked as one that cannot be searched.
    words = (f"{(number * 2654435761) % 2**32:08x}" for number in range(3000))
    write(
        page,
        "".join(
            f"INF/OBS|g=42,t=1,@={''.join(some)}\n" for some in zip(*[words] * 300, strict=True)
        ),
    )
    open_sheet(page)

    expect(page.locator(".share-size")).to_contain_text("larger than the limit of 8 KiB")
    expect(page.locator("#share-link")).to_be_hidden()


def test_no_link_is_made_that_no_page_would_open(page: Page) -> None:
    write(page, CARD)
    open_sheet(page)
    made = page.evaluate(
        """async () => {
            const loaded = performance.getEntriesByType("resource");
            const { name } = loaded.find(({ name }) => name.includes("/link."));
            return (await import(name)).write({ text: "\\u0001".repeat(400_000) });
        }"""
    )

    assert made is None


def test_the_link_is_copied(page: Page) -> None:
    write(page, "REQ/TSK|g=42,t=1\n")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_sheet(page)
    link = make_link(page)
    page.get_by_role("button", name="Copy link").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == link


def test_clear_and_any_change_take_the_link_out_of_the_address(page: Page) -> None:
    page.goto("/" + fragment(text="REQ/TSK|g=42,t=1"))
    expect(page.locator("#list-title")).to_have_text("1 message", timeout=20_000)
    page.reload()
    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42,t=1")
    page.locator("#text").press("End")
    page.keyboard.type("2")
    assert page.evaluate("() => location.hash") == ""
    expect(page.locator("#from-link")).to_contain_text("Opened from a shared link.")
    page.locator("#from-link").get_by_role("button", name="Clear").click()

    expect(page.locator("#text")).to_have_value("")
    expect(page.locator("#from-link")).to_be_empty()


def test_a_link_pasted_into_an_open_page_opens_and_can_be_undone(page: Page) -> None:
    write(page, "REQ/TSK|g=1,t=1\n")
    page.evaluate("(link) => { location.hash = link; }", fragment(text="ACC/PLN|g=2,t=2"))
    expect(page.locator("#text")).to_have_value("ACC/PLN|g=2,t=2")
    page.locator("#text").focus()
    page.keyboard.press("Control+z")

    expect(page.locator("#text")).to_have_value("REQ/TSK|g=1,t=1\n")


def test_what_is_unknown_here_is_said_and_left(page: Page) -> None:
    page.goto(
        "/" + fragment(text="REQ/TSK|g=42,t=1", protocol="morse", tokenizer="abacus", to="smoke")
    )

    expect(page.locator("#from-link")).to_contain_text(
        "Its protocol is unknown; auto-detect is used instead. Its tokenizer is not installed. "
        "Its translation target is unknown."
    )
    expect(page.locator("#list-title")).to_have_text("1 message")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("#share=", "it has no version"),
        ("#share=2.abc", "Unsupported link version 2. Expected version 1."),
        ("#share=1.", "it contains invalid characters"),
        ("#share=1.<script>", "it contains invalid characters"),
        ("#share=1.abcde", "part of it is missing"),
        ("#share=1.AAAA", "can’t be unpacked"),
        (f"#share=1.{packed(b'x' * 40)}", "is not valid JSON"),
        (f"#share=1.{packed(bytes([0xFF, 0xFE]))}", "is not UTF-8"),
        (f"#share=1.{packed(b' ' * 4_000_000)}", "larger than the limit of 2 MiB"),
        (f"#share=1.{'A' * 9000}", "longer than the limit of 8 KiB"),
        (f"#share=1.{packed(b'[]')}", "The link contains no text."),
        (f"#share=1.{packed(b'null')}", "The link contains no text."),
        (fragment(protocol="nslip"), "The link contains no text."),
        (fragment(text=7), "The field “text” must be a string."),
        (fragment(text="x", message=0.5), "The field “message” must be a whole number"),
        (fragment(text="x", script="y"), "Unknown field “script”."),
        (fragment(text="x", __proto__={"a": 1}), "Unknown field “__proto__”"),
        (fragment(text="é" * 600_000), "Its text is larger than the limit of 1 MiB."),
    ],
)
def test_a_bad_link_is_explained_and_changes_nothing(page: Page, link: str, words: str) -> None:
    page.goto("/" + link)

    expect(page.locator("#from-link")).to_contain_text("Can’t open this link.")
    expect(page.locator("#from-link")).to_contain_text(words)
    expect(page.locator("#text")).to_have_value(
        page.locator("#text").evaluate("(box) => box.defaultValue")
    )


def test_another_fragment_is_left_alone(page: Page) -> None:
    page.goto("/#main")

    expect(page.locator("#from-link")).to_be_empty()
    assert page.evaluate("() => location.hash") == "#main"
