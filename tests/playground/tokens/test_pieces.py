"""Token pieces cost much more than counts, so anybody may ask for few of them only."""

import json
from typing import Any

import pytest
from django.test import Client

from playground.workbench.api import CHARACTERS_IN_PIECES

pytestmark = pytest.mark.django_db


def ask(client: Client, **asked: Any) -> Any:
    return client.post("/api/v1/tokens", json.dumps(asked), content_type="application/json")


def test_pieces_of_too_many_characters_are_refused(client: Client) -> None:
    response = ask(
        client,
        texts=["a" * (CHARACTERS_IN_PIECES // 2), "b" * (CHARACTERS_IN_PIECES // 2), "c"],
        tokenizers=["o200k_base"],
        pieces=True,
    )

    assert response.status_code == 413
    assert response.json()["pointer"] == "/pieces"
    assert response.json()["limit"] == CHARACTERS_IN_PIECES


def test_each_tokenizer_counts(client: Client) -> None:
    text = "a" * (CHARACTERS_IN_PIECES // 2 + 1)

    assert (
        ask(client, texts=[text], tokenizers=["o200k_base", "cl100k_base"], pieces=True).status_code
        == 413
    )
    assert ask(client, texts=[text], tokenizers=["o200k_base"] * 20, pieces=True).status_code == 200


def test_counts_have_no_such_limit(client: Client) -> None:
    assert ask(client, texts=["a" * (CHARACTERS_IN_PIECES + 1)]).status_code == 200
