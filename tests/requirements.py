"""Every requirement and the tests that name it: python -m tests.requirements

Ends with 1 when a requirement has no test, or when a test names one that does not exist.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from cablese import registry
from playground.reference.proofs import Proof, collect

TESTS = Path(__file__).parent
Proofs = Mapping[str, tuple[Proof, ...]]


def get_requirements() -> dict[str, str]:
    """All of them, protocol by protocol, with their sentences."""
    return {
        name: words
        for codec in registry.all_codecs()
        for name, words in codec.reference.requirements.items()
    }


def find_gaps(proofs: Proofs) -> list[str]:
    """The requirements that no test names."""
    return [name for name in get_requirements() if name not in proofs]


def find_strays(proofs: Proofs) -> list[str]:
    """What tests name and no protocol asks for."""
    return sorted(proofs.keys() - get_requirements().keys())


def table(proofs: Proofs) -> Iterator[str]:
    """A line for each requirement, and one for each file of vectors and each test below it."""
    for name, words in get_requirements().items():
        proven = proofs.get(name, ())
        yield f"{name:<9} {'' if proven else 'GAP: '}{words}"
        cases = [proof for proof in proven if proof.protocol]
        if cases:
            more = f" and {len(cases) - 1} more" if len(cases) > 1 else ""
            yield f"{'':<9} {cases[0].place}: {cases[0].name}{more}"
        yield from (
            f"{'':<9} {proof.place}::{proof.name}" for proof in proven if not proof.protocol
        )


def main() -> int:
    proofs = collect(TESTS)
    for line in table(proofs):
        print(line)
    gaps, strays = find_gaps(proofs), find_strays(proofs)
    print(
        f"\n{len(get_requirements())} requirements, {len(gaps)} without a"
        f" test{': ' if gaps else '.'}{' '.join(gaps)}"
    )
    for stray in strays:
        print(
            f"{stray} is named by {proofs[stray][0].place}, and no protocol asks for it.",
            file=sys.stderr,
        )
    return 1 if gaps or strays else 0


if __name__ == "__main__":
    sys.exit(main())
