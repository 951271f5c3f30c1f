"""The bill by field, the same said otherwise, and break-even, as JSON."""

from typing import Any

import pytest
from django.test import Client

from cablese import tokens
from playground.tokens.bill import LONGEST

REQUEST = "REQ/TSK|g=42,t=1,p=2,@=auth_refactor"


def post(client: Client, path: str, body: dict[str, Any], status: int = 200) -> Any:
    answer = client.post(f"/api/v1/tokens/{path}", body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_bill_adds_up_in_every_tokenizer(client: Client) -> None:
    answer = post(client, "bill", {"wire": REQUEST, "tokenizers": list(tokens.names())})

    assert answer["protocol"] == "nslip"
    assert list(answer["bills"]) == list(tokens.names())
    for name, bill in answer["bills"].items():
        assert (
            sum(line["tokens"] for line in bill["lines"]) + bill["rest"]
            == tokens.count(REQUEST, name).count
        )
    line = answer["bills"]["o200k_base"]["lines"][0]
    assert line == {"field": "act", "names": ["act"], "tokens": 1, "separators": 0}


def test_ways_to_say_it_come_with_verdicts_and_a_named_baseline(client: Client) -> None:
    answer = post(
        client, "baselines", {"wire": REQUEST, "baseline": "yaml", "tokenizers": ["o200k_base"]}
    )
    strip = answer["strips"]["o200k_base"]
    rows = {row["key"]: row for row in strip["rows"]}

    assert (strip["baseline"], strip["baseline_title"], strip["tokenizer"]) == (
        "yaml",
        "YAML",
        "o200k_base",
    )
    assert rows["yaml"]["change"] == 0
    assert rows["message"]["difference"] == 19 - rows["yaml"]["count"]
    assert rows["slip"]["verdict"] == "lost"


def test_break_even_is_a_sum_of_numbers(client: Client) -> None:
    answer = post(
        client,
        "break-even",
        {"prompt": 300, "message": 19, "baseline": 27, "repeats": 5, "factor": 0.1},
    )
    assert (answer["teaching"], answer["saved"], answer["pays_back"]) == (420, 8, 53)
    assert {
        "messages": 53,
        "protocol": 1427,
        "baseline": 1431,
        "difference": -4,
        "marked": "break-even",
    } in answer["steps"]

    assert (
        post(client, "break-even", {"prompt": 300, "message": 30, "baseline": 27})["pays_back"]
        is None
    )


@pytest.mark.parametrize(
    ("path", "body", "status", "pointer"),
    [
        ("bill", {"wire": "x", "tokenizers": ["nonsense"]}, 422, "/tokenizers"),
        ("bill", {"wire": "x", "protocol": "nonsense"}, 422, "/protocol"),
        ("bill", {"wire": "x" * 131_073}, 413, "/wire"),
        ("baselines", {"wire": "x", "baseline": "nonsense"}, 422, "/baseline"),
        ("break-even", {"prompt": -1, "message": 1, "baseline": 1}, 422, "/prompt"),
    ],
)
def test_what_does_not_fit_is_said_with_its_place(
    client: Client, path: str, body: dict[str, Any], status: int, pointer: str
) -> None:
    assert post(client, path, body, status)["pointer"] == pointer


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("prompt", 10_000_000), ("message", 10_000_000), ("baseline", 10_000_000),
        ("messages", 10_000), ("repeats", 1_000), ("factor", 1),
    ],
)  # fmt: skip
def test_each_number_of_a_break_even_has_a_limit(client: Client, name: str, most: int) -> None:
    given = {"prompt": 1, "message": 1, "baseline": 2}

    post(client, "break-even", given | {name: most})

    assert post(client, "break-even", given | {name: most + 1}, 422)["pointer"] == f"/{name}"


def test_a_message_that_is_too_long_to_bill_says_the_limit(client: Client) -> None:
    wire = REQUEST + "x" * (LONGEST + 1 - len(REQUEST))

    post(client, "bill", {"wire": wire[:-1]})

    assert post(client, "bill", {"wire": wire}, 413)["limit"] == LONGEST
