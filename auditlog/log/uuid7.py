"""UUID version 7 as text (RFC 9562 § 5.7): a packet's id sorts by the time it was received.

The 48 bits of milliseconds are followed by the rest of the microsecond (§ 6.2, method 3) and 62
random bits.
"""

import os
from datetime import datetime

_VERSION_AND_VARIANT = 7 << 76 | 2 << 62
_RANDOM = (1 << 62) - 1


def new_ids(moment: datetime, number: int) -> list[str]:
    """As many ids of one moment; `moment` is aware."""
    milliseconds, rest = divmod(int(moment.timestamp() * 1_000_000), 1000)
    head = milliseconds << 80 | (rest * 4096 // 1000) << 64 | _VERSION_AND_VARIANT
    noise = os.urandom(8 * number)
    return [
        _spell(head | int.from_bytes(noise[at : at + 8]) & _RANDOM)
        for at in range(0, 8 * number, 8)
    ]


def _spell(number: int) -> str:
    text = f"{number:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
