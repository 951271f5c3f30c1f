"""The fallback router of AACP (section 6.3): structured input goes to the rules, English to a
promoted rule when one matches, and to a model otherwise. What a model answers is validated before
anybody sees it, repaired at most once, and kept with its cost as a candidate for a rule. The same
English is answered from its candidate, unless asked again.
"""

from typing import Literal

from django.conf import settings
from msgspec import Struct
from msgspec.structs import replace

from auditlog import candidates, rules, sensitive
from auditlog.candidates import Spent
from auditlog.rules import Fit
from cablese import tokens
from cablese.codec import Unencodable
from cablese.prompt import is_instruction
from cablese.protocols.aacp.authoring.briefing import Prompt, ask, ask_again, instruct
from cablese.protocols.aacp.codec import codec
from playground.aacp import llm
from playground.server.environment import Endpoint

ENGLISH_LIMIT = 4_000
TOKENIZER = "o200k_base"
PROBLEMS = 10


class Unroutable(Exception):
    """No packet; the words say why. ``reason`` is what kind of obstacle it is."""

    def __init__(
        self, reason: Literal["input", "nobody", "endpoint", "busy", "model"], words: str
    ) -> None:
        super().__init__(words)
        self.reason = reason
        self.words = words


class Written(Struct, frozen=True):
    """A packet for an instruction, who wrote it, and what that took. A rule and a candidate take
    nothing.

    ``by`` is ``candidate`` where a model wrote it for this instruction before, and nobody has
    reviewed that yet. ``version`` is that of a rule with slots. ``also`` are the candidates whose
    rules fit too and give another packet; the one with the most fixed text answered.
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
    """The instruction without blanks at its edges. Raises Unroutable for what no rule and no model
    may be given.
    """
    english = english.strip()
    if not english:
        raise Unroutable("input", "Write in English what an agent is to do.")
    if len(english) > ENGLISH_LIMIT:
        raise Unroutable("input", f"An instruction has at most {ENGLISH_LIMIT:,} characters.")
    if not all(character.isprintable() or character in "\n\t" for character in english):
        raise Unroutable(
            "input", "An instruction holds no control characters and nothing that cannot be seen."
        )
    if sensitive.is_sensitive(english):
        words = (
            "This holds sensitive data, which is neither sent to a model nor written into a packet."
        )
        raise Unroutable("input", words)
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
    """A packet for an English instruction. Raises Unroutable.

    ``may_ask`` says whether the caller may spend the model's tokens; rules are for everyone, and
    what nobody has reviewed is not. With ``again`` the model is asked although it has answered this
    instruction before. ``prompt`` is what it is told: a briefing, or the whole specification.
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
            "nobody",
            "No rule knows this instruction, and asking the model needs somebody signed in.",
        )
    stored = None if again else _recall(english)
    if stored is not None:
        return stored
    endpoint: Endpoint | None = settings.LLM
    if endpoint is None:
        raise Unroutable("endpoint", "No rule knows this instruction, and no model is set up here.")
    return _ask(endpoint, english, prompt, user, key)


def _recall(english: str) -> Written | None:
    """What a model wrote for this instruction before, if it may still be sent: the checks may be
    stricter since.
    """
    stored = candidates.find_written(english)
    if stored is None or validate(stored.packet)[0] != stored.packet:
        return None
    return _written("candidate", stored.packet, english, candidate=stored.pk)


def _fill(english: str, fits: list[Fit]) -> Written:
    """What the first of the rules that fit gives: validated, because its values come from whoever
    asks.
    """
    (rule, packet), *others = fits
    valid, problems = validate(packet)
    if not valid:
        words = f"Rule {rule.candidate_id} fits, and these values give no packet that may be sent. {problems[0]}"
        raise Unroutable("input", words)
    rules.count(rule)
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
    spent = Spent(endpoint.model, 0, 0, 0, reported=True)
    packet, failure = "", ""
    try:
        for _ in range(2):
            reply = llm.ask(endpoint, turns)
            spent = _add(spent, turns, reply)
            packet, problems = validate(reply.text)
            if not problems:
                break
            turns += [
                {"role": "assistant", "content": reply.text},
                {"role": "user", "content": ask_again(problems)},
            ]
        else:
            failure = "The model gave no valid packet, not even when it was told what was wrong."
    except llm.NoAnswer as none:
        packet, failure = "", str(none)
        if not isinstance(none, llm.Busy):
            # A question that was asked may have cost something, even when no answer came.
            spent = spent._replace(calls=spent.calls + 1)
        elif not spent.calls:
            raise Unroutable("busy", failure) from None
    kept = candidates.add(
        english=english, packet=packet, failure=failure, spent=spent, user=user, key=key
    )
    if failure:
        raise Unroutable("model", failure)
    return _written("model", packet, english, spent, kept.pk)


def validate(answer: str) -> tuple[str, list[str]]:
    """The packet in an answer, canonical; or none, and what is wrong with it in words."""
    text = answer.strip()
    if text.startswith("```") and text.endswith("```") and text.count("\n") >= 2:
        text = text[text.index("\n") : -3].strip()
    message = codec.decode(text)
    problems = [found.message for found in message.diagnostics if found.severity != "info"]
    try:
        sensitive.refuse(message.values)
    except Unencodable as bad:
        problems.append(f"{bad.pointer.lstrip('/')}: {bad.reason}")
    problems += [
        f"{name}: holds words that speak to a reader. A value is data."
        for name, value in message.values.items()
        if is_instruction(str(value))
    ]
    canonical = codec.canonical(message)
    return ("", problems[:PROBLEMS]) if problems or canonical is None else (canonical, [])


def _add(spent: Spent, turns: list[llm.Turn], reply: llm.Reply) -> Spent:
    """The cost so far. What an endpoint does not report is counted here."""
    if reply.tokens_in is None or reply.tokens_out is None:
        asked = sum(
            count.count
            for count in tokens.count_batch([turn["content"] for turn in turns], TOKENIZER)
        )
        told = tokens.count(reply.text, TOKENIZER).count
        return Spent(
            spent.model,
            spent.calls + 1,
            spent.tokens_in + asked,
            spent.tokens_out + told,
            reported=False,
        )
    return spent._replace(
        calls=spent.calls + 1,
        tokens_in=spent.tokens_in + reply.tokens_in,
        tokens_out=spent.tokens_out + reply.tokens_out,
    )


def _written(
    by: Literal["rule", "candidate", "model"],
    packet: str,
    english: str,
    spent: Spent | None = None,
    candidate: int | None = None,
) -> Written:
    packet_count, english_count = tokens.count_batch([packet, english], TOKENIZER)
    cost = (spent.calls, spent.tokens_in, spent.tokens_out) if spent else (0, 0, 0)
    return Written(by, packet, english, packet_count.count, english_count.count, *cost, candidate)
