"""Describe a packet in one or two sentences, as advice: the packet is the record (section 8)."""

from collections.abc import Iterator

from cablese.message import Piece
from cablese.text import both, close, introduce, say

from .tables import DEFAULT_PRIORITY, KEYS, POSITIONS, PRIORITIES, VERSION

VERBS = {
    "FETCH": "Asks to fetch ",
    "PROC": "Asks to process ",
    "FLAG": "Asks to flag ",
    "RESOLVE": "Asks to resolve ",
    "LOG": "Asks to log ",
    "SEND": "Asks to send ",
    "BUILD": "Asks to build ",
    "MERGE": "Asks to merge ",
    "CALC": "Asks to calculate ",
    "REPORT": "Asks for a report",
    "ACK": "Acknowledges ",
    "SYNC": "Asks to synchronize ",
}
OBJECTS = {
    "FETCH": "data",
    "PROC": "data",
    "FLAG": "an item",
    "RESOLVE": "an issue",
    "LOG": "an entry",
    "SEND": "a message",
    "BUILD": "a resource",
    "MERGE": "data",
    "CALC": "figures",
    "REPORT": "",
    "ACK": "receipt",
    "SYNC": "data",
}
PLACES = {
    "HR": "human resources",
    "FIN": "finance",
    "SALES": "sales",
    "LEGAL": "legal affairs",
    "IT": "IT",
    "CS": "customer service",
    "MKT": "marketing",
}
PHRASES = {
    "type": "of type {}",
    "party": "with {} as the other party",
    "clause": "in clause {}",
    "period": "for the period {}",
    "filter": "where {}",
    "fields": "with the field{s} {}",
    "src": "from {}",
    "src_prev": "with {} as the previous source",
    "rules": "by the rules {}",
    "validate": "validated against {}",
    "match": "matched against {}",
    "tmpl": "by the template {}",
    "data_ptr": "with the data at {}",
    "sup": "from the supplier {}",
    "amt": "for the amount {}",
    "terms": "on the terms {}",
    "ltv": "with a lifetime value of {}",
    "ccy": "in the currency {}",
    "issue": "because of {}",
    "risk": "at the risk level {}",
    "block": "blocking {}",
    "flags": "with the flag{s} {}",
    "req": "requiring {}",
    "highlight": "highlighting {}",
    "status": "with the status {}",
    "to": "to {}",
    "subj": "with the subject {}",
    "att": "with {} attached",
    "flag_msg": "with the flag message {}",
    "prog": "with the progress {}",
    "loyalty": "with the loyalty {}",
    "urgency": "with the urgency {}",
    "sentiment": "with the sentiment {}",
    "tone": "in the tone {}",
    "actor": "started by {}",
    "chain": "through the agent{s} {}",
    "fmt": "as {}",
}
SUBJECTS = {"res": "{}", "clause": "clause {}", "issue": "the issue {}"}
"""The fields that name what the task is about. Only RESOLVE is about its issue."""
LISTS = ("fields", "flags", "req", "highlight", "to", "att", "chain")


def describe(values: dict[str, str]) -> Iterator[Piece]:
    """Yield what the packet asks for, its priority and result agent, then the fields that the draft
    does not define.
    """
    yield from close(_asks(values))
    yield from close(_ends(values))
    version = values.get("aacp", VERSION)
    if version != VERSION:
        yield from close(
            introduce(
                " It is written for ", f"AACP {say(version)}" if version else "no version", "aacp"
            )
        )
    yield from close(_unknown(values))


def _asks(values: dict[str, str]) -> Iterator[Piece]:
    task = values.get("task")
    about = next((key for key in SUBJECTS if values.get(key)), None)
    if about == "issue" and task != "RESOLVE":
        about = None
    yield (
        Piece("Gives no task")
        if task is None
        else Piece(VERBS.get(task, f"Gives the unknown task {say(task)}"), "task")
    )
    if about:
        yield from introduce(
            "" if task in VERBS and task != "REPORT" else " on ",
            SUBJECTS[about].format(say(values[about])),
            about,
        )
    elif task in VERBS:
        yield Piece(OBJECTS[task], "task")
    if "dom" in values:
        yield from introduce(
            " in ", PLACES.get(values["dom"], f"the domain {say(values['dom'])}"), "dom"
        )
    yield from _circumstances(values, about)


def _circumstances(values: dict[str, str], about: str | None) -> Iterator[Piece]:
    money = [key for key in ("amt", "ltv") if values.get(key) and values.get("ccy")]
    for key, phrase in PHRASES.items():
        if key not in values or key == about or (key == "ccy" and money):
            continue
        yield from introduce(
            ", ",
            _fill(phrase, key, values[key]) if values[key] else f"with no {KEYS[key].label}",
            key,
        )
        if key in money:
            yield from introduce(" ", say(values["ccy"]), "ccy")


def _ends(values: dict[str, str]) -> Iterator[Piece]:
    yield Piece(" Its ")
    number = values.get("p")
    if number is None:
        yield Piece(f"priority is {PRIORITIES[DEFAULT_PRIORITY]} by default")
    elif number:
        yield Piece(f"priority is {PRIORITIES.get(number) or f'unclear ({say(number)})'}", "p")
    else:
        yield Piece("priority is empty", "p")
    if values.get("return"):
        yield from introduce(", and ", f"the result goes to {say(values['return'])}", "return")


def _unknown(values: dict[str, str]) -> Iterator[Piece]:
    for index, key in enumerate(key for key in values if key not in KEYS and key not in POSITIONS):
        yield from introduce(
            "; " if index else " Other fields: ",
            f"{say(key)} is {say(values[key]) if values[key] else 'empty'}",
            key,
        )


def _fill(phrase: str, key: str, value: str) -> str:
    """Return ``phrase`` with a value, or with the list of names that the value holds."""
    names = [name for part in value.split(",") if (name := part.strip())] if key in LISTS else []
    said = [say(name) for name in names or [value]]
    return phrase.format(both(said), s="" if len(said) == 1 else "s")
