"""Decoding in the browser, with the server stopped and with a server that gets nothing."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from cablese import tokens
from playground.offline import built
from tests.browser.offline.vectors import texts
from tests.conftest import leave_out
from tests.installation import Installation, running

pytestmark = [pytest.mark.browser, pytest.mark.slow]

START = 180_000
"""Milliseconds: Python starts in seconds, and in many more where all tests run at once."""
SECRET = "REQ/TSK|g=4711,t=1,@=secret_plan\nRJE/PLN|g=4711,t=1"
ASK = """async (asked) => {
  const csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]").value;
  const answers = [];
  for (const [address, text] of asked) {
    const body = new URLSearchParams({ csrfmiddlewaretoken, text });
    const headers = { "HX-Request": "true" };
    const answer = await fetch(address, { method: "POST", body, headers });
    answers.push([answer.status, await answer.text()]);
  }
  return answers;
}"""
CONNECT = """() => new Promise((resolve) => {
  document.addEventListener("securitypolicyviolation",
    ({ effectiveDirective }) => resolve(effectiveDirective));
  new EventSource("/reading").onerror = () => setTimeout(resolve, 1_000, "none");
})"""
NO_COOKIES = "{ get: () => '', set: () => {} }"
TOGETHER = 20
"""Vectors in one text, of which the parts of the page about a whole text are drawn."""
WHOLE = (
    "/reading", "/reading/rows", "/reading/marks", "/reading/whole", "/fixes", "/share/redacted",
    "/reading/spending/baselines", "/reading/spending/break-even", "/reading/examine/corruption",
    "/reading/examine/routability", "/reading/examine/lens", "/reading/examine/copy",
)  # fmt: skip
STORED = """async () => {
  const pages = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const response = await cache.match(url);
      const type = response.headers.get("Content-Type");
      pages.push([new URL(url).pathname, type.includes("html") ? await response.text() : ""]);
    }
  }
  return pages;
}"""
COUNT = """async ([folder, texts]) => {
  const tokens = await import(`${folder}tokenizer.js`);
  const names = [["o200k_base", "O200KBase"], ["cl100k_base", "Cl100KBase"]];
  await Promise.all(names.map((name) => tokens.load(folder, ...name)));
  return names.map(([name]) => texts.map((text) => tokens.encode(name, text)));
}"""
_TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*')


@pytest.fixture(scope="module")
def files() -> built.Built:
    """The files of `make offline`, which `make test` makes if it can."""
    there = built.current()
    if there is None:
        leave_out("decoding in the browser: its files are not there, see `make offline`")
    return there


@pytest.fixture(scope="module")
def server(files: built.Built, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory.mktemp("offered"), CABLESE_OFFLINE="offered") as installation:
        yield installation


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def posts(context: BrowserContext) -> list[str]:
    """The addresses to which anything but a question was sent."""
    sent: list[str] = []

    context.on("request", lambda request: _note(request, sent))
    return sent


def _note(request: Request, sent: list[str]) -> None:
    if request.method != "GET" or "secret_plan" in request.url:
        sent.append(request.url)


def _wait_for_python(page: Page) -> None:
    expect(page.locator("#text-note[data-promise]")).to_be_attached(timeout=START)
    expect(page.locator("#offline-said")).to_be_empty()


def _store(page: Page, files: built.Built) -> None:
    """Wait until the service worker has the page and Python."""
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    expected = {f"/static/{name}" for name in files.files} | {"/"}
    for _ in range(START // 500):
        if expected <= {path for path, _ in page.evaluate(STORED)}:
            return
        page.wait_for_timeout(500)
    raise AssertionError("The service worker stored no Python.")


def _questions() -> list[tuple[str, str]]:
    """Return what is asked: each vector alone, and several in one text, with all that is drawn."""
    vectors = texts()
    joined = ["\n".join(vectors[at : at + TOGETHER]) for at in range(0, len(vectors), TOGETHER)]
    return [("/reading", text) for text in vectors] + [
        (WHOLE[at % len(WHOLE)], text) for at, text in enumerate(joined * 3)
    ]


def _comparable(answers: list[Any]) -> list[Any]:
    return [[status, _TOKEN.sub(r"\1", text)] for status, text in answers]


def test_every_vector_is_drawn_as_by_the_server_after_it_stopped(
    files: built.Built, context: BrowserContext, tmp_path: Path
) -> None:
    page = context.new_page()
    arrived: list[str] = []
    asked = _questions()
    with running(tmp_path, CABLESE_OFFLINE="offered") as server:
        page.goto(server.base_url)
        _store(page, files)
        by_server = _comparable(page.evaluate(ASK, asked))
    context.on("requestfinished", lambda request: _note(request, arrived))

    page.reload()
    page.locator("#text").fill(SECRET)
    _wait_for_python(page)
    here = _comparable(page.evaluate(ASK, asked))

    assert len(asked) > 1_000
    assert {status for status, _ in by_server} == {200}
    answers = zip(asked, by_server, here, strict=True)
    assert [question for question, there, ours in answers if there != ours] == []
    expect(page.locator("#text-note")).to_contain_text("Can’t reach the server. Decoded in")
    expect(page.locator("#panel-diagnostics")).to_contain_text("Did you mean REJ?")
    assert page.evaluate(CONNECT) == "connect-src"
    assert arrived == []


def test_browser_only_sends_nothing(
    server: Installation, context: BrowserContext, posts: list[str]
) -> None:
    page = context.new_page()
    page.goto(server.base_url)
    with page.expect_navigation() as reloaded:
        page.get_by_label("Decode in this browser only").check()
    assert "connect-src 'none'" in reloaded.value.headers["content-security-policy"]
    _wait_for_python(page)
    posts.clear()

    page.locator("#text").fill(SECRET)
    expect(page.locator("#panel-diagnostics")).to_contain_text("Did you mean REJ?")
    expect(page.locator("#text-note")).to_have_text("Decoded in this browser. Nothing is sent.")
    page.locator("[formaction='/save']").first.click()
    expect(page.locator("#offline-said")).to_have_text(
        "This needs the server, but you decode in this browser only."
    )

    assert posts == []
    page.evaluate("() => navigator.sendBeacon('/reading', 'text=4711')")
    assert posts == []


def test_a_browser_that_blocks_cookies_keeps_the_page_and_says_so(
    server: Installation, context: BrowserContext
) -> None:
    context.add_init_script(f"Object.defineProperty(Document.prototype, 'cookie', {NO_COOKIES})")
    page = context.new_page()
    page.goto(server.base_url)
    page.evaluate("() => { window.kept = true; }")
    page.get_by_label("Decode in this browser only").click()

    expect(page.locator("#offline-said")).to_have_text(
        "Couldn’t change this because your browser blocks cookies."
    )
    expect(page.get_by_label("Decode in this browser only")).not_to_be_checked()
    assert page.evaluate("window.kept")


def test_its_policy_stops_what_a_script_would_send(
    server: Installation, context: BrowserContext, posts: list[str]
) -> None:
    context.add_cookies([{"name": "browser_only", "value": "1", "url": server.base_url}])
    page = context.new_page()
    page.goto(server.base_url)
    frame = (
        "() => Object.assign(document.createElement('form'), {method: 'post', action: '/fixes'})"
    )
    page.evaluate(f"() => document.body.appendChild(({frame})()).submit()")
    beacon = page.evaluate("() => navigator.sendBeacon('/reading', 'text=4711')")

    assert page.url == f"{server.base_url}/"
    assert posts == [] or not beacon


def test_no_page_of_a_person_is_stored(
    files: built.Built, server: Installation, context: BrowserContext
) -> None:
    page = context.new_page()
    server.sign_in(page, "ada")
    page.goto(f"{server.base_url}/audit/")
    page.goto(server.base_url)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    _store(page, files)
    stored = dict(page.evaluate(STORED))

    assert [path for path, text in stored.items() if text] == ["/"]
    assert "Sign in" in stored["/"]
    assert "ada" not in re.findall(r'class="who">([^<]*)', stored["/"])
    assert all(path == "/" or path.startswith(("/static/", "/offline/")) for path in stored)


def test_tokens_are_those_of_tiktoken(
    files: built.Built, server: Installation, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(server.base_url)
    odd = [
        "\ufeff a \u0085 b",
        "it'ſ IT'S don'T",
        "<|endoftext|>",
        "a" * 300,
        "日本語 テスト 🙂👩‍🚀",
        "  \n\n \t x",
    ]
    tried = [
        *texts(),
        *odd,
        *("".join(chr(at) for at in range(low, low + 64)) for low in range(32, 0x3000, 64)),
    ]
    found = page.evaluate(COUNT, [f"/static/{files.folder}", tried])

    for name, counted in zip(("o200k_base", "cl100k_base"), found, strict=True):
        differing = [
            text
            for text, ids in zip(tried, counted, strict=True)
            if len(ids) != tokens.count(text, name).count
        ]
        assert differing == []


def test_an_administrator_can_leave_no_choice(
    server: Installation, context: BrowserContext, posts: list[str], tmp_path: Path
) -> None:
    shutil.copytree(server.data / "static", tmp_path / "static")
    shutil.copy(server.data / "static-files.sha256", tmp_path)
    with running(tmp_path, CABLESE_OFFLINE="only") as strict:
        page = context.new_page()
        page.goto(strict.base_url)
        expect(page.get_by_label("Decode in this browser only")).to_be_disabled()
        _wait_for_python(page)
        page.locator("#text").fill(SECRET)
        expect(page.locator("#panel-diagnostics")).to_contain_text("Did you mean REJ?")

        assert posts == []
