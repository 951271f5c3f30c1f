"""In a browser: files are opened, dropped, and imported to a log with their progress, stopped and
gone on with.
"""

import json
import re

import pytest
from playwright.sync_api import FilePayload, Page, Route, expect

from tests.browser.axe import require_accessible
from tests.installation import Installation
from tests.pages.catalogue import SIGHTS

pytestmark = pytest.mark.browser

LINE = "REQ/TSK|g={0},t=1,@=part_of_a_large_file\n"
DROP = """([name, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name));
    const fire = (kind) => document.getElementById("text").dispatchEvent(
        new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
    fire("dragenter");
    const lit = document.querySelector(".dropping") !== null;
    fire("drop");
    return lit;
}"""


def payload(name: str, content: bytes) -> FilePayload:
    return FilePayload(name=name, mimeType="text/plain", buffer=content)


def large(lines: int = 30_000) -> bytes:
    return "".join(LINE.format(number) for number in range(lines)).encode()


def count(page: Page, name: str) -> str:
    return str(page.locator(f".import [data-count='{name}']").text_content()).replace(",", "")


def test_a_file_is_opened_and_can_be_undone(page: Page) -> None:
    page.goto("/")
    before = page.locator("#text").input_value()
    with page.expect_file_chooser() as chooser:
        page.get_by_text("Open…", exact=True).click()
    chooser.value.set_files(payload("größe.log", "REQ/TSK|g=42,t=1,@=größe\n".encode()))

    expect(page.locator("#text")).to_have_value("REQ/TSK|g=42,t=1,@=größe\n")
    expect(page.locator("#list-title")).to_have_text("1 message", timeout=20_000)
    expect(page.locator("#file-said")).to_contain_text(
        "größe.log, 27 bytes. Undo restores the previous text."
    )
    page.locator("#text").focus()
    page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value(before)


def test_an_empty_file_replaces_nothing(page: Page) -> None:
    page.goto("/")
    before = page.locator("#text").input_value()
    page.locator("#file").set_input_files(payload("empty.log", b""))

    expect(page.locator("#file-said")).to_contain_text("empty.log is empty. The text is unchanged.")
    expect(page.locator("#text")).to_have_value(before)


def test_a_file_is_dropped_on_the_input(page: Page) -> None:
    page.goto("/")

    assert page.evaluate(DROP, ["a.log", list(b"ACC/PLN|g=42,t=1")]) is True
    expect(page.locator("#text")).to_have_value("ACC/PLN|g=42,t=1")
    expect(page.locator(".dropping")).to_have_count(0)


def test_a_file_in_utf_16_is_opened(page: Page) -> None:
    content = "REQ/TSK|g=42,t=1,@=größe_🙂\n"
    page.goto("/")
    for encoding in ("utf-16", "utf-16-be"):
        marked = content if encoding == "utf-16" else f"\ufeff{content}"
        page.locator("#file").set_input_files(payload("shell.log", marked.encode(encoding)))
        expect(page.locator("#file-said")).to_contain_text("shell.log, ")
        expect(page.locator("#text")).to_have_value(content)
        page.locator("#text").fill("")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("INF/OBS|g=1\n".encode("utf-16") + b"T", "valid UTF-16: it ends inside a character at"),
        (b"REQ/TSK|g=1\nINF/OBS|@=gr\xf6\xdfe\n", "byte 0xf6 at offset 24, line 2"),
        ("REQ/TSK|g=1,@=€".encode()[:-1], "it ends inside a character at offset"),
    ],
)
def test_bytes_that_are_no_utf_8_are_said_with_their_place(
    page: Page, content: bytes, words: str
) -> None:
    page.goto("/")
    before = page.locator("#text").input_value()
    page.locator("#file").set_input_files(payload("old.log", content))

    expect(page.locator("#file-said")).to_contain_text(words)
    offered = page.get_by_role("button", name="Import to log…")
    expect(offered).to_be_visible(visible="UTF-16" not in words)
    expect(page.locator("#text")).to_have_value(before)


def test_a_large_file_of_somebody_unknown_leads_to_the_sign_in(page: Page) -> None:
    page.goto("/")
    page.locator("#file").set_input_files(payload("large.log", large()))
    dialog = page.get_by_role("dialog", name="Import to log")

    expect(dialog.get_by_role("link", name="Sign in in a new tab")).to_be_visible()
    require_accessible(page)


def test_a_large_file_is_imported_with_its_progress(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/")
    pieces: list[str] = []
    page.on(
        "request",
        lambda request: pieces.append(request.url) if "/import/piece" in request.url else None,
    )
    page.locator("#file").set_input_files(payload("large.log", large()))
    dialog = page.get_by_role("dialog", name="Import to log")
    expect(dialog).to_contain_text("large.log, 1,")
    dialog.get_by_role("button", name="Import file").click()

    expect(dialog.locator(".import-words")).to_contain_text(
        re.compile(r"Done\. .* stored from large\.log\."), timeout=120_000
    )
    assert len(pieces) >= 3
    assert (count(page, "valid"), count(page, "refused")) == ("30000", "0")
    assert dialog.locator("progress").evaluate("(bar) => bar.value") == 1
    require_accessible(page)
    dialog.get_by_role("link", name="View in trail").click()
    expect(page.locator("#found-title")).to_contain_text("packets")


def test_an_import_that_breaks_goes_on_where_it_stopped(
    tolerant: Page, server: Installation
) -> None:
    page = tolerant
    server.sign_in(page)
    page.goto("/import/")
    asked: list[str] = []

    def break_the_second(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 2:
            route.fulfill(
                status=503,
                content_type="application/json",
                body=json.dumps({"refused": "The log is busy."}),
            )
        else:
            route.continue_()

    page.route("**/import/piece?*", break_the_second)
    content = large(14_000).replace(b"part_of_a_large_file", b"part_of_what_breaks_once")
    page.locator("#import-file").set_input_files(payload("breaks.log", content))
    page.get_by_role("button", name="Import file", exact=True).click()
    expect(page.locator(".import-words")).to_contain_text("The log is busy.", timeout=60_000)
    expect(page.locator(".import-words")).to_contain_text("counted so far are stored")
    page.get_by_role("button", name="Resume").click()

    expect(page.locator(".import-words")).to_contain_text(
        "packets stored from breaks.log", timeout=60_000
    )
    assert (count(page, "valid"), count(page, "again")) == ("14000", "0")


def test_the_first_messages_are_shown_with_their_facts_before_anything_is_stored(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    page.goto("/import/")
    preview = page.locator(".import-preview")
    expect(preview).to_be_hidden()
    item = {
        "wire": "REQ/TSK|g=78,t=1",
        "from": "<img src=x>",
        "attributes": {"trace_id": "4bf92f35"},
    }
    content = f"{json.dumps(item)}\n".encode() * 25
    button = page.get_by_role("button", name="Import file", exact=True)
    place = button.bounding_box()
    page.locator("#import-file").set_input_files(payload("facts.ndjson", content))

    expect(preview.get_by_role("listitem")).to_have_count(20)
    assert button.bounding_box() == place
    expect(preview.get_by_role("listitem").first).to_contain_text("<img src=x>")
    expect(preview.get_by_role("listitem").first).to_contain_text("4bf92f35")
    expect(preview.locator("img")).to_have_count(0)
    expect(preview).to_contain_text("5 more messages")
    require_accessible(page)

    page.locator("#import-zone").select_option("Europe/Berlin")
    with page.expect_request(lambda request: "/import/piece" in request.url) as piece:
        page.get_by_role("button", name="Import file", exact=True).click()
    assert "zone=Europe%2FBerlin" in piece.value.url
    expect(page.locator(".import-words")).to_contain_text("packets stored from facts.ndjson")


def test_errors_name_the_line_and_a_copy_of_the_file_is_kept_once(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    content = b'{"wire":"REQ/TSK|g=77,t=1"}\n\n{"wire":7}\n'
    for name, again in (("items.ndjson", "0"), ("copy.ndjson", "1")):
        page.goto("/import/")
        page.locator("#import-file").set_input_files(payload(name, content))
        page.get_by_role("button", name="Import file", exact=True).click()
        expect(page.locator(".import-words")).to_contain_text("Done")
        expect(page.locator(".import-wrong li")).to_contain_text("Line 3: ")
        assert count(page, "again") == again


def test_the_result_has_the_focus(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/import/")
    page.locator("#import-file").set_input_files(payload("one.log", b"REQ/TSK|g=81,t=1\n"))
    page.get_by_role("button", name="Import file", exact=True).click()

    expect(page.get_by_role("link", name="View in trail")).to_be_focused()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n\x00\x00\xff\x00", "No messages found in photo.png. "),
        ("empty.log", b"", "empty.log is empty."),
    ],
)
def test_another_file_can_follow_one_without_messages(
    page: Page, server: Installation, name: str, content: bytes, words: str
) -> None:
    server.sign_in(page)
    page.goto("/import/")
    page.locator("#import-file").set_input_files(payload(name, content))
    page.get_by_role("button", name="Import file", exact=True).click()

    expect(page.locator(".import-words")).to_contain_text(words)
    expect(page.locator("#import-file")).to_be_focused()
    page.locator("#import-file").set_input_files(
        payload("next.log", f"REQ/TSK|g=82,@=after_{len(content)}\n".encode())
    )
    # The preview moves the button.
    expect(page.locator(".import-preview")).to_be_visible()
    page.get_by_role("button", name="Import file", exact=True).click()
    expect(page.locator(".import-words")).to_contain_text("Done. 1 packet")


def test_fragments_that_resemble_a_protocol_are_counted_as_the_file_is_sent(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    page.goto("/import/")
    content = b"LOG|user=bob|action=login\nREQ/TSK|g=79,t=1\nLOG|user=ada|action=login\nT|x|y\n"
    page.locator("#import-file").set_input_files(payload("mixed.log", content))
    page.get_by_role("button", name="Import file", exact=True).click()

    expect(page.locator(".import-words")).to_contain_text("Done")
    expect(page.locator(".import-resembling li")).to_have_text(
        [
            "2 fragments resemble AACP and were not stored.",
            "1 fragment resembles T-line and was not stored.",
        ]
    )


def test_a_format_that_fits_can_be_chosen_in_the_preview(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/import/")
    page.locator("#import-kind").select_option("ndjson")
    content = b'{"level":"info","msg":"REQ/TSK|g=83,t=1"}\nplanner: REQ/TSK|g=83,t=2\n'
    page.locator("#import-file").set_input_files(payload("records.log", content))
    page.get_by_role("button", name="Use plain text").click()

    expect(page.locator("#import-kind")).to_have_value("text")
    expect(page.locator("#import-kind")).to_be_focused()
    expect(page.locator(".import-preview")).to_contain_text("From planner")
    expect(page.locator(".import-format")).to_have_count(0)


def test_a_file_in_utf_16_is_previewed_and_imported(page: Page, server: Installation) -> None:
    server.sign_in(page)
    page.goto("/import/")
    content = "REQ/TSK|g=80,t=1,@=größe_🙂\nnoise\n" * 3000
    page.locator("#import-file").set_input_files(payload("shell.log", content.encode("utf-16")))
    expect(page.locator(".import-preview")).to_contain_text("@=größe_🙂")
    page.get_by_role("button", name="Import file", exact=True).click()

    expect(page.locator(".import-words")).to_contain_text("Done. 3,000 packets")
    assert (count(page, "valid"), count(page, "ignored")) == ("3000", "3000")


def test_a_file_that_is_not_the_utf_16_it_says_is_not_imported(
    page: Page, server: Installation
) -> None:
    server.sign_in(page)
    page.goto("/import/")
    content = "REQ/TSK|g=80,t=1\n".encode("utf-16") + b"T"
    page.locator("#import-file").set_input_files(payload("shell.log", content))
    page.get_by_role("button", name="Import file", exact=True).click()

    words = page.locator(".import-words")
    expect(words).to_contain_text("shell.log is not valid UTF-16.")
    expect(words).to_contain_text("Nothing was stored.")
    expect(words).not_to_contain_text("counted so far")
    expect(page.get_by_role("button", name="Resume")).to_be_hidden()
    page.locator("#import-file").set_input_files(payload("other.log", b"REQ/TSK|g=80,t=1\n"))
    page.get_by_role("button", name="Import file", exact=True).click()
    expect(words).to_contain_text("Done. 1 packet")


def test_a_file_is_imported_without_javascript(bare: Page, server: Installation) -> None:
    server.sign_in(bare)
    bare.goto("/")
    bare.get_by_text("Open…", exact=True).click()
    bare.locator("#import-file").set_input_files(
        payload("plain.log", b"hello\nREQ/TSK|g=78,t=1\nRJE/PLN|g=78,t=1\n")
    )
    bare.get_by_role("button", name="Import file", exact=True).click()

    assert (count(bare, "valid"), count(bare, "invalid"), count(bare, "ignored")) == ("1", "1", "1")
    bare.get_by_role("link", name="View in trail").last.click()
    expect(bare.locator("#found-title")).to_contain_text("2 packets")


def test_a_text_that_is_too_long_can_be_imported_as_it_stands(
    tolerant: Page, server: Installation
) -> None:
    server.sign_in(tolerant)
    tolerant.goto("/?example=")
    tolerant.route("**/reading", lambda route: route.fulfill(status=413, body="no"))
    tolerant.locator("#text").fill("REQ/TSK|g=1,t=1")
    said = tolerant.locator("#file-said")
    expect(said).to_contain_text("You can import the text to a log.")
    expect(tolerant.locator("#text-note")).to_contain_text(
        "The text is larger than the limit of 1 MiB."
    )

    said.get_by_role("button", name="Import to log…").click()
    expect(tolerant.locator("#import .import-name")).to_have_text("pasted.txt, 15 bytes")
    tolerant.keyboard.press("Escape")
    tolerant.unroute("**/reading")
    tolerant.locator("#text").fill("REQ/TSK|g=2,t=1")

    expect(tolerant.locator("pre.wire.full")).to_have_text("REQ/TSK|g=2,t=1")
    expect(said).to_be_hidden()


def test_without_javascript_a_text_that_is_too_long_leads_to_the_import(
    bare: Page, server: Installation
) -> None:
    SIGHTS["too large"].visit(bare, server)
    bare.get_by_role("link", name="Import a file").click()

    expect(bare.get_by_role("heading", level=1)).to_contain_text("Import")
