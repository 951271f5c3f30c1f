"""Training examples as people and programs get them: on the page, as a file, by the command and
over HTTP.
"""

import io
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from auditlog.command import BROKEN_PIPE
from cablese.protocols.nslip.training.examples import SEED_LIMIT, make_examples, write_lines
from playground.nslip.forms import TRAINING_LIMIT
from playground.server.launch import progress
from tests.installation import ROOT
from tests.playground.drawn import words

pytestmark = [pytest.mark.django_db, pytest.mark.requirement("NSLIP-21")]
ADDRESS = "/protocols/nslip/training"


def lines(seed: int, count: int, *roles: str) -> bytes:
    return b"".join(
        write_lines(make_examples(seed, count, roles) if roles else make_examples(seed, count))
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_page_shows_the_first_ten_and_leads_to_the_file(client: Client) -> None:
    page = client.get(f"{ADDRESS}?seed=7&count=2500&roles=critic&roles=planner").content.decode()

    shown = [unescape(match) for match in re.findall(r'<code class="wire"[^>]*>(.*?)</code>', page)]
    assert shown == [example.target for example in make_examples(7, 10, ["critic", "planner"])]
    assert "Download 2,500 examples as NDJSON" in words(page)
    assert re.findall(r'value="(\w+)"\s+checked', page) == ["planner", "critic"]
    (address,) = re.findall(r'href="(/protocols/nslip/training\.jsonl[^"]*)"', page)
    file = client.get(unescape(address))
    assert file.getvalue() == lines(7, 2500, "critic", "planner")
    assert file["Content-Disposition"] == 'attachment; filename="nslip-7-2500.jsonl"'


def test_the_page_is_complete_without_a_word_from_the_browser(client: Client) -> None:
    page = client.get(ADDRESS).content.decode()

    assert "First 10 examples" in words(page)
    assert "Download 1,000 examples as NDJSON" in words(page)
    assert page.count(" checked") == 4


def test_the_reference_page_leads_here(client: Client) -> None:
    assert f'href="{ADDRESS}"' in client.get("/protocols/nslip").content.decode()


@pytest.mark.parametrize(
    "asked",
    [
        {"count": str(TRAINING_LIMIT + 1)},
        {"count": "0"},
        {"seed": "-1"},
        {"seed": "x"},
        {"roles": "user"},
    ],
)
def test_what_cannot_be_made_is_refused_with_words(client: Client, asked: dict[str, str]) -> None:
    page, file = client.get(ADDRESS, asked), client.get(f"{ADDRESS}.jsonl", asked)

    assert (page.status_code, file.status_code) == (422, 422)
    assert 'class="tally error" role="alert"' in page.content.decode()
    assert file["Content-Type"].startswith("text/plain")


def test_a_program_gets_lines(client: Client) -> None:
    answer = client.get(
        "/api/v1/nslip/training", {"seed": "5", "count": "301", "roles": "executor"}
    )

    assert answer["Content-Type"] == "application/x-ndjson"
    assert answer.getvalue() == lines(5, 301, "executor")


@pytest.mark.parametrize(
    ("asked", "pointer"),
    [
        ({"count": TRAINING_LIMIT + 1}, "/count"),
        ({"seed": -1}, "/seed"),
        ({"seed": SEED_LIMIT + 1}, "/seed"),
        ({"roles": "critic,user"}, "/roles"),
    ],
)
def test_a_program_is_told_what_does_not_fit(
    client: Client, asked: dict[str, str | int], pointer: str
) -> None:
    answer = client.get("/api/v1/nslip/training", asked)

    assert answer.status_code == 422
    assert answer.json()["pointer"].endswith(pointer)


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    out = tmp_path / "examples.jsonl"

    call_command(
        "traindata", "--count=20", "--seed=3", "--roles=critic,critic,planner", f"--out={out}"
    )

    assert out.read_bytes() == lines(3, 20, "critic", "planner")


def test_the_command_writes_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("traindata", "--count=20", "--seed=3")

    assert capfdbinary.readouterr() == (lines(3, 20), b"")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--count=x", "--seed=1"),
        ("--count=1", "--seed=-1"),
        ("--count=1", "--seed=1e3"),
        ("--count=1", f"--seed={SEED_LIMIT + 1}"),
    ],
)
def test_the_command_takes_whole_numbers_only(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="is not a whole number from 0 to"):
        call_command("traindata", *arguments)


def test_the_command_takes_the_largest_seed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    call_command("traindata", "--count=2", f"--seed={SEED_LIMIT}")

    assert capfdbinary.readouterr() == (lines(SEED_LIMIT, 2), b"")


def test_the_command_knows_its_roles_and_its_limits(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r'Unknown role "user"\. Expected coordinator, planner'):
        call_command("traindata", "--count=1", "--seed=1", "--roles=planner,user")
    with pytest.raises(CommandError, match="cannot be written: Is a directory"):
        call_command("traindata", "--count=1", "--seed=1", f"--out={tmp_path}")


def test_a_reader_that_has_enough_ends_it_silently() -> None:
    asked = [sys.executable, "manage.py", "traindata", "--count=20000", "--seed=1"]
    with subprocess.Popen(
        asked, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == lines(1, 1)
        running.stdout.close()
        said = running.stderr.read()

    assert (running.returncode, said) == (BROKEN_PIPE, b"")


def test_a_bar_is_drawn_on_a_terminal_and_nowhere_else() -> None:
    terminal, file = Terminal(), io.StringIO()

    assert list(progress.watch(range(1000), 1000, terminal)) == list(range(1000))
    assert list(progress.watch(range(1000), 1000, file)) == list(range(1000))
    drawn = terminal.getvalue().split("\r")
    assert len(drawn) == 201
    assert drawn[100] == f"[{'█' * 15}{'·' * 15}] 500 of 1,000"
    assert drawn[-1] == f"[{'█' * 30}] 1,000 of 1,000\n"
    assert file.getvalue() == ""
