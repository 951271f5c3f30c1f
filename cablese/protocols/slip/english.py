"""Describe a SLIP message: one sentence for its Force, one for its payload."""

import re
from collections.abc import Iterator
from typing import Any

from cablese.message import Piece
from cablese.protocols.slip.vocabulary import OBJECTS
from cablese.text import close, introduce, say, set_off

# One sentence with an Object, and one for Generic, which has no meaning.
SENTENCES = {
    "Observe": ("{src} tells {dst} that it observed {obj}", "{src} tells {dst} what it observed"),
    "Inform": ("{src} informs {dst} of {obj}", "{src} informs {dst}"),
    "Ask": ("{src} asks {dst} for {obj}", "{src} asks {dst}"),
    "Request": ("{src} requests {obj} from {dst}", "{src} sends {dst} a request"),
    "Propose": ("{src} proposes {obj} to {dst}", "{src} makes a proposal to {dst}"),
    "Commit": ("{src} promises {dst} {obj}", "{src} gives {dst} a promise"),
    "Eval": ("{src} gives {dst} an evaluation: {obj}", "{src} gives {dst} an evaluation"),
    "Meta": ("{src} signals {obj} to {dst}", "{src} sends {dst} a signal"),
    "Accept": ("{src} tells {dst} that it accepts {obj}", "{src} tells {dst} that it accepts"),
    "Reject": ("{src} tells {dst} that it rejects {obj}", "{src} tells {dst} that it rejects"),
    "Error": ("{src} reports an error to {dst}: {obj}", "{src} reports an error to {dst}"),
    "Fallback": (
        "{src} sends {dst} {obj} that SLIP cannot express, as a reference: {fallback_ref}",
        "{src} sends {dst} something that SLIP cannot express, as a reference: {fallback_ref}",
    ),
}
CONDITIONAL = "{src} tells {dst} that it accepts, with {obj}"
UNKNOWN = "{src} says {force} to {dst} about {obj}", "{src} says {force} to {dst}"
ABSENT = {
    "src": "someone",
    "dst": "someone",
    "force": "something",
    "obj": "",
    "fallback_ref": "(none)",
}
SLOT = re.compile(r"\{(\w+)\}")
# The words around a slot that come from the Force are highlighted with it.
PARTS = {
    force: [SLOT.split(text) for text in texts]
    for force, texts in {**SENTENCES, "": UNKNOWN}.items()
}


def describe(values: dict[str, Any]) -> Iterator[Piece]:
    if not any(values.get(name) for name in ABSENT):
        return
    yield from close(_sentence(values))
    if values.get("payload"):
        yield from close(introduce(" Payload: ", say(" ".join(values["payload"])), "payload"))


def _sentence(values: dict[str, Any]) -> Iterator[Piece]:
    phrases = {
        name: say(str(values[name])) if values.get(name) else absent
        for name, absent in ABSENT.items()
    }
    if "force" in values and values["force"] not in SENTENCES:
        phrases["force"] = set_off(str(values["force"]))
    with_object, generic = PARTS.get(values.get("force", ""), PARTS[""])
    if (values.get("force"), values.get("obj")) == ("Accept", "Condition"):
        with_object = SLOT.split(CONDITIONAL)
    named = str(values.get("obj") or "")
    phrases["obj"] = OBJECTS.get(named, set_off(named) if named else "")
    for index, part in enumerate(with_object if phrases["obj"] else generic):
        if index % 2 == 0:
            if part:
                yield Piece(part, "force" if "force" in values and not part.isspace() else None)
        else:
            first = index == 1 and part not in values
            yield Piece(
                phrases[part].capitalize() if first else phrases[part],
                part if part in values else None,
            )
