"""Every page there is, and how a browser comes to see it: for the tests that hold everywhere, and
for the pictures.

`SIGHTS` has the pages by name, each with the routes it shows. A route that answers no whole page
is in `WITHOUT_PAGE`; `tests/playground/http/test_urls.py` fails when a route of
`playground/urls.py` is in neither.
"""

from dataclasses import dataclass

from cablese import registry
from tests.pages.texts import EVERY_HUE, HOSTILE, LONG_LOG, MIXED, ONE
from tests.pages.visits import (
    Visit,
    all_columns,
    at,
    broken,
    compared,
    deleting_search,
    entry,
    erased_entry,
    erased_list,
    erasing_field,
    filled_pad,
    fixed,
    gone_wrong,
    link,
    mistakes,
    opened,
    pad,
    piloted,
    proof,
    receipt,
    reviewing,
    reviewing_many,
    saved_searches,
    saving,
    saving_much,
    saving_pad,
    searches_menu,
    sent,
    slots,
    tab_of,
    talked,
    typed,
    written,
)


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


SIGHTS: dict[str, Sight] = {
    "workbench": Sight(("workbench",), at("/"), signed_in=False),
    "workbench empty": Sight(("workbench",), at("/?example=")),
    "workbench mistakes": Sight(("workbench",), mistakes),
    "workbench long log": Sight(("workbench",), typed(LONG_LOG)),
    "workbench one message": Sight(("workbench",), typed(ONE), picture=False),
    "workbench mixed": Sight(("workbench",), typed(MIXED), picture=False),
    "workbench hostile": Sight(("workbench",), typed(HOSTILE), picture=False),
    "workbench formats": Sight(("workbench",), tab_of("conversation", "Formats")),
    "workbench translation": Sight(("workbench",), tab_of("conversation", "Translate")),
    "workbench comparison": Sight(("workbench",), tab_of("mistakes", "Compare")),
    "workbench conversation": Sight(("workbench",), gone_wrong),
    "workbench every protocol": Sight(("workbench",), typed(EVERY_HUE), picture=False),
    "fixes": Sight(("fixes",), fixed),
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
    **{
        f"protocol {name}": Sight(("protocol",), at(f"/protocols/{name}"), picture=name == "nslip")
        for name in registry.get_names()
    },
    "proof": Sight(("proof",), at("/protocols/nlip/requirements/NLIP-21"), picture=False),
    "training": Sight(("nslip-training",), at("/protocols/nslip/training")),
    "claims": Sight(("claims",), at("/claims/")),
    "keys": Sight(("keys",), at("/account/keys"), picture=False),
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
    "log health": Sight(("log-health",), at("/audit/health?log=demo")),
    "log health wrong": Sight(("log-health",), at("/audit/health?log=none"), picture=False),
    "audit empty": Sight(("audit",), at("/audit/?log=bare"), picture=False),
    "audit found": Sight(("audit",), at("/audit/?log=demo&q=goal:42"), picture=False),
    "audit nothing": Sight(("audit",), at("/audit/?log=demo&q=goal:42+from:nobody")),
    "audit query error": Sight(("audit",), at("/audit/?log=demo&q=(goal:42"), picture=False),
    "audit facets": Sight(("audit",), at("/audit/?log=demo&q=-act:reject&facets=1"), picture=False),
    "audit open": Sight(("audit",), opened),
    "audit pinned": Sight(("audit",), at("/audit/?log=demo&q=goal:42&at=5"), picture=False),
    "audit pin error": Sight(("audit",), at("/audit/?log=demo&at=999999999"), picture=False),
    "audit searches": Sight(("audit",), searches_menu, picture=False),
    "searches": Sight(("searches",), saved_searches),
    "searches none": Sight(("searches",), at("/audit/searches?log=bare"), picture=False),
    "search delete": Sight(("search-delete",), deleting_search, picture=False),
    "evidence": Sight(("evidence",), at("/audit/evidence?log=demo&q=goal:42")),
    "evidence range": Sight(
        ("evidence",), at("/audit/evidence?log=demo&q=leaf:1..5"), picture=False
    ),
    "evidence of nothing": Sight(("evidence",), at("/audit/evidence?log=bare"), picture=False),
    "evidence progress": Sight(
        ("evidence-progress",), at("/audit/evidence/progress?token=none"), picture=False
    ),
    "audit columns": Sight(("audit",), all_columns),
    "entry": Sight(("entry",), entry("demo", "%40auth_refactor+goal%3A42")),
    "erase": Sight(("erase",), erasing_field, picture=False),
    "erase found": Sight(("erase-found",), at("/audit/erase?log=demo&q=goal:42"), picture=False),
    "entry erased": Sight(("entry",), erased_entry, picture=False),
    "erased": Sight(("erased",), erased_list, picture=False),
    "entry invalid": Sight(("entry",), entry("default", "goal:4242")),
    "packet proof": Sight(("packet-proof",), proof),
    "review": Sight(("review-desk",), reviewing),
    "review empty": Sight(
        ("review-desk",), at("/audit/review/?log=demo&q=goal:42+from:nobody"), picture=False
    ),
    "review query error": Sight(
        ("review-desk",), at("/audit/review/?log=demo&q=(goal:42"), picture=False
    ),
    "review bulk": Sight(("review-bulk",), reviewing_many),
    "statistics": Sight(
        ("statistics",), at("/audit/statistics?log=demo&price_model=openai/gpt-4o")
    ),
    "statistics wrong": Sight(
        ("statistics",), at("/audit/statistics?log=demo&from=yesterday"), picture=False
    ),
    "statistics empty": Sight(("statistics",), at("/audit/statistics?log=bare"), picture=False),
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
            "reading", "rows", "marks", "spending", "examine", "whole", "edit", "redacted", "found",
            "autopilot-panel",
        ),
        "a fragment of the health page": ("log-health-progress",),
        "a fragment of a live page": (
            "pad-events", "pad-lines", "pad-message", "live-events", "live-lines", "live-message"
        ),
        "a step that leads to a page": (
            "save-confirm", "aacp-decide", "aacp-withdraw", "sacp-spawn", "sacp-withdraw",
            "proof-sign", "columns", "search-save", "search-rename", "search-update", "review",
            "review-step", "review-undo", "pad-close", "entry-in-any-log", "signout", "key-rotate",
            "key-revoke", "log-health-check",
        ),
        "a file or data": (
            "nslip-training-file", "places", "evidence-file", "export", "export-reading", "picture",
            "nlip-upload", "nlip-via", "health", "ready", "import-earlier", "import-piece",
            "service-worker", "offline-worker", "checkpoint", "tile", "add-checkpoint",
            "proof-file", "growth", "receipts-file",
        ),
        "a fragment of the import page": ("import-preview",),
        "a fragment of the audit trail": ("drawer", "facets", "complete"),
        "a fragment of the review desk": ("review-packet", "review-rows"),
    }.items()
    for name in names
}  # fmt: skip
"""The routes that answer no whole page, and what they answer."""
