"""A log of ours while it runs, read by those who know only the specifications, and by our tools."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cablese.tlog import merkle, note, proof, tile
from cablese.tlog.proof import Proof
from cablese.verify import command
from cablese.verify.mirror import command as mirror
from tests.conftest import leave_out
from tests.installation import Installation
from tests.playground.nlip.client import post
from tests.strangers.client import (
    Client,
    Head,
    Verified,
    Wrong,
    check_contains,
    check_proof,
    check_signing_keys,
    verify_all,
)

CHECKER = Path(__file__).with_name("checker.mjs")


class Log(NamedTuple):
    """A log on a running server."""

    server: Installation
    url: str
    vkey: str
    token: str

    def client(self) -> Client:
        return Client(self.url, self.vkey, self.token)

    def grow(self, packets: int) -> None:
        wires = [{"wire": f"REQ/TSK|g={number},t=1"} for number in range(packets)]
        address = f"{self.server.base_url}/api/v1/packets/batch"
        status, words = post(address, json.dumps(wires), key=self.token)
        assert status in (200, 201, 207), words
        self.server.manage("checkpoint")


@pytest.fixture(scope="module")
def log(server: Installation) -> Log:
    token = server.manage("apikey", "create", "strangers", "--scopes", "ingest,read")
    found = Log(server, f"{server.base_url}/log/default", "", token)
    found.grow(700)
    listed = server.manage("signingkey", "list", "--log", "default", "--verifier-keys")
    return found._replace(vkey=listed.splitlines()[0])


@pytest.fixture(scope="module")
def whole(log: Log) -> Verified:
    return verify_all(log.client())


def test_a_second_implementation_verifies_all_of_it(log: Log, whole: Verified) -> None:
    assert whole.head.size == len(whole.entries) > 700
    assert whole.head.origin == log.vkey.split("+")[0]
    assert whole.tiles > 3
    check_signing_keys(whole, log.client().key)


def test_it_goes_on_to_contain_what_it_was(log: Log, whole: Verified) -> None:
    log.grow(300)
    later = verify_all(log.client())
    assert later.head.size >= whole.head.size + 300
    check_contains(later, whole.head)
    with pytest.raises(Wrong, match="forked"):
        check_contains(later, Head(whole.head.origin, whole.head.size, bytes(32)))
    with pytest.raises(Wrong, match="shrank"):
        check_contains(whole, later.head)


def test_a_stranger_is_refused_while_it_is_not_public(log: Log) -> None:
    with pytest.raises(Wrong, match="401"):
        Client(log.url, log.vkey).checkpoint()


@pytest.fixture
def public(log: Log) -> Iterator[None]:
    log.server.manage("log", "publish", "default", "--public")
    yield
    log.server.manage("log", "publish", "default", "--private")


@pytest.mark.usefixtures("public")
def test_anyone_reads_it_while_it_is_public(log: Log) -> None:
    assert Client(log.url, log.vkey).checkpoint().size > 700


def test_our_tools_mirror_and_verify_it(
    log: Log,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CABLESE_KEY", log.token)
    copy = str(tmp_path)
    assert mirror.main([log.url, copy, "--key", log.vkey]) == 0, capsys.readouterr().out
    assert command.main([log.url, "--key", log.vkey]) == 0, capsys.readouterr().out
    log.grow(10)
    assert mirror.main([log.url, copy, "--key", log.vkey]) == 0, capsys.readouterr().out
    assert command.main([copy, "--key", log.vkey]) == 0, capsys.readouterr().out
    assert log.client().checkpoint().size in map(
        int, (one.name for one in tmp_path.glob("checkpoints/*"))
    )


def make_proof(log: Log, index: int) -> tuple[str, bytes]:
    """A proof file, with its leaf, that our library makes of what is served."""
    client = log.client()
    signed = client.fetch("checkpoint").decode()
    size = client.checkpoint().size
    read = tile.read_tiles(size, lambda place: client.fetch(tile.format_path(place)))
    path = tuple(merkle.prove_inclusion(index, size, read))
    leaf = client.entries(size)[index]
    return proof.format_proof(Proof(index, path, signed)), leaf


@pytest.mark.parametrize("index", [0, 1, 255, 256, 699])
def test_a_second_implementation_accepts_our_proofs(log: Log, index: int) -> None:
    text, leaf = make_proof(log, index)
    assert check_proof(text, leaf, log.client().key)[1] == index
    for spoiled, other in ((text, leaf + b" "), (text.replace(f"index {index}", "index 5"), leaf)):
        with pytest.raises(Wrong):
            check_proof(spoiled, other, log.client().key)


@pytest.fixture(scope="module")
def node() -> str:
    return shutil.which("node") or leave_out("there is no Node on this machine")


def run(node: str, *words: str | Path) -> tuple[int, str]:
    done = subprocess.run([node, CHECKER, *words], capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout.strip()


def test_a_short_verifier_in_javascript_checks_a_checkpoint_and_a_proof(
    log: Log, node: str, tmp_path: Path
) -> None:
    text, leaf = make_proof(log, 300)
    (tmp_path / "leaf").write_bytes(leaf)
    (tmp_path / "proof").write_text(text)
    (tmp_path / "checkpoint").write_text(text.partition("\n\n")[2])
    origin, size = log.vkey.split("+")[0], log.client().checkpoint().size

    assert run(node, log.vkey, tmp_path / "checkpoint") == (0, f"{origin}: {size} leaves")
    accepted = run(node, log.vkey, tmp_path / "proof", tmp_path / "leaf")
    assert accepted == (0, f"{origin}: leaf 300 of {size}")

    (tmp_path / "leaf").write_bytes(leaf + b" ")
    refused = run(node, log.vkey, tmp_path / "proof", tmp_path / "leaf")
    assert refused == (1, "wrong: the leaf is not in the tree")
    (tmp_path / "checkpoint").write_text(
        text.partition("\n\n")[2].replace(f"{size}\n", f"{size}1\n")
    )
    assert run(node, log.vkey, tmp_path / "checkpoint") == (1, "wrong: the signature")
    stranger = note.format_verifier(note.generate(origin).verifier)
    refused = run(node, stranger, tmp_path / "proof", tmp_path / "leaf")
    assert refused == (1, "wrong: the key did not sign this checkpoint")


@pytest.mark.usefixtures("public")
def test_a_published_reader_of_such_logs_verifies_it(log: Log, tmp_path: Path) -> None:
    """`aics-tlog` reads the log by HTTP with a client, a cache, and a verifier of its own."""
    aics = pytest.importorskip("aics_tlog", reason="aics-tlog needs Python 3.12")
    signed = aics.parse_note(log.client().fetch("checkpoint"))
    key = aics.parse_vkey(log.vkey)
    found = aics.verify_checkpoint(signed, key, expected_origin=log.vkey.split("+")[0])
    assert (found.ok, found.error) == (True, None)

    head = aics.parse_checkpoint(signed.text)
    size, root = head.size, head.root
    reader = aics.HttpTileReader([f"{log.url}/"], cache_dir=tmp_path)
    audit = aics.audit_tiles(reader, size, root)
    assert (audit.size, audit.bundles) == (size, -(-size // 256))

    verified = aics.VerifiedTileReader(reader, size, root)
    path = aics.inclusion_proof_from_tiles(verified, 300, size)
    assert aics.verify_leaf_inclusion(verified.entry(300), 300, size, path, root)
    assert tuple(path) == proof.parse_proof(make_proof(log, 300)[0]).path
