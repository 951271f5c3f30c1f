"""SLIP v3: ``SLIP v3 <src> <dst> <Force> <Object> [payload …]``, parts separated by one space.

SLIP v3 succeeds nSLIP; its reference is the package slipcore.
"""

import re
from typing import Any

from cablese.codec import Codec, Reading, Sniff, Unencodable
from cablese.meaning import Meaning
from cablese.message import Field, Message
from cablese.outcome import Outcome
from cablese.protocols.slip import english, express, quick, reference, remarks, rules
from cablese.protocols.slip.quick import ADVISED, is_tight
from cablese.protocols.slip.reader import LABELS, SPELLING, Reader
from cablese.protocols.slip.vocabulary import AGENT_LIMIT, FORCES, JOINED, PREFIX, VERSION
from cablese.text import BLANKS

FORCE = f"(?:{'|'.join(FORCES)})"
HEAD = (
    rf"{PREFIX} {VERSION} [A-Za-z0-9]{{1,{AGENT_LIMIT}}}+ [A-Za-z0-9]{{1,{AGENT_LIMIT}}}+ {FORCE} "
)
SURE = re.compile(HEAD)
LOOKS = re.compile(
    r"[ \t\r\n]*(?:SLIP[ \t]*v[0-9]|SLIP[ \t]|v[0-9][0-9.]*[ \t]+[a-z0-9]+[ \t]+[a-z0-9]+[ \t])",
    re.IGNORECASE,
)
PLACE = re.compile(rf"[^{BLANKS}]+")
PLAIN_NAMES = {
    "src": "from",
    "dst": "to",
    "force": "act",
    "obj": "object",
    "payload": "payload",
    "fallback_ref": "reference",
}


class Slip(Codec):
    name = "slip"
    title = "SLIP v3"
    summary = "Speech acts between named agents in plain words; the successor of nSLIP."
    dialects = ("slip/3",)
    anchor = re.compile(r"[Ss][Ll](?<![\w|]..)[Ii][Pp][ \t]+[vV][0-9]")
    signs = " \t"
    separators = BLANKS
    labels = LABELS
    rules = tuple(rules.RULES.values())
    acts = express.ACTS
    around = {"slip/3": {term: key for key, term in express.AGENTS.items()}}
    translator = express
    sentences = staticmethod(english.describe)
    reference = reference.REFERENCE

    def sniff(self, wire: str) -> Sniff | None:
        looks = LOOKS.match(wire)
        if looks is None:
            return None
        if SURE.match(wire):
            return Sniff(1.0, ("starts with SLIP v3, two agents, and a Force",))
        words = PLACE.findall(wire[: looks.end() + 120])[:6]
        versioned = words[0][:4].upper() == PREFIX and looks[0].rstrip()[-1].isdigit()
        if not versioned:
            named = any(word in FORCES or JOINED.fullmatch(word) for word in words[3:4])
            named = named and (len(words) == 4 or words[4][:1].isupper())
            return (
                Sniff(0.6, ("starts with SLIP or a version", "then a SLIP Force"))
                if named
                else None
            )
        opening = "starts with SLIP and a version"
        if any(word in FORCES or JOINED.fullmatch(word) for word in words[2:5]):
            return Sniff(0.95, (opening, "then a SLIP Force"))
        if any(map(SPELLING.find, words[4:5])):
            return Sniff(0.7, (opening, "then a possible SLIP Force"))
        is_force = len(words) == 5 and any(force.startswith(words[4]) for force in FORCES)
        is_plain = wire.startswith(f"{PREFIX} {VERSION} ") and all(map(str.isalnum, words))
        cut_off = is_plain and (len(words) in (3, 4) or is_force)
        shaped = len(words) == 6 and words[4][:1].isupper() and words[5][:1].isupper()
        return Sniff(0.5 if cut_off or shaped else 0.4 if len(words) == 2 else 0.3, (opening,))

    def glance(self, wire: str, dialect: str | None) -> Message | None:
        if is_tight(wire):
            # Here and not in a function: most messages come this way, within a microsecond.
            words = wire.split(" ")
            values: dict[str, Any] = {
                "version": VERSION, "src": words[2], "dst": words[3], "force": words[4],
                "obj": words[5], "payload": words[6:],
            }  # fmt: skip
            is_odd = words[5] in ADVISED[words[4]]
            diagnostics = remarks.pair(values, quick.find_object(words)) if is_odd else ()
            return Message("slip", "slip/3", wire, values, diagnostics, self.scanner)
        return quick.glance(wire, self.scanner)

    def read(self, wire: str, dialect: str | None) -> Reading:
        return Reader(wire, self.too_many).read()

    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        if values.get("version", VERSION) != VERSION:
            raise Unencodable("/version", f"version must be {VERSION}.")
        parts = [
            PREFIX,
            VERSION,
            *(_word(values.get(key), f"/{key}") for key in ("src", "dst", "force", "obj")),
        ]
        if (values["force"] == "Fallback") != (values.get("fallback_ref") is not None):
            raise Unencodable(
                "/fallback_ref",
                "fallback_ref is required with the Force Fallback and not allowed with any other.",
            )
        if values["force"] == "Fallback":
            parts.append(_word(values["fallback_ref"], "/fallback_ref"))
        payload = values.get("payload", [])
        if not isinstance(payload, list):
            raise Unencodable("/payload", "payload must be a list of words.")
        parts.extend(_word(token, f"/payload/{n}") for n, token in enumerate(payload))
        return " ".join(parts)

    def spell(self, wire: str, field: Field, value: str) -> str:
        return _word(value, f"/{field.name}")

    def meaning(self, message: Message) -> Meaning:
        values = message.values
        return Meaning(
            act=FORCES.get(values.get("force", ""), "data"),
            topic=values.get("obj"),
            object=" ".join(values.get("payload", ())) or None,
            sender=values.get("src"),
            recipient=values.get("dst"),
        )

    def outcome(self, message: Message) -> Outcome | None:
        """Return the outcome by Force or Object. Complete means done when it is reported, not
        requested.
        """
        force, named = message.values.get("force"), message.values.get("obj")
        if express.ERROR in (force, named):
            return "failed"
        return "done" if named == express.COMPLETE and force in express.TELLS else None

    def plain(self, message: Message) -> object:
        return {
            word: message.values[key]
            for key, word in PLAIN_NAMES.items()
            if message.values.get(key)
        }


def _word(value: object, pointer: str) -> str:
    if not isinstance(value, str) or not PLACE.fullmatch(value):
        raise Unencodable(pointer, "Every part of a SLIP message must be one word without spaces.")
    return value


codec = Slip()
