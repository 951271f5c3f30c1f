"""Texts that try to break a codec: random ones, and wires of the vector files with something done
to them.
"""

import json
from pathlib import Path
from random import Random

VECTORS = Path(__file__).parent.parent / "vectors"
ODD = [
    "|", "/", ",", "=", ";", ":", "%", "%2", "%2C", "%zz", '"', "'", "\\", "{", "}", "[", "]",
    "\\u", "\\ud800", "\n",
    "\r\n", "\t", " ", "\x00", "\x1b[31m", "\u202e", "\u200b", "\u2028", "\ud800", "\ufeff",
    "\u0661", "１２", "é",
    "e\u0301",
    "🏳️\u200d🌈", "null", "NaN", "true", "-1", "007", "1e999", "9" * 30, "T", "SLIP", "aacp:1.1",
    "x" * 70, "=" * 9,
    "<|endoftext|>", "<script>",
]  # fmt: skip


def wires(name: str) -> list[str]:
    """The wires of one protocol's vector file."""
    return [
        json.loads(line)["wire"]
        for line in (VECTORS / f"{name}.jsonl").read_text("utf-8").split("\n")
        if line
    ]


def mutate(wire: str, random: Random) -> str:
    """``wire`` with one to four things deleted, doubled, swapped, replaced or put in."""
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(wire))
        end = min(len(wire), at + random.randint(0, 8))
        wire = random.choice(
            (
                wire[:at] + wire[end:],
                wire[:end] + wire[at:end] + wire[end:],
                wire[:at] + random.choice(ODD) + wire[at:],
                wire[:at] + random.choice(ODD) + wire[end:],
                wire[:at],
                wire[at:end] + wire[:at] + wire[end:],
            )
        )
    return wire


def random_text(random: Random) -> str:
    """Text without a plan: odd pieces and characters from everywhere."""
    return "".join(
        random.choice(ODD)
        if random.random() < 0.6
        else chr(random.choice((random.randrange(32, 127), random.randrange(0x11000))))
        for _ in range(random.randint(0, 30))
    )
