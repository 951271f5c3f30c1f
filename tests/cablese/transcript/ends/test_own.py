"""What closes at the end of a message, and whether it is opened in it."""

import pytest

from cablese.transcript import split

AACP = "FETCH|HR|return:A|p:1|aacp:1.1|"
NEXT = "REQ/TSK|g=1"


@pytest.mark.parametrize("between", ["; ", " ", ", ", " and ", " -> ", f"; {NEXT}; "])
@pytest.mark.parametrize(
    "wire",
    [
        f'{AACP}filter:name="a"',
        f"{AACP}filter:name='a'",
        f"{AACP}filter:name=`a`",
        f'{AACP}content:"a, client: b"',
        f"{AACP}filter:in(a)",
    ],
)
def test_a_quote_of_its_own_stays_before_another_message(wire: str, between: str) -> None:
    messages = split(f"{wire}{between}{NEXT}").messages
    assert messages[0].wire == wire
    assert {cut.wire for cut in messages[1:]} == {NEXT}


@pytest.mark.parametrize("between", [" | ", "; ", " ", " and ", " -> "])
@pytest.mark.parametrize("sign", ["_", "__", "*", "~", "++"])
def test_a_sign_after_a_name_stays_before_another_message(sign: str, between: str) -> None:
    wire = f"REQ/TSK|g=1,@=auth{sign}"
    assert [cut.wire for cut in split(f"{wire}{between}{NEXT}").messages] == [wire, NEXT]


@pytest.mark.parametrize("mark", ["_", "*", "**", "~~", "***"])
@pytest.mark.parametrize("before", ["", "see ", "planner: "])
def test_markup_around_a_message_is_not_its_own(before: str, mark: str) -> None:
    text = f"{before}{mark}REQ/TSK|g=2,@=auth{mark} | {mark}{NEXT}{mark}"
    assert [cut.wire for cut in split(text).messages] == ["REQ/TSK|g=2,@=auth", NEXT]
    if before and mark != "~~":
        text = f"{mark}{before}REQ/TSK|g=2,@=auth{mark} | {mark}{NEXT}{mark}"
        assert [cut.wire for cut in split(text).messages] == ["REQ/TSK|g=2,@=auth", NEXT]


@pytest.mark.parametrize("quote", ['"', "'", "`"])
def test_a_quote_around_a_message_is_not_its_own(quote: str) -> None:
    wire = f"{AACP}filter:a"
    text = f"{quote}{wire}{quote}, {quote}{NEXT}{quote}"
    assert [cut.wire for cut in split(text).messages] == [wire, NEXT]
