"""The lines of a pack, read by the verifier."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from auditlog import review
from auditlog.evidence import about, selection
from auditlog.evidence.entries import Entries
from auditlog.evidence.summed import encode
from auditlog.ingest.item import Item
from auditlog.models import Log, Packet
from auditlog.search.saved import pin
from auditlog.tree import hashes
from cablese.verify import pack_entries
from tests.auditlog.erasure.orders import erase_leaves
from tests.auditlog.evidence.packs import fill, mark
from tests.auditlog.sending import append, make_sender

pytestmark = pytest.mark.django_db


def write(query: str = "", *, withheld: tuple[str, ...] = ()) -> tuple[Entries, list[bytes]]:
    log = Log.objects.get(slug="default")
    chosen = selection.begin(log, query, withheld=withheld)
    size = pin.find_size(log)
    entries = Entries(chosen, size, about.gather(chosen, size))
    return entries, [encode(line) for piece in entries.read() for line, _ in piece]


def verify(entries: Entries, lines: list[bytes]) -> tuple[pack_entries.Entries, list[str]]:
    failures: list[str] = []
    manifest = {
        "log": "default",
        "size": entries.size,
        "withheld": sorted(entries.selection.withheld),
        "range": entries.selection.range,
    }
    found = pack_entries.Entries(manifest, lambda place, text: failures.append(f"{place}: {text}"))
    for number, line in enumerate(lines, 1):
        found.take(number, line)
    found.end()
    return found, failures


def root() -> bytes:
    log = Log.objects.get(slug="default")
    return hashes.root(log.pk, pin.find_size(log))


def test_every_packet_of_a_mixed_log_is_proven() -> None:
    fill()
    entries, lines = write()
    found, failures = verify(entries, lines)
    assert failures == []
    assert found.root == root()
    assert len(found.packets) == entries.tally.packets == entries.selection.count() == 300
    assert not any(b"before" in line for line in lines)


@pytest.mark.parametrize("query", ["proto:nslip", "is:invalid", "leaf:17", "leaf:280..9999", "xyz"])
def test_some_packets_are_proven_with_hashes_of_the_others(query: str) -> None:
    fill()
    entries, lines = write(query)
    found, failures = verify(entries, lines)
    assert failures == []
    assert found.root == root()
    assert len(found.packets) == entries.selection.count() < 300


def test_reviews_of_the_packets_are_in_the_pack_and_no_others() -> None:
    fill()
    steps = [mark(5), mark(20), review.undo(steps=[mark(7)], who=User.objects.get())[0]]
    entries, lines = write("leaf:5..7")
    found, failures = verify(entries, lines)
    read = [json.loads(line) for line in lines]
    assert failures == []
    assert [line["about"] for line in read if "about" in line] == [5, 7, 7]
    assert found.about == entries.tally.about == 4
    decision = json.loads(read[4]["open"]["decision"]["text"])
    assert (decision["state"], decision["note"]) == ("flagged", "why?")
    assert steps[1].leaf not in {line.get("leaf") for line in read}


def test_a_range_has_reviews_of_packets_outside_without_what_they_say() -> None:
    fill(20)
    step = mark(3)
    (erasure,) = erase_leaves(4)
    entries, lines = write(f"leaf:10..{erasure.leaf}")
    found, failures = verify(entries, lines)
    assert failures == []
    assert found.kinds == {"packet": 10, "signing-key": 1, "review": 1, "redaction": 1}
    read = {line.get("leaf"): line for line in map(json.loads, lines)}
    for leaf in (step.leaf, erasure.leaf):
        assert not {"about", "open"} & read[leaf].keys()


def test_withheld_openings_are_not_in_the_pack() -> None:
    fill(20)
    mark(3)
    entries, lines = write(withheld=("by", "raw"))
    found, failures = verify(entries, lines)
    opened = {field for line in map(json.loads, lines) for field in line.get("open", ())}
    assert failures == []
    assert opened == {"index", "reading", "decision"}
    assert found.kinds == {"packet": 20, "review": 1, "signing-key": 1}


def test_bytes_that_are_no_text_are_in_base64() -> None:
    append(Item("\0" * 300), Item("\x1b" * 9), Item("<script>é"), sender=make_sender())
    entries, lines = write()
    _, failures = verify(entries, lines)
    raw = [json.loads(line)["open"]["raw"] for line in lines[:-1]]
    assert failures == []
    assert [sorted(one) for one in raw] == [["base64", "salt"]] * 2 + [["salt", "text"]]
    assert not any(b"<" in line for line in lines)


def alter(line: bytes, change: dict[str, Any]) -> bytes:
    found = json.loads(line) | change
    return encode({name: value for name, value in found.items() if name != "sum"})


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"open": {}}, "entries.ndjson, line 8, leaf 7, by: It is missing"),
        ({"erased": 900}, "entries.ndjson, leaf 7: Leaf 900"),
        ({"about": 3}, "entries.ndjson, line 8, leaf 7: A packet must not have `about`"),
    ],
)
def test_a_changed_line_fails_with_its_place(change: dict[str, Any], place: str) -> None:
    fill(20)
    entries, lines = write()
    _, failures = verify(entries, [*lines[:7], alter(lines[7], change), *lines[8:]])
    assert [failure for failure in failures if failure.startswith(place)]


def test_every_changed_character_of_a_line_is_found() -> None:
    fill(3)
    entries, lines = write()
    line = lines[1]
    for at in range(0, len(line), 7):
        changed = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
        try:
            _, failures = verify(entries, [lines[0], changed, *lines[2:]])
        except pack_entries.BadEntry:
            continue
        assert any("line 2" in failure for failure in failures), changed[at - 9 : at + 9]


def test_a_packet_that_was_changed_in_the_database_fails_by_its_field() -> None:
    fill(20)
    Packet.objects.filter(leaf=9).update(wire=b"REQ/TSK|g=999")
    _, failures = verify(*write())
    assert failures == [
        "entries.ndjson, line 10, leaf 9, raw: It does not match the leaf’s commitment."
    ]
