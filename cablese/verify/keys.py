"""The keys that somebody trusts, as they were given to a command."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from cablese.tlog.note import BadKey, Verifier, parse_verifier
from cablese.verify.report import Unusable

LIMIT = 1_000_000
"""Bytes of a file of keys that are read."""


def accept_keys(parser: argparse.ArgumentParser) -> None:
    """Let a command take `--key`, which `read_keys` reads."""
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        help="a key that you trust: <name>+<ID>+<base64>, or a file with one per line",
    )


def read_keys(given: Iterable[str]) -> list[Verifier]:
    """Return verifier keys, each given as its text or as a file with a key per line. Raises
    Unusable.
    """
    return [key for one in given for key in _read(one)]


def require(keys: Sequence[Verifier]) -> Sequence[Verifier]:
    """Return keys, of which there is one at least. Raises Unusable."""
    if not keys:
        raise Unusable("Add --key with the key of the log. Get it from whoever runs the log.")
    return keys


def _read(given: str) -> list[Verifier]:
    path = Path(given)
    if path.is_file():
        lines = _read_lines(path)
    elif "+" in given:
        lines = [(given, "")]
    else:
        raise Unusable(f"--key: Expected a file or <name>+<ID>+<key>. No such file: {given}.")
    keys = []
    for text, place in lines:
        try:
            keys.append(parse_verifier(text))
        except BadKey as error:
            raise Unusable(f"{place or '--key'}: {error}") from None
    if not keys:
        raise Unusable(f"{given} has no keys.")
    return keys


def _read_lines(path: Path) -> list[tuple[str, str]]:
    """Return the lines with keys, each with its place."""
    with path.open("rb") as file:
        data = file.read(LIMIT)
    lines = data.decode(errors="replace").splitlines()
    return [
        (line.strip(), f"{path.name}, line {number}")
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
