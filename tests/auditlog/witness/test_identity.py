"""The key with which an installation cosigns."""

from pathlib import Path

import pytest
from django.conf import settings

from auditlog.tree import keys
from auditlog.witness import identity

pytestmark = pytest.mark.django_db


def test_an_installation_without_a_name_gets_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "DATA", tmp_path)

    with pytest.raises(keys.Unsound, match="has no name yet"):
        identity.make()

    assert identity.load() is None
