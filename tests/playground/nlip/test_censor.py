"""Authentication tokens are removed from a text, and the rest of it stays as it is."""

import pytest

from playground.nlip.censor import censor

TOKEN = '{"format":"token","subformat":"authentication","content":"hunter2"}'


@pytest.mark.parametrize(
    ("wire", "safe"),
    [
        (TOKEN, TOKEN.replace("hunter2", "removed")),
        (f"[{TOKEN},{TOKEN}]", f"[{TOKEN},{TOKEN}]".replace("hunter2", "removed")),
        (
            f'{{"messages":[{{"a.b":{TOKEN}}}]}}',
            f'{{"messages":[{{"a.b":{TOKEN}}}]}}'.replace("hunter2", "removed"),
        ),
        (
            '{"Content":"hunter2", "content" : "hunter2","SubFormat":"\\tAUTHORIZATION_bob "}',
            '{"Content":"removed", "content" : "removed","SubFormat":"\\tAUTHORIZATION_bob "}',
        ),
        (
            '{"subformat":"authentication","content":{"hunter2":null},"content":["hunter2"]}',
            '{"subformat":"authentication","content":"removed","content":"removed"}',
        ),
        (
            r'{"subformat":"\u0061uthentication","content":1234}',
            r'{"subformat":"\u0061uthentication","content":"removed"}',
        ),
        (
            '{"subformat":"authentication","content":"hunter2',
            '{"subformat":"authentication","content":"removed',
        ),
        (
            TOKEN.replace('"hunter2"', f"[{TOKEN}, /* authentication content */ {TOKEN}]"),
            TOKEN.replace("hunter2", "removed"),
        ),
        (f"{{}}\n{TOKEN}", '{}\n"removed"'),
    ],
)
def test_the_content_of_an_authentication_token_is_removed(wire: str, safe: str) -> None:
    assert censor(wire) == safe


@pytest.mark.parametrize(
    "wire",
    [
        "",
        "authentication",
        'Authentication is required. {"format":"text","subformat":"english","content":"Hi"}',
        '{"format":"text","subformat":"english","content":"The subformat is authentication."}',
        '{"format":"token","subformat":"conversation","content":"c-17"}',
        '{"subformat":"authentication","content":""}',
        '{"subformat":"authentication","content":null}',
        '{"subformat":["authentication"],"content":"hello"}',
        '{"content":"hello","inner":{"subformat":"authentication"}}',
    ],
)
def test_everything_else_stays(wire: str) -> None:
    assert censor(wire) == wire


def test_no_token_is_left_after_the_limit_of_values() -> None:
    wire = f"[{','.join([TOKEN] * 10_000)}]"

    assert "hunter2" not in censor(wire)
