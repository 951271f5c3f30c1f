"""The prompt that teaches a protocol."""

import pytest

from cablese import registry
from playground.tokens.prompt import teach


@pytest.mark.parametrize("protocol", registry.get_names())
def test_it_has_every_code_of_the_tables_that_says_something_and_an_example(protocol: str) -> None:
    codec = registry.get(protocol)
    prompt = teach(protocol)

    assert codec.title in prompt
    assert codec.reference.example in prompt
    for table in codec.reference.tables:
        assert all(row.code.lower() in prompt.lower() for row in table.rows)
        assert all(row.word.lower() in prompt.lower() for row in table.rows)


def test_it_is_short_and_always_the_same() -> None:
    assert (
        teach("nslip")
        == """\
Write to other agents in nSLIP, one message at a time and nothing else.
message = act "/" frame "|" [ slot *( "," slot ) ]
act = "REQ" / "PRO" / "INF" / "EVL" / "ACC" / "REJ" / "QRY" / "CFM"
frame = "TSK" / "PLN" / "OBS" / "EVL" / "RSC" / "CST" / "ERR"
slot = name "=" value
name = "g" / "t" / "r" / "p" / "s" / "sc" / "@" / "!"
value = integer / text
Acts: REQ REQUEST; PRO PROPOSE; INF INFORM; EVL EVAL; ACC ACCEPT; REJ REJECT; \
QRY QUERY; CFM CONFIRM.
Frames: TSK TASK; PLN PLAN; OBS OBSERVATION; EVL EVALUATION; RSC RESOURCE; CST CONSTRAINT; \
ERR ERROR.
Slots: g goal; t task; r result; p priority; s status; sc score; @ tag; ! reason.
Priorities: 1 high; 2 medium; 3 low.
Statuses: done; in_progress; blocked; waiting; partial; failed.
Example: REQ/TSK|g=42,t=1,p=2,@=auth_refactor
"""
    )
