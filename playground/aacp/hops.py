"""Encode the packets of a workflow and compare their cost with English instructions."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from auditlog.findings import sensitive
from cablese import tokens
from cablese.protocols.aacp.authoring.workflow import Workflow, encode_hops, tell_hops


class Pair(Struct, frozen=True):
    """Token counts of a packet and its English."""

    packet: int
    english: int

    @property
    def percent(self) -> float:
        return change(self.english, self.packet)


class EncodedHop(Struct, frozen=True):
    """One hop. ``quoted`` is true if the English is quoted from the specification."""

    title: str
    packet: str
    english: str
    quoted: bool
    tokens: dict[str, Pair]


def encode(
    workflow: Workflow, inputs: Mapping[str, object], tokenizers: Sequence[str]
) -> list[EncodedHop]:
    """Return all hops of a workflow.

    Raises Unencodable, also for inputs with sensitive data, and UnknownTokenizer.
    """
    packets, english = encode_hops(workflow, inputs), tell_hops(workflow, inputs)
    sensitive.refuse(inputs)
    counts: list[dict[str, Pair]] = [{} for _ in packets]
    for name in tokenizers:
        numbers = [count.count for count in tokens.count_batch([*packets, *english], name)]
        for count, packet, other in zip(counts, numbers, numbers[len(packets) :], strict=False):
            count[name] = Pair(packet, other)
    return [
        EncodedHop(hop.title, packet, text, hop.quoted, count)
        for hop, packet, text, count in zip(workflow.hops, packets, english, counts, strict=True)
    ]


def add(hops: Sequence[EncodedHop], tokenizer: str) -> Pair:
    """Return the token counts of all hops together."""
    pairs = [hop.tokens[tokenizer] for hop in hops]
    return Pair(sum(pair.packet for pair in pairs), sum(pair.english for pair in pairs))


def change(before: int, after: int) -> float:
    """Return the change in percent, rounded to one decimal."""
    return round(100 * (after - before) / before, 1) if before else 0.0
