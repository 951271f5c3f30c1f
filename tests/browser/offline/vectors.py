"""Every text of the vector files."""

import json
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "vectors"
_NAMES = ("wire", "text", "request", "response")


def texts() -> list[str]:
    """Return each text once, in the order of the files."""
    return list(dict.fromkeys(_texts()))


def _texts() -> Iterator[str]:
    for path in sorted(FOLDER.rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield from _wires(json.loads(line))


def _wires(vector: object) -> Iterator[str]:
    """Yield the texts of a vector: its wire, or the wires of an exchange."""
    if isinstance(vector, dict):
        for name, value in vector.items():
            if name in _NAMES and isinstance(value, str):
                yield value
            elif isinstance(value, dict | list) and name not in ("meaning", "plain", "values"):
                yield from _wires(value)
    elif isinstance(vector, list):
        for value in vector:
            yield from _wires(value)
