"""Candidates and their rules with slots, by calls and by the API."""

import json
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from playground.aacp import candidates, router, rules
from playground.aacp.candidates import RequestCost
from playground.aacp.models import Candidate, Rule
from playground.aacp.router import Written

HEAD = "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:salary"
ENGLISH = "Fetch the salary of employee 4711 for March."
PACKET = f"{HEAD}|filter:emp=4711|period:march"
SLOTS = "Fetch the salary of employee {emp:number} for {period:date}."
WRITTEN = f"{HEAD}|filter:emp={{emp}}|period:{{period:lower}}"


def asked(english: str = ENGLISH, packet: str = PACKET) -> Candidate:
    return candidates.add(
        english=english,
        packet=packet,
        failure="" if packet else "none",
        cost=RequestCost("small", 1, 9, 4, reported=True),
    )


def promote(candidate: Candidate, ada: User, english: str = SLOTS, packet: str = WRITTEN) -> Rule:
    return rules.promote(candidate=candidate.pk, english=english, packet=packet, reviewer=ada)


def write(english: str) -> Written:
    return router.write(english, may_ask=False)


def call(client: Client, method: str, path: str, token: str, body: Any = None) -> tuple[int, Any]:
    response = client.generic(
        method,
        f"/api/v1/aacp/{path}",
        b"" if body is None else json.dumps(body).encode(),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    return response.status_code, json.loads(response.content)
