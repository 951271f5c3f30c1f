"""`manage.py apikey`, `manage.py log`, and the keys of `manage.py signingkey`."""

import os
import re
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test.utils import override_settings

from auditlog import access
from auditlog.command import BROKEN_PIPE
from auditlog.ingest.item import Item
from auditlog.log import logs
from auditlog.models import ApiKey, Log, Witness
from auditlog.tree import keys, publication
from cablese.tlog import note
from cablese.verify.keys import read_keys
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_apikey_create_prints_only_the_key() -> None:
    token = run("apikey", "create", "hr-bot", "--scopes", "ingest,read").removesuffix("\n")
    sender = access.authenticate(token)
    assert sender is not None
    assert (sender.source, sender.scopes) == ("hr-bot", frozenset({"ingest", "read"}))


def test_apikey_list_shows_each_key_without_its_secret() -> None:
    run("log", "create", "night")
    token = run("apikey", "create", "hr-bot", "--scopes", "read", "--log", "night", "--days", "3")
    listed = run("apikey", "list")
    _, _, key_id, secret, _ = token.strip().split("_")
    assert re.fullmatch(
        rf"{key_id}\thr-bot\tread\tnight\texpires 20\d\d-\d\d-\d\d\tnever used\n", listed
    )
    assert secret not in listed
    access.authenticate(token.strip())
    assert "last used 20" in run("apikey", "list")


def test_apikey_list_says_that_a_key_has_expired() -> None:
    run("apikey", "create", "hr-bot", "--scopes", "read", "--days", "1")
    expires = datetime.now(UTC) - timedelta(seconds=1)
    ApiKey.objects.update(expires=expires)
    assert f"\texpired {expires:%Y-%m-%d}\t" in run("apikey", "list")


def test_apikey_rotate_prints_a_key_with_the_same_rights() -> None:
    token = run("apikey", "create", "hr-bot", "--scopes", "ingest,read").strip()

    successor = run("apikey", "rotate", token.split("_")[2], "--grace", "now").strip()

    old, new = access.authenticate(token), access.authenticate(successor)
    assert old is None
    assert new is not None
    assert (new.source, new.scopes, new.log) == ("hr-bot", frozenset({"ingest", "read"}), None)


def test_apikey_rotate_leaves_a_day_to_the_old_key() -> None:
    token = run("apikey", "create", "hr-bot", "--scopes", "read").strip()

    run("apikey", "rotate", token.split("_")[2])

    assert access.authenticate(token) is not None
    assert "\texpires 20" in run("apikey", "list")


def test_apikey_revoke_ends_a_key() -> None:
    token = run("apikey", "create", "hr-bot", "--scopes", "read").strip()
    assert run("apikey", "revoke", token.split("_")[2]) == f"Revoked {token.split('_')[2]}\n"
    assert access.authenticate(token) is None
    assert "\trevoked 20" in run("apikey", "list")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("apikey", "create", "x", "--scopes", "write"), "Unknown scope 'write'"),
        (
            ("apikey", "create", "x", "--scopes", "read", "--log", "nowhere"),
            "manage.py log create nowhere",
        ),
        (("apikey", "create", "x", "--scopes", "read", "--days", "0"), "--days must be 1 or more"),
        (("apikey", "revoke", "nobody"), "Unknown key nobody"),
        (("apikey", "rotate", "nobody"), "Unknown key nobody"),
        (("log", "create", "Night"), "1 to 40"),
        (("log", "create", "night\n"), "1 to 40"),
        (("log", "create", "default"), 'The log "default" already exists'),
    ],
)
def test_a_mistake_is_answered_in_words(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(CommandError, match=re.escape(words)):
        run(*arguments)


def test_log_create_fixes_name_and_origin() -> None:
    logs.fix_origins("localhost")
    assert run("log", "create", "night", "--title", "Night runs") == "localhost/log/night\n"
    log = Log.objects.get(slug="night")
    assert (log.origin, log.title, log.end.size) == ("localhost/log/night", "Night runs", 1)
    assert run("log", "create", "day", "--host", "log.example.org") == "log.example.org/log/day\n"


def test_log_list_shows_every_log() -> None:
    assert run("log", "list") == "default\t-\t0\tDefault log\n"
    logs.fix_origins("localhost")
    assert run("log", "list") == "default\tlocalhost/log/default\t0\tDefault log\n"


def test_signingkey_lists_keys_as_a_file_for_verifiers(tmp_path: Path) -> None:
    run("log", "create", "night")
    with override_settings(DATA=tmp_path):
        logs.fix_origins("example.com")
        for log in Log.objects.all():
            keys.ensure(log)
        place = tmp_path / "keys"

        place.write_text(run("signingkey", "list", "--verifier-keys"))

        found = [key.name for key in read_keys([str(place)])]
        assert found == ["example.com/log/default", "example.com/log/night"]
        one = run("signingkey", "list", "--log", "night", "--verifier-keys")
        assert place.read_text().endswith(f"\n{one}")


@pytest.mark.parametrize(
    "words", [("log", "list"), ("search",), ("search", "--format=csv"), ("search", "--count")]
)
def test_a_reader_that_has_enough_ends_a_command_silently(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As in `manage.py search | head -1`."""
    append(Item("REQ/TSK|g=42"), sender=make_sender())
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as output:
        monkeypatch.setattr(sys, "stdout", output)

        with pytest.raises(SystemExit) as ended:
            call_command(*words)

    assert ended.value.code == BROKEN_PIPE
    assert capfd.readouterr().err == ""


def test_log_publish_chooses_who_can_read_the_tree() -> None:
    log = Log.objects.get(slug="default")

    assert run("log", "publish", "default", "--public") == (
        'Anyone can read the tree of the log "default".\n'
    )
    assert publication.read(log).public

    assert run("log", "publish", "default", "--private") == (
        'Signed-in people and keys with the scope read can read the tree of the log "default".\n'
    )
    assert not publication.read(log).public


def add_witness(url: str, *options: str) -> None:
    key = note.format_verifier(note.generate("w.example/w", note.COSIGNATURE).verifier)
    run("log", "witness", "default", "--add", url, key, *options)


@pytest.mark.parametrize("required", ["-1", "2"])
def test_a_log_requires_no_more_witnesses_than_it_has(required: str) -> None:
    log = Log.objects.get(slug="default")
    add_witness("https://w.example")
    run("log", "witness", "default", "--require", "1")

    with pytest.raises(CommandError, match="from 0 to 1, the number of witnesses"):
        run("log", "witness", "default", f"--require={required}")

    assert publication.read(log).required == 1


def test_a_log_without_witnesses_requires_none() -> None:
    with pytest.raises(CommandError, match=r"has no witnesses. Add one with --add URL KEY\."):
        run("log", "witness", "default", "--require", "1")

    assert run("log", "witness", "default", "--require", "0") == "Required: 0\n"


def test_a_command_that_is_refused_adds_no_witness() -> None:
    with pytest.raises(CommandError, match="from 0 to 1, the number of witnesses"):
        add_witness("https://w.example", "--require", "2")

    assert not Witness.objects.exists()


def test_a_witness_that_the_log_requires_is_not_removed() -> None:
    add_witness("https://one.example")
    add_witness("https://two.example")
    run("log", "witness", "default", "--require", "1")

    assert "one.example" not in run("log", "witness", "default", "--remove", "https://one.example")
    with pytest.raises(CommandError, match="Lower --require first"):
        run("log", "witness", "default", "--remove", "https://two.example")

    assert Witness.objects.get().url == "https://two.example"
