"""Packets of tests, and their findings."""

from typing import Any

from auditlog.findings.following.follower import Follower
from auditlog.ingest.item import Item
from auditlog.models import Finding, FindingPosition
from tests.auditlog.sending import append, make_sender

SECRET = "4111 1111 1111 1111"
CARD = f"FETCH|HR|return:HR-Agent|p:1|aacp:1.1|filter:card={SECRET}"
PLAIN = "REQ/TSK|g=1,t=1"
Row = tuple[Any, ...]


def send(*wires: str, log: str = "default", **more: Any) -> None:
    append(*[Item(wire, log=log, **more) for wire in wires], sender=make_sender())


def follow(follower: Follower | None = None) -> int:
    """Make all findings. Returns the number of pieces."""
    follower, number = follower or Follower(), 0
    while made := follower.step():
        number += made
    return number


def rows() -> list[Row]:
    fields = ("log__slug", "leaf", "detector", "number", "code", "part", "start", "end", "other")
    return list(
        Finding.objects.order_by("log__slug", "leaf", "detector", "number").values_list(*fields)
    )


def reached(slug: str = "default") -> tuple[int, int | None, int | None]:
    found = FindingPosition.objects.get(log__slug=slug)
    return found.leaf, found.again, found.until
