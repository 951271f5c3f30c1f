"""An ordinary HTTP client of running servers."""

import json
import urllib.error
import urllib.request
from itertools import count
from typing import Any

from cablese import registry
from tests.installation import Installation

NLIP = registry.get("nlip")
NUMBERS = count(1)
HELLO = '{"format":"text","subformat":"english","content":"REQ/TSK|g=42,t=1"}'


def post(url: str, wire: str | bytes, *, key: str = "", **more: Any) -> tuple[int, bytes]:
    data = wire.encode() if isinstance(wire, str) else wire
    headers = {"Content-Type": "application/json"} | (
        {"Authorization": f"Bearer {key}"} if key else {}
    )
    request = urllib.request.Request(url, data=data, headers=headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=20, **more) as response:  # noqa: S310
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def key_of(server: Installation) -> tuple[str, str]:
    """A new source and its key."""
    name = f"nlip-{next(NUMBERS)}"
    return name, server.manage("apikey", "create", name, "--scopes", "ingest,read")


def kept(server: Installation, name: str, key: str) -> list[dict[str, Any]]:
    request = urllib.request.Request(  # noqa: S310
        f"{server.base_url}/api/v1/search?q=source:{name}",
        headers={"Authorization": f"Bearer {key}"},
    )
    with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
        return list(json.loads(response.read())["results"])
