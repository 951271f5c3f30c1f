"""In a browser: what holds for every page. Our policy is never broken, all can read it, and it fits
a small screen.
"""

from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, StorageState, ViewportSize, expect

from tests.browser.axe import require_accessible, require_contrast
from tests.browser.workbench.elements import press_message
from tests.installation import Installation, running
from tests.pages.catalogue import SIGHTS, is_idle
from tests.pages.visits import SETTINGS, prepare

pytestmark = pytest.mark.browser

HOSTILE = (
    "INF/OBS|g=42,t=1,@=<script>window.broken=1</script>\n"
    "INF/OBS|g=42,t=1,@=<img/src=x/onerror=window.broken=1>\n"
    '{"format":"text","subformat":"English",'
    '"content":"</textarea><script>window.broken=1</script>"}\n'
    "REJ/PLN|g=42,t=1,!=javascript:window.broken=1\n"
    "INF/OBS|g=42,t=1,@=safe\u202egpj.exe\n"
)
# The page of the API is drawn by other people's code.
OURS = [name for name in SIGHTS if name != "docs"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation of this module's own: its pages show what `prepare` put there."""
    with running(tmp_path_factory.mktemp("pages"), **SETTINGS) as one:
        yield one


@pytest.fixture(scope="module")
def cookies(server: Installation, chromium: Browser) -> StorageState:
    """What a browser holds once somebody has signed in."""
    context = chromium.new_context(base_url=server.base_url)
    prepare(server, context.new_page())
    state = context.storage_state()
    context.close()
    return state


def show(page: Page, server: Installation, name: str) -> None:
    sight = SIGHTS[name]
    if not sight.signed_in:
        page.context.clear_cookies()
    sight.visit(page, server)
    page.wait_for_load_state("networkidle" if is_idle(sight) else "load")


@pytest.fixture
def watched(chromium: Browser, server: Installation, cookies: StorageState) -> Iterator[Page]:
    """A signed-in page that notes each breach of our policy and each request to another host."""
    breaches: list[str] = []
    size = ViewportSize(width=1280, height=900)
    context = chromium.new_context(base_url=server.base_url, storage_state=cookies, viewport=size)
    context.expose_function("note_breach", lambda words: breaches.append(words))
    context.add_init_script(
        "document.addEventListener('securitypolicyviolation', (event) => "
        "window.note_breach(`${event.violatedDirective} ${event.blockedURI}`))"
    )

    def ask(request: Request) -> None:
        place = urlsplit(request.url)
        if (
            place.scheme in ("http", "https", "ws", "wss")
            and f"{place.scheme}://{place.netloc}" != server.base_url
        ):
            breaches.append(f"a request to {request.url}")

    context.on("request", ask)
    page = context.new_page()
    yield page
    page.wait_for_timeout(100)
    context.close()
    assert breaches == []


def test_the_page_of_the_api_works_under_our_policy(watched: Page) -> None:
    watched.goto("/api/docs")
    watched.get_by_text("/api/v1/decode").click()

    expect(watched.get_by_role("button", name="Try it out")).to_be_visible()
    expect(watched.get_by_role("link", name="API", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    require_fit(watched, 360, 740)
    levels = watched.evaluate(
        "() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]"
        ".filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]))"
    )
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_types_and_limits_of_the_api_can_be_read(watched: Page, scheme: str) -> None:
    watched.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    watched.goto("/api/docs")
    watched.get_by_text("/api/v1/decode").click()
    watched.get_by_role("tab", name="Schema").first.click()
    watched.locator(".json-schema-2020-12-accordion").first.click()
    expect(watched.locator(".json-schema-2020-12__constraint").first).to_be_visible()

    require_contrast(watched, ".opblock.is-open")


def test_the_watch_would_notice_a_breach(chromium: Browser, server: Installation) -> None:
    page = chromium.new_context(base_url=server.base_url).new_page()
    page.goto("/signin")

    seen = page.evaluate(
        "() => new Promise((found) => { document.addEventListener('securitypolicyviolation',"
        " (event) => "
        "found(event.violatedDirective)); const one = document.createElement('script'); "
        "one.textContent = 'window.broken = 1'; document.body.append(one); })"
    )

    assert seen.startswith("script-src")
    page.context.close()


def test_hostile_text_changes_nothing_but_its_own_display(watched: Page) -> None:
    watched.goto("/?example=")
    watched.locator("#text").focus()
    watched.keyboard.insert_text(HOSTILE)
    expect(watched.locator("#list-title")).to_have_text("5 messages")
    for number in range(5):
        press_message(watched, number + 1)
        expect(watched.locator("#means-title")).to_contain_text(f"{number + 1} of 5")
    expect(watched.locator("pre.wire.full")).to_contain_text("safe⟨U+202E⟩gpj.exe")
    watched.get_by_role("button", name="Save to log…").click()
    watched.get_by_role("button", name="Save 5 packets").click()
    watched.wait_for_url("**/audit/**")  # a link opens the drawer once the scripts have run
    watched.locator("table.packets a.open").last.click()
    expect(watched.locator("#drawer pre.wire")).to_be_visible()
    watched.get_by_role("link", name="Open packet").click()
    watched.locator(".entry").wait_for()

    assert watched.locator("main script, main img, main iframe").count() == 0
    assert watched.evaluate("() => window.broken") is None


@pytest.mark.parametrize("name", OURS)
def test_everybody_can_use_a_page_in_light_and_dark_and_on_a_small_screen(
    watched: Page, server: Installation, name: str
) -> None:
    watched.emulate_media(color_scheme="light", reduced_motion="reduce")
    show(watched, server, name)

    require_accessible(watched)
    watched.emulate_media(color_scheme="dark", reduced_motion="reduce")
    require_contrast(watched)
    assert watched.evaluate(SMALL_TARGETS) == []
    for width, height in SIZES:
        require_fit(watched, width, height)


SIZES = ((360, 740), (320, 225), (640, 450), (820, 1180), (2560, 1440))
"""A small screen, 1280 by 900 at a zoom of 400% and of 200%, a tablet, and a large screen."""
SMALL_TARGETS = """
() => [...document.querySelectorAll("button, .button, select, summary, nav a, .tabs a")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !one.closest(".visually-hidden, .skip"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && height && (width < 23.9 || height < 23.9))
  .map(([one, { width, height }]) => `${one.outerHTML.slice(0, 80)} ${width}x${height}`)
"""
"""What is pressed and is smaller than 24 by 24 pixels."""
FIT = """
() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const width = document.documentElement.scrollWidth;
  const wide = width <= innerWidth ? [] : [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => `${one.tagName}.${one.className}`).slice(0, 5);
  done([innerWidth, width, wide]);
})))
"""


def require_fit(page: Page, width: int, height: int) -> None:
    """The page fits a window, once its scripts know the size."""
    page.set_viewport_size({"width": width, "height": height})

    room, needed, widest = page.evaluate(FIT)

    assert room == width
    assert needed <= room, widest


@pytest.mark.parametrize("name", ["entry invalid", "conversations", "workbench mistakes"])
def test_a_page_on_paper_has_its_wires_whole_and_nothing_to_press(
    watched: Page, server: Installation, name: str
) -> None:
    watched.emulate_media(color_scheme="dark")
    show(watched, server, name)
    watched.emulate_media(media="print", color_scheme="dark")

    for gone in (
        ".masthead",
        ".searchbar",
        ".review-form",
        ".savebar",
        "select",
        "a.button:not(.number)",
    ):
        for one in watched.locator(f"{gone} >> visible=true").all():
            raise AssertionError(f"{gone} is on paper: {one.inner_text()}")
    expect(watched.locator(".printed")).to_contain_text(urlsplit(watched.url).path)
    expect(watched.locator(".printed")).to_contain_text("UTC")
    assert watched.locator(".wire:not(.codes .wire) >> visible=true").count() > 0
    cut = (
        "() => [...document.querySelectorAll('main .wire')].filter((one) => one.scrollHeight"
        " > one.clientHeight + 2"
    )
    assert (
        watched.evaluate(
            f"{cut} && one.clientHeight && getComputedStyle(one).display !== 'inline').length"
        )
        == 0
    )
    assert (
        watched.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
        == "rgb(255, 255, 255)"
    )


def test_an_entry_on_paper_says_which_packet_it_is_and_whether_it_is_valid(
    watched: Page, server: Installation
) -> None:
    show(watched, server, "entry invalid")
    packet = urlsplit(watched.url).path.rsplit("/", 1)[1]
    watched.emulate_media(media="print")

    expect(watched.locator(".printed")).to_contain_text(f"log default, packet {packet}, leaf 1")
    expect(watched.locator(".page-head .verdict")).to_have_text("✖ invalid, stored as received")
