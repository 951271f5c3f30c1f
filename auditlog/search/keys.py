"""The keys that mean the same in every protocol and log. All others are fields of the wire."""

from dataclasses import dataclass
from typing import Literal, get_args

from auditlog.findings.finding import DETECTORS
from auditlog.search.language import columns
from auditlog.search.terms import MEANING, SUPPLIED
from cablese.meaning import Act

Kind = Literal[
    "meaning", "token", "protocol", "log", "is", "has", "finding", "since", "until", "time", "leaf",
    "sent", "count",
]  # fmt: skip
"""How the value of a key is read. Of a ``token`` it is any text, or a range of whole numbers."""

ACTS: tuple[str, ...] = get_args(Act)
STATES = ("reviewed", "flagged", "commented")
VALIDITY = ("valid", "invalid")
WARNING = "warning"
FLAGS = (*VALIDITY, WARNING, *STATES, "unreviewed", *DETECTORS)
UNKNOWN = "unknown"
"""The protocol of a packet that none claimed."""


@dataclass(frozen=True)
class Term:
    """A key of our own: what its tokens are called, and the words a person reads for it."""

    name: str
    kind: Kind
    words: str


_WORDS = {
    "id": "message ID",
    "reply": "reply to",
    "from": "sender",
    "to": "recipient",
    "answer": "reply recipient",
    "prio": "priority",
    "next": "next step",
}
TERMS: dict[str, Term] = {
    name: Term(name, "meaning", _WORDS.get(name, name)) for name in MEANING
} | {
    "proto": Term("proto", "protocol", "protocol"),
    "source": Term("src", "token", "source"),
    "log": Term("log", "log", "log"),
    "is": Term("is", "is", "packet is"),
    "has": Term("has", "has", "packet has the field"),
    "finding": Term("finding", "finding", "finding"),
    "since": Term("since", "since", "received since"),
    "until": Term("until", "until", "received until"),
    "ts": Term("ts", "time", "received"),
    "leaf": Term("leaf", "leaf", "leaf index"),
    "sent": Term(columns.SENT, "sent", "sent"),
    "tokens": Term(columns.COUNT, "count", "token count"),
    "event": Term(columns.EVENT, "token", "event ID"),
    "code": Term(columns.CODE, "token", "diagnostic code"),
}
ALIASES = {"@": "tag", "priority": "prio", "reply_to": "reply", "protocol": "proto"}
SUPPLIABLE = frozenset(SUPPLIED.values())


def get_term(key: str) -> Term | None:
    """The term that a folded key names; None when it can only be a field of the wire."""
    return TERMS.get(ALIASES.get(key, key))
