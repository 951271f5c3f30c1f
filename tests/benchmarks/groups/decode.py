"""Decoding: a codec's `decode` and the `values` of what it gives, against the same done by the
protocol's own package.

Ours is measured here and theirs in a process of its own, in turns, over the same messages as often.
Two lines a protocol: messages as agents send them, each another text so that nothing is remembered;
and those of our vectors that both sides read, most of which have something odd that we report. What
counts is the time of the processor: neither side waits for anything, and other programs are not to
count.
"""

from collections.abc import Iterator
from time import process_time

from cablese import registry
from tests.benchmarks import corpus, vendors
from tests.benchmarks.line import Line, faster, interleaved, timed

TYPICAL = 400
WORK = 4000
"""Messages a round, at least."""
BASELINES = {
    "slip": "slipcore",
    "aacp": "aacp decode+validate",
    "nlip": "nlip-sdk with json.loads",
}


def measure() -> Iterator[Line]:
    for name, baseline in BASELINES.items():
        typical = corpus.typical(name, TYPICAL)
        wires = typical + corpus.vectors(name)
        with vendors.running(name, wires) as vendor:
            refused = set(range(len(typical))) - set(vendor.readable)
            assert not refused, f"{baseline} does not read {wires[refused.pop()]!r}"
            for what, target, chosen in (
                ("typical", 1, [index for index in vendor.readable if index < len(typical)]),
                ("vectors", 1, [index for index in vendor.readable if index >= len(typical)]),
            ):
                yield against(
                    vendor,
                    name,
                    f"decode {name}, {what}, against {baseline}",
                    wires,
                    chosen,
                    target,
                )


def against(
    vendor: vendors.Vendor,
    name: str,
    what: str,
    wires: list[str],
    chosen: list[int],
    target: float | None,
) -> Line:
    codec = registry.get(name)
    ours = [wires[index] for index in chosen]
    repeat = -(-WORK // len(ours))
    assert all(codec.decode(wire).valid for wire in ours)

    def decode() -> None:
        for _ in range(repeat):
            for wire in ours:
                codec.decode(wire).values  # noqa: B018 - reading it is the work

    times = interleaved(timed(decode, process_time), lambda: vendor.seconds(chosen, repeat))
    return faster(what, ours=times[0], baseline=times[1], items=len(ours) * repeat, target=target)
