"""Build the reference page of a protocol from its codec and its tests, so that it cannot differ.

A sample is a message or a short conversation, highlighted, with the diagnostic that it causes. It
has a workbench link only if the workbench reports the same: the workbench splits text into messages
and follows the dialect that a message names.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import slugify

from cablese import detection, registry, tokens
from cablese.codec import Codec
from cablese.conversation import checks as conversation_checks
from cablese.conversation.gather import gather
from cablese.message import Message, Rule
from cablese.reference import Row, Table
from cablese.transcript import split
from playground.display.highlight import Run, brief_runs
from playground.reference.proofs import Proof, load
from playground.workbench.document import Reading
from playground.workbench.examples import CONVERSATIONS
from playground.workbench.forms import LINK_LIMIT

UNSEEN = "\u202e"
"""A character that reverses text, for the sample of invisible characters."""


@dataclass(frozen=True, slots=True)
class Sample:
    """``message`` is that of the diagnostic. ``dialect`` is set if only that dialect reports it;
    ``address`` may be empty.
    """

    wire: str
    runs: list[Run]
    message: str
    dialect: str
    address: str


Entry = tuple[Rule, Sample | None]
"""A diagnostic, with a sample if a short one exists."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of related diagnostics."""

    slug: str
    title: str
    hint: str
    entries: list[Entry]


@dataclass(frozen=True, slots=True)
class Check:
    """A requirement and its tests. Each vector case has a workbench link."""

    name: str
    text: str
    tests: list[Proof]
    cases: list[tuple[Proof, str]]

    @property
    def proven(self) -> bool:
        return bool(self.tests or self.cases)


@cache
def get_page(name: str) -> dict[str, Any]:
    """Return the context of a protocol's page. Raises registry.UnknownProtocol."""
    codec = registry.get(name)
    message = codec.decode(codec.reference.example)
    groups = list(_groups(codec))
    checks = [_check(*requirement) for requirement in codec.reference.requirements.items()]
    return {
        "codec": codec,
        "example": Sample(
            message.wire, brief_runs(message), "", "", address_of(message.wire, name)
        ),
        "english": codec.sentence(message),
        "tables": [(slugify(table.title), table) for table in codec.reference.tables],
        "translation": _translation(codec),
        "groups": groups,
        "diagnostics": sum(len(group.entries) for group in groups),
        "checks": checks,
        "proven": sum(check.proven for check in checks),
    }


def get_check(name: str, requirement: str) -> Check:
    """Return one requirement of a protocol. Raises LookupError and registry.UnknownProtocol."""
    checks: dict[str, Check] = {check.name: check for check in get_page(name)["checks"]}
    return checks[requirement]


def shared_rules() -> list[Group]:
    """Return the diagnostics shared by all protocols."""
    unclaimed = Group("text", "Text", "", [(detection.UNCLAIMED, None)])
    return [
        unclaimed,
        Group(
            "conversations",
            "Conversation",
            "",
            _conversing(tuple(conversation_checks.RULES.values()), CONVERSATIONS),
        ),
    ]


def explained_at(code: str) -> str:
    """Return the address of a diagnostic on the reference pages."""
    name = code.partition(".")[0]
    page = (
        reverse("protocol", args=[name]) if name in registry.get_names() else reverse("protocols")
    )
    return f"{page}#{code}"


def address_of(wire: str, protocol: str) -> str:
    """Return the workbench link for ``wire``, or an empty string if it is too long for a link."""
    try:
        size = len(wire.encode())
    except UnicodeEncodeError:
        return ""
    return (
        f"{reverse('workbench')}?{urlencode({'text': wire, 'protocol': protocol})}"
        if size <= LINK_LIMIT
        else ""
    )


def _translation(codec: Codec) -> Table:
    """Return the translation of each act, and where content without an equivalent goes."""
    carried = f"Content without an equivalent is stored in {codec.carries}"
    note = (
        f"{carried}."
        if codec.carries
        else "No private fields: content without an equivalent is lost."
    )
    rows = (
        Row(act, target, "same act" if target == act else "closest act")
        for act, target in codec.acts.items()
    )
    return Table(
        "Translation",
        tuple(rows),
        ("Act", "Becomes", "How"),
        f"{note} The translation reports it.",
    )


def _groups(codec: Codec) -> Iterator[Group]:
    examples = codec.reference.examples
    yield Group(
        "diagnostics",
        "Diagnostics",
        "",
        [(rule, _sample(codec, rule, examples[rule.code])) for rule in codec.rules],
    )
    if codec.thread_rules:
        hint = "Reported across several messages."
        entries = _conversing(codec.thread_rules, examples, codec.name)
        yield Group("in-conversations", "In conversations", hint, entries)
    if codec.reference.checked:
        hint = "Reported when a whole exchange is checked."
        entries = [(rule, None) for rule in codec.reference.checked]
        yield Group("in-exchanges", "In exchanges", hint, entries)
    common = [
        (rule, _sample(codec, rule, _with_unseen(codec)) if rule is codec.invisible else None)
        for rule in codec.common_rules
    ]
    yield Group("common", "In every protocol", "Reported for every protocol.", common)


def _conversing(rules: Sequence[Rule], texts: Mapping[str, str], protocol: str = "") -> list[Entry]:
    return [(rule, _conversation(rule, texts[rule.code], protocol)) for rule in rules]


def _conversation(rule: Rule, text: str, protocol: str) -> Sample:
    """Return the lines of ``text`` as a conversation that breaks ``rule``."""
    messages = [
        detection.decode(cut.wire, cut.protocol) for cut in split(text, protocol or None).messages
    ]
    findings = [finding for conversation in gather(messages) for finding in conversation.findings]
    sentence = next(finding.message for finding in findings if finding.code == rule.code)
    runs = [run for message in messages for run in (*brief_runs(message), Run("\n", "separator"))]
    return Sample(text, runs[:-1], sentence, "", address_of(text, protocol))


def _sample(codec: Codec, rule: Rule, wire: str) -> Sample:
    """Return ``wire`` in the first dialect that shows the rule."""
    for dialect in codec.dialects:
        message = codec.decode(wire, dialect=dialect)
        shown = [
            diagnostic.message for diagnostic in message.diagnostics if diagnostic.code == rule.code
        ]
        if shown:
            break
    else:
        raise AssertionError(f"{wire!r} does not show {rule.code}")
    opens = _workbench_shows(codec, rule, wire)
    other = "" if dialect == codec.dialects[0] else dialect
    return Sample(
        wire,
        brief_runs(message),
        shown[0],
        other,
        address_of(wire, codec.name) if opens else "",
    )


def _workbench_shows(codec: Codec, rule: Rule, wire: str) -> bool:
    read = Reading(wire, protocol=codec.name, tokenizer=tokens.names()[0]).messages
    return any(
        diagnostic.code == rule.code for message in read for diagnostic in message.diagnostics
    )


def _with_unseen(codec: Codec) -> str:
    """Return the protocol's example with an invisible character in its last text."""
    message: Message = codec.decode(codec.reference.example)
    at = next(
        field.span.end
        for field in reversed(message.fields)
        if field.name and field.value.isidentifier()
    )
    return message.wire[:at] + UNSEEN + message.wire[at:]


def _check(requirement: str, text: str) -> Check:
    proofs = load().get(requirement, ())
    return Check(
        requirement,
        text,
        tests=[proof for proof in proofs if not proof.protocol],
        cases=[
            (proof, address_of(proof.wire, proof.protocol)) for proof in proofs if proof.protocol
        ],
    )
