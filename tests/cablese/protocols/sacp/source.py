"""What the source of SACP prints: a definition and a plan."""

import json

from cablese.message import Message
from cablese.protocols.sacp.codec import codec

PREDICTOR = {
    "agent_name": "PRICE_PREDICTOR",
    "supported_verbs": ["predict"],
    "supported_tools": ["PRC_EST"],
    "inputs": ["ctx.history", "method", "window"],
    "outputs": ["predictions"],
    "description": "Provides statistical predictions on future hotel prices",
}
"""As "11. Appendix A" of the source prints it."""
HOTEL = [
    ["s", "H_API", {"c": "Paris", "p_max": 150}],
    ["r", "RANK", {"c": ["p", "rt"]}],
    ["p", "PRES", {"n": 5}],
]
"""The plan of "2. Syntax Rules"."""


def read(*steps: object, **more: object) -> Message:
    return codec.decode(json.dumps({"g": "FIND_HOTEL", "plan": list(steps)} | more))
