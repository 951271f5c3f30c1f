"""Messages that the printers and wrappers carry: three of each protocol, and some that are hard to
end.
"""

import json

MESSAGES: dict[str, tuple[str, str, str]] = {
    "nslip": (
        "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
        "PRO/PLN|g=42,t=1",
        "REJ/PLN|g=42,t=1,!=too_big",
    ),
    "slip": (
        "SLIP v3 planner exec Request Plan auth",
        "SLIP v3 exec planner Accept Plan",
        "SLIP v3 exec planner Inform Status done",
    ),
    "aacp": (
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2024-08",
        "ACK|IT|return:Ops-Agent|p:2|aacp:1.1",
        "REPORT|FIN|return:CFO-Agent|p:3|aacp:1.1|fmt:json",
    ),
    "sacp": (
        '{"g":"FIND_HOTEL","plan":[["s","H_API",{"c":"Paris","p_max":150}]],"state":"PENDING"}',
        (
            '{"g":"SUM_UP","plan":[["extract","DOC",{"range":"Q2"}],["generate","SUMMARY",{}]],'
            '"msg_id":"m2"}'
        ),
        '{"g":"SUM_UP","ctx":{"lang":"en"},"plan":[["show","OUT",{"n":[1,2]}]],"out_fmt":"human"}',
    ),
    "nlip": (
        '{"Format":"text","Subformat":"English","Content":"What is the weather in Paris?"}',
        '{"Format":"location","Subformat":"GPS","Content":"48.8566,2.3522"}',
        (
            '{"Format":"text","Subformat":"English","Content":"Sunny",'
            '"Submessages":[{"Format":"error","Subformat":"code","Content":7}]}'
        ),
    ),
    "tline": (
        "T|17|Q|obj=test_scope;next=review",
        "T|18|A|res=2_fail;err=timeout;next=retry_1",
        "T|19|E|err=ambiguous;next=clarify",
    ),
}
"""Valid messages, three of each protocol."""

AWKWARD: dict[str, tuple[str, ...]] = {
    "nslip": (
        'INF/OBS|g=42,t=1,!=the_"fast"_"one"',
        "INF/OBS|g=42,t=1,!=items[3]",
        "INF/OBS|g=42,t=1,!=size(2)",
        "INF/OBS|g=42,t=1,@=it's",
        "INF/OBS|g=42,t=1,@=a\\b",
    ),
    "aacp": (
        'PROC|FIN|return:CFO-Agent|p:2|aacp:1.1|filter:status="active"',
        "PROC|FIN|return:CFO-Agent|p:2|aacp:1.1|filter:rows[12]",
        "PROC|FIN|return:CFO-Agent|p:2|aacp:1.1|filter:max(age)",
        "PROC|FIN|return:CFO-Agent|p:2|aacp:1.1|filter:{age}",
    ),
    "tline": ("T|18|A|res=list[2]", "T|18|A|res=f(2)", 'T|18|A|res="2"', "T|18|A|res=it's"),
    "sacp": (
        '{"g":"SAY","plan":[["say","OUT",{"t":"He said \\"hi\\" \\\\ and\\nleft |)]"}]]}',
        '{"g":"SAY","plan":[["say","OUT",{"t":"It\'s {so} [yes] <b>&amp;</b>"}]]}',
    ),
    "nlip": (
        '{"Format":"text","Subformat":"English","Content":"Say REQ/TSK|g=1,t=1 (please)"}',
        (
            '{"Format":"text","Subformat":"English",'
            '"Content":"She said: \\"it\'s\\" `so` \\u00e9\\t]}"}'
        ),
    ),
}
"""Valid messages with quotes, brackets, and backslashes in their last value, or a message quoted in
one.
"""

SPACED: dict[str, tuple[str, ...]] = {
    "aacp": ("RESOLVE|IT|return:Ops-Agent|p:2|aacp:1.1|issue:laptop will not start",),
    "nslip": ("REJ/PLN|g=42,t=1,!=plan is too big",),
}
"""Messages whose last value has spaces: only the end of the line, or what encloses them,
ends them.
"""

UNPAIRED: dict[str, tuple[str, ...]] = {
    "nslip": ("INF/OBS|g=42,t=1,!=see_b)", 'INF/OBS|g=42,t=1,!=5"', "INF/OBS|g=42,t=1,!=x]"),
    "aacp": ("PROC|FIN|return:CFO-Agent|p:2|aacp:1.1|filter:a)",),
    "tline": ("T|18|A|res=5'", "T|18|A|res=a)"),
}
"""Messages whose last value closes what the message did not open."""


def indent(wire: str, width: int = 2) -> str:
    """Return a JSON message printed over several lines."""
    return json.dumps(json.loads(wire), indent=width, ensure_ascii=False)
