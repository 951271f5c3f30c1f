"""A leaf of every kind, as docs/design/audit.md shows it, with what its commitments open to."""

from typing import NamedTuple

from auditlog import review
from auditlog.log import leaf

SEED = bytes(range(32))
LOG, AT = "default", "2026-11-20T10:00:01.000250Z"
LATER = "2036-11-20T10:00:01.000250Z"
UID = "019aa0b1-2c3d-7e4f-8a5b-6c7d8e9fa0b1"
WIRE = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
ANN = leaf.by_bytes(key=None, person=3, source="user:ann")
BOT = leaf.by_bytes(key="5fK2pQ8sVb1x", person=None, source="hr-bot")
REASON = b'"asked by the customer, ticket 4711"'
FIELD = b'"to"'
COPY = '{"supplied":{},"wire":"INF/OBS|g=42,to=█████"}'.encode()
STEPS = b'[[820,"flagged",null,3]]'
RANGE = b'{"first":812,"last":845}'
SOURCE = b'"hr-bot"'
SEARCH = b'{"logs":["default"],"query":"from:HR-Agent res:emp_salary"}'
GRANT = b'{"from":"reader","person":5,"to":"reviewer"}'
DECISION = review.decision_bytes(packet=UID, state="flagged", note="odd")
FACTS = leaf.facts_bytes(
    meaning='{"act":"REQUEST","goal":42}', supplied='{"from":"planner"}', sent_at=AT, content=None
)
READING = leaf.reading_bytes(
    leaf.Reading(
        baseline_version=1, codec_version=1, diagnostics="[]", protocol="nslip",
        tokenizer="o200k_base", tokens=19, uid=UID, valid=True, canonical=WIRE, tokens_json=27,
    )
)  # fmt: skip


class Example(NamedTuple):
    data: bytes
    opened: dict[str, bytes] = {}
    """What each commitment opens to."""


def _packet() -> Example:
    opened = {
        "by": BOT, "event": b"a-1", "index": FACTS, "raw": WIRE.encode(), "reading": READING,
    }  # fmt: skip
    committed = leaf.commit_packet(
        SEED, by=BOT, event="a-1", index=FACTS, raw=WIRE.encode(), reading=READING
    )
    data = leaf.format_packet(commit=committed, log=LOG, dialect="nslip/1", received=AT, source=7)
    return Example(data, opened)


EXAMPLES: tuple[Example, ...] = (
    _packet(),
    Example(
        leaf.format_redaction(SEED, log=LOG, received=AT, leaf=812, by=ANN, reason=REASON),
        {"by": ANN, "reason": REASON},
    ),
    Example(
        leaf.format_redaction(
            SEED, log=LOG, received=AT, leaf=812, by=ANN, reason=REASON, field=FIELD, redacted=COPY
        ),
        {"by": ANN, "field": FIELD, "reason": REASON, "redacted": COPY},
    ),
    Example(
        leaf.format_redaction(
            SEED, log=LOG, received=AT, leaf=812, by=ANN, reason=REASON, steps=STEPS
        ),
        {"by": ANN, "reason": REASON, "steps": STEPS},
    ),
    Example(
        leaf.format_review(SEED, log=LOG, received=AT, leaf=812, by=ANN, decision=DECISION),
        {"by": ANN, "decision": DECISION},
    ),
    Example(
        leaf.format_access(SEED, log=LOG, received=AT, act="search", by=ANN, what=SEARCH),
        {"by": ANN, "what": SEARCH},
    ),
    Example(
        leaf.format_admin(SEED, log=LOG, received=AT, act="role", by=ANN, what=GRANT),
        {"by": ANN, "what": GRANT},
    ),
    Example(
        leaf.format_api_key(
            SEED, log=LOG, received=AT, act="make", key="5fK2pQ8sVb1x",
            scopes=("ingest", "read"), expires=LATER, by=ANN, source=SOURCE,
        ),
        {"by": ANN, "source": SOURCE},
    ),
    Example(
        leaf.format_api_key(
            SEED, log=LOG, received=AT, act="revoke", key="5fK2pQ8sVb1x",
            scopes=("ingest", "read"), expires=None, by=ANN, source=SOURCE,
        ),
        {"by": ANN, "source": SOURCE},
    ),
    Example(
        leaf.format_signing_key(
            SEED, log=LOG, received=AT, act="add", key="a3f1c2d4", public=SEED, by=ANN
        ),
        {"by": ANN},
    ),
    Example(
        leaf.format_clock(
            log=LOG, received=LATER, state="behind", clock=AT, newest=LATER, expected=None
        )
    ),
    Example(
        leaf.format_clock(
            log=LOG, received=AT, state="accepted", clock=AT, newest=LATER, expected=None
        )
    ),
    Example(
        leaf.format_clock(
            log=LOG, received=LATER, state="forward", clock=LATER, newest=AT, expected=AT
        )
    ),
    Example(leaf.format_gap(log=LOG, received=AT, first=812, last=845)),
    Example(
        leaf.format_hold(
            SEED, log=LOG, received=AT, act="place", placed=None,
            by=ANN, what=RANGE, reason=REASON,
        ),
        {"by": ANN, "reason": REASON, "what": RANGE},
    ),
    Example(
        leaf.format_hold(
            SEED, log=LOG, received=AT, act="release", placed=850,
            by=ANN, what=RANGE, reason=REASON,
        ),
        {"by": ANN, "reason": REASON, "what": RANGE},
    ),
    Example(leaf.format_check(log=LOG, received=AT, size=845, faults=0)),
    Example(leaf.format_check(log=LOG, received=AT, size=845, faults=2, root=SEED)),
    Example(leaf.format_incident(log=LOG, received=AT, incident="shrank", size=845, found=812)),
)  # fmt: skip
