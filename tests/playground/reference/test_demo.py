"""`manage.py demo`: the conversations of the sources in a log of their own, once."""

import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from auditlog.models import Log, Packet
from cablese import registry
from playground.management.commands.demo import SAMPLES

pytestmark = pytest.mark.django_db


def demo(*arguments: str) -> str:
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue()


def test_it_makes_a_log_and_says_what_it_did() -> None:
    said = demo("--url", "https://log.example/")

    assert said.splitlines() == [
        "Created the log demo.",
        "Stored 25 valid and 7 invalid packets.",
        "View them at https://log.example/audit/?log=demo",
    ]
    assert set(Packet.objects.values_list("log__slug", flat=True)) == {"demo"}


def test_a_second_time_adds_nothing() -> None:
    demo()
    before = list(Packet.objects.values_list("uid", flat=True))

    said = demo()

    assert "All 32 packets were already stored." in said
    assert list(Packet.objects.values_list("uid", flat=True)) == before
    assert Log.objects.get(slug="demo").end.size == 32


def test_every_protocol_speaks_and_each_has_its_broken_packets_marked() -> None:
    demo()

    packets = list(Packet.objects.order_by("log", "leaf"))
    assert Counter(packet.protocol for packet in packets if packet.valid) == {
        "nslip": 6, "aacp": 4, "sacp": 3, "nlip": 3, "tline": 4, "slip": 5,
    }  # fmt: skip
    assert {packet.protocol for packet in packets} == set(registry.get_names())
    assert all(packet.valid is ("broken" not in (packet.event_id or "")) for packet in packets)


def test_what_the_sources_say_around_a_packet_stands_beside_it() -> None:
    demo()

    first = Packet.objects.get(event_id="demo-nslip-1")
    assert bytes(first.wire) == b"REQ/TSK|g=42,t=1,p=2,@=auth_refactor"
    assert json.loads(first.supplied) == {"from": "coordinator", "to": "planner"}


def test_every_packet_has_an_event_id_of_its_own() -> None:
    names = [json.loads(line)["event_id"] for line in SAMPLES.read_bytes().splitlines()]

    assert len(set(names)) == len(names)
