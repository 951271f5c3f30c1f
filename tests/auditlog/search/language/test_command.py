"""`manage.py search`."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from auditlog.ingest.item import Item
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def packets() -> None:
    append(
        Item("REQ/TSK|g=42,t=1,@=auth_refactor"),
        Item("REJ/PLN|g=42,t=1,!=scope \x1b[31mtoo large"),
        Item("ACC/PLN|g=43,t=01"),
        sender=make_sender(),
    )


def search(*arguments: str) -> tuple[str, str]:
    out, errors = StringIO(), StringIO()
    call_command("search", *arguments, stdout=out, stderr=errors)
    return out.getvalue(), errors.getvalue()


def test_it_prints_packets_newest_first() -> None:
    out, _ = search("goal:42")

    rows = [line.split(maxsplit=5) for line in out.splitlines()]
    assert [(row[0], row[3]) for row in rows] == [("1", "nslip"), ("0", "nslip")]
    assert "auth_refactor" in rows[1][5]


def test_no_control_character_reaches_the_terminal() -> None:
    out, _ = search("goal:42")

    assert "\x1b" not in out
    assert "\ufffd" in out


def test_a_limit_and_a_count() -> None:
    assert len(search("--limit", "1")[0].splitlines()) == 1
    assert search("--count")[0] == "3\n"
    assert search("code:leading-zero", "--count")[0] == "1\n"


def test_formats_have_the_records_of_the_export() -> None:
    (record,) = [
        json.loads(line) for line in search("goal:43", "--format", "ndjson")[0].split("\n") if line
    ]
    (head, row) = csv.reader(StringIO(search("goal:43", "--format", "csv")[0]))

    assert record["leaf"] == 2
    assert record["sentence"]
    assert row[head.index("wire")] == record["wire"] == "ACC/PLN|g=43,t=01"


def test_an_error_has_a_caret_under_its_place_and_a_suggestion() -> None:
    with pytest.raises(CommandError) as caught:
        search("goal:42 is:vald")

    assert caught.value.returncode == 2
    _, query, caret, hint = str(caught.value).split("\n")
    assert query[caret.index("^") : caret.rindex("^") + 1] == "vald"
    assert "is:valid" in hint


def test_no_control_character_of_an_unknown_field_reaches_the_terminal() -> None:
    with pytest.raises(CommandError, match="Unknown field") as caught:
        search("\x1b[31m:a")

    assert "\x1b" not in str(caught.value)


def test_no_control_character_of_a_wrong_query_reaches_the_terminal() -> None:
    with pytest.raises(CommandError) as caught:
        search("goal:42 \x1b[31m is:vald")

    assert "\x1b" not in str(caught.value)
    _, query, caret, _ = str(caught.value).split("\n")
    assert query[caret.index("^") : caret.rindex("^") + 1] == "vald"


def test_a_log_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(CommandError, match="nowhere") as caught:
        search("--log", "nowhere")

    assert caught.value.returncode == 2


def test_a_pasted_message_is_offered_as_a_query() -> None:
    out, errors = search("REQ/TSK|g=42,t=1,@=auth_refactor")

    assert out.split()[0] == "0"
    assert "act:request goal:42 task:1 @auth_refactor" in errors
    with pytest.raises(CommandError, match="act:request goal:42"):
        search("REQ/TSK|g=42,@=a(b")
