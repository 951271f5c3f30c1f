"""How a browser comes to see a page or a state of it."""

import os
from collections.abc import Callable
from urllib.parse import urlsplit

import django
from django.template.loader import render_to_string
from playwright.sync_api import Page

from playground.http.refusals import TITLES
from playground.workbench.examples import BY_SLUG
from tests.browser.workbench.elements import press_message, show_tab
from tests.installation import Installation
from tests.pages.texts import BROKEN, CANDIDATES, EVERY_HUE, GONE_WRONG, PAD_SLUGS

Visit = Callable[[Page, Installation], None]
PERSON = "lin"
SETTINGS = {"CABLESE_NLIP_SERVERS": "itself=http://127.0.0.1:{port}/nlip"}
"""What an installation needs to have every page: an NLIP server that it may call, which is
itself.
"""


def prepare(house: Installation, page: Page) -> None:
    """What the pages need to have something to show, on an installation of their own: done once."""
    house.manage("demo")
    house.manage("log", "create", "bare")
    house.sign_in(page, PERSON)
    house.manage("people", "make-admin", PERSON)
    house.manage("shell", "-c", CANDIDATES)
    save(page, f"{BROKEN}\n{EVERY_HUE}")
    find(page, "default", "goal:4242")
    page.get_by_label("Note").fill("Who sent this?")
    page.get_by_role("button", name="Flag packet").click()


def preview(page: Page, text: str) -> None:
    page.goto("/?example=")
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Save to log…").click()
    page.get_by_role("heading", name="What will be stored").wait_for()


def save(page: Page, text: str) -> None:
    """Store the messages of a text in the log that is chosen at first."""
    preview(page, text)
    page.locator(".savebar button.primary").click()
    page.locator("table.packets").wait_for()


def find(page: Page, log: str, query: str) -> None:
    page.goto(f"/audit/?log={log}&q={query}")
    address = page.locator("table.packets a.open").first.get_attribute("href")
    assert address is not None
    page.goto(address)
    page.locator(".entry").wait_for()


def sent(address: str, fields: str) -> Visit:
    """What a form leads to that no page of ours has; ``fields`` is JavaScript that gives
    its pairs.
    """

    def visit(page: Page, house: Installation) -> None:
        page.goto("/stream/")
        with page.expect_navigation():
            page.evaluate(
                "(address) => { const form = document.createElement('form'); form.method = 'post';"
                " form.action = address;"
                f" for (const [name, value] of {fields}) {{ const one ="
                f" document.createElement('input');"
                " one.type = 'hidden'; one.name = name; one.value = value; form.append(one); }"
                " document.body.append(form); form.submit(); }",
                address,
            )

    return visit


def at(address: str) -> Visit:
    def visit(page: Page, house: Installation) -> None:
        page.goto(address)

    return visit


def typed(text: str) -> Visit:
    def visit(page: Page, house: Installation) -> None:
        page.goto("/?example=")
        page.locator("#text").fill(text)
        page.locator("#list-title").wait_for(state="attached")

    return visit


def tab_of(example: str, name: str) -> Visit:
    def visit(page: Page, house: Installation) -> None:
        page.goto(f"/?example={example}")
        show_tab(page, name)
        if name == "Formats":
            page.locator("#formats-body .answer").wait_for()
        if name == "Translate":
            page.locator("#translate-to").select_option("aacp")
            page.locator(".translate pre.wire").wait_for()
        if name == "Compare":
            page.locator("#other").fill("2")
            page.locator("#other").press("Enter")
            page.locator(".comparetable").wait_for()

    return visit


def gone_wrong(page: Page, house: Installation) -> None:
    typed(GONE_WRONG)(page, house)
    show_tab(page, "Conversation")
    page.locator("#whole .timeline, #whole .thread").first.wait_for()


def mistakes(page: Page, house: Installation) -> None:
    page.goto("/?example=mistakes")
    press_message(page, 3)
    page.locator("#means-title", has_text="3 of 4").wait_for()
    page.mouse.move(0, 0)


def fixed(page: Page, house: Installation) -> None:
    page.goto("/?example=mistakes")
    with page.expect_navigation():
        page.evaluate(
            "() => { const form = document.querySelector('#workbench'); form.action = '/fixes';"
            " form.submit(); }"
        )


def piloted(page: Page, house: Installation) -> None:
    page.goto("/?example=conversation")
    show_tab(page, "Formats")
    page.get_by_role("button", name="Open autopilot").click()
    page.locator(".autopilot .answer").wait_for()


def saving(page: Page, house: Installation) -> None:
    page.goto("/?example=conversation")
    page.locator(".savebar button").click()
    page.get_by_role("heading", name="What will be stored").wait_for()


def saving_much(page: Page, house: Installation) -> None:
    preview(page, f"{BROKEN}\n{EVERY_HUE}")


def entry(log: str, query: str) -> Visit:
    def visit(page: Page, house: Installation) -> None:
        find(page, log, query)

    return visit


def proof(page: Page, house: Installation) -> None:
    """The proof of a packet as a page of its own."""
    house.manage("checkpoint", "--log", "demo")
    find(page, "demo", "%40auth_refactor+goal%3A42")
    page.goto(f"{urlsplit(page.url).path}/proof")
    page.get_by_role("img", name="Path from the leaf").wait_for()


def reviewing(page: Page, house: Installation) -> None:
    """A queue with a packet that was flagged before, and one that is selected."""
    page.goto("/audit/?log=default&q=is:invalid")
    page.get_by_role("link", name="Review", exact=True).click()
    page.locator("#packet").wait_for()
    page.keyboard.press("x")


def reviewing_many(page: Page, house: Installation) -> None:
    page.goto("/audit/review/?log=demo&q=is:invalid&selected=1-3")
    page.get_by_role("button", name="Flag packets…").click()
    page.get_by_role("heading", name="Flag 3 packets").wait_for()


def receipt(page: Page, house: Installation) -> None:
    find(page, "demo", "%40auth_refactor+goal%3A42")
    uid = urlsplit(page.url).path.rsplit("/", 1)[1]
    page.goto("/audit/receipt")
    page.locator("main textarea").first.fill(uid)
    page.locator("main form button").first.click()
    page.wait_for_load_state()


def pad(page: Page, house: Installation) -> None:
    page.goto("/stream/")
    page.get_by_role("button", name="Start live session").click()
    page.locator("#posting").wait_for()


def filled_pad(page: Page, house: Installation) -> None:
    pad(page, house)
    address = page.locator("#posting summary code").inner_text()
    for slug in PAD_SLUGS:
        page.request.post(address, data=BY_SLUG[slug].text, headers={"Content-Type": "text/plain"})
    page.locator("#lines .line.error").first.click()
    page.locator("#panel-tokens").wait_for()
    page.mouse.move(0, 0)
    page.evaluate("() => scrollTo(0, 0)")


def saving_pad(page: Page, house: Installation) -> None:
    filled_pad(page, house)
    page.get_by_role("button", name="Save to log").click()
    page.get_by_role("heading", name="What will be stored").wait_for()


def slots(page: Page, house: Installation) -> None:
    page.goto("/aacp/candidates")
    page.locator("a[href$='/slots']").last.click()
    page.get_by_role("heading", name="Preview").wait_for()


def written(page: Page, house: Installation) -> None:
    page.goto("/aacp/english")
    page.locator("textarea").first.fill("Fetch the salaries of 2026-09.")
    page.locator("main form button").first.click()
    page.wait_for_load_state()


def link(page: Page, house: Installation) -> None:
    page.goto(house.sign_in_link("newcomer"))


def broken(page: Page, house: Installation) -> None:
    """No address of ours fails, so the page is rendered here."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    django.setup()
    context = {
        "status": 500,
        "title": TITLES[500],
        "words": "The error was logged.",
        "id": "0b9d6c1e7f3a4852",
    }
    page.goto("/healthz")
    page.set_content(render_to_string("server_error.html", context))


def talked(page: Page, house: Installation) -> None:
    page.goto("/nlip/talk")
    page.locator("#talk-text").fill("REQ/TSK|g=42,t=1,p=2")
    page.get_by_role("button", name="Send message").click()
    page.get_by_role("heading", name="Answer").wait_for()


def opened(page: Page, house: Installation) -> None:
    page.goto("/audit/?log=demo")
    page.locator("table.packets a.open").first.click()
    page.locator("#drawer .fieldtable").wait_for()


def all_columns(page: Page, house: Installation) -> None:
    """All columns by the address: a choice on the page is stored for the pages after it."""
    page.goto("/audit/?log=demo")
    boxes = page.locator(".columns-menu input[type=checkbox]").all()
    names = "".join(f"&columns={box.get_attribute('value')}" for box in boxes)
    page.goto(f"/audit/?log=demo{names}")


def saved_search(page: Page, name: str) -> None:
    """Save a search unless there is one of this name, and show the list of its log."""
    page.goto("/audit/searches?log=demo")
    if page.get_by_role("link", name=name, exact=True).count():
        return
    page.goto("/audit/?log=demo&q=goal:42")
    page.locator(".searches-menu summary").click()
    page.locator("#search-name").fill(name)
    with page.expect_navigation():
        page.get_by_role("button", name="Save search").click()
    page.goto("/audit/searches?log=demo")


def saved_searches(page: Page, house: Installation) -> None:
    for name in (
        "Goal 42",
        "A name that is almost as long as the longest one that a search can have",
    ):
        saved_search(page, name)


def searches_menu(page: Page, house: Installation) -> None:
    saved_search(page, "Goal 42")
    page.get_by_role("link", name="Goal 42", exact=True).click()
    page.locator(".searches-menu summary").click()


def deleting_search(page: Page, house: Installation) -> None:
    saved_search(page, "Goal 42")
    page.get_by_role("link", name="Delete Goal 42").click()
    page.get_by_role("heading", name="Delete “Goal 42”?").wait_for()


def compared(page: Page, house: Installation) -> None:
    page.goto("/diff")
    text = BY_SLUG["conversation"].text
    page.get_by_label("First text").fill(text)
    page.get_by_label("Second text").fill(
        text.replace("p=2", "p=3").replace("REQ", "RJE", 1) + "REQ/TSK|g=43,t=1,p=2,@=more\n"
    )
    page.get_by_role("button", name="Compare texts").click()
    page.get_by_role("heading", name="Conversations").wait_for()


def erasing_field(page: Page, house: Installation) -> None:
    find(page, "demo", "%40auth_refactor+goal%3A42")
    page.get_by_role("link", name="Erase packet…").click()
    page.get_by_label("Erase", exact=True).select_option("g")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("heading", name="Redacted copy").wait_for()


def erased_entry(page: Page, house: Installation) -> None:
    save(page, "INF/OBS|g=77,t=1,@=somebody,!=somebody asked for this")
    find(page, "default", "goal:77")
    page.get_by_role("link", name="Erase packet…").click()
    page.get_by_label("Erase", exact=True).select_option("@")
    page.get_by_role("button", name="Preview").click()
    page.get_by_label("Reason").fill("Request 4711: erase the name")
    page.get_by_role("button", name="Erase field").click()
    page.get_by_role("heading", name="Redacted copy").wait_for()


def erased_list(page: Page, house: Installation) -> None:
    erased_entry(page, house)
    page.goto("/audit/erased?log=default")
