"""Dry runs: waves, states, and fallbacks."""

import pytest

from cablese.protocols.sacp.agents import (
    dryrun,
)
from cablese.protocols.sacp.agents.definition import define
from cablese.protocols.sacp.agents.registry import Agent
from cablese.protocols.sacp.agents.samples import AGENTS
from tests.cablese.protocols.sacp.source import HOTEL, PREDICTOR, read


@pytest.mark.requirement("SACP-15")
def test_a_dry_run_walks_the_plan_and_does_nothing() -> None:
    run = dryrun.rehearse(read(*HOTEL, test_mode=True).values, AGENTS)

    assert run.state == "DONE"
    assert run.history == ("PENDING", "IN_PROGRESS", "DONE")
    assert [
        (event.step, event.agent) for event in run.events if event.step and event.state == "DONE"
    ] == [
        ("1", "HOTEL_FINDER"), ("2", "HOTEL_FINDER"), ("3", "REPORT_WRITER"),
    ]  # fmt: skip


@pytest.mark.requirement("SACP-11")
def test_branches_share_a_wave_and_the_join_waits() -> None:
    run = dryrun.rehearse(
        read({"parallel": HOTEL[:2]}, ["join", "MERGE", {}], HOTEL[2]).values, AGENTS
    )

    waves = {event.step: event.wave for event in run.events if event.step}
    assert waves == {"1.1": 1, "1.2": 1, "2": 2, "3": 3}
    begun = [(event.step, event.state) for event in run.events if event.wave == 1]
    assert begun == [
        ("1.1", "IN_PROGRESS"),
        ("1.2", "IN_PROGRESS"),
        ("1.1", "DONE"),
        ("1.2", "DONE"),
    ]


@pytest.mark.requirement("SACP-18")
def test_a_fallback_takes_over_when_its_agent_fails() -> None:
    run = dryrun.rehearse(read(*HOTEL[:1]).values, AGENTS, {"HOTEL_FINDER"})

    assert [(event.state, event.agent) for event in run.events if event.step] == [
        ("IN_PROGRESS", "HOTEL_FINDER"), ("FAILED", "HOTEL_FINDER"), ("DONE", "HOTEL_ARCHIVE"),
    ]  # fmt: skip
    assert run.state == "DONE"
    assert run.events[-2].note == "Replaces HOTEL_FINDER."


@pytest.mark.requirement("SACP-18")
def test_without_a_fallback_the_message_fails_and_the_rest_is_not_begun() -> None:
    run = dryrun.rehearse(read(*HOTEL).values, AGENTS, {"HOTEL_FINDER", "HOTEL_ARCHIVE"})

    assert run.state == "FAILED"
    assert run.not_begun == ("2", "3")
    assert run.history == ("PENDING", "IN_PROGRESS", "FAILED")


@pytest.mark.requirement("SACP-18")
def test_a_fallback_that_cannot_do_the_step_does_not_take_over() -> None:
    run = dryrun.rehearse(read(HOTEL[1]).values, AGENTS, {"HOTEL_FINDER"})

    assert run.state == "FAILED"
    assert run.events[-2].note == "Its fallback HOTEL_ARCHIVE cannot execute this step."


@pytest.mark.requirement("SACP-18")
def test_fallbacks_that_name_each_other_end() -> None:
    one = define(Agent, PREDICTOR | {"agent_name": "A", "fallback": "B"})
    other = define(Agent, PREDICTOR | {"agent_name": "B", "fallback": "A"})

    run = dryrun.rehearse(read(["predict", "PRC_EST", {}]).values, (one, other), {"A", "B"})

    assert [event.agent for event in run.events if event.state == "FAILED" and event.step] == [
        "A",
        "B",
    ]
