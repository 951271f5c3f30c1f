"""Packets as lines: every record whole, and no cell that a spreadsheet would run."""

import csv
import io
import json
from typing import Any

import pytest

from auditlog import review
from auditlog.export.lines import COLUMNS, as_csv, as_ndjson, guard
from auditlog.findings.following.follower import Follower
from auditlog.ingest.item import Item
from auditlog.log import packet as packets
from tests.auditlog.sending import WIRE, keep

pytestmark = pytest.mark.django_db


def table(*records: dict[str, Any]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(as_csv([records])).decode(), newline="")))


def record(item: Item) -> dict[str, Any]:
    return next(packets.exported([keep(item)]))


def test_ndjson_is_each_record_on_a_line_of_its_own() -> None:
    records = [record(Item('{"format":"text",\n"content":"a\u2028b"}', protocol="nlip"))]

    lines = b"".join(as_ndjson([records])).splitlines(keepends=True)

    (read,) = map(json.loads, lines)
    codes = [found["code"] for found in read.pop("diagnostics")]
    assert codes == ["nlip.missing-subformat", "nlip.invisible"]
    records[0].pop("diagnostics")
    assert read == records[0]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)


def test_csv_of_nothing_is_its_head() -> None:
    assert b"".join(as_csv([])).decode().strip().split(",") == list(COLUMNS)


def test_csv_joins_what_was_said_and_what_was_supplied() -> None:
    item = Item(
        "REQ/TSK|g=42,t=1,p=2,@=auth_refactor", goal=7, to="coder", tags=["night", "auth_refactor"],
        event_id="a-1",
        sent_at="2026-11-20T10:00:01Z",
    )  # fmt: skip

    (row,) = table(record(item))

    assert (row["act"], row["goal"], row["task"], row["to"]) == ("request", "42", "1", "coder")
    assert row["tags"] == "auth_refactor night"
    assert (row["event_id"], row["sent_at"]) == ("a-1", "2026-11-20T10:00:01Z")
    assert (row["valid"], row["diagnostics"], row["review"]) == ("true", "", "")
    assert row["tokens"].isdigit()
    assert row["tokens_json"].isdigit()


@pytest.mark.parametrize(
    ("wire", "score", "priority"),
    [
        ("EVL/OBS|g=42,t=1,sc=0", "0", ""),
        ("EVL/OBS|g=42,t=1,sc=10", "10", ""),
        ("REQ/TSK|g=42,t=1,p=0", "", "0"),
        ("REQ/TSK|g=42,t=1", "", ""),
    ],
)
def test_csv_tells_a_score_or_a_priority_of_0(wire: str, score: str, priority: str) -> None:
    (row,) = table(record(Item(wire)))

    assert (row["score"], row["priority"]) == (score, priority)


def test_csv_tells_what_a_line_said() -> None:
    item = Item(
        "ACC/PLN|g=42,t=1", sent_at="2026-11-20T10:00:01+00:00", sent_text="Nov 20 10:00:01",
        sent_zone="UTC",
        from_="planner", attributes={"n": {"b": 0.5, "a": "=1"}}, from_line=["sent_at", "from"],
    )  # fmt: skip

    (row,) = table(record(item))

    assert json.loads(row["attributes"]) == {"n": {"a": "=1", "b": 0.5}}
    assert (row["sent_text"], row["sent_zone"], row["from_line"]) == (
        "Nov 20 10:00:01",
        "UTC",
        "from sent_at",
    )


def test_csv_tells_what_is_wrong_and_who_looked(django_user_model: Any) -> None:
    packet = keep(Item("RJE/PLN|g=42,t=1"))
    ada = django_user_model.objects.create_user("ada")
    review.mark(packet=packet, state="flagged", note="=odd()", who=ada)
    for note in ("=why", "who?"):
        review.mark(packet=packet, state="commented", note=note, who=ada)

    (row,) = table(next(packets.exported([packet])))

    assert (row["valid"], row["diagnostics"]) == ("false", "nslip.unknown-act")
    assert (row["review"], row["review_note"]) == ("flagged", "'=odd()")
    assert row["comments"] == "ada: =why\nada: who?"


def test_csv_and_ndjson_leave_out_what_is_undone(django_user_model: Any) -> None:
    packet, ada = keep(Item(WIRE)), django_user_model.objects.create_user("ada")
    steps = [
        review.mark(packet=packet, state=state, note="odd", who=ada)
        for state in ("flagged", "commented")
    ]
    review.undo(steps=steps, who=ada)

    (row,) = table(next(packets.exported([packet])))
    (line,) = as_ndjson([[next(packets.exported([packet]))]])

    assert (row["review"], row["review_note"], row["comments"]) == ("", "", "")
    assert (json.loads(line)["review"], json.loads(line)["comments"]) == (None, [])


def test_both_have_the_sentence_and_the_findings_of_a_packet() -> None:
    packet = keep(Item("PROC|FIN|return:a|p:1|aacp:1.1|filter:card=4111111111111111"))
    unread = keep(Item("=no protocol"))
    (pending,) = table(*packets.exported([packet]))

    while Follower().step():
        pass

    found, none = table(*packets.exported([packet, unread]))
    (line,) = map(json.loads, as_ndjson([[*packets.exported([packet])]]))
    assert pending["findings"] == "pending"
    assert (found["findings"], none["findings"]) == ("sensitive.card-number", "")
    assert found["sentence"] == line["sentence"] == packets.describe(packets.read(packet))
    assert "card 4111111111111111" in found["sentence"].replace("=", " ")
    assert none["sentence"] == ""


def test_a_sentence_that_begins_like_a_formula_runs_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packets, "describe", lambda _message: "=1+1")

    assert table(*packets.exported([keep(Item("REQ/TSK|g=1"))]))[0]["sentence"] == "'=1+1"


def test_csv_keeps_lines_and_quotes_of_a_wire_inside_their_cell() -> None:
    wire = 'FETCH|HR|\n"a",b\r\nx'

    rows = table(record(Item(wire)), record(Item("ACC/PLN|g=42,t=1")))

    assert [row["wire"] for row in rows] == [wire, "ACC/PLN|g=42,t=1"]


@pytest.mark.parametrize(
    ("cell", "guarded"),
    [
        ("=1+1", "'=1+1"), ("@auth", "'@auth"), ("+1", "'+1"), ("-1+1", "'-1+1"), ("--1", "'--1"),
        ("-", "'-"),
        ("\tx", "'\tx"), ("\r=x", "'\r=x"), ("\n=x", "'\n=x"), ("＝1", "'＝1"), ("-1", "-1"), (-1,
        "-1"), ("-²", "'-²"),
        ("a=1", "a=1"), ("", ""), (None, ""), (0, "0"), (True, "True"),
    ],
)  # fmt: skip
def test_a_cell_that_begins_like_a_formula_gets_an_apostrophe(cell: object, guarded: str) -> None:
    assert guard(cell) == guarded
