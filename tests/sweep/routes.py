"""Every route that takes text, and how it takes it; and every other route, with the reason.

``keys()`` returns the routes of the URL conf and the API routers. One that is neither in ROUTES nor
in OTHERS is swept as `guesses` says, so that no new route is forgotten.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from django.urls import URLPattern, URLResolver, get_resolver

from auditlog.search.query import MAX_LENGTH as QUERY_LIMIT
from cablese import registry
from playground.api import api
from playground.audit.table import columns
from playground.examine import panel
from playground.export.files import FILES
from playground.rest import shapes
from playground.stream.forms import TEXT_LIMIT as FILTER_LIMIT
from playground.workbench import forms
from playground.workbench.views import SPENDING

TEXT = "\0text"
"""Where the text goes in what is sent."""
Kind = Literal["form", "query", "json", "body", "file", "link"]
Stored = Literal["", "packet", "pad"]


@dataclass(frozen=True)
class Route:
    """``key`` is its URL name, or its operation in the API. ``fields`` are what is sent, with TEXT.

    It takes texts of up to ``limit`` bytes. What is ``stored`` first gives values for the ``{}`` in
    the path and the fields.
    """

    key: str
    path: str
    kind: Kind = "json"
    fields: Any = None
    limit: int = shapes.TEXT_LIMIT
    stored: Stored = ""
    media: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    refusal: int = 0
    """A status that says no for good, and is not a failure."""

    @property
    def method(self) -> str:
        return "GET" if self.kind in ("query", "link") else "POST"

    @property
    def name(self) -> str:
        query = ""
        if self.kind == "query":
            query = "?" + "&".join(
                f"{key}={'…' if TEXT in one else one}" for key, one in self.fields.items()
            )
        return f"{self.method} {self.path}{query}"


def _form(key: str, path: str, **fields: str) -> Route:
    return Route(key, path, "form", fields, forms.TEXT_LIMIT)


def _fragment(key: str, path: str) -> Route:
    return replace(_form(key, path, text=TEXT), headers=(("HX-Request", "true"),))


def _api(key: str, path: str, **fields: Any) -> Route:
    return Route(f"api:{key}", f"/api/v1/{path}", "json", fields)


def _raw(key: str, path: str, media: str = "text/plain; charset=utf-8") -> Route:
    return Route(key, path, "body", media=media)


def _link(key: str, path: str, stored: Stored = "packet") -> Route:
    return Route(key, path, "link", stored=stored)


def _query(key: str, path: str, limit: int, **fields: str) -> Route:
    return Route(key, path, "query", fields, limit)


COLUMNS = "".join(f"&columns={column.name}" for column in columns.COLUMNS)
NOTHING = "thread:none "
"""A query that finds no packet."""
STEP = {"verb": TEXT, "tool": TEXT}
NOW = "20261120T100001Z"
REVIEWED = (
    ("review-desk", "/audit/review/"),
    ("review-packet", "/audit/review/packet"),
    ("review-rows", "/audit/review/rows"),
    ("review-bulk", "/audit/review/bulk"),
)
ROUTES: tuple[Route, ...] = (
    # The workbench
    _form("workbench", "/", text=TEXT),
    _query("workbench", "/", forms.LINK_LIMIT, text=TEXT),
    _form("reading", "/reading", text=TEXT),
    replace(_form("reading", "/reading", text="REQ/TSK|g=1", have=TEXT)),
    _form("rows", "/reading/rows", text=TEXT),
    _form("marks", "/reading/marks", text=TEXT),
    _form("found", "/reading/found/messages", text="REQ/TSK|g=1", filter=TEXT),
    _form("whole", "/reading/whole", text=TEXT),
    _form("edit", "/reading/edit", text=TEXT, field="1", value="x"),
    _form("edit", "/reading/edit", text="REQ/TSK|g=1,@=a", field="4", value=TEXT),
    _form("fixes", "/fixes", text=TEXT),
    *(_fragment("spending", f"/reading/spending/{part}") for part in SPENDING),
    *(_fragment("examine", f"/reading/examine/{part}") for part in (*panel.SECTIONS, panel.COPY)),
    _form("autopilot", "/autopilot", text=TEXT),
    _query("autopilot", "/autopilot", QUERY_LIMIT, q=TEXT, log="default"),
    _link("autopilot", "/autopilot?q=thread:{thread}"),
    _form("autopilot-panel", "/autopilot/panel", text=TEXT),
    *(
        replace(_form("export-reading", f"/reading/export.{ending}", text=TEXT), refusal=422)
        for ending in FILES
    ),
    _form("diff", "/diff", text=TEXT, second="REQ/TSK|g=1,t=1", lines="on"),
    _form("diff", "/diff", text="REQ/TSK|g=1,t=1", second=TEXT),
    _form("redacted", "/share/redacted", text=TEXT),
    _form("save", "/save", text=TEXT),
    _form("save-confirm", "/save/confirm", text=TEXT),
    Route("import", "/import/", "file", {"kind": "text"}),
    replace(_raw("import-earlier", "/import/earlier?size=1"), limit=64 * 1024),
    _raw("import-piece", "/import/piece?file=a&at=0&line=1&final=on&kind=text"),
    replace(
        _raw("import-preview", "/import/preview?file=a&at=0&line=1&final=on&kind=text"),
        limit=64 * 1024,
    ),
    # Other pages
    replace(_form("aacp-workflow", "/aacp/workflows/payroll", approver=TEXT), limit=200),
    _form("aacp-english", "/aacp/english", english=TEXT),
    _query("sacp", "/sacp/", 2_000, wish=TEXT),
    _query("sacp", "/sacp/", 2_000, inputs=TEXT),
    replace(_form("sacp-new", "/sacp/agent/", body=TEXT), limit=100_000),
    _form("sacp-plan", "/sacp/plan", text=TEXT),
    _form("sacp-spawn", "/sacp/plan/spawn", text=TEXT),
    _form("sacp-history", "/sacp/history", text=TEXT),
    replace(_form("sacp-assemble", "/sacp/assemble", goal="A", context=TEXT), limit=10_000),
    _form("receipt", "/audit/receipt", receipt=TEXT),
    _form("receipt", "/audit/receipt", receipt="{}", wire=TEXT),
    _form("nlip-exchange", "/nlip/exchange", request=TEXT, response=TEXT),
    _raw("nlip", "/nlip", "application/json"),
    Route("nlip", "/nlip", fields={"format": "text", "subformat": "english", "content": TEXT}),
    _query("audit", "/audit/", QUERY_LIMIT, q=TEXT),
    _query("conversations", "/audit/conversations", QUERY_LIMIT, q=TEXT),
    *(_query(key, path, QUERY_LIMIT, q=TEXT, at="9", now=NOW) for key, path in REVIEWED),
    # Blanks find the whole log, and how large that is says nothing about the text.
    _query("export", "/audit/export.csv", QUERY_LIMIT - len(NOTHING), q=f"{NOTHING}{TEXT}"),
    _query("evidence", "/audit/evidence", QUERY_LIMIT, q=TEXT),
    _query("evidence-progress", "/audit/evidence/progress", 32, token=TEXT),
    _query(
        "evidence-file",
        "/audit/evidence/file.zip",
        QUERY_LIMIT - len(NOTHING),
        q=f"{NOTHING}{TEXT}",
    ),
    _query("live", "/stream/log/default", FILTER_LIMIT, q=TEXT),
    _query("live-lines", "/stream/log/default/lines", FILTER_LIMIT, q=TEXT),
    # Pages of what was stored
    *(_link("entry", f"/audit/default/{{uid}}?view={view}") for view in forms.VIEWS),
    _link("entry-in-any-log", "/audit/{uid}"),
    _link("erase", "/audit/default/{uid}/erase"),
    _link("erase-found", "/audit/erase?q=thread:{thread}"),
    _query("erase-found", "/audit/erase", QUERY_LIMIT, q=TEXT),
    _link("packet-proof", "/audit/default/{uid}/proof"),
    _link("drawer", "/audit/default/{uid}/drawer"),
    _link("audit", "/audit/?q=thread:{thread}"),
    _link("audit", f"/audit/?q=thread:{{thread}}&packet={{uid}}{COLUMNS}"),
    _link("conversations", "/audit/conversations?q=thread:{thread}"),
    *(_link("export", f"/audit/export.{form}?q=thread:{{thread}}") for form in ("csv", "ndjson")),
    *(
        _link("evidence-file", f"/audit/evidence/file.{form}?q=thread:{{thread}}")
        for form in ("zip", "html")
    ),
    _link("evidence", "/audit/evidence?q=thread:{thread}"),
    *(
        _link("picture", f"/audit/conversations.{form}?q=thread:{{thread}}")
        for form in ("svg", "mmd")
    ),
    _link("live-lines", "/stream/log/default/lines?after={before}"),
    _link("live-message", "/stream/log/default/message/{leaf}"),
    _link("api:get_packet", "/api/v1/packets/{uid}"),
    _link("api:get_proof", "/api/v1/packets/{uid}/proof"),
    _link("api:search", "/api/v1/search?q=thread:{thread}"),
    _link("api:search_conversations", "/api/v1/search/conversations?q=thread:{thread}"),
    replace(
        _form("review", "/audit/default/{uid}/review", state="flagged", note=TEXT),
        limit=10_000,
        stored="packet",
    ),
    replace(
        _form("review-step", "/audit/review/step", leaf="{leaf}", state="flagged", note=TEXT),
        limit=10_000,
        stored="packet",
    ),
    replace(_form("review-undo", "/audit/review/undo", steps=TEXT), limit=100_000),
    _link("pad", "/stream/pad/{pad}", "pad"),
    _link("pad-lines", "/stream/pad/{pad}/lines", "pad"),
    _link("pad-message", "/stream/pad/{pad}/message/{number}", "pad"),
    _link("api:read_pad", "/api/v1/pads/{pad}", "pad"),
    replace(_form("pad-save", "/stream/pad/{pad}/save", next=""), stored="pad"),
    replace(_raw("api:post", "{post}"), stored="pad", refusal=429),  # beyond a session's rate
    # The API
    _api("decode", "decode", text=TEXT),
    *(_api("decode", "decode", text=TEXT, protocol=name) for name in registry.get_names()),
    _api("encode", "encode", protocol="nslip", values={"act": "REQ", "frame": "TSK", "@": TEXT}),
    _api(
        "encode",
        "encode",
        protocol="nlip",
        values={"format": "text", "subformat": "english", "content": TEXT},
    ),
    _api("count_tokens", "tokens", texts=[TEXT], pieces=True),
    _api("conversations", "conversations", text=TEXT),
    _api("translate", "translate", wire=TEXT, to="nlip"),
    _api("translate", "translate", wire=TEXT, to="nslip"),
    _api("encode_workflow", "aacp/workflows/payroll", inputs={"approver": TEXT}),
    replace(_api("write_packet", "aacp/english", english=TEXT), refusal=503),  # without a model
    _api("bill", "tokens/bill", wire=TEXT),
    _api("baselines", "tokens/baselines", wire=TEXT),
    _api("autopilot", "autopilot", text=TEXT, texts=True),
    _link("api:search_autopilot", "/api/v1/search/autopilot?q=thread:{thread}"),
    _query("api:search_autopilot", "/api/v1/search/autopilot", QUERY_LIMIT, q=TEXT),
    _api("corrupt", "corruption", wire=TEXT),
    _api("route", "routability", wire=TEXT),
    _api("examine", "lens", wire=TEXT),
    _api("check_receipt", "receipts/check", receipt=TEXT, wire=TEXT),
    _api("check_exchange", "nlip/exchange", request=TEXT, response=TEXT),
    replace(
        _api("register_verb", "sacp/verbs", name="v", description=TEXT, inputs=[TEXT], outputs=TEXT)
    ),
    _api("register_tool", "sacp/tools", id="t", description="d", supported_verbs=[TEXT]),
    _api(
        "register_agent",
        "sacp/agents",
        agent_name="a",
        supported_verbs=[TEXT],
        supported_tools=[],
        inputs=[],
        outputs=[],
        description="d",
    ),
    _raw("api:query", "/api/v1/sacp/query", "application/json"),
    replace(_api("rank", "sacp/rank", text=TEXT), limit=2_000),
    _api("validate", "sacp/validate", message=TEXT),
    _api("feasibility", "sacp/feasible", message=TEXT),
    _api("assemble", "sacp/assemble", goal="A", steps=[STEP | {"params": {"text": TEXT}}]),
    _api("dry_run", "sacp/dry-run", message=TEXT),
    _api("judge", "sacp/discipline", reply=TEXT, role="Executor", request=TEXT),
    _api("track_states", "sacp/states", text=TEXT),
    _api("spawn_agents", "sacp/spawn", message=TEXT),
    _api("keep_one", "packets", wire=TEXT),
    _raw("api:keep_many", "/api/v1/packets/batch"),
    replace(_raw("api:keep_many", "/api/v1/packets/batch", "application/x-ndjson")),
    _query("api:search", "/api/v1/search", QUERY_LIMIT, q=TEXT),
    _query("api:search_conversations", "/api/v1/search/conversations", QUERY_LIMIT, q=TEXT),
)
NO_TEXT = """
    protocols protocol proof claims examples places aacp
    nslip-training nslip-training-file health ready api:protocols api:claims api:workflows
    api:four_hops api:training api:break_even api:verbs api:tools api:agents api:verb_revisions
    api:tool_revisions api:agent_revisions api:prompt api:list_rules
"""
NAMES = """
    checkpoint tile add-checkpoint growth proof-file proof-sign
    receipts-file statistics api:statistics erased
    api:erase_packet
    keys key-rotate key-revoke
    log-health log-health-check log-health-progress
    signin signin-link signout pad-close stream sacp-definition sacp-withdraw nlip-upload
    columns searches search-rename search-update search-delete api:list_searches api:delete_search
    api:close_pad api:open_pad api:withdraw_verb api:withdraw_tool api:withdraw_agent
"""
CANDIDATES = """
    aacp-candidates aacp-decide aacp-slots aacp-withdraw api:list_candidates api:preview api:promote
    api:decide api:withdraw
"""
OTHERS: dict[str, str] = {
    **dict.fromkeys(NO_TEXT.split(), "takes no text"),
    **dict.fromkeys(NAMES.split(), "takes names, choices, or a secret"),
    **dict.fromkeys(
        CANDIDATES.split(), "needs a candidate, which a model writes; 5,000 characters"
    ),
    **dict.fromkeys(("pad-events", "live-events"), "does not end; the lines are the same"),
    **dict.fromkeys(
        ("search-save", "api:save_search"), "refuses what no search takes; that is swept as audit"
    ),
    **dict.fromkeys(("nlip-talk", "nlip-via", "api:send_message"), "needs another NLIP server"),
}


def keys() -> set[str]:
    """Return the name of every URL, and of every operation with ``api:`` before it."""
    return {*_names(get_resolver()), *_operations()}


def _names(resolver: URLResolver) -> Iterator[str]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver) and one.namespace != "api":
            yield from _names(one)
        elif isinstance(one, URLPattern) and one.name:
            yield one.name


def _operations() -> Iterator[str]:
    """Yield the names of the functions of the API."""
    for _, router in api._routers:
        for path in router.path_operations.values():
            yield from (f"api:{one.view_func.__name__}" for one in path.operations)


def fill(value: Any, put: Callable[[str], str]) -> Any:
    """Return a copy of ``value`` with ``put`` done to every text in it."""
    if isinstance(value, dict):
        return {key: fill(one, put) for key, one in value.items()}
    if isinstance(value, list):
        return [fill(one, put) for one in value]
    return put(value) if isinstance(value, str) else value
