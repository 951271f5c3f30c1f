"""The mutants themselves: every place that the search finds has one, and each really changes code.

What a mutant is for is shown on small modules; the product is searched as it is.
"""

import ast
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.mutation.__main__ import is_current
from tests.mutation.coverage_map import CoverageMap
from tests.mutation.mutants import hand
from tests.mutation.mutants.areas import AREAS, area_of, read_product
from tests.mutation.mutants.hand import KINDS, make_hand
from tests.mutation.mutants.mutant import Mutant
from tests.mutation.mutants.operators import COUNT, every, make_seeded
from tests.mutation.report import find_missed, read_accepted
from tests.mutation.selection import ESCAPES, OF_SETTINGS, RIGHTS, Selection
from tests.mutation.swap import Live, _changed
from tests.mutation.worker import _parts


@pytest.fixture(scope="module")
def files() -> Mapping[str, str]:
    return read_product()


@pytest.fixture(scope="module")
def by_hand(files: Mapping[str, str]) -> list[Mutant]:
    return make_hand(files)


@pytest.fixture(scope="module")
def seeded(files: Mapping[str, str]) -> list[Mutant]:
    return make_seeded(files)


def test_every_place_that_the_search_finds_has_a_mutant(by_hand: list[Mutant]) -> None:
    assert {mutant.kind for mutant in by_hand} == set(KINDS)
    assert {(mutant.kind, mutant.form) for mutant in by_hand} >= {
        ("escape", "text"), ("escape", "template"), ("permission", "decorator"),
        ("permission", "entry"), ("limit", "compare"), ("expiry", "sql"),
    }  # fmt: skip
    assert all(mutant.replacement != mutant.before for mutant in by_hand)


def test_a_place_without_a_rule_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand, "TABLE", {})

    with pytest.raises(KeyError, match="auth"):
        make_hand({"playground/x.py": "r = Router(auth=Key())"})


@pytest.mark.parametrize(
    "word",
    [
        "SafeString(", "mark_safe(", "format_html(", "conditional_escape(", "shlex.quote(",
        "urlencode(", "compare_digest(", "for_installation(", "readable_log(", "auth=Key()",
        "require_administrator(", "is_administrator(", "url_has_allowed_host_and_scheme(",
        "@login_required", "@administrators_only", "@csrf_protect", "@require_POST",
        "user.is_authenticated", "user.is_superuser", "revoked IS NULL", "max_length=",
        "max_value=", "create_default_context()", "may_change(", "0o600", "0o700", "0o077",
        '"Cache-Control"', '"X-Content-Type-Options"', "default-src", "isprintable() else",
        "verify_consistency(", "verify_inclusion(",
    ],
)  # fmt: skip
def test_no_line_with_an_escape_or_a_guard_is_without_a_mutant(
    word: str, files: Mapping[str, str], by_hand: list[Mutant]
) -> None:
    """Counted by text, and not by the search: a line that it overlooks is found here."""
    mutated = {(mutant.path, mutant.line(files[mutant.path])) for mutant in by_hand}
    for path, text in files.items():
        if path.endswith(".py") and not path.endswith("models.py"):
            for at, line in enumerate(text.splitlines(), 1):
                if word in line and not line.strip().startswith(("def ", "#", "assert ")):
                    assert (path, at) in mutated, line


def test_every_mutant_is_a_module_that_can_be_compiled(
    files: Mapping[str, str], by_hand: list[Mutant], seeded: list[Mutant]
) -> None:
    for mutant in (*by_hand, *seeded):
        if mutant.path.endswith(".py"):
            ast.parse(mutant.apply(files[mutant.path]))


def test_keys_tell_mutants_apart(by_hand: list[Mutant], seeded: list[Mutant]) -> None:
    keys = [f"{mutant.kind} {mutant.form} {mutant.key}" for mutant in (*by_hand, *seeded)]

    assert len(keys) == len(set(keys))


def test_seeded_mutants_are_the_same_each_time_and_of_every_area(
    files: Mapping[str, str], seeded: list[Mutant]
) -> None:
    assert len(seeded) == COUNT
    assert {mutant.area for mutant in seeded} == set(AREAS)
    some = {path: text for path, text in files.items() if path.startswith("auditlog/search")}
    assert {each.key for each in make_seeded(some, 20)} == {
        each.key for each in make_seeded(some, 30)[:20]
    }
    assert len({mutant.form for mutant in seeded}) == 6


def test_every_area_has_files(files: Mapping[str, str]) -> None:
    assert {area_of(path) for path in files} >= set(AREAS)


@pytest.mark.parametrize(
    ("code", "mutated"),
    [
        ("from django.utils.html import escape\nx = escape(a)", "x = str(a)"),
        ("from html import escape\nx = escape(a)", "x = str(a)"),
        (
            "from django.utils.html import format_html\nx = format_html('<b>{}', a)",
            "SafeString(str.format('<b>{}', a))",
        ),
        ("x = f'<b>{mark_safe(a)}'", "x = f'<b>{str(a)}'"),
        ("@login_required\ndef f(): pass", "@(lambda view: view)"),
        ("r = Router(auth=Key())", "r = Router(auth=None)"),
        ("x = 'read' in by.scopes", "x = True"),
        ("x = by.log not in (None, log)", "x = False"),
        ("if not user.is_authenticated: pass", "if not True: pass"),
        ("x = len(a) > MAX_NAMES", "x = False"),
        ("x = MAX_NAMES >= len(a)", "x = True"),
        ("x = 0 < n <= LIMIT", "x = (0 < n)"),
        ("x = a[:MOST]", "x = a[:]"),
        ("x = min(BURST, a)", "x = (a)"),
        ("x = islice(a, MAX_ROWS)", "x = islice(a, None)"),
        ("x = Meta(max_length=20)", "x = Meta(max_length=None)"),
        ("LONGEST = 20", "LONGEST = (20) * 1_000_000"),
        ("x = key.expires <= now", "x = False"),
        ("x = now < key.expires", "x = True"),
        ("x = time.monotonic() - began > 5", "x = False"),
        ("x = 's.expires > %s'", "x = '0 * %s = 0'"),
        ("x = sign.load(a, max_age=5)", "x = sign.load(a, max_age=None)"),
        ("x = a if a.isprintable() else '?'", "x = a"),
        ("x = a.mkdir(mode=0o700)", "x = a.mkdir(mode=0o755)"),
        ("os.umask(0o077)", "os.umask(0)"),
        ("x = {'Cache-Control': a}", 'x = {"X-Nothing": a}'),
        ("x = 'private'  # of Cache-Control", 'x = "public"'),
        ("X = \"default-src 'none'; sandbox\"", 'X = "default-src *; sandbox"'),
        ("x = '; '.join((f'a {b}',))", "x = '; '.join((*(),))"),
        ("x = create_default_context()", 'x = __import__("ssl")._create_unverified_context()'),
        ("x = a.read(LIMIT)", "x = a.read()"),
        ("x = find(limit=MOST)", "x = find(limit=10**9)"),
        ("x = len(a) > SIZE", "x = False"),
        ("x = min(key.expires or a, b)", "x = (b)"),
        ("x = create_key(expires=a)", "x = create_key(expires=None)"),
        ("x = while_valid(by, blocks)", "x = blocks"),
        ("x = threading.Timer(DEADLINE, end)", "x = threading.Timer(10**6, end)"),
    ],
)
def test_a_place_is_mutated_by_the_table(code: str, mutated: str) -> None:
    [mutant] = make_hand({"playground/x.py": code})

    assert mutated in mutant.apply(code)


@pytest.mark.parametrize(
    ("code", "mutated"),
    [
        ("if a != b: raise BadProof", "if False: raise BadProof"),
        ("if a != b: return _refuse(403)", "if False: return _refuse(403)"),
        ("verify_consistency(a, b)", "None"),
        ("_require_text(a)", "None"),
        ("x = not verify(a, b)", "x = not True"),
        ("if len(a) > LIMIT: raise BadNote", "if False: raise BadNote"),
    ],
)
def test_every_refusal_of_a_proof_is_mutated_once(code: str, mutated: str) -> None:
    [mutant] = make_hand({"cablese/tlog/x.py": code})

    assert mutant.apply(code) == mutated
    assert make_hand({"cablese/json/x.py": "if a != b: raise BadProof"}) == []


def test_a_template_is_printed_unescaped() -> None:
    [mutant] = make_hand({"templates/x.html": "<p>{{ a|shorten:20 }}{{ b }}</p>"})

    assert mutant.apply("") == "<p>{{ a|shorten:20|safe }}{{ b|safe }}</p>"


@pytest.mark.parametrize("name", ["x.html", "x.svg"])
def test_a_policy_of_a_template_is_removed(name: str) -> None:
    policy = '<meta http-equiv="Content-Security-Policy" content="{{ policy }}">'
    *_, mutant = make_hand({f"templates/{name}": f"<p>{policy}</p>"})

    assert mutant.apply(f"<p>{policy}</p>") == "<p></p>"


def test_ordinary_operators() -> None:
    code = "def f(a, b):\n    if a < 1 and not b:\n        a = a + 1\n    return a\n"
    made = {mutant.apply(code) for mutant in every("auditlog/log/x.py", code)}

    for change in (
        ("a < 1", "a <= 1"), ("a < 1", "a >= 1"), ("and", "or"), ("not b", "(b)"),
        ("a + 1", "a - 1"), ("return a", "return None"), ("a = a + 1", "pass"), ("< 1", "< 2"),
    ):  # fmt: skip
        assert code.replace(*change) in made


def test_a_change_of_a_function_is_told_from_one_of_the_module() -> None:
    def changed(before: str, after: str) -> set[str]:
        pairs = _changed(compile(before, "x", "exec"), compile(after, "x", "exec"))
        return {old.co_qualname for old, _ in pairs}

    assert changed("def f(): return 1", "def f(): return 2") == {"f"}
    assert changed("x = 1", "x = 2") == {"<module>"}
    assert changed("def f(a=1): pass", "def f(a=2): pass") == {"<module>"}
    assert changed(
        "def f():\n def g(): return 1\n return g", "def f():\n def g(): return 2\n return g"
    ) == {"f", "f.<locals>.g"}
    assert changed("def f(): return 1", "def f(): return 1") == set()


def test_functions_that_are_alive_get_the_code_of_a_mutant() -> None:
    path, before = "/nowhere/x.py", "def f(): return 1\ndef g(a=1): return a\n"
    names: dict[str, Any] = {}
    exec(compile(before, path, "exec"), names)  # noqa: S102  (a module that no file holds)
    live = Live()

    assert not live.swap(path, before, before.replace("a=1", "a=2"))
    assert live.swap(path, before, before.replace("return 1", "return 2"))

    assert (names["f"](), names["g"]()) == (2, 1)


def test_more_and_more_files_run_in_one_process() -> None:
    assert _parts(["a.py::t", "a.py::u[b.py::x]", "b.py::t", "a.py::v", "c.py::t", "d.py::t"]) == [
        ["a.py::t", "a.py::u[b.py::x]", "a.py::v"],
        ["b.py::t", "c.py::t"],
        ["d.py::t"],
    ]
    assert _parts([]) == []


def test_code_that_runs_during_the_import_is_known() -> None:
    coverage = CoverageMap()
    coverage.add(
        {
            "tests": {"tests/test_x.py::t": 0.1},
            "lines": {"playground/x.py": {"2": [0]}},
            "imported": {"playground/x.py": [1, 4]},
        }
    )

    assert coverage.is_imported("playground/x.py", [3, 4])
    assert not coverage.is_imported("playground/x.py", [2, 3])


def test_a_map_is_measured_again_when_its_tests_or_their_code_changed(tmp_path: Path) -> None:
    part, test, code = (tmp_path / name for name in ("part.json", "test_x.py", "x.py"))
    assert not is_current(part, test, tmp_path)
    for age, file in enumerate((test, code, part)):
        file.write_text(json.dumps({"lines": {"x.py": {"2": [0]}}}))
        os.utime(file, (age, age))

    assert is_current(part, test, tmp_path)
    for changed in (test, code):
        os.utime(changed, (9, 9))
        assert not is_current(part, test, tmp_path)
        os.utime(changed, (1, 1))


def test_tests_with_hostile_text_run_first_for_an_escape() -> None:
    coverage, path = CoverageMap(), "templates/aacp/aacp.html"
    quick, hostile = "tests/playground/aacp/test_aacp.py::t", f"{ESCAPES[0]}::t"
    coverage.add(
        {"tests": {quick: 0.1, hostile: 0.2}, "lines": {path: {"0": [0, 1]}}, "imported": {}}
    )
    [mutant] = make_hand({path: "{{ a }}"})

    assert Selection(coverage, {}).choose(mutant) == [hostile, quick]


def test_every_page_is_tried_first_for_a_permission() -> None:
    coverage, path = CoverageMap(), "playground/aacp/views.py"
    room, right = "tests/playground/aacp/test_aacp.py::t", f"{RIGHTS[0]}::t"
    coverage.add({"tests": {room: 0.1, right: 0.2}, "lines": {path: {"1": [0]}}, "imported": {}})
    source = "@require_POST\ndef view(request):\n    pass\n"
    [mutant] = make_hand({path: source})

    assert Selection(coverage, {path: source}).choose(mutant) == [right, room]


@pytest.mark.parametrize(
    "first", [ESCAPES[0], "tests/playground/display/test_plan_diagram.py"], ids=["likely", "room"]
)
def test_no_tests_take_the_time_of_others(first: str) -> None:
    coverage, path = CoverageMap(), "templates/display/_plan.html"
    many = {f"{first}::t{at}": 3.0 for at in range(9)}
    other = "tests/playground/workbench/test_plan.py::t"
    coverage.add(
        {"tests": many | {other: 0.1}, "lines": {path: {"0": [*range(10)]}}, "imported": {}}
    )
    [mutant] = make_hand({path: "{{ a }}"})

    chosen = Selection(coverage, {}).choose(mutant)

    assert len(chosen) == 4
    assert chosen[-1] == other


def test_a_setting_is_compared_before_anything_else_runs() -> None:
    coverage, path = CoverageMap(), "playground/settings.py"
    guard, compared = "tests/playground/test_security.py::t", f"{OF_SETTINGS[0]}::t"
    coverage.add({"tests": {guard: 0.1, compared: 0.2}, "lines": {}, "imported": {}})
    source = 'X_FRAME_OPTIONS = "DENY"\n'
    [mutant] = make_hand({path: source})

    assert Selection(coverage, {path: source}).choose(mutant) == [compared, guard]


def test_what_executes_a_line_runs_before_the_rest_of_its_room() -> None:
    coverage, path = CoverageMap(), "cablese/json/x.py"
    quick = {f"tests/cablese/json/test_x.py::t{at}": 0.1 for at in range(3)}
    slow = "tests/cablese/json/test_x.py::slow"
    coverage.add({"tests": quick | {slow: 1.0}, "lines": {path: {"2": [3]}}, "imported": {}})
    source = "def f(text):\n    return len(text) > LIMIT\n"
    [mutant] = make_hand({path: source})

    assert Selection(coverage, {path: source}).choose(mutant) == [slow, *quick]


def test_what_noticed_a_mutant_of_the_file_runs_before_its_neighbors() -> None:
    coverage, path = CoverageMap(), "cablese/json/x.py"
    quick, slow = "tests/cablese/json/test_x.py::quick", "tests/cablese/json/test_x.py::slow"
    coverage.add({"tests": {quick: 0.1, slow: 1.0}, "lines": {path: {"2": [0, 1]}}, "imported": {}})
    source = "def f(text):\n    return len(text) > LIMIT\n"
    [mutant] = make_hand({path: source})
    selection = Selection(coverage, {path: source})

    assert selection.choose(mutant) == [quick, slow]
    selection.learn(mutant, slow)
    assert selection.choose(mutant) == [slow, quick]


def test_what_executes_the_file_of_a_constant_runs_before_the_rest_of_its_room() -> None:
    coverage, path = CoverageMap(), "cablese/json/x.py"
    quick, of_file = "tests/cablese/json/test_a.py::t", "tests/cablese/json/test_x.py::t"
    coverage.add({"tests": {quick: 0.1, of_file: 1.0}, "lines": {path: {"4": [1]}}, "imported": {}})
    source = "MAX_BYTES = 5\n\ndef f():\n    return 1\n"
    [mutant] = make_hand({path: source})

    assert Selection(coverage, {path: source}).choose(mutant) == [of_file, quick]


def test_a_definition_is_tried_by_its_whole_room() -> None:
    """A test of it executes the class without a line that names it."""
    coverage, path, user = CoverageMap(), "cablese/json/x.py", "cablese/json/user.py"
    users = {f"tests/cablese/test_user.py::t{at}": 0.1 for at in range(5)}
    room = "tests/cablese/json/test_x.py::t"
    coverage.add(
        {"tests": users | {room: 0.2}, "lines": {user: {"1": [*range(5)]}}, "imported": {}}
    )
    source = "class Each(Struct):\n    name: Annotated[str, Meta(max_length=5)]\n"
    [mutant] = make_hand({path: source})

    chosen = Selection(coverage, {path: source, user: "Each(5)\n"}).choose(mutant)

    assert chosen == [room, *users]


def test_each_accepted_survivor_is_a_mutant_with_a_reason(
    by_hand: list[Mutant], seeded: list[Mutant]
) -> None:
    accepted = read_accepted()

    assert all(len(reason) > 20 for reason in accepted.values())
    assert set(accepted) <= {mutant.key for mutant in (*by_hand, *seeded)}


def test_a_survivor_is_missed_unless_it_is_accepted(by_hand: list[Mutant]) -> None:
    first, second, third = by_hand[:3]
    results = {first.key: {"outcome": "survived"}, second.key: {"outcome": "survived"}}
    results[third.key] = {"outcome": "killed"}

    assert find_missed(by_hand, results, {second.key: "equivalent"}) == [first]
