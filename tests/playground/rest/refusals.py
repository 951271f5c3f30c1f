"""Why a request that fits the OpenAPI document may still be refused. There is no other reason.

A type says what a value is; these rules say what values are together, what is there, and what a
text in a field is like. `test_schema.py` sends each example, and fails on a refusal that no rule of
this list explains.
"""

import re
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """A refusal: the operations it concerns, its status, the pointer it names, and an example that
    it refuses.
    """

    name: str
    operations: str
    status: int
    pointer: str
    example: tuple[str, str, Any]
    """Method, path with query, and body; in a path ``{pad}``, ``{post}``, and ``{candidate}`` are
    of the test.
    """
    words: str = ""

    def explains(self, operation: str, problem: dict[str, Any]) -> bool:
        return (
            problem["status"] == self.status
            and re.search(self.operations, operation) is not None
            and re.fullmatch(self.pointer, problem["pointer"], re.DOTALL) is not None
            and re.search(self.words, problem["detail"]) is not None
        )


TEXT = "REQ/TSK|g=1,t=1"
STEP = {"verb": "s", "tool": "H_API"}
RULES = (
    # Who asks, how often, and what is there.
    Rule(
        "a key has the scope that its request needs", "", 403, "",
        ("GET", "/api/v1/search?as=admin", None),
        "lacks the ",
    ),
    Rule(
        "what a path names is there", r"\{(key|uid|name|number|address)\}", 404,
        "/(key|id|name|number)|",
        ("GET", "/api/v1/sacp/verbs/nothing", None), "[Tt]here is no|No live session|Unknown",
    ),
    Rule(
        "a model is asked for a key with the scope ingest", "aacp/english", 403, "",
        ("POST", "/api/v1/aacp/english?as=read", {"english": "Water it."}),
        "Sign in to ask the model",
    ),
    Rule("a log that is named is there", "/search|/export|/evidence|/statistics", 404, "/log",
         ("GET", "/api/v1/search?log=nowhere", None)),
    Rule("a source that is named is there", "/statistics", 422, "/source",
         ("GET", "/api/v1/statistics?source=nobody", None), "Unknown source"),
    Rule("a range of days ends after it starts", "/statistics", 422, "/to",
         ("GET", "/api/v1/statistics?from=2026-11-20&to=2026-11-19", None), "ends before"),
    Rule("a range of days is within the limit", "/statistics", 422, "/from",
         ("GET", "/api/v1/statistics?from=2001-01-01&to=2026-11-19", None), "longer than the"),
    Rule("a range of days is within the calendar", "/statistics", 422, "/from|/to",
         ("GET", "/api/v1/statistics?from=0001-01-01", None), "Expected a year"),
    Rule("a live session that is named goes on", "/pads/|/post/", 410, ".*",
         ("GET", "/api/v1/pads/{ended}", None)),
    Rule("an address opens a few live sessions", "POST /api/v1/pads", 429, "",
         ("POST", "/api/v1/pads?times=9", None)),
    Rule("a live session takes so much at a time", "/post/", 429, "",
         ("POST", "{post}?lines=10001", None)),
    Rule("a model was set up", "aacp/english", 503, "",
         ("POST", "/api/v1/aacp/english", {"english": "Water it."})),
    Rule(
        "a server to send to was set up", "nlip/send", 503, "",
        ("POST", "/api/v1/nlip/send", {"server": "rooms", "message": "Hello"}),
    ),
    Rule(
        "an Idempotency-Key names one request", "POST /api/v1/packets", 422, "",
        ("POST", "/api/v1/packets?key=same&strict=true", {"wire": TEXT}),
        "Idempotency-Key was used",
    ),
    Rule(
        "a live session that keeps honors no Idempotency-Key", "/post/", 422, "",
        ("POST", "{post}?key=one", [TEXT]),
        "does not honor Idempotency-Key",
    ),
    # Texts with a grammar of their own.
    Rule("an export is of a size that the log has", "/export", 422, "/at",
         ("GET", "/api/v1/export?at=9007199254740991", None), "Invalid at=|is empty|The log has"),
    Rule("an export continues after a leaf of the log", "/export", 422, "/after",
         ("GET", "/api/v1/export?after=9007199254740991", None), "is not in the log"),
    Rule("the server signs the log", "/evidence", 503, "", ("GET", "/api/v1/evidence", None),
         "does not sign the log|has no origin"),
    Rule("a checkpoint covers what is proved", "/proof", 503, "/id",
         ("GET", "/api/v1/packets/{uid}/proof", None),
         "No checkpoint covers|does not sign|has no origin"),
    Rule("evidence is of a size that the log has", "/evidence", 422, "/at",
         ("GET", "/api/v1/evidence?at=9007199254740991", None), "Invalid at=|is empty"),
    Rule("a query follows the search syntax", "/search|/export|/evidence", 422, "/q",
         ("GET", "/api/v1/search?q=(", None)),
    Rule("a log had the size that it is pinned to", "/search|POST /api/v1/searches", 422, "/at",
         ("GET", "/api/v1/search?at=9007199254740991", None), "Invalid at=|is empty"),
    Rule("a saved search has a name of its own", "POST /api/v1/searches", 422, "/name",
         ("POST", "/api/v1/searches", {"name": " "})),
    Rule("a saved query is text that can be stored", "POST /api/v1/searches", 422, "/q",
         ("POST", "/api/v1/searches", {"name": "a", "q": "\0"})),
    Rule("a column of a saved search is one of the trail", "POST /api/v1/searches", 422,
         "/columns/.*", ("POST", "/api/v1/searches", {"name": "a", "columns": ["x"]})),
    Rule("a cursor comes from an earlier answer", "/search", 422, "/cursor",
         ("GET", "/api/v1/search?cursor=x", None)),
    Rule(
        "values can be written in their protocol", "POST /api/v1/encode", 422, "/values.*",
        ("POST", "/api/v1/encode", {"protocol": "nslip", "values": {}}),
    ),
    Rule(
        "inputs of a workflow are its own", "aacp/workflows", 422, "/inputs.*",
        ("POST", "/api/v1/aacp/workflows/payroll", {"inputs": {}}),
    ),
    Rule(
        "an instruction is visible text", "aacp/english", 422, "/english",
        ("POST", "/api/v1/aacp/english", {"english": ""}),
    ),
    Rule(
        "slots and instruction of a rule fit its candidate", "candidates/", 422,
        "/(english|packet|number)",
        ("POST", "/api/v1/aacp/candidates/{candidate}/preview",
         {"english": "Ask {", "packet": "x"}),
    ),
    Rule(
        "a candidate without a packet is not promoted", "decision", 422, "/state",
        ("POST", "/api/v1/aacp/candidates/{empty}/decision", {"state": "promoted"}),
    ),
    Rule(
        "a reason to erase is visible text", "/erase", 422, "/reason",
        ("POST", "/api/v1/packets/{uid}/erase", {"reason": " "}), "reason",
    ),
    Rule(
        "a field that is erased is there", "/erase", 422, "/field",
        ("POST", "/api/v1/packets/{uid}/erase", {"reason": "x", "field": "none"}), "field",
    ),
    Rule(
        "a receipt can be read as one", "receipts/check", 422, "/receipt",
        ("POST", "/api/v1/receipts/check", {"receipt": "x"}),
    ),
    Rule(
        "a text whose losses are tried is a message", "corruption", 422, "/wire",
        ("POST", "/api/v1/corruption", {"wire": "hello"}), "No protocol detected",
    ),
    Rule(
        "a plan to rehearse or to spawn for is a valid message", "sacp/(dry-run|spawn)", 422,
        "/message",
        ("POST", "/api/v1/sacp/dry-run", {"message": "hello"}),
    ),
    Rule(
        "an event ID has no control characters", "POST /api/v1/packets$", 422, "/event_id",
        ("POST", "/api/v1/packets", {"wire": TEXT, "event_id": "\u0001"}),
    ),
    Rule(
        "a time exists and is written as RFC 3339 does", "POST /api/v1/packets$", 422, "/sent_at",
        ("POST", "/api/v1/packets", {"wire": TEXT, "sent_at": "2026-02-28T23:59:60+24:00"}),
    ),
    Rule(
        "attributes are few, small, and have exact numbers", "POST /api/v1/packets$", 422,
        "/attributes.*",
        ("POST", "/api/v1/packets", {"wire": TEXT, "attributes": {"n": 2**60}}),
    ),
    Rule(
        "with strict a packet is valid", "POST /api/v1/packets$", 422, "/wire",
        ("POST", "/api/v1/packets?strict=true", {"wire": "hello"}),
    ),
    Rule(
        "an item goes to a log that is there and that its key writes", "POST /api/v1/packets$", 422,
        "/log",
        ("POST", "/api/v1/packets", {"wire": TEXT, "log": "nowhere"}),
    ),
    Rule(
        "a batch stores at least one item", "packets/batch", 422, "",
        ("POST", "/api/v1/packets/batch", [{"wire": 1}]),
        "stored|contains no message",
    ),
    Rule("a whole number is written without a fraction", "", 422, ".*", (
        "POST", "/api/v1/tokens/break-even?float=prompt",
        {"prompt": 1, "message": 1, "baseline": 1},
    ), "Expected a whole number"),
    # Rules across fields.
    Rule(
        "a dialect belongs to the protocol", "", 422, "/dialect",
        ("POST", "/api/v1/decode", {"text": TEXT, "protocol": "nslip", "dialect": "slip/3"}),
    ),
    Rule(
        "parameters of a text come with a text", "packets/batch", 422, "/(protocol|log|zone)",
        ("POST", "/api/v1/packets/batch?protocol=nslip", [{"wire": TEXT}]),
        "applies to text/plain only",
    ),
    Rule(
        "the time as written and its zone come with the time", "POST /api/v1/packets$", 422,
        "/sent_(text|zone)",
        ("POST", "/api/v1/packets", {"wire": TEXT, "sent_zone": "UTC"}),
    ),
    Rule(
        "what a line is said to state is there", "POST /api/v1/packets$", 422, "/from_line/.*",
        ("POST", "/api/v1/packets", {"wire": TEXT, "from_line": ["to"]}),
    ),
    Rule(
        "an exchange is a request with its response, or messages", "nlip/exchange", 422,
        "/(messages|request|response)(/.*)?", ("POST", "/api/v1/nlip/exchange", {"request": "x"}),
    ),
    Rule(
        "a status belongs to a response", "nlip/exchange", 422, "/status(es)?(/.*)?",
        ("POST", "/api/v1/nlip/exchange", {"messages": ["a", "b"], "status": 200}),
    ),
    Rule(
        "a rule is made of both texts", "candidates/.*/rule", 422, "/(english|packet)",
        ("POST", "/api/v1/aacp/candidates/{candidate}/rule", {"english": "Ask."}),
    ),
    Rule(
        "a query for agents asks for something", "sacp/query", 422, "",
        ("POST", "/api/v1/sacp/query", {}),
    ),
    Rule(
        "a definition is consistent with itself and with what is registered",
        "POST /api/v1/sacp/(verbs|tools|agents)",
        422, ".*", ("POST", "/api/v1/sacp/verbs",
                    {"name": "join", "description": "x", "inputs": [], "outputs": "x"}),
    ),
    Rule(
        "steps that are assembled are registered, and groups have two or more", "sacp/assemble",
        422, ".*",
        ("POST", "/api/v1/sacp/assemble", {"goal": "G", "steps": [STEP | {"group": "a"}]}),
    ),
)  # fmt: skip
