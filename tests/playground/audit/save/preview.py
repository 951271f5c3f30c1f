"""The preview before saving, and what was stored."""

import json
import re
from html import unescape
from typing import Any

from auditlog.models import Packet

TEXT = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor\nRJE/PLN|g=42,t=1\nnot a message\n"


def carried(page: str) -> str:
    """The text that the page carries on, as JSON: an attribute would lose NUL and line ends."""
    held = re.search(r'<input type="hidden" name="text_json" value="([^"]*)">', page)
    assert held is not None
    return unescape(held[1])


def wires() -> list[str]:
    return [bytes(packet.wire).decode() for packet in Packet.objects.order_by("log", "leaf")]


def offered(page: str) -> dict[str, str]:
    """The names that the page offers from the record, by their fields."""
    return {
        name: unescape(value)
        for name, value in re.findall(r'name="((?:from|to)-\d+)"\s+value="([^"]*)"', page)
    }


def supplied() -> list[dict[str, Any]]:
    return [json.loads(packet.supplied) for packet in Packet.objects.order_by("log", "leaf")]
