"""What T-line asks for, numbered as in PROTOCOLS."""

REQUIREMENTS = {
    "TLINE-01": "A message begins with T and a bar.",
    "TLINE-02": "The id is an integer, 1 to 2147483647.",
    "TLINE-03": "The kind is Q, A, C, S or E.",
    "TLINE-04": "The payload is pairs of a key and a value.",
    "TLINE-05": "The core keys obj, res, err and next are known.",
    "TLINE-06": "A message has one objective, one result and one next step at most.",
    "TLINE-07": "Four parts with bars between them; pairs are parted by semicolons.",
    "TLINE-08": "Reserved and control characters are written as percent codes.",
    "TLINE-09": "Everything else stands for itself, and a needless code is pointed out.",
    "TLINE-10": "The payload is not empty.",
    "TLINE-11": "Within a conversation ids are unique and grow.",
    "TLINE-12": "After 2147483647 an S message announces rollover=y, and ids begin at 1 again.",
    "TLINE-13": "The meanings that keydef declares are collected and shown.",
    "TLINE-14": "Keys that nobody declared are reported.",
    "TLINE-15": "An ambiguous message is answered with E|err=ambiguous;next=clarify.",
    "TLINE-16": "More detail is asked for with Q|obj=detail.",
    "TLINE-17": "An id, a kind and a payload are written as a message.",
    "TLINE-18": "What was written is read back as the same values.",
    "TLINE-19": "One line carries one act.",
    "TLINE-20": "Tokens are compared with natural language and with JSON.",
}
