"""In a browser: messages as they come, from a pad and from a log."""

import json
import re
import threading
import urllib.request
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Route, ViewportSize, expect

from tests.installation import Installation, running

pytestmark = pytest.mark.browser

WIRE = "REQ/TSK|g={},t=1,@=live_feed"
HOSTILE = "INF/OBS|g=1,t=1,@=<img/src=x/onerror=window.broken=1>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation of this module's own: pads are counted by caller, and every test here is one
    caller.
    """
    with running(tmp_path_factory.mktemp("stream")) as one:
        warm(one)
        # Some tests post more in a second than anybody reads in an hour.
        expect.set_options(timeout=15_000)
        yield one
        expect.set_options(timeout=5_000)


def warm(server: Installation) -> None:
    """The first message in full waits for every tokenizer to be loaded."""
    with urllib.request.urlopen(f"{server.base_url}/api/v1/pads", b"", timeout=60) as answer:  # noqa: S310
        opened = json.load(answer)
    urllib.request.urlopen(opened["post"], b"REQ/TSK|g=1,t=1", timeout=60).close()  # noqa: S310
    urllib.request.urlopen(f"{opened['page']}/message/1", timeout=60).close()  # noqa: S310


@pytest.fixture
def page(chromium: Browser, server: Installation) -> Iterator[Page]:
    """A page that must keep our policy and throw nothing. What a test breaks on purpose may be said
    on its console.
    """
    complaints: list[str] = []
    context = chromium.new_context(
        base_url=server.base_url, viewport={"width": 1280, "height": 900}
    )
    context.expose_function("note_breach", lambda words: complaints.append(words))
    context.add_init_script(
        "document.addEventListener('securitypolicyviolation', (event) => "
        "window.note_breach(`${event.violatedDirective} ${event.blockedURI}`))"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def pad(page: Page) -> Iterator[Page]:
    """An open pad, watched."""
    page.goto("/stream/")
    page.get_by_role("button", name="Start live session").click()
    expect(page.locator("#state")).to_have_text("Live")
    yield page
    if page.get_by_role("button", name="Close live session").count():
        page.get_by_role("button", name="Close live session").click()
        expect(page.get_by_text("Live session closed. Its messages were deleted.")).to_be_visible()


def address(page: Page) -> str:
    return page.locator("#posting summary code").inner_text()


def post(page: Page, text: str, media: str = "text/plain") -> None:
    data = text.encode()
    request = urllib.request.Request(address(page), data, {"Content-Type": media})  # noqa: S310
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310  (the server of this test)
        assert answer.status in (200, 207)


def post_many(page: Page, first: int, last: int) -> None:
    post(page, "".join(f"{WIRE.format(at)}\n" for at in range(first, last + 1)))


def lines(page: Page) -> Locator:
    return page.locator("#lines").get_by_role("option")


def wires(page: Page) -> list[str]:
    return page.locator("#lines .line:not([hidden]) .wire").all_inner_texts()


def newest(page: Page) -> int:
    """The number of the lowest line in view."""
    found = page.locator("#lines .line:not([hidden])").evaluate_all(
        "(all) => all.map((one) => Number(one.dataset.n))"
    )
    return int(max(found))


def test_what_is_posted_appears_decoded_at_once(pad: Page) -> None:
    expect(pad.get_by_text("Waiting for the first message.")).to_be_visible()

    post(pad, f"{WIRE.format(42)}\nRJE/PLN|g=4\nT|17|Q|obj=x\n")

    shown = lines(pad)
    expect(shown).to_have_count(3)
    expect(shown.nth(1)).to_have_class(re.compile("error"))
    expect(shown.nth(1).locator(".under-error")).to_have_text("RJE")
    expect(shown.nth(2).locator(".chip")).to_have_text("tline")
    expect(pad.locator("#total-messages")).to_have_text("3")
    expect(pad.locator("#total-invalid")).to_have_text("1")
    expect(pad.get_by_text("Waiting for the first message.")).to_be_hidden()
    pad.get_by_label("Show").select_option("english")
    expect(shown.first).to_contain_text("Requests task 1 of goal 42")


def test_the_lines_it_shows_really_post(pad: Page) -> None:
    python = pad.locator("#way-python").inner_text()
    fed = python.replace(
        "sys.stdin.buffer", f"[{WIRE.format(1).encode()!r}, {WIRE.format(2).encode()!r}]"
    )

    exec(compile(fed, "way", "exec"), {})  # noqa: S102  (what the page tells people to run)

    expect(lines(pad)).to_have_count(2)
    assert str(pad.locator("#way-curl").text_content()).startswith(f"curl {address(pad)} ")


def test_a_message_that_is_chosen_is_shown_in_full(pad: Page) -> None:
    post_many(pad, 1, 3)
    lines(pad).nth(1).click()

    expect(pad.locator("#message #panel-fields")).to_contain_text("goal")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(2))
    expect(lines(pad).nth(1)).to_have_attribute("aria-selected", "true")
    pad.locator("#message .fieldtable tr[data-f=g]").hover()
    expect(pad.locator("#message pre.wire .lit").first).to_be_visible()


def test_everything_works_by_keys(pad: Page) -> None:
    post_many(pad, 1, 60)
    expect(pad.locator("#total-messages")).to_have_text("60")

    pad.keyboard.press("k")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(60))
    pad.keyboard.press("k")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(59))
    pad.locator("#lines").focus()
    pad.keyboard.press("Home")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(1))
    expect(pad.locator("#lines")).to_have_attribute("aria-activedescendant", "line-1")
    pad.keyboard.press("ArrowDown")
    expect(pad.locator("#message pre.wire.full")).to_have_text(WIRE.format(2))
    pad.keyboard.press("p")
    expect(pad.locator("#state")).to_have_text("Paused")
    pad.keyboard.press("p")
    pad.keyboard.press("f")
    expect(pad.locator("#follow")).to_have_attribute("aria-pressed", "true")
    expect(pad.locator("#line-60")).to_be_visible()


def test_a_pause_holds_the_list_and_loses_nothing(pad: Page) -> None:
    post_many(pad, 1, 3)
    expect(lines(pad)).to_have_count(3)
    pad.get_by_role("button", name="Pause").click()
    post_many(pad, 4, 8)

    expect(pad.get_by_role("button", name="Resume (5 new)")).to_be_visible()
    expect(lines(pad)).to_have_count(3)
    expect(pad.locator("#total-messages")).to_have_text("8")
    pad.get_by_role("button", name="Resume (5 new)").click()
    expect(lines(pad)).to_have_count(8)
    expect(pad.locator("#lines .gap")).to_have_count(0)


def test_a_long_pause_leaves_a_gap(pad: Page) -> None:
    post_many(pad, 1, 3)
    expect(lines(pad)).to_have_count(3)
    pad.get_by_role("button", name="Pause").click()
    post_many(pad, 4, 1203)
    expect(pad.get_by_role("button", name="Resume (1,200 new)")).to_be_visible()
    pad.get_by_role("button", name="Resume").click()
    pad.locator("#lines").focus()
    pad.keyboard.press("Home")

    expect(pad.locator("#lines .gap")).to_have_count(0)
    expect(pad.locator("#cap")).to_contain_text(
        "Showing the last 1,000. Older messages are no longer shown."
    )


def test_it_follows_until_somebody_scrolls_up_and_again_when_asked(pad: Page) -> None:
    post_many(pad, 1, 200)
    expect(pad.locator("#line-200")).to_be_in_viewport()
    pad.locator("#lines").evaluate("(one) => { one.scrollTop = 0; }")
    expect(pad.locator("#line-1")).to_be_in_viewport()
    expect(pad.get_by_role("button", name="Follow")).to_have_attribute("aria-pressed", "false")

    post_many(pad, 201, 300)
    expect(pad.locator("#total-messages")).to_have_text("300")
    expect(pad.locator("#line-1")).to_be_in_viewport()
    pad.get_by_role("button", name="Follow").click()

    expect(pad.locator("#line-300")).to_be_in_viewport()


def test_the_page_holds_a_thousand_lines_and_draws_those_in_view(pad: Page) -> None:
    post_many(pad, 1, 900)
    expect(pad.locator("#line-900")).to_be_in_viewport()
    post_many(pad, 901, 2500)

    expect(pad.locator("#line-2500")).to_be_in_viewport()
    expect(pad.locator("#cap")).to_have_text(
        "Showing the last 1,000. Older messages are no longer shown."
    )
    assert pad.locator("#lines .line").count() < 60
    pad.locator("#lines").evaluate("(one) => { one.scrollTop = 0; }")
    expect(pad.locator("#line-1501")).to_be_in_viewport()


def test_who_reads_further_up_keeps_the_place_while_old_lines_go(pad: Page) -> None:
    post_many(pad, 1, 1000)
    expect(pad.locator("#line-1000")).to_be_in_viewport()
    pad.locator("#lines").evaluate("(one) => { one.scrollTop = one.scrollHeight / 2; }")
    pad.wait_for_timeout(200)
    before = newest(pad)

    post_many(pad, 1001, 1100)
    expect(pad.locator("#total-messages")).to_have_text("1,100")
    pad.wait_for_timeout(200)

    assert abs(newest(pad) - before) <= 1


def test_filters_choose_while_it_runs(pad: Page) -> None:
    post(pad, f"{WIRE.format(42)}\nRJE/PLN|g=4\nT|17|Q|obj=x\n")
    expect(lines(pad)).to_have_count(3)

    pad.get_by_label("Filter").fill("goal:42 @live*")
    expect(lines(pad)).to_have_count(1)
    expect(pad.locator("#cap")).to_have_text("2 hidden by filters.")
    post(pad, f"{WIRE.format(42)}\n{WIRE.format(7)}\n")
    expect(lines(pad)).to_have_count(2)
    expect(pad.locator("#cap")).to_have_text("3 hidden by filters.")
    assert "q=goal" in pad.url
    pad.get_by_label("Filter").fill("")
    pad.get_by_label("Severity").select_option("error")
    expect(lines(pad)).to_have_count(1)
    pad.get_by_label("Severity").select_option("")
    pad.get_by_label("Protocol").select_option("sacp")
    expect(pad.get_by_text("No messages match these filters yet.")).to_be_visible()


def test_what_was_refused_is_drawn_as_a_gap(pad: Page) -> None:
    sent = [
        json.dumps({"wire": WIRE.format(1)}),
        '{"wire":7}',
        json.dumps({"wire": WIRE.format(2)}),
    ]
    post(pad, "\n".join(sent), "application/x-ndjson")

    gap = pad.locator("#lines .gap")
    expect(gap).to_have_text("Rejected: Expected text, got a whole number.")
    expect(lines(pad).nth(2).locator(".wire")).to_have_text(WIRE.format(2))


def test_a_connection_that_breaks_is_taken_up_where_it_was(pad: Page) -> None:
    post_many(pad, 1, 2)
    expect(lines(pad)).to_have_count(2)
    blocked = threading.Event()

    def block(route: Route) -> None:
        blocked.set()
        route.abort()

    # A browser that is offline keeps the streams it has: what breaks is each new one, and this one
    # is ended.
    pad.route("**/events*", block)
    pad.route("**/lines*", block)
    pad.get_by_label("Filter").fill("live_feed")
    expect(pad.locator("#state")).to_have_text("Reconnecting…")
    assert blocked.is_set()
    post_many(pad, 3, 4)
    pad.unroute("**/events*")
    pad.unroute("**/lines*")

    expect(lines(pad)).to_have_count(4, timeout=20_000)
    assert wires(pad) == [WIRE.format(at) for at in range(1, 5)]


def test_without_a_place_for_a_stream_it_asks_for_batches(pad: Page) -> None:
    pad.route("**/events*", lambda route: route.fulfill(status=503, body="{}"))
    pad.get_by_label("Filter").fill("live_feed")
    expect(pad.locator("#state")).to_have_text("Polling every 2 s")

    post_many(pad, 1, 3)

    expect(lines(pad)).to_have_count(3)
    pad.unroute("**/events*")


def test_the_end_of_a_pad_is_told(pad: Page) -> None:
    post_many(pad, 1, 1)
    other = pad.context.new_page()
    other.goto(pad.url)
    # A page that is closed while it goes elsewhere can leave Chromium, and the test with it,
    # waiting for ever.
    with other.expect_navigation(wait_until="load"):
        other.get_by_role("button", name="Close live session").click()
    other.close()

    expect(pad.locator("#state")).to_have_text("Ended")
    expect(pad.get_by_role("alert")).to_have_text("This live session has ended.")
    pad.goto("/stream/")


def test_hostile_text_is_only_text(pad: Page) -> None:
    post(pad, HOSTILE)
    lines(pad).click()
    expect(pad.locator("#message pre.wire.full")).to_have_text(HOSTILE)
    pad.get_by_label("Show").select_option("english")

    assert pad.evaluate("() => window.broken") is None
    assert pad.locator("main img, main script").count() == 0


def test_what_it_received_is_saved_on_the_page_that_previews(
    pad: Page, server: Installation
) -> None:
    address_of_pad = pad.url
    server.sign_in(pad, "lin")
    pad.goto(address_of_pad)
    post_many(pad, 1, 3)
    pad.get_by_role("button", name="Save to log…").click()
    pad.get_by_label("Goal").fill("from the pad")
    pad.get_by_role("button", name="Save 3 packets").click()

    expect(pad.get_by_text("3 packets saved to log default.")).to_be_visible()
    pad.goto(address_of_pad)


def test_the_end_of_a_log_is_watched(page: Page, server: Installation) -> None:
    server.sign_in(page, "lin")
    key = server.manage("apikey", "create", "browser-tail", "--scopes", "ingest")
    page.goto("/stream/")
    page.get_by_role("link", name="default").click()
    expect(page.locator("#state")).to_have_text("Live")
    page.get_by_label("Filter").fill("goal:501")
    page.wait_for_url("**/stream/log/default?q=goal*")
    expect(page.locator("#state")).to_have_text("Live")
    for number in (500, 501):
        body = json.dumps({"wire": WIRE.format(number)}).encode()
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{server.base_url}/api/v1/packets", body, headers)  # noqa: S310
        urllib.request.urlopen(request, timeout=20).close()  # noqa: S310

    expect(lines(page)).to_have_count(1)
    expect(page.locator("#total-messages")).to_have_text("2")
    lines(page).click()
    expect(page.get_by_role("link", name="View packet")).to_be_visible()
    page.get_by_label("Filter").fill("nokey:1")
    page.get_by_label("Filter").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("nokey")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(pad: Page, scheme: str) -> None:
    pad.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    assert violations(pad) == ""
    post(pad, f"{WIRE.format(1)}\nRJE/PLN|g=4\nhello there\n{WIRE.format(2)}\n")
    lines(pad).first.click()
    expect(pad.locator("#message #panel-fields")).to_be_visible()

    assert violations(pad) == ""


def test_everybody_can_use_the_pages_around_it(page: Page, server: Installation) -> None:
    server.sign_in(page, "lin")
    page.set_viewport_size({"width": 360, "height": 740})
    for address in (
        "/stream/",
        "/stream/log/default",
        "/stream/log/default?q=(goal:1",
        "/stream/pad/none",
    ):
        page.goto(address)
        assert violations(page) == "", address
        width, room = page.evaluate(
            "() => [document.documentElement.scrollWidth, window.innerWidth]"
        )
        assert width <= room, address


def violations(page: Page) -> str:
    found = Axe().run(page)
    return found.generate_report() if found.violations_count else ""


def test_it_fits_a_small_screen(pad: Page) -> None:
    pad.set_viewport_size({"width": 360, "height": 740})
    post(pad, f"{WIRE.format(1) + 'long_' * 80}\nRJE/PLN|g=4\nhello there {'long ' * 30}\n")
    expect(lines(pad)).to_have_count(3)
    lines(pad).first.click()
    expect(pad.locator("#message #panel-fields")).to_be_visible()

    width, room = pad.evaluate("() => [document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= room


def test_without_javascript_messages_come_with_refresh(
    chromium: Browser, server: Installation
) -> None:
    size = ViewportSize(width=1280, height=900)
    context = chromium.new_context(
        base_url=server.base_url, java_script_enabled=False, viewport=size
    )
    page = context.new_page()
    page.goto("/stream/")
    page.get_by_role("button", name="Start live session").click()
    expect(page.get_by_text("Waiting for the first message.")).to_be_visible()
    post(page, f"{WIRE.format(42)}\nRJE/PLN|g=4\n")
    page.get_by_role("link", name="Refresh").click()

    expect(page.locator("#lines .line")).to_have_count(2)
    page.get_by_label("Filter").fill("goal:42")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("#lines .line")).to_have_count(1)
    page.locator("#lines a.said-line").click()
    expect(page.locator("#message #panel-fields")).to_be_visible()
    page.get_by_role("button", name="Close live session").click()
    expect(page.get_by_text("Live session closed. Its messages were deleted.")).to_be_visible()
    context.close()
