"""`cablese-verify`: check what a log gave away, without the log.

    cablese-verify --key example.com/log/default+1a2b3c4d+AbCd… packet.tlog-proof
    cablese-verify --key example.com/log/default+1a2b3c4d+AbCd… https://example.com/log/default

It reads proof files, COSE receipts, checkpoints, and evidence packs, and tells them apart by how
they begin; and whole logs, in a folder of `cablese-mirror` or at a URL. It needs no database,
server, or Django, and no network for a file or a folder.
"""

import argparse
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from cablese.tlog import merkle
from cablese.tlog.checkpoint import Checkpoint, open_checkpoint
from cablese.tlog.note import BadNote, Verifier
from cablese.tlog.proof import HEADER
from cablese.verify import document, log, pack, progress
from cablese.verify.keys import accept_keys, read_keys, require
from cablese.verify.mirror.remote import KEY
from cablese.verify.mirror.source import is_source, open_source
from cablese.verify.report import Report, Unusable, run
from cablese.verify.zip_members import is_zip

_EPILOG = f"""\
For a log that is not public, set {KEY} to an API key with the scope read.

Exit codes: 0 verified, 1 failed, 2 unusable, 3 verified with warnings.
"""
_COSE = b"\xd2"
"""The first byte of a tagged COSE_Sign1."""


def main(words: Sequence[str] | None = None) -> int:
    return run(_make_parser(), _verify, words)


def _verify(given: argparse.Namespace) -> Report:
    """Verify what was given. Raises Unusable."""
    keys = read_keys(given.key)
    if is_source(given.what):
        return _verify_log(given, keys)
    path = Path(given.what)
    if not path.is_file():
        raise Unusable(f"There is no file {given.what}.")
    return _verify_file(path, keys, _read_leaf(given))


def _verify_log(given: argparse.Namespace, keys: list[Verifier]) -> Report:
    report = Report(f"log in {given.what}")
    earlier = [_read_earlier(Path(one), keys) for one in given.contains]
    with closing(open_source(given.what)) as source:
        log.verify_log(source, require(keys), report, earlier, progress.show())
    return report


def _read_earlier(path: Path, keys: list[Verifier]) -> Checkpoint:
    try:
        return open_checkpoint(_read(path, document.LIMIT).decode(errors="replace"), keys)
    except BadNote as error:
        raise Unusable(f"--contains {path.name}: {error}") from None


def _verify_file(path: Path, keys: list[Verifier], leaf_hash: bytes | None) -> Report:
    if is_zip(path):
        return pack.verify(path, keys, progress.show("packets"))
    data = _read(path, document.LIMIT)
    if data.startswith(HEADER.encode()):
        return document.verify_proof(data, keys, leaf_hash)
    if data.startswith(_COSE):
        return document.verify_receipt(data, keys, leaf_hash)
    if "\n\n— ".encode() in data:
        return document.verify_checkpoint(data, keys)
    raise Unusable(f"{path.name} is not a proof, receipt, checkpoint, or evidence pack.")


def _read_leaf(given: argparse.Namespace) -> bytes | None:
    """Return the hash of the leaf that was given, if any. Raises Unusable."""
    if given.leaf is not None:
        return merkle.hash_leaf(_read(Path(given.leaf), document.LIMIT))
    if given.leaf_hash is None:
        return None
    try:
        found = bytes.fromhex(given.leaf_hash)
    except ValueError:
        found = b""
    if len(found) != merkle.SIZE:
        raise Unusable("--leaf-hash: expected 64 hex digits.")
    return found


def _read(path: Path, limit: int) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}.") from None
    if len(data) > limit:
        raise Unusable(f"{path.name} is longer than {limit:,} bytes.")
    return data


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cablese-verify",
        description=(
            "Verify a proof file, a COSE receipt, a checkpoint, an evidence pack, or a whole log."
        ),
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", help="the file, the folder of a mirrored log, or the URL of a log")
    accept_keys(parser)
    leaf = parser.add_mutually_exclusive_group()
    leaf.add_argument("--leaf", help="the file with the bytes of the leaf")
    leaf.add_argument("--leaf-hash", help="the hash of the leaf, from a receipt, in hex")
    parser.add_argument(
        "--contains",
        action="append",
        default=[],
        metavar="CHECKPOINT",
        help="a file with an earlier checkpoint, which the log must still contain",
    )
    return parser
