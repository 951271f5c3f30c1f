"""Messages of each protocol, as a page shows them."""

from cablese import detection
from playground.display.message import FullMessage

WIRES = (
    "REQ/TSK|g=42,t=1,p=2,@=auth_refactor",
    "RJE/PLN|g=42,,t=01|!=🙂",
    "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|\nres:emp_salary",
    '{"format":"text","subformat":"English","content":"a\\u202eb"}',
    '{"g":"X","ctx":{"my key":1},"plan":[["s","T",{"n":[1,2]}]]}',
    "T|17|Q|obj=test%20scope;ctx=api",
    "SLIP v3 planner exec Request Plan auth",
    "nobody claims this",
)


def shown(wire: str) -> FullMessage:
    return FullMessage(detection.decode(wire), "o200k_base")
