"""Time zones by their IANA names, for times that a log writes without one."""

from difflib import get_close_matches
from zoneinfo import ZoneInfo, available_timezones

DEFAULT = "UTC"
UTC = ZoneInfo(DEFAULT)
NAMES = (DEFAULT, *sorted(available_timezones() - {DEFAULT}))
"""Every name, UTC first."""


class UnknownZone(LookupError):
    """No time zone has this name. The message names the nearest one."""


def find(name: str) -> ZoneInfo:
    """The zone with an IANA name. Raises UnknownZone."""
    # Only known names reach ZoneInfo, which opens a file of that name.
    if name in NAMES:
        return ZoneInfo(name)
    near = get_close_matches(name, NAMES, 1, 0.7)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise UnknownZone(
        f'Unknown time zone "{name}". Expected an IANA name, such as Europe/Berlin.{hint}'
    )
