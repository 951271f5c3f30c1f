"""Packs and erasure: old packs go on verifying, and new ones prove that something was erased."""

import json
from pathlib import Path
from typing import Any

import pytest

from auditlog.erasure.erase import By, Order
from auditlog.log import packet as packets
from auditlog.models import Packet
from auditlog.tree import keys
from tests.auditlog.erasure.orders import ORDER, erase_leaves
from tests.auditlog.evidence.packs import (
    Verdict,
    alter_manifest,
    fill,
    mark,
    read,
    rewrite,
    verify,
    write,
)

pytestmark = pytest.mark.django_db

CLEAN: tuple[list[str], list[str]] = ([], [])


def result(verdict: Verdict) -> tuple[list[str], list[str]]:
    return verdict.failures, verdict.warnings


def lines_of(path: Path) -> dict[int, dict[str, Any]]:
    lines = map(json.loads, read(path)["entries.ndjson"].splitlines()[:-1])
    return {line["leaf"]: line for line in lines}


def test_a_pack_from_before_the_erasure_still_verifies(tmp_path: Path) -> None:
    log = fill(20)
    path = write(tmp_path / "a.zip")
    erase_leaves(3, 4)
    assert result(verify(path, keys.verifiers(log))) == CLEAN


def test_a_range_has_the_leaf_of_an_erased_packet_and_its_redaction(tmp_path: Path) -> None:
    log = fill(20)
    (erasure,) = erase_leaves(3)
    path = write(tmp_path / "a.zip", "leaf:2..5")
    verdict = verify(path, keys.verifiers(log))
    assert result(verdict) == ([], ["The content of 1 packet was erased."])
    assert (verdict.manifest["count"], verdict.manifest["erased"]) == (4, 1)
    lines = lines_of(path)
    assert lines[3].get("open") is None
    assert lines[3]["erased"] == erasure.leaf
    assert json.loads(lines[erasure.leaf]["open"]["reason"]["text"]) == ORDER.reason


def test_a_range_that_is_pinned_before_the_erasure_has_its_redaction(tmp_path: Path) -> None:
    log = fill(20)
    (erasure,) = erase_leaves(3)
    path = write(tmp_path / "a.zip", "leaf:2..5", at=20)
    verdict = verify(path, keys.verifiers(log))
    assert verdict.failures == []
    assert (verdict.manifest["selection"]["at"], verdict.manifest["erased"]) == (20, 1)
    assert lines_of(path)[3]["erased"] == erasure.leaf


def test_the_review_of_an_erased_packet_stays_without_its_note(tmp_path: Path) -> None:
    log = fill(20)
    step = mark(3, "a name")
    erase_leaves(3)
    path = write(tmp_path / "a.zip", "leaf:3")
    verdict = verify(path, keys.verifiers(log))
    assert verdict.failures == []
    assert lines_of(path)[step.leaf]["about"] == 3
    assert b"a name" not in read(path)["entries.ndjson"]


def test_a_redacted_copy_is_opened_with_its_redaction(tmp_path: Path) -> None:
    log = fill(20)
    fields = packets.read(Packet.objects.get(leaf=3)).fields
    name = next(field.name for field in fields if field.name)
    order = Order(By(), "a secret", field=name)
    (erasure,) = erase_leaves(3, order=order)
    path = write(tmp_path / "a.zip", "leaf:3")
    assert verify(path, keys.verifiers(log)).failures == []
    assert {"by", "field", "reason", "redacted"} == lines_of(path)[erasure.leaf]["open"].keys()
    for withheld in ("raw", "index"):  # The copy has both.
        path = write(tmp_path / "b.zip", "leaf:3", withheld=(withheld,))
        assert verify(path, keys.verifiers(log)).failures == []
        assert "redacted" not in lines_of(path)[erasure.leaf]["open"]


def test_a_packet_is_not_erased_because_the_pack_says_so(tmp_path: Path) -> None:
    log = fill(20)
    members = read(write(tmp_path / "a.zip", "leaf:3..5"))
    path = rewrite(tmp_path / "b.zip", alter_manifest(members, {"erased": 1}))
    assert verify(path, keys.verifiers(log)).failures == [
        "manifest.json: 'erased' is 1. The entries have 0."
    ]
