"""Every page there is, and how a browser comes to see it: for the tests that hold everywhere, and
for the pictures.

`SIGHTS` has the pages by name, each with the routes it shows. A route that answers no whole page
is in `WITHOUT_PAGE`; `tests/playground/http/test_urls.py` fails when a route of
`playground/urls.py` is in neither.
"""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

from playground.audit.columns import COLUMNS
from playground.workbench.examples import BY_SLUG
from tests.browser.workbench.elements import press_message
from tests.installation import ROOT, Installation

Visit = Callable[[Page, Installation], None]
PERSON = "lin"
BROKEN = "RJE/PLN|g=4242,t=01,!=scope_too_large|p=2,,@=" + "long_" * 60
EVERY_HUE = "".join(
    BY_SLUG[slug].text for slug in ("conversation", "folded", "plan", "percent", "log")
)
LONG_LOG = "\n".join(
    f"2026-01-01T10:00:{n % 60:02} [planner] REQ/TSK|g={n},t=1,p=2,@=step_{n}" for n in range(400)
)
PAD_SLUGS = ("conversation", "folded", "plan", "percent", "mistakes")

CANDIDATES = """
from playground.aacp.candidates import RequestCost, add, decide
cost = RequestCost("local-model", 2, 812, 64, True)
from django.contrib.auth import get_user_model
user = get_user_model().objects.get(username="lin").pk
failure = "The model returned an invalid packet, even after a retry."
add(english="Tell every colleague.", packet="", failure=failure, cost=cost, user=user)
one = add(
    english="Fetch the salaries of 2026-09.",
    packet="FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2026-09",
    failure="",
    cost=cost,
    user=user,
)
wire = "FETCH|FIN|return:FIN-Agent|p:1|aacp:1.1|res:budget_cc|period:2026-09"
add(english="Fetch the budgets of 2026-09.", packet=wire, failure="", cost=cost, user=user)
decide(candidate=one.pk, state="promoted", reviewer=None)
"""


SETTINGS = {"CABLESE_NLIP_SERVERS": "itself=http://127.0.0.1:{port}/nlip"}
"""What an installation needs to have every page: an NLIP server that it may call, which is
itself.
"""


@dataclass(frozen=True)
class Sight:
    """A page: the names of its routes, what takes a browser there, and whether somebody is signed
    in.
    """

    routes: tuple[str, ...]
    visit: Visit
    signed_in: bool = True
    picture: bool = True
    """Whether it is one of the pictures; a second state of a page often is not."""


def is_idle(sight: Sight) -> bool:
    """A live page is never idle: its events keep coming."""
    return not {"pad", "live"} & set(sight.routes)


def prepare(house: Installation, page: Page) -> None:
    """What the pages need to have something to show, on an installation of their own: done once."""
    house.manage("demo")
    house.manage("log", "create", "bare")
    house.sign_in(page, PERSON)
    house.manage("people", "make-admin", PERSON)
    house.manage("shell", "-c", CANDIDATES)
    preview(page, f"{BROKEN}\n{EVERY_HUE}")
    page.locator(".savebar button.primary").click()
    find(page, "default", "goal:4242")
    page.get_by_label("Note").fill("Who sent this?")
    page.get_by_role("button", name="Flag packet").click()


def preview(page: Page, text: str) -> None:
    page.goto("/?example=")
    page.locator("#text").fill(text)
    page.get_by_role("button", name="Save to log…").click()
    page.get_by_role("heading", name="What will be stored").wait_for()


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
        page.locator("ol.messages > li.message").first.wait_for(state="attached")

    return visit


def mistakes(page: Page, house: Installation) -> None:
    page.goto("/?example=mistakes")
    press_message(page, 3)
    page.locator("#means-title", has_text="3 of 4").wait_for()
    page.mouse.move(0, 0)


def mended(page: Page, house: Installation) -> None:
    page.goto("/?example=mistakes")
    with page.expect_navigation():
        page.evaluate(
            "() => { const form = document.querySelector('#workbench'); form.action = '/mend';"
            " form.submit(); }"
        )


def piloted(page: Page, house: Installation) -> None:
    page.goto("/?example=conversation")
    page.locator("#panel-tokens").wait_for()
    page.get_by_role("button", name="Find cheapest format").click()
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


def reviewing(page: Page, house: Installation) -> None:
    """A queue with a packet that was flagged before, and one that is selected."""
    page.goto("/audit/?log=default&q=is:invalid")
    page.get_by_role("link", name="Review", exact=True).click()
    page.locator("#packet").wait_for()
    page.keyboard.press("x")


def reviewing_many(page: Page, house: Installation) -> None:
    page.goto("/audit/review/?log=demo&q=is:invalid&selected=1-3")
    page.get_by_role("button", name="Flag…").click()
    page.get_by_role("heading", name="Flag 3 packets").wait_for()


def receipt(page: Page, house: Installation) -> None:
    find(page, "demo", "%40auth_refactor+goal%3A42")
    uid = page.url.rsplit("/", 1)[1]
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
    """No address of ours fails, so the template is shown as it is."""
    words = (ROOT / "templates" / "server_error.html").read_text("utf-8")
    words = words.replace("{% get_static_prefix %}", f"{house.base_url}/static/")
    page.goto("/healthz")
    page.set_content(words[words.index("<!DOCTYPE") :])


def talked(page: Page, house: Installation) -> None:
    page.goto("/nlip/talk")
    page.locator("#talk-text").fill("REQ/TSK|g=42,t=1,p=2")
    page.get_by_role("button", name="Send message").click()
    page.get_by_role("heading", name="Answer").wait_for()


def opened(page: Page, house: Installation) -> None:
    page.goto("/audit/?log=demo")
    page.locator("table.packets a.open").first.click()
    page.locator("#drawer .fieldtable").wait_for()


EVERY = [column.name for column in COLUMNS]


def compared(page: Page, house: Installation) -> None:
    page.goto("/diff")
    text = BY_SLUG["conversation"].text
    page.get_by_label("First text").fill(text)
    page.get_by_label("Second text").fill(
        text.replace("p=2", "p=3").replace("REQ", "RJE", 1) + "REQ/TSK|g=43,t=1,p=2,@=more\n"
    )
    page.get_by_role("button", name="Compare texts").click()
    page.get_by_role("heading", name="Conversations").wait_for()


SIGHTS: dict[str, Sight] = {
    "workbench": Sight(("workbench",), at("/"), signed_in=False),
    "workbench empty": Sight(("workbench",), at("/?example=")),
    "workbench mistakes": Sight(("workbench",), mistakes),
    "workbench long log": Sight(("workbench",), typed(LONG_LOG)),
    "workbench every protocol": Sight(("workbench",), typed(EVERY_HUE), picture=False),
    "mend": Sight(("mend",), mended),
    "autopilot": Sight(("autopilot",), piloted),
    "autopilot empty": Sight(("autopilot",), at("/autopilot"), signed_in=False, picture=False),
    "autopilot search": Sight(("autopilot",), at("/autopilot?log=demo&q=goal:42"), picture=False),
    "diff": Sight(("diff",), at("/diff"), signed_in=False, picture=False),
    "diff compared": Sight(("diff",), compared),
    "examples": Sight(("examples",), at("/examples/")),
    "import": Sight(("import",), at("/import/")),
    "save": Sight(("save",), saving),
    "save much": Sight(("save",), saving_much, picture=False),
    "stream": Sight(("stream",), at("/stream/")),
    "pad empty": Sight(("pad",), pad),
    "pad": Sight(("pad",), filled_pad),
    "pad gone": Sight(("pad",), at("/stream/pad/nobody-knows-this"), picture=False),
    "pad save": Sight(("pad-save",), saving_pad, picture=False),
    "live": Sight(("live",), at("/stream/log/demo")),
    "protocols": Sight(("protocols",), at("/protocols/")),
    "protocol nslip": Sight(("protocol",), at("/protocols/nslip")),
    "protocol aacp": Sight(("protocol",), at("/protocols/aacp"), picture=False),
    "protocol sacp": Sight(("protocol",), at("/protocols/sacp"), picture=False),
    "protocol nlip": Sight(("protocol",), at("/protocols/nlip"), picture=False),
    "protocol tline": Sight(("protocol",), at("/protocols/tline"), picture=False),
    "protocol slip": Sight(("protocol",), at("/protocols/slip"), picture=False),
    "proof": Sight(("proof",), at("/protocols/nlip/requirements/NLIP-21"), picture=False),
    "training": Sight(("nslip-training",), at("/protocols/nslip/training")),
    "claims": Sight(("claims",), at("/claims/")),
    "aacp": Sight(("aacp",), at("/aacp/")),
    "aacp workflow": Sight(("aacp-workflow",), at("/aacp/workflows/invoice"), picture=False),
    "aacp english": Sight(("aacp-english",), at("/aacp/english"), picture=False),
    "aacp written": Sight(("aacp-english",), written),
    "aacp candidates": Sight(("aacp-candidates",), at("/aacp/candidates")),
    "aacp slots": Sight(("aacp-slots",), slots),
    "sacp": Sight(("sacp",), at("/sacp/?wish=find+a+hotel")),
    "sacp new": Sight(("sacp-new",), at("/sacp/agent/"), picture=False),
    "sacp agent": Sight(("sacp-definition",), at("/sacp/agent/HOTEL_FINDER?specification=1")),
    "sacp plan": Sight(("sacp-plan",), at("/sacp/plan")),
    "sacp assemble": Sight(("sacp-assemble",), at("/sacp/assemble")),
    "sacp history": Sight(("sacp-history",), at("/sacp/history")),
    "nlip": Sight(("nlip",), at("/nlip")),
    "nlip talk": Sight(("nlip-talk",), talked),
    "nlip talk empty": Sight(("nlip-talk",), at("/nlip/talk"), picture=False),
    "nlip talk stranger": Sight(("nlip-talk",), at("/nlip/talk"), signed_in=False, picture=False),
    "nlip exchange": Sight(("nlip-exchange",), at("/nlip/exchange")),
    "audit": Sight(("audit",), at("/audit/?log=demo")),
    "receipt": Sight(("receipt",), at("/audit/receipt"), signed_in=False),
    "receipt checked": Sight(("receipt",), receipt),
    "audit empty": Sight(("audit",), at("/audit/?log=bare"), picture=False),
    "audit found": Sight(("audit",), at("/audit/?log=demo&q=goal:42"), picture=False),
    "audit nothing": Sight(("audit",), at("/audit/?log=demo&q=goal:42+from:nobody")),
    "audit query error": Sight(("audit",), at("/audit/?log=demo&q=(goal:42"), picture=False),
    "audit open": Sight(("audit",), opened),
    "audit columns": Sight(("audit",), at(f"/audit/?log=demo&columns={'&columns='.join(EVERY)}")),
    "entry": Sight(("entry",), entry("demo", "%40auth_refactor+goal%3A42")),
    "entry invalid": Sight(("entry",), entry("default", "goal:4242")),
    "review": Sight(("review-desk",), reviewing),
    "review empty": Sight(
        ("review-desk",), at("/audit/review/?log=demo&q=goal:42+from:nobody"), picture=False
    ),
    "review query error": Sight(
        ("review-desk",), at("/audit/review/?log=demo&q=(goal:42"), picture=False
    ),
    "review bulk": Sight(("review-bulk",), reviewing_many),
    "conversations": Sight(("conversations",), at("/audit/conversations?log=demo")),
    "conversations none": Sight(
        ("conversations",), at("/audit/conversations?log=bare"), picture=False
    ),
    "signin": Sight(("signin",), at("/signin"), signed_in=False),
    "signin link": Sight(("signin-link",), link, signed_in=False),
    "signin spent": Sight(
        ("signin-link",), at("/signin/MQ/nothing-more"), signed_in=False, picture=False
    ),
    "unreadable": Sight(
        (), sent("/", "Array.from({length: 1100}, (_, n) => ['a' + n, ''])"), picture=False
    ),
    "forbidden": Sight((), sent("/save", "[['text', 'x']]"), picture=False),
    "nowhere": Sight((), at("/nowhere")),
    "too large": Sight((), sent("/", "[['text', 'x'.repeat(11 * 1024 * 1024)]]"), picture=False),
    "server error": Sight((), broken, picture=False),
    "docs": Sight(("api:openapi-view",), at("/api/docs"), picture=False),
}

WITHOUT_PAGE: dict[str, str] = {
    name: why
    for why, names in {
        "a fragment of the workbench": (
            "reading", "rows", "marks", "spending", "examine", "whole", "edit", "redacted",
            "autopilot-panel",
        ),
        "a fragment of a live page": (
            "pad-events", "pad-lines", "pad-message", "live-events", "live-lines", "live-message"
        ),
        "a step that leads to a page": (
            "save-confirm", "aacp-decide", "aacp-withdraw", "sacp-spawn", "sacp-withdraw",
            "review", "review-step", "review-undo", "pad-close", "entry-in-any-log",
            "signout",
        ),
        "a file or data": (
            "nslip-training-file", "places", "export", "export-reading", "picture", "nlip-upload",
            "nlip-via", "health", "ready", "import-piece"
        ),
        "a fragment of the import page": ("import-preview",),
        "a fragment of the audit trail": ("drawer",),
        "a fragment of the review desk": ("review-packet", "review-rows"),
    }.items()
    for name in names
}  # fmt: skip
"""The routes that answer no whole page, and what they answer."""
