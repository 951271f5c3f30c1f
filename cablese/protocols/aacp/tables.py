"""The vocabulary of AACP 1.1: sections 4.2, 4.3, 5.1, 5.2, and 5.3 of the draft."""

from typing import NamedTuple

VERSION = "1.1"
LATER_DRAFTS = ("1.2", "1.3", "1.4")

TASKS = {
    "FETCH": "fetch",
    "PROC": "process",
    "FLAG": "flag",
    "RESOLVE": "resolve",
    "LOG": "log",
    "SEND": "send",
    "BUILD": "build",
    "MERGE": "merge",
    "CALC": "calculate",
    "REPORT": "report",
    "ACK": "acknowledge",
    "SYNC": "synchronise",
}
DOMS = {
    "HR": "human resources", "FIN": "finance", "SALES": "sales", "LEGAL": "legal", "IT": "IT",
    "CS": "customer service", "MKT": "marketing",
}  # fmt: skip
PRIORITIES = {"1": "critical", "2": "medium", "3": "low"}
DEFAULT_PRIORITY = "2"


class Key(NamedTuple):
    """A named field: its label, and its usual name in JSON."""

    label: str
    full: str


CORE = {
    "return": Key("agent that gets the result", "return_to"),
    "aacp": Key("protocol version", "version"),
    "p": Key("priority", "priority"),
    "res": Key("resource", "resource"),
    "period": Key("period", "period"),
    "filter": Key("filter", "filter"),
    "fields": Key("requested fields", "fields"),
    "fmt": Key("requested format", "format"),
}
EXTENDED = {
    "src": Key("source", "source"),
    "src_prev": Key("previous source", "previous_source"),
    "rules": Key("rules", "rules"),
    "validate": Key("validation target", "validate_against"),
    "tmpl": Key("template", "template"),
    "data_ptr": Key("pointer to the data", "data_pointer"),
    "amt": Key("amount", "amount"),
    "ccy": Key("currency", "currency"),
    "sup": Key("supplier", "supplier"),
    "match": Key("match target", "match"),
    "terms": Key("terms", "terms"),
    "type": Key("type", "type"),
    "party": Key("other party", "party"),
    "clause": Key("clause", "clause"),
    "issue": Key("issue", "issue"),
    "risk": Key("risk", "risk"),
    "block": Key("blocked item", "block"),
    "flags": Key("flags", "flags"),
    "req": Key("requirement", "required"),
    "highlight": Key("highlight", "highlight"),
    "status": Key("status", "status"),
    "to": Key("addressee", "to"),
    "subj": Key("subject", "subject"),
    "att": Key("attachment", "attachment"),
    "flag_msg": Key("flag message", "flag_message"),
    "tone": Key("tone", "tone"),
    "sentiment": Key("sentiment", "sentiment"),
    "actor": Key("requesting agent", "actor"),
    "chain": Key("chain of agents", "chain"),
    "prog": Key("progress", "progress"),
    "ltv": Key("lifetime value", "lifetime_value"),
    "loyalty": Key("loyalty", "loyalty"),
    "urgency": Key("urgency", "urgency"),
}
KEYS = CORE | EXTENDED
POSITIONS = ("task", "dom")
FIRST = ("return", "p", "aacp")
"""The keys that come right after TASK and DOM in the canonical form, as in the draft's examples."""
