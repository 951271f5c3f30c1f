"""Decoding: a codec's `decode` and the `values` of what it gives, against the same done by the protocol's own package.

Ours is measured here and theirs in a process of its own, in turns, over the same messages as often. Two lines a
protocol: messages as agents send them, each another text so that nothing is remembered, for which a target is set; and
those of our vectors that both sides read, most of which we read with care because something is odd about them.
"""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from protocols import registry
from tests.benchmarks import vendors
from tests.benchmarks.line import Line, faster, interleaved, timed

VECTORS = Path(__file__).parents[1] / "vectors"
TYPICAL = 400
WORK = 4000
"""Messages a round, at least."""
BASELINES = {
    "slip": "slipcore",
    "aacp": "aacp decode+validate",
    "nlip": "nlip-sdk with json.loads",
}
WORDS = ("auth", "search", "deploy", "billing", "refactor", "health", "salary", "review", "timeline", "budget")


def measure() -> Iterator[Line]:
    for name, baseline in BASELINES.items():
        typical = list(WRITERS[name]())
        wires = typical + vectors(name)
        with vendors.running(name, wires) as vendor:
            refused = set(range(len(typical))) - set(vendor.readable)
            assert not refused, f"{baseline} does not read {wires[refused.pop()]!r}"
            for what, target, chosen in (
                ("typical", 1, [index for index in vendor.readable if index < len(typical)]),
                ("vectors", None, [index for index in vendor.readable if index >= len(typical)]),
            ):
                yield against(vendor, name, f"decode {name}, {what}, against {baseline}", wires, chosen, target)


def against(
    vendor: vendors.Vendor, name: str, what: str, wires: list[str], chosen: list[int], target: float | None
) -> Line:
    codec = registry.get(name)
    ours = [wires[index] for index in chosen]
    repeat = -(-WORK // len(ours))
    assert all(codec.decode(wire).valid for wire in ours)

    def decode() -> None:
        for _ in range(repeat):
            for wire in ours:
                codec.decode(wire).values  # noqa: B018 - reading it is the work

    times = interleaved(timed(decode), lambda: vendor.seconds(chosen, repeat))
    return faster(what, ours=times[0], baseline=times[1], items=len(ours) * repeat, target=target)


def vectors(name: str) -> list[str]:
    cases = [json.loads(line) for line in (VECTORS / f"{name}.jsonl").read_text().splitlines()]
    return [case["wire"] for case in cases if case["valid"] and len(case["wire"]) < 2000]


def slip() -> Iterator[str]:
    dice = random.Random(1)
    acts = ("Request Plan", "Propose Plan", "Inform Status", "Eval Result", "Accept Plan", "Reject Plan", "Ask Status")
    for n in range(TYPICAL):
        payload = " ".join(dice.sample(WORDS, dice.randrange(4)))
        yield f"SLIP v3 planner{n} exec {dice.choice(acts)} {payload}".rstrip()


def aacp() -> Iterator[str]:
    dice = random.Random(2)
    tasks = ("FETCH|HR", "MERGE|FIN", "CALC|FIN", "REPORT|HR", "SEND|IT", "FLAG|LEGAL")
    optional = ("period:2024-08", "filter:status=active", "fmt:json", "ccy:GBP", "status:ok")
    for n in range(TYPICAL):
        extra = [f"res:{dice.choice(WORDS)}_{n}", *dice.sample(optional, dice.randrange(4))]
        yield "|".join([dice.choice(tasks), "return:HR-Agent", f"p:{dice.randrange(1, 4)}", "aacp:1.1", *extra])


def nlip() -> Iterator[str]:
    dice = random.Random(3)
    for n in range(TYPICAL):
        text = f"What became of the {dice.choice(WORDS)} {dice.choice(WORDS)} number {n}?"
        message: dict[str, object] = {"format": "text", "subformat": "english", "content": text}
        parts: list[dict[str, object]] = [
            {"format": "token", "subformat": "conversation", "content": f"c{n}-{dice.randrange(10**9)}"},
            {"format": "structured", "subformat": "json", "content": {"goal": n, "tags": [dice.choice(WORDS)]}},
        ]
        if n % 3:
            message["submessages"] = parts[: n % 3]
        yield json.dumps(message)


WRITERS: dict[str, Callable[[], Iterator[str]]] = {"slip": slip, "aacp": aacp, "nlip": nlip}
