"""The requirements of SLIP v3, by number."""

REQUIREMENTS = {
    "SLIP-01": (
        "A message starts with SLIP v3. Other versions are recognized and reported as unsupported."
    ),
    "SLIP-02": "The sender and recipient are 1 to 20 letters or digits.",
    "SLIP-03": "The Force is one of twelve words.",
    "SLIP-04": "The Object is 1 to 30 letters or digits. New Objects are valid.",
    "SLIP-05": "The payload has at most 20 tokens of 1 to 30 letters or digits.",
    "SLIP-06": (
        "A Fallback has a reference of 1 to 16 letters or digits as the first token of its payload."
    ),
    "SLIP-07": "Sender, recipient, Force, Object, and payload are encoded as a message.",
    "SLIP-08": "An encoded message decodes to the same values.",
}
