"""Why a packet is in a queue: what its stored findings say, in words."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from auditlog.findings import injection
from cablese import registry
from cablese.conversation import checks
from cablese.message import Rule, Severity

MOST = 20
QUOTED = 120
"""Characters of a packet that are quoted."""


class Reason(NamedTuple):
    """What a detector found, and the part of the packet that it found it in; empty for all of it.
    ``other`` is the leaf of another packet that it concerns.
    """

    words: str
    quote: str = ""
    other: int | None = None
    severity: Severity = "warning"


def list_reasons(record: dict[str, Any]) -> list[Reason]:
    """Return the reasons in the record of a packet. Sensitive data has a list of its own."""
    return list(islice(dict.fromkeys(_reasons(record)), MOST))


def _reasons(record: dict[str, Any]) -> Iterator[Reason]:
    repeats = record["repeats"]
    for finding in record["findings"] or ():
        code, span = finding["code"], finding["span"]
        match finding["detector"]:
            case "flow":
                rule = _rules().get(code)
                reason = Reason(rule.summary, severity=rule.severity) if rule else Reason(code)
                yield reason._replace(other=finding["other"])
            case "injection":
                is_read = span is not None and finding["part"] == "wire"
                quote = record["wire"][slice(*span)] if is_read else ""
                yield Reason(f"{injection.TITLES.get(code, code)}.", quote[:QUOTED])
            case "repeated" if repeats is not None:
                more = "" if repeats["exact"] else " or more"
                yield Reason(f"Received {repeats['count']:,}{more} times with the same bytes.")


@cache
def _rules() -> dict[str, Rule]:
    rules = [*checks.RULES.values()]
    rules += [rule for codec in registry.all_codecs() for rule in codec.thread_rules]
    return {rule.code: rule for rule in rules}
