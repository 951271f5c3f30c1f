"""AACP 1.1 (draft-mackay-aacp-00): an action in a business domain, then named fields, separated by
``|``.

The packet is the canonical record and its English is advisory (section 8). The draft contradicts
itself on an unknown TASK or DOM; docs/design/protocols.md decides: warn, never reject.
"""

import re
from functools import lru_cache
from typing import Any

from cablese.codec import (
    FIELD_LIMIT,
    INTEGER_LIMIT,
    INVISIBLE,
    LINE_LIMIT,
    Codec,
    Reading,
    Sniff,
    Unencodable,
)
from cablese.conversation import checks as conversation_checks
from cablese.json import pointer
from cablese.meaning import Meaning
from cablese.message import Field, Message
from cablese.outcome import Outcome, judge
from cablese.text import BLANKS

from . import english, express, reference, rules
from .checks import LABELS, URI
from .escape import escape, unescape
from .reader import Reader, is_named
from .tables import DEFAULT_PRIORITY, DOMS, FIRST, KEYS, POSITIONS, PRIORITIES, TASKS, VERSION

# Unambiguous: TASK "|" DOM "|" key ":", with the draft's own words. Anything else is weighed by how
# much it resembles a packet.
TASK = f"(?:{'|'.join(TASKS)})"
DOM = f"(?:{'|'.join(DOMS)})"
HEAD = re.compile(
    rf"[{BLANKS}]{{0,99}}+{TASK}[ \t]*+\|[{BLANKS}]*+{DOM}"
    rf"[ \t]*+\|[{BLANKS}]*+[a-z][a-z0-9_-]*+[ \t]*+:"
)
CODES_ALONE = re.compile(
    rf"[^|]*\|[^|]*(?:\Z|\|[{BLANKS}]*(?:[A-Za-z_-]*\Z|[A-Za-z][\w-]*[ \t]*:))"
)
"""A named field after two codes, or text that was cut off there."""
KNOWN_KEY = re.compile(
    rf"\|[{BLANKS}]{{0,9}}(?:{'|'.join(sorted(KEYS, key=len, reverse=True))})[ \t]{{0,9}}:",
    re.IGNORECASE,
)
LOOKS = re.compile(
    rf'[{BLANKS}]{{0,99}}+(?![{{\["])(?:task:)?([^|\n]{{0,80}}+)\|[{BLANKS}]{{0,9}}+'
    rf"(?:dom:)?([^|\n]{{0,80}}+)"
)
MARKS = re.compile(rf"(?:\A|\|)[{BLANKS}]{{0,9}}+(aacp|return)[ \t]{{0,9}}+:", re.IGNORECASE)
MARKS_WITHIN = 2000
# The second line of a folded packet: a named field, or the DOM when the fold is right after the
# TASK.
ANY_KEY = "|".join(sorted(KEYS, key=len, reverse=True))
GOES_ON = re.compile(
    rf"[|{BLANKS}]*(?:(?:{ANY_KEY})[ \t]*:"
    rf"|[a-z][a-z0-9_-]*:(?!//)[^\s:|]+[ \t]*(?:\||\Z)"  # an unknown key
    rf"|{DOM}[ \t]*\|)"
)
CLAIMED = 0.3
FOLD = re.compile(rf"\|[ \t]*+[\r\n][{BLANKS}]*+")
# What the fast path leaves to the reader: spaces to trim, and keys that get an info or need a
# second field.
LOOSE_BLANK = re.compile(r" [|:]|[|:] |\A | \Z")
DOUBTFUL = frozenset(("tone", "sentiment", "ltv", "data_ptr", "fields"))
SHORT_LIST = 3  # commas, so four names


class Aacp(Codec):
    name = "aacp"
    title = "AACP"
    summary = (
        "Instructions between agents in a business workflow: an action, a domain, and named fields."
    )
    dialects = ("aacp/1.1",)
    anchor = re.compile(
        rf"(?<=\w:)(?<!task:){TASK}\|{DOM}\|(?=[a-z]{{1,20}}:)|"
        rf"(?<![\w|:/.])(?<!\w-)(?:{TASK}[ \t]?\|"
        r"|[A-Za-z]{2,12}[ \t]?\|[ \t]?[A-Za-z]{2,12}[ \t]?\|[ \t]?[A-Za-z_]{1,20}:)"
    )
    signs = "|"
    further = re.compile(r"\|[ \t]*[a-z][a-z0-9_-]*:")
    folded = True
    forbids_sensitive = True
    separators = "|:" + BLANKS
    labels = LABELS
    rules = tuple(rules.RULES.values())
    acts = express.ACTS
    carries = "private fields such as x-cablese-goal"
    translator = express
    exempt = frozenset(
        (conversation_checks.RULES["unmatched-request"].code,)
    )  # each packet is an instruction; an answer is not a packet
    sentences = staticmethod(english.describe)
    reference = reference.REFERENCE

    def sniff(self, wire: str) -> Sniff | None:
        if HEAD.match(wire):
            return Sniff(1.0, ("starts with an AACP TASK and DOM, then a named field",))
        looks = LOOKS.match(wire)
        if looks is None:
            return None
        task, dom = looks[1].strip(BLANKS), looks[2].strip(BLANKS)
        is_task, is_dom, has_names = task.upper() in TASKS, dom.upper() in DOMS, ":" in wire
        if not (is_task or is_dom or has_names):
            return None
        marks = (
            {mark.lower() for mark in MARKS.findall(wire, 0, MARKS_WITHIN)} if has_names else set()
        )
        signs = (
            (is_task, 0.3 if task in TASKS else 0.2, "the first field is an AACP TASK"),
            (is_dom, 0.25 if dom in DOMS else 0.15, "the second field is an AACP DOM"),
            ("aacp" in marks, 0.35, "has an aacp field"),
            ("return" in marks, 0.2, "has a return field"),
            (
                has_names and KNOWN_KEY.search(wire, 0, MARKS_WITHIN) is not None,
                0.1,
                "has an AACP field",
            ),
        )
        score = sum(weight for seen, weight, _ in signs if seen)
        if task.startswith("<") or task.endswith(">"):
            score -= 0.3  # a placeholder
        if any(mark in code for mark in ("</", "**") for code in (task, dom)):
            score -= 0.5  # highlighted in a page
        if is_task and is_dom and not marks and CODES_ALONE.match(wire) is None:
            score -= 0.2  # two words that are codes, but then not a packet
        reasons = tuple(reason for seen, _, reason in signs if seen)
        return Sniff(round(min(score, 0.95), 2), reasons) if reasons else None

    def continues(self, line: str, following: str) -> bool:
        if len(line) > LINE_LIMIT or not (
            line.rstrip(BLANKS).endswith("|") or following.startswith("|")
        ):
            return False
        if GOES_ON.match(following) is None:
            return False
        # Each line of a long packet asks this of the line before it, and only its start matters.
        return (
            GOES_ON.match(line) is not None
            or HEAD.match(line) is not None
            or _is_claimed(line[:MARKS_WITHIN])
        )

    def glance(self, wire: str, dialect: str | None) -> Message | None:
        flat = wire if "\n" not in wire else FOLD.sub("|", wire)
        if not flat.isprintable() or (" " in flat and LOOSE_BLANK.search(flat)):
            return None
        parts = flat.split("|")
        if not 2 <= len(parts) <= FIELD_LIMIT:
            return None
        task, dom = parts[0], parts[1]
        values = {"task": task, "dom": dom}
        unknown = []
        for part in parts[2:]:
            key, colon, value = part.partition(":")
            if not colon:
                return None
            if key not in KEYS:
                if not key or key != key.lower():
                    return None
                unknown.append(key)
            values[key] = value
        if len(values) != len(parts):
            return None  # a key is duplicated, or names a position
        if "%" in flat:
            values = {key: unescape(value) for key, value in values.items()}
            if INVISIBLE.search("".join(values.values())):
                return None
        get = values.get
        is_plain = (
            task in TASKS
            and dom in DOMS
            and get("p") in PRIORITIES
            and get("aacp") == VERSION
            and get("return")
        )
        if is_plain and not unknown and (DOUBTFUL.isdisjoint(values) or not _is_doubtful(values)):
            return Message("aacp", dialect or "aacp/1.1", wire, values, (), self.scanner)
        if flat is not wire or not (_is_code(task) and _is_code(dom)):
            return None
        diagnostics = Reader(wire, self.too_many).remark(values, unknown)
        return Message("aacp", dialect or "aacp/1.1", wire, values, diagnostics, self.scanner)

    def read(self, wire: str, dialect: str | None) -> Reading:
        return Reader(wire, self.too_many).read()

    def encode(self, values: dict[str, Any], *, dialect: str | None = None) -> str:
        """Write TASK, DOM, ``return``, ``p``, ``aacp``, then the rest as given. Values are text or
        integers.
        """
        parts = [_position(name, values.get(name)) for name in POSITIONS]
        first = [key for key in FIRST if key in values]
        others = [key for key in values if key not in FIRST and key not in POSITIONS]
        parts.extend(f"{_key(key)}:{_value(key, values[key])}" for key in (*first, *others))
        return "|".join(parts)

    def spell(self, wire: str, field: Field, value: str) -> str:
        return escape(value)

    def meaning(self, message: Message) -> Meaning:
        values = message.values
        task = values.get("task")
        priority = values.get("p", DEFAULT_PRIORITY) if values else None
        return Meaning(
            act=express.meant(task),
            topic=values.get("dom") or None,
            object=values.get("res") or None,
            sender=values.get("actor") or None,
            answer_to=values.get("return") or None,
            priority=int(priority) if priority in PRIORITIES else None,
            status=values.get("status") or None,
            reason=values.get("issue") or None,
        )

    def outcome(self, message: Message) -> Outcome | None:
        return judge(message.values.get("status"))

    def plain(self, message: Message) -> object:
        """Return the values with full words, without the version: plain JSON has none."""
        values = message.values
        full: dict[str, object] = {}
        for key, value in values.items():
            if key == "task":
                full["task"] = TASKS.get(value, value)
            elif key == "dom":
                full["domain" if "domain" not in values else "dom"] = DOMS.get(value, value)
            elif key != "aacp":
                word = KEYS[key].full if key in KEYS else key
                full[key if word in values else word] = (
                    int(value) if key == "p" and value in PRIORITIES else value
                )
        return full

    def version_of(self, message: Message) -> str | None:
        return f"aacp/{message.values['aacp']}"


@lru_cache(maxsize=4)
def _is_claimed(beginning: str) -> bool:
    sniffed = codec.sniff(beginning)
    return sniffed is not None and sniffed.score >= CLAIMED


def _is_code(written: str) -> bool:
    """Return True for a TASK or DOM that is read back as written, known or not."""
    return written != "" and "%" not in written and (":" not in written or not is_named(written))


def _is_doubtful(values: dict[str, str]) -> bool:
    """Return True when the combination of fields may have something to report."""
    if "tone" in values or "sentiment" in values or ("ltv" in values and "ccy" not in values):
        return True
    return (
        values.get("fields", "").count(",") > SHORT_LIST
        or URI.match(values.get("data_ptr", "")) is not None
    )


def _position(name: str, value: object) -> str:
    example = "FETCH" if name == "task" else "HR"
    if not isinstance(value, str) or not value:
        raise Unencodable(pointer.join(name), f'"{name}" must be text, such as {example}.')
    written = escape(value)
    if is_named(written):
        raise Unencodable(
            pointer.join(name),
            f'"{name}" would be read as the named field "{value.partition(":")[0]}".',
        )
    return written


def _key(key: object) -> str:
    if (
        not isinstance(key, str)
        or not key
        or key != key.strip(BLANKS)
        or re.search("[|:\r\n]", key)
    ):
        raise Unencodable(
            pointer.join(key),
            "A key must not be empty, start or end with a space, or contain |, a colon, or a line "
            "break.",
        )
    if key != key.lower():
        raise Unencodable(pointer.join(key), f'Keys must be lowercase. Expected "{key.lower()}".')
    return key


def _value(key: str, value: object) -> str:
    is_integer = (
        isinstance(value, int) and not isinstance(value, bool) and abs(value) <= INTEGER_LIMIT
    )
    if not is_integer and not isinstance(value, str):
        raise Unencodable(pointer.join(key), "Values must be text or an integer up to 2^53 - 1.")
    return escape(str(value))


codec = Aacp()
