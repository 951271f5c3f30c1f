"""docs/security.md answers every line of level 1 and 2, its events are those that are logged, its
tests are there.

`asvs-5.0.0.txt` holds the numbers of OWASP ASVS 5.0.0 up to level 2, each with its level.
"""

import ast
import re
from functools import cache

from auditlog.securitylog import EVENTS
from tests.installation import ROOT

PAGE = (ROOT / "docs/security.md").read_text("utf-8")
NUMBERS = dict(
    line.split() for line in (ROOT / "tests/asvs-5.0.0.txt").read_text("ascii").splitlines()
)
ROW = re.compile(
    r"^\| (V\d+\.\d+\.\d+) \| (\d) \| ([^|]+) \| (met|not met|n/a) \| ([^|]+) \|$", re.MULTILINE
)
ROWS = ROW.findall(PAGE)
NAMED = sorted(set(re.findall(r"`((?:\w+/)*test_\w+\.py)(?:::(test_\w+))?`", PAGE)))


def test_every_number_is_answered_once_in_order() -> None:
    assert len(NUMBERS) == 253
    assert [row[0] for row in ROWS] == list(NUMBERS)
    assert {row[0]: row[1] for row in ROWS} == NUMBERS


def test_every_row_of_the_page_is_read() -> None:
    assert len(re.findall(r"^\| V\d", PAGE, re.MULTILINE)) == len(ROWS)


def test_an_answer_has_its_reason() -> None:
    assert [row[0] for row in ROWS if not row[2].strip() or len(row[4].strip()) <= 10] == []


@cache
def functions(file: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_is_named_exists() -> None:
    assert [(file, name) for file, name in NAMED if name not in {"", *functions(file)}] == []


def test_every_event_that_is_logged_is_described_and_no_other() -> None:
    assert dict(re.findall(r"^\| `([a-z]+\.[a-z_]+)` \| (.+) \|$", PAGE, re.MULTILINE)) == EVENTS


def test_every_reason_for_the_end_of_a_session_is_named_and_no_other() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "playground").rglob("*.py"))
    given = re.findall(r'"session\.ended",\s+reason=([^,]+),', code)
    named = EVENTS["session.ended"].partition("the reason is ")[2]

    assert set(re.findall(r"\w+", named.replace("or ", ""))) == set(
        re.findall(r'"(\w+)"', " ".join(given))
    )


def test_the_page_counts_its_answers() -> None:
    said = re.search(r"(\d+) met, (\d+) not met, (\d+) not applicable", PAGE)
    assert said is not None

    assert [int(one) for one in said.groups()] == [
        sum(row[3] == answer for row in ROWS) for answer in ("met", "not met", "n/a")
    ]


def test_every_place_that_is_linked_is_there() -> None:
    heads = {
        re.sub(r"[^a-z0-9 -]", "", head.lower()).replace(" ", "-")
        for head in re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    }

    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= heads
