"""The newest leaves were removed, with the files beside the database: only receipts tell."""

import json
import shutil
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import override_settings

from auditlog.continuity import high_water
from auditlog.ingest.item import Item
from auditlog.log import logs, triggers
from auditlog.models import Log
from auditlog.tree import checkpoints, keys
from playground.audit import receipt_text, receipts
from tests.auditlog.check.checking import check
from tests.auditlog.check.tail import cut
from tests.auditlog.findings.following.steps import follow
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


def test_a_receipt_finds_what_no_self_check_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(high_water, "_marks", high_water.Marks(tmp_path / "leaves"))
    with override_settings(DATA=tmp_path):
        logs.fix_origins("test.example")
        log = Log.objects.get(slug="default")
        keys.ensure(log)
        *_, last = append(*[Item(f"REQ/TSK|g={n}") for n in range(5)], sender=make_sender())
        checkpoints.sign_now(log)
        follow()
        triggers.take(connection)

        cut(log, last.leaf)
        for name in ("leaves", "signed"):
            shutil.rmtree(tmp_path / name)
        monkeypatch.setattr(high_water, "_marks", high_water.Marks(tmp_path / "leaves"))

        held = {
            "packet": last.packet, "log": last.log, "leaf": last.leaf, "leaf_hash": last.leaf_hash,
        }  # fmt: skip
        (receipt,) = receipt_text.read(json.dumps(held))
        assert receipts.check(receipt, reads=lambda _log: True).verdict == "cut"
        assert check(log) == []
