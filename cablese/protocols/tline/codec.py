"""T-line: ``T|<id>|<kind>|<key>=<value>;…``, one line, one act.

The source is a pull request that describes a protocol for exchanges with minimal tokens.
"""

import re
from collections.abc import Sequence
from typing import Any

from cablese.codec import INTEGER_LIMIT, Codec, Reading, Sniff, Unencodable
from cablese.conversation.model import ALL, Course, Turn
from cablese.json import pointer
from cablese.meaning import Meaning
from cablese.message import Field, Message
from cablese.outcome import Outcome
from cablese.protocols.tline import conversation, english, express, reference, rules
from cablese.protocols.tline.escape import escape, unescape
from cablese.protocols.tline.reader import LABELS, Reader
from cablese.protocols.tline.vocabulary import DETAIL, ID_LIMIT, KEY, KEYDEF, KINDS, MEANT
from cablese.text import BLANKS, either

# An unambiguous pair: a core key once, and a value of visible ASCII with codes only for reserved
# characters.
PAIR = r"(?:obj|res|err|next)=(?:[!-$&-9<>-{}~]++|%(?:20|25|3[ABDabd]|7[Cc]|0[9ADad]))++"
WHOLE = re.compile(rf"T\|([1-9][0-9]{{0,9}})\|([QACSE])\|({PAIR}(?:;{PAIR})*+)")
HEAD = r"T\|[0-9]{1,10}\|[QACSE]\|"
BEGINS = rf"{HEAD}[a-z][a-z0-9_]{{0,40}}="
SURE = re.compile(rf"{BEGINS}|{HEAD}\Z")
LOOKS = re.compile(
    r"[ \t\r\n]*(?:([Tt])[ \t]*\||(?:[A-Za-z]{0,8}\|)?[0-9]{1,10}\|[QACSE]\|[a-z][a-z0-9_]{0,40}="
    r"|[QACSE]\|(?:obj|res|err|next)=)"
)
NO_PAIR = re.compile(r"[^|]*\|[^|]*\|[^|]*\|(?![a-z0-9_]*\Z)[^=]*\Z")
"""Text in place of the payload that is not a pair, and was not cut off."""
FOLLOWS = re.compile(
    r"[ \t]*([^|\r\n]{0,12}?)[ \t]*(?:\||\Z)(?:[ \t]*([A-Za-z]{1,8})[ \t]*(?:\||\Z))?"
    r"[ \t]*([a-z_]+=)?"
)
NUMBER = re.compile(r"[0-9]+")
LETTERS = re.compile(r"[A-Za-z]{1,20}")
PLAIN_NAMES = {
    "obj": "objective",
    "res": "result",
    "err": "error",
    "next": "next_step",
    "keydef": "definitions",
}


class Tline(Codec):
    name = "tline"
    title = "T-line"
    summary = "One act per line: a sequence number, a letter for the kind, and a few short keys."
    dialects = ("tline/1",)
    anchor = re.compile(r"[Tt]\|(?<![\w|]..)(?:[0-9]{1,20}\||[^|\s]{0,20}\|[A-Za-z]{1,8}\|)")
    signs = "|"
    begins = BEGINS
    further = re.compile(r";[a-z][a-z0-9_]*=")
    separators = "|;=" + BLANKS
    labels = LABELS
    rules = tuple(rules.RULES.values())
    acts = express.ACTS
    carries = "undeclared keys such as x_cablese_task, which a state message declares"
    translator = express
    thread_rules = tuple(conversation.RULES.values())
    exempt = conversation.EXEMPT
    sentences = staticmethod(english.describe)
    reference = reference.REFERENCE

    def sniff(self, wire: str) -> Sniff | None:
        if SURE.match(wire):
            return Sniff(1.0, ("starts with T, an ID, and a T-line kind",))
        looks = LOOKS.match(wire)
        if looks is None:
            return None
        if looks[1] is None:
            return Sniff(0.6, ("has a T-line ID, kind, or pair, but no T",))
        follows = FOLLOWS.match(wire, looks.end())
        reasons = ["starts with T|"]
        if follows is not None and NUMBER.fullmatch(follows[1]):
            reasons.append("then an integer")
        if follows is not None and (follows[1] in KINDS or (follows[2] or "").upper() in KINDS):
            reasons.append("then a T-line kind")
        if follows is not None and (follows[3] or "=" in follows[1]):
            reasons.append("then a pair")
        score = 0.2 + 0.25 * (len(reasons) - 1)
        return Sniff(score if NO_PAIR.match(wire) is None else min(score, 0.45), tuple(reasons))

    def glance(self, wire: str, dialect: str | None) -> Message | None:
        match = WHOLE.fullmatch(wire)
        if match is None:
            return None
        number, kind, body = match.groups()
        if len(number) == 10 and int(number) > ID_LIMIT:
            return None
        payload: dict[str, Any] = {}
        for pair in body.split(";"):
            key, _, value = pair.partition("=")
            if key in payload:
                return None
            payload[key] = unescape(value) if "%" in value else value
        return Message(
            "tline",
            "tline/1",
            wire,
            {"id": int(number), "kind": kind, "payload": payload},
            (),
            self.scanner,
        )

    def read(self, wire: str, dialect: str | None) -> Reading:
        return Reader(wire, self.too_many).read()

    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        number, kind, payload = values.get("id"), values.get("kind"), values.get("payload")
        if (
            isinstance(number, bool)
            or not isinstance(number, int)
            or not 0 <= number <= INTEGER_LIMIT
        ):
            raise Unencodable("/id", f"id must be an integer from 1 to {ID_LIMIT}.")
        if not isinstance(kind, str) or not LETTERS.fullmatch(kind):
            raise Unencodable("/kind", f"kind must be {either(KINDS)}.")
        if not isinstance(payload, dict) or not payload:
            raise Unencodable("/payload", "payload must be an object with at least one key.")
        pairs = ";".join(pair for key in payload for pair in _pairs(key, payload[key]))
        return f"T|{number}|{kind}|{pairs}"

    def spell(self, wire: str, field: Field, value: str) -> str:
        if field.name in ("id", "kind"):
            return value
        return _definition(value) if field.name == KEYDEF else escape(value)

    def meaning(self, message: Message) -> Meaning:
        values = message.values
        payload = values.get("payload", {})
        objective = payload.get("obj")
        return Meaning(
            act=MEANT.get(values.get("kind", ""), "data"),
            goal=None if objective == DETAIL else objective or None,
            id=str(values["id"]) if values.get("id", "") != "" else None,
            reason=payload.get("err") or None,
            result=payload.get("res") or None,
            next=payload.get("next") or None,
        )

    def outcome(self, message: Message) -> Outcome | None:
        """Return the outcome. An answer with ``err`` is a failure, like an error message."""
        values = message.values
        return "failed" if values.get("kind") == "E" or "err" in values.get("payload", {}) else None

    def plain(self, message: Message) -> object:
        values = message.values
        full: dict[str, Any] = {key: values[key] for key in ("id", "kind") if key in values}
        if "kind" in full:
            full["kind"] = KINDS.get(full["kind"], full["kind"])
        for key, value in values.get("payload", {}).items():
            word = PLAIN_NAMES.get(key, key)
            full[word if word not in full else f"payload_{key}"] = value
        return full

    def ties(self, message: Message, meaning: Meaning) -> tuple[str, ...]:
        return (ALL,)  # an ID counts up within its conversation, and does not identify one

    def converse(self, turns: Sequence[Turn]) -> Course:
        return conversation.converse(turns)


def _pairs(key: object, value: object) -> list[str]:
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise Unencodable(
            pointer.join("payload", key),
            "Keys must be a lowercase letter, then lowercase letters, digits, or _.",
        )
    if key != KEYDEF:
        return [f"{key}={escape(_text(value, pointer.join('payload', key)))}"]
    if not isinstance(value, list) or not value:
        raise Unencodable(
            pointer.join("payload", KEYDEF), "keydef must be a list of <key>:<meaning>."
        )
    texts = [_text(text, pointer.join("payload", KEYDEF, n)) for n, text in enumerate(value)]
    return [f"{KEYDEF}={_definition(text)}" for text in texts]


def _definition(text: str) -> str:
    name, colon, meant = text.partition(":")
    return f"{escape(name)}{colon}{escape(meant)}"


def _text(value: object, at: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > INTEGER_LIMIT:
        raise Unencodable(at, "Values must be text or integers.")
    return str(value)


codec = Tline()
