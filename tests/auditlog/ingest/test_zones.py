"""Time zones are found by their IANA names."""

import pytest

from auditlog.ingest import zones


def test_a_zone_is_found_by_its_name() -> None:
    assert zones.find("Europe/Berlin").key == "Europe/Berlin"
    assert zones.NAMES[0] == "UTC"
    assert len(set(zones.NAMES)) == len(zones.NAMES)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Europe",
        "../etc/passwd",
        "/etc/localtime",
        "Europe/Berlin\0",
        "europe/berlin",
        "x" * 9999,
    ],
)
def test_nothing_else_is_a_zone(name: str) -> None:
    with pytest.raises(zones.UnknownZone):
        zones.find(name)


def test_a_near_name_is_offered() -> None:
    with pytest.raises(zones.UnknownZone, match="Did you mean Europe/Berlin"):
        zones.find("Europe/Berln")
