"""The tests of each requirement. `make setup` and `make run` write the file of them with
`python -m tests.requirements --write`, so that the product never reads the tests.
"""

import json
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

FILE = Path(__file__).with_name("proofs.json")


class Proof(Struct, frozen=True, omit_defaults=True):
    """A test with its file and source, or a vector case with its file, protocol, and raw text."""

    name: str
    place: str
    source: str = ""
    protocol: str = ""
    wire: str = ""


@cache
def load() -> dict[str, tuple[Proof, ...]]:
    """Return the tests by requirement. Empty if the file was not written."""
    if not FILE.exists():
        return {}
    # Raw text may have halves of surrogate pairs, which msgspec's own JSON does not take.
    return msgspec.convert(json.loads(FILE.read_text("utf-8")), dict[str, tuple[Proof, ...]])
