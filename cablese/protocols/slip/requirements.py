"""What SLIP v3 asks for, numbered as in PROTOCOLS."""

REQUIREMENTS = {
    "SLIP-01": "A message begins with SLIP and v3; other versions are recognised and said to be unsupported.",
    "SLIP-02": "Sender and recipient are 1 to 20 letters or digits.",
    "SLIP-03": "The Force is one of twelve words.",
    "SLIP-04": "The Object is 1 to 30 letters or digits; new ones are accepted.",
    "SLIP-05": "The payload has at most 20 tokens of 1 to 30 letters or digits.",
    "SLIP-06": "A Fallback needs a reference of 1 to 16 letters or digits, the first token of its payload.",
    "SLIP-07": "Sender, recipient, Force, Object and payload are written as a message.",
    "SLIP-08": "What was written is read back as the same values.",
}
