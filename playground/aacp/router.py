"""Route instructions as AACP's fallback router (section 6.3).

Structured input goes to workflow rules. English goes to a matching promoted rule, then to a stored
candidate, then to a model. A model's answer is validated, retried at most once, and stored with its
cost as a rule candidate.
"""

from typing import Literal

from django.conf import settings
from msgspec import Struct
from msgspec.structs import replace

from auditlog.findings import sensitive
from cablese import tokens
from cablese.codec import Unencodable
from cablese.prompt import is_instruction
from cablese.protocols.aacp.authoring.briefing import Prompt, ask, ask_again, instruct
from cablese.protocols.aacp.codec import codec
from playground.aacp import candidates, llm, rules
from playground.server.environment import Endpoint

ENGLISH_LIMIT = 4_000
TOKENIZER = "o200k_base"
PROBLEMS = 10


class Unroutable(Exception):
    """Report that an instruction gives no packet. ``reason`` is the kind of obstacle."""

    def __init__(
        self, reason: Literal["input", "anonymous", "endpoint", "busy", "model"], detail: str
    ) -> None:
        super().__init__(detail)
        self.reason = reason


class Written(Struct, frozen=True):
    """A packet for an instruction, its origin, and its cost. Rules and candidates are free.

    ``by`` is ``candidate`` if a model wrote the packet for this instruction before and it has not
    been reviewed. ``version`` is the version of a rule with slots. ``also`` lists candidates whose
    rules match too but give a different packet; the rule with the most fixed text answers.
    """

    by: Literal["rule", "candidate", "model"]
    packet: str
    english: str
    tokens_packet: int
    tokens_english: int
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    candidate: int | None = None
    version: int | None = None
    also: tuple[int, ...] = ()


def check(english: str) -> str:
    """Return the instruction without surrounding whitespace.

    Raises Unroutable for text that must not be sent to a rule or a model.
    """
    english = english.strip()
    if not english:
        raise Unroutable("input", "Enter an instruction in English.")
    if len(english) > ENGLISH_LIMIT:
        raise Unroutable(
            "input", f"The instruction is longer than the limit of {ENGLISH_LIMIT:,} characters."
        )
    if not all(character.isprintable() or character in "\n\t" for character in english):
        raise Unroutable(
            "input", "An instruction must not contain control or invisible characters."
        )
    if sensitive.is_sensitive(english):
        detail = (
            "The instruction contains sensitive data."
            " It is not sent to a model or put into a packet."
        )
        raise Unroutable("input", detail)
    return english


def write(
    english: str,
    *,
    may_ask: bool,
    again: bool = False,
    prompt: Prompt = "brief",
    user: int | None = None,
    key: str | None = None,
) -> Written:
    """Return a packet for an English instruction. Raises Unroutable.

    ``may_ask`` allows unreviewed candidates and calls to the model; rules answer everyone.
    ``again`` calls the model even if it has answered this instruction before. ``prompt`` selects
    the model's instructions: a briefing or the full specification.
    """
    english = check(english)
    rule = candidates.find_rule(english)
    if rule is not None:
        return _written("rule", rule.packet, english, candidate=rule.pk)
    fits = rules.fits(english)
    if fits:
        return _fill(english, fits)
    if not may_ask:
        raise Unroutable(
            "anonymous",
            "No rule matches this instruction. Sign in to ask the model.",
        )
    stored = None if again else _recall(english)
    if stored is not None:
        return stored
    endpoint: Endpoint | None = settings.LLM
    if endpoint is None:
        raise Unroutable(
            "endpoint", "No rule matches this instruction, and no model is configured."
        )
    return _ask(endpoint, english, prompt, user, key)


def _recall(english: str) -> Written | None:
    """Return the stored candidate for this instruction if it still passes the checks."""
    stored = candidates.find_written(english)
    if stored is None or validate(stored.packet)[0] != stored.packet:
        return None
    return _written("candidate", stored.packet, english, candidate=stored.pk)


def _fill(english: str, fits: list[rules.Fit]) -> Written:
    """Return the packet of the first matching rule, validated because its values are user input."""
    (rule, packet), *others = fits
    valid, problems = validate(packet)
    if not valid:
        detail = (
            f"Rule {rule.candidate_id} matches, but these values give an invalid packet."
            f" {problems[0]}"
        )
        raise Unroutable("input", detail)
    candidates.count_use(rule)
    also = tuple(other.rule.candidate_id for other in others if other.packet != packet)
    written = _written("rule", valid, english, candidate=rule.candidate_id)
    return replace(written, version=rule.version, also=also)


def _ask(
    endpoint: Endpoint, english: str, prompt: Prompt, user: int | None, key: str | None
) -> Written:
    turns = [
        {"role": "system", "content": instruct(prompt)},
        {"role": "user", "content": ask(english)},
    ]
    cost = candidates.RequestCost(endpoint.model, 0, 0, 0, reported=True)
    packet, failure = "", ""
    try:
        for _ in range(2):
            reply = llm.ask(endpoint, turns)
            cost = _add(cost, turns, reply)
            packet, problems = validate(reply.text)
            if not problems:
                break
            turns += [
                {"role": "assistant", "content": reply.text},
                {"role": "user", "content": ask_again(problems)},
            ]
        else:
            failure = "The model returned an invalid packet, even after a retry."
    except llm.NoAnswer as none:
        packet, failure = "", str(none)
        if not isinstance(none, llm.Busy):
            # A request may have cost tokens even without an answer.
            cost = cost._replace(calls=cost.calls + 1)
        elif not cost.calls:
            raise Unroutable("busy", failure) from None
    stored = candidates.add(
        english=english, packet=packet, failure=failure, cost=cost, user=user, key=key
    )
    if failure:
        raise Unroutable("model", failure)
    return _written("model", packet, english, cost, stored.pk)


def validate(answer: str) -> tuple[str, list[str]]:
    """Return the canonical packet in an answer, or an empty string and the problems."""
    text = answer.strip()
    if text.startswith("```") and text.endswith("```") and text.count("\n") >= 2:
        text = text[text.index("\n") : -3].strip()
    message = codec.decode(text)
    problems = [
        diagnostic.message for diagnostic in message.diagnostics if diagnostic.severity != "info"
    ]
    try:
        sensitive.refuse(message.values)
    except Unencodable as bad:
        problems.append(f"{bad.pointer.lstrip('/')}: {bad.reason}")
    problems += [
        f"{name}: looks like an instruction to a model. Values must be data."
        for name, value in message.values.items()
        if is_instruction(str(value))
    ]
    canonical = codec.canonical(message)
    return ("", problems[:PROBLEMS]) if problems or canonical is None else (canonical, [])


def _add(
    cost: candidates.RequestCost, turns: list[llm.Turn], reply: llm.Reply
) -> candidates.RequestCost:
    """Add the cost of a reply. Tokens that the endpoint does not report are counted here."""
    if reply.tokens_in is None or reply.tokens_out is None:
        tokens_in = sum(
            count.count
            for count in tokens.count_batch([turn["content"] for turn in turns], TOKENIZER)
        )
        tokens_out = tokens.count(reply.text, TOKENIZER).count
        return candidates.RequestCost(
            cost.model,
            cost.calls + 1,
            cost.tokens_in + tokens_in,
            cost.tokens_out + tokens_out,
            reported=False,
        )
    return cost._replace(
        calls=cost.calls + 1,
        tokens_in=cost.tokens_in + reply.tokens_in,
        tokens_out=cost.tokens_out + reply.tokens_out,
    )


def _written(
    by: Literal["rule", "candidate", "model"],
    packet: str,
    english: str,
    cost: candidates.RequestCost | None = None,
    candidate: int | None = None,
) -> Written:
    packet_count, english_count = tokens.count_batch([packet, english], TOKENIZER)
    counts = (cost.calls, cost.tokens_in, cost.tokens_out) if cost else (0, 0, 0)
    return Written(by, packet, english, packet_count.count, english_count.count, *counts, candidate)
