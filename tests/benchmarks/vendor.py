"""A vendor's own decoder in a process of its own, timed when the parent says so. Runs in the
vendors' environment.

    python vendor.py slip <wires.json>

The first line out names the wires that the vendor reads, as a JSON list of their indexes. Then
every line in is a JSON object ``{"wires": [indexes], "repeat": n}``, and is answered by the seconds
of the processor that decoding them so often took. Nothing of ours is imported here, nor anything
that the vendors' environment may lack.
"""

import gc
import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import process_time


def slip() -> Callable[[str], object]:
    parse: Callable[[str], object] = import_module("slipcore.wire").parse_slip
    return parse


def aacp() -> Callable[[str], object]:
    package = import_module("aacp")
    decoder, validator = package.AACPDecoder(), package.AACPValidator()

    def decode_and_validate(wire: str) -> object:
        return decoder.decode(wire), validator.validate(wire)

    return decode_and_validate


def nlip() -> Callable[[str], object]:
    message: Callable[..., object] = import_module("nlip_sdk.nlip").NLIP_Message

    def load(wire: str) -> object:
        return message(**json.loads(wire))

    return load


VENDORS = {"slip": slip, "aacp": aacp, "nlip": nlip}


def main(name: str, path: str) -> None:
    read = VENDORS[name]()
    wires = json.loads(Path(path).read_text())
    print(json.dumps([index for index, wire in enumerate(wires) if reads(read, wire)]), flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        print(
            seconds(read, [wires[index] for index in order["wires"]], order["repeat"]), flush=True
        )


def reads(read: Callable[[str], object], wire: str) -> bool:
    try:
        read(wire)
    except Exception:  # noqa: BLE001 - whatever a vendor raises, it does not read this wire
        return False
    return True


def seconds(read: Callable[[str], object], wires: list[str], repeat: int) -> float:
    gc.collect()
    begin = process_time()
    for _ in range(repeat):
        for wire in wires:
            read(wire)
    return process_time() - begin


if __name__ == "__main__":
    main(*sys.argv[1:])
