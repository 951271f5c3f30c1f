"""Published token claims next to our own counts of the same texts.

Each claim is a few texts with the same meaning. The first one is the baseline of the claim; the
first one with a text is the baseline of our count. Every change names its baseline and tokenizer.
"""

from collections.abc import Iterator

from msgspec import Struct

from auditlog import baseline
from cablese import registry, tokens
from cablese.protocols.aacp import benchmark as aacp
from cablese.protocols.nslip import claims as nslip
from playground.aacp.hops import change

CLAUDE = "Claude Sonnet 4.5, token counts from the provider"
NOT_NAMED = "an unnamed tokenizer"
TLINE_EXAMPLE = "T|17|Q|obj=test_scope;ctx=api_auth"
PRINTED, OURS, NONE = "quoted from the source", "our wording", "no text in the source"


class Side(Struct, frozen=True):
    """One form of the message. ``claimed`` and ``counted`` are tokens; changes are in percent of
    their baselines.

    ``texts`` is exactly what was counted, each text on its own; it is empty if there is nothing to
    count.
    """

    label: str
    whose: str
    texts: tuple[str, ...]
    claimed: int | None
    claimed_change: float | None
    counted: int | None
    counted_change: float | None


class Claim(Struct, frozen=True):
    """A claim as quoted from its source, and our counts of its texts."""

    name: str
    protocol: str
    title: str
    source: str
    quote: str
    claimed_with: str
    claimed_against: str
    counted_against: str
    sides: tuple[Side, ...]
    note: str


class Claims(Struct, frozen=True):
    """All claims, counted with ``tokenizer``. ``exact`` is false if the counts are estimates."""

    tokenizer: str
    exact: bool
    claims: tuple[Claim, ...]


class _Told(Struct, frozen=True):
    """A side before it is counted. ``change`` is the percentage that the source itself prints."""

    label: str
    whose: str
    texts: tuple[str, ...] = ()
    claimed: int | None = None
    change: float | None = None


def measure(tokenizer: str) -> Claims:
    """Every claim, counted with ``tokenizer``. Raises UnknownTokenizer."""
    exact = tokens.count("", tokenizer).exact
    return Claims(tokenizer, exact, tuple(_claims(tokenizer)))


def _claims(tokenizer: str) -> Iterator[Claim]:
    yield _claim(
        tokenizer,
        "nslip-request",
        "nslip",
        "One request: English and nSLIP",
        nslip.SOURCE,
        nslip.QUOTE,
        NOT_NAMED,
        _Told("English", PRINTED, (nslip.ENGLISH,), nslip.ENGLISH_CLAIM),
        _Told("minified JSON", OURS, (_plain("nslip", nslip.MESSAGE),)),
        _Told("nSLIP", PRINTED, (nslip.MESSAGE,), nslip.MESSAGE_CLAIM, -nslip.SAVED_CLAIM),
        note="The English is counted as printed, with its line ends. No tokenizer installed here "
        "gives 68 or 12 tokens.",
    )
    yield _claim(
        tokenizer,
        "nslip-cycle",
        "nslip",
        "A cycle of four messages",
        nslip.SOURCE,
        nslip.CYCLE_QUOTE,
        NOT_NAMED,
        _Told("English", NONE, (), nslip.CYCLE_ENGLISH_CLAIM),
        _Told(
            "minified JSON",
            OURS,
            tuple(_plain("nslip", wire) for wire in nslip.CYCLE),
            nslip.CYCLE_JSON_CLAIM,
            -nslip.CYCLE_JSON_SAVED,
        ),
        _Told("nSLIP", PRINTED, nslip.CYCLE, nslip.CYCLE_CLAIM, -nslip.CYCLE_SAVED),
        note="The source prints neither the English nor the JSON of its cycle, and does not name "
        "the four messages. We count the request, the plan, the report, and the evaluation of its "
        "example conversation. Without the English, our baseline is the JSON.",
    )
    yield from _claims_of_aacp(tokenizer)
    yield _claim(
        tokenizer,
        "tline-question",
        "tline",
        "A question of T-line",
        registry.get("tline").reference.source,
        "optimized for minimal token usage",
        NOT_NAMED,
        _Told("minified JSON", OURS, (_plain("tline", TLINE_EXAMPLE),)),
        _Told("English", OURS, (_english("tline", TLINE_EXAMPLE),)),
        _Told("T-line", PRINTED, (TLINE_EXAMPLE,)),
        note="The source gives no numbers.",
    )


def _claims_of_aacp(tokenizer: str) -> Iterator[Claim]:
    first, *_ = texts = aacp.make_texts()
    yield _claim(
        tokenizer,
        "aacp-fetch",
        "aacp",
        "AACP’s first instruction",
        registry.get("aacp").reference.source,
        "a 7.1 percent reduction on this hop alone",
        CLAUDE,
        _Told("English", PRINTED, (first.english,), first.claim.english),
        _Told("AACP", PRINTED, (first.packet,), first.claim.packet, first.claim.claude),
        note="We count the message text: the English with its lines joined, and the packet "
        "unfolded. Chat formatting tokens are part of the claim, but not of our count.",
    )
    total = aacp.TOTAL
    yield _claim(
        tokenizer,
        "aacp-four-hops",
        "aacp",
        "AACP’s four hops",
        registry.get("aacp").reference.source,
        "22.9 percent on Claude Sonnet 4.5 and 23.7 percent on GPT-4o",
        CLAUDE,
        _Told(
            "English",
            "the first quoted from the source, the others our wording",
            tuple(one.english for one in texts),
            total.english,
        ),
        _Told(
            "AACP",
            "two quoted from the source, two generated by our rules",
            tuple(one.packet for one in texts),
            total.packet,
            total.claude,
        ),
        _Told(
            "bracket format from an earlier draft",
            OURS,
            tuple(one.brackets for one in texts),
            change=aacp.BRACKETS_CLAIM,
        ),
        note=f"{aacp.METHOD} For the GPT-4o column ({total.gpt4o}%), "
        "the draft prints percentages only.",
    )


def _claim(
    tokenizer: str,
    name: str,
    protocol: str,
    title: str,
    source: str,
    quote: str,
    claimed_with: str,
    *told: _Told,
    note: str,
) -> Claim:
    counts = [_count(one.texts, tokenizer) for one in told]
    base, before = next((at, count) for at, count in enumerate(counts) if count is not None)
    sides = tuple(
        Side(
            one.label,
            one.whose,
            one.texts,
            one.claimed,
            one.change,
            count,
            change(before, count) if at > base and count is not None else None,
        )
        for at, (one, count) in enumerate(zip(told, counts, strict=True))
    )
    return Claim(
        name,
        protocol,
        title,
        source,
        quote,
        claimed_with,
        told[0].label,
        told[base].label,
        sides,
        note,
    )


def _count(texts: tuple[str, ...], tokenizer: str) -> int | None:
    return sum(count.count for count in tokens.count_batch(texts, tokenizer)) if texts else None


def _plain(protocol: str, wire: str) -> str:
    written = baseline.write(registry.get(protocol).decode(wire))
    assert written is not None
    return written


def _english(protocol: str, wire: str) -> str:
    codec = registry.get(protocol)
    return "".join(piece.text for piece in codec.describe(codec.decode(wire)))
