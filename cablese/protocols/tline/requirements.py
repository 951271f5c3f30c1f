"""The requirements of T-line, by number."""

REQUIREMENTS = {
    "TLINE-01": "A message starts with T and a bar.",
    "TLINE-02": "The ID is an integer from 1 to 2147483647.",
    "TLINE-03": "The kind is Q, A, C, S, or E.",
    "TLINE-04": "The payload is a list of key=value pairs.",
    "TLINE-05": "The core keys obj, res, err, and next are recognized.",
    "TLINE-06": "A message has at most one objective, one result, and one next step.",
    "TLINE-07": "A message has four parts separated by bars. Pairs are separated by semicolons.",
    "TLINE-08": "Reserved and control characters are percent-encoded.",
    "TLINE-09": (
        "All other characters are written as they are, and an unnecessary code is reported."
    ),
    "TLINE-10": "The payload is not empty.",
    "TLINE-11": "IDs are unique and increase within a conversation.",
    "TLINE-12": "After 2147483647, an S message announces rollover=y and IDs restart at 1.",
    "TLINE-13": "Meanings declared by keydef are collected and shown.",
    "TLINE-14": "Undeclared keys are reported.",
    "TLINE-15": "An ambiguous message is answered with E|err=ambiguous;next=clarify.",
    "TLINE-16": "More detail is requested with Q|obj=detail.",
    "TLINE-17": "An ID, a kind, and a payload are encoded as a message.",
    "TLINE-18": "An encoded message decodes to the same values.",
    "TLINE-19": "Each line is one act.",
    "TLINE-20": "Token counts are compared with natural language and JSON.",
}
