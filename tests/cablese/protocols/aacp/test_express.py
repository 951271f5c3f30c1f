"""What AACP makes of values from elsewhere."""

import pytest

from cablese import registry
from cablese.translation.translate import JSON, translate_text


@pytest.mark.parametrize(
    ("value", "written"),
    [('"x"', "x"), ("7", "7"), ("true", None), ("null", None), ('["x"]', None)],
)
def test_only_text_and_integers_of_json_become_values_of_aacp(
    value: str, written: str | None
) -> None:
    plain = f'{{"task":"FETCH","domain":"HR","return":"A","priority":1,"result":{value}}}'

    translation = translate_text(plain, "aacp", protocol=JSON)

    wire = None if written is None else f"FETCH|HR|return:A|p:1|aacp:1.1|result:{written}"
    assert translation.wire == wire


def test_only_a_priority_is_one() -> None:
    aacp = registry.get("aacp")

    statement = aacp.state(aacp.decode("FETCH|HR|return:A|p:1|aacp:1.1|qty:2|of:1.1"))

    assert statement.places["priority"].key == "p"
    assert (statement.extras["aacp.qty"], statement.extras["aacp.of"]) == ("2", "1.1")
