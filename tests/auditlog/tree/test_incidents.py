"""What to do about an incident: the printed command is about the log that has it."""

import logging
import shlex
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from auditlog.log import logs
from auditlog.models import Log
from auditlog.tree import checkpoints, incidents, keys

DEFAULT = "manage.py checkpoint --accept-incident"


@pytest.fixture
def demo(log: Log) -> Log:
    """Another log with its first key."""
    found = logs.create(slug="demo", host="example.com")
    keys.ensure(found)
    return found


def stop(log: Log) -> incidents.Incident:
    return incidents.record(log, "faults", size=1, found=1)


def accept(command: str) -> str:
    """Run the command as it is printed, and return what it reports."""
    _, name, *arguments = shlex.split(command)
    reported = StringIO()
    call_command(name, *arguments, stdout=StringIO(), stderr=reported)
    return reported.getvalue()


def test_the_command_for_the_default_log_names_no_log(log: Log) -> None:
    assert stop(log).advice == f"Find out what changed the database, then run: {DEFAULT}"


def test_the_printed_command_accepts_the_incident_of_its_log(demo: Log) -> None:
    incident = stop(demo)
    assert incident.command == f"{DEFAULT} --log demo"
    assert 'signs the log "demo" from now on' in accept(incident.command)
    assert incidents.find_current() == []


def test_the_server_log_and_each_refusal_name_the_log(
    demo: Log, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        stop(demo)
    assert caplog.messages[-1].endswith(f"{DEFAULT} --log demo")
    with pytest.raises(checkpoints.Stopped, match="--accept-incident --log demo"):
        checkpoints.sign_now(demo)
    for command in (("checkpoint",), ("signingkey", "rotate")):
        with pytest.raises(CommandError, match="--accept-incident --log demo"):
            call_command(*command, "--log", "demo")


def test_each_of_two_incidents_has_a_command(log: Log, demo: Log) -> None:
    stop(log), stop(demo)
    assert incidents.advise(incidents.find_current()).endswith(
        f"run: {DEFAULT} and {DEFAULT} --log demo"
    )
