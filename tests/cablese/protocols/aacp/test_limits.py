"""What AACP does with a packet that is as large as it may be, and with a larger one."""

import pytest

from cablese.message import Diagnostic, Fix
from cablese.protocols.aacp.codec import codec

WIRE = "FETCH|HR|return:A|p:1|aacp:1.1"


def _found(wire: str) -> dict[str, Diagnostic]:
    return {diagnostic.code: diagnostic for diagnostic in codec.decode(wire).diagnostics}


def _fix(wire: str, code: str) -> Fix | None:
    return _found(wire)[code].fix


@pytest.mark.parametrize(("fields", "fits"), [(1000, True), (1001, False)])
def test_a_packet_has_at_most_a_thousand_fields(fields: int, *, fits: bool) -> None:
    packet = WIRE + "".join(f"|a{number}:1" for number in range(5, fields))

    assert codec.decode(packet).valid is fits
    assert ("aacp.too-many-fields" in _found(packet)) is not fits


@pytest.mark.parametrize(("fields", "has_room"), [(998, True), (999, False), (1000, False)])
def test_no_field_is_added_to_a_packet_with_as_many_as_there_may_be(
    fields: int, *, has_room: bool
) -> None:
    full = "FETCH|HR" + "|a:1" * (fields - 2)

    assert (_fix(full, "aacp.missing-priority") is not None) is has_room


@pytest.mark.parametrize(("length", "has_room"), [(16_383, True), (16_384, False)])
def test_no_field_is_added_to_a_packet_that_may_become_too_large(
    length: int, *, has_room: bool
) -> None:
    packet = "FETCH|HR|return:A|aacp:1.1|subj:"
    packet += "🚀" * (length - len(packet))
    fix = _fix(packet, "aacp.missing-priority")

    assert (fix is not None) is has_room
    assert "aacp.too-large" not in _found(packet + (fix.text if fix else ""))


@pytest.mark.parametrize(("fields", "is_fixed"), [(1000, True), (1001, False)])
def test_an_empty_field_stays_in_a_packet_with_too_many(fields: int, *, is_fixed: bool) -> None:
    packet = "FETCH|HR||return:A|p:1|aacp:1.1" + "|a:1" * (fields - 6)

    assert (_fix(packet, "aacp.empty-slot") is not None) is is_fixed
    assert ("aacp.too-many-fields" in _found(packet)) is not is_fixed
