"""How each kind of place is mutated by hand: escapes removed, permissions taken away, limits
lifted, expiries ignored.

A change is a stretch of the file and what stands there instead.
"""

import ast
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from tests.mutation.mutants.search import (
    POLICY,
    SQL_ENDS,
    SQL_RIGHTS,
    Place,
    has_clock,
    name_of,
)
from tests.mutation.mutants.source import Source


class Change(NamedTuple):
    start: int
    end: int
    replacement: str


Rule = Callable[[Source, Place], Change]


def _whole(text: str) -> Rule:
    """Put a fixed text instead of the node."""
    return lambda source, place: Change(*source.span(place.node), text)


def _call(make: Callable[[list[str]], str]) -> Rule:
    """Put instead of a call what is made of the texts of its arguments."""

    def change(source: Source, place: Place) -> Change:
        assert isinstance(place.node, ast.Call)
        arguments = [source.segment(each) for each in place.node.args]
        return Change(*source.span(place.node), make(arguments))

    return change


def _decorator(source: Source, place: Place) -> Change:
    assert isinstance(place.node, ast.FunctionDef)
    return Change(*source.span(place.node.decorator_list[place.part]), "(lambda view: view)")


def _keyword(source: Source, place: Place) -> Change:
    start, end, name = _argument(source, place)
    return Change(start, end, f"{name}=None")


def _filter(source: Source, place: Place) -> Change:
    """Drop a condition of a query."""
    start, end, _ = _argument(source, place)
    return Change(start, end, "**{}")


def _argument(source: Source, place: Place) -> tuple[int, int, str]:
    assert isinstance(place.node, ast.Call)
    keyword = place.node.keywords[place.part]
    value_start, end = source.span(keyword.value)
    name = keyword.arg or ""
    return source.text.rindex(name, 0, value_start), end, name


def _others(source: Source, place: Place) -> Change:
    """Leave one argument of `min` out."""
    assert isinstance(place.node, ast.Call)
    rest = [source.segment(each) for at, each in enumerate(place.node.args) if at != place.part]
    text = rest[0] if len(rest) == 1 else f"min({', '.join(rest)})"
    return Change(*source.span(place.node), f"({text})")


def _unbounded(source: Source, place: Place) -> Change:
    assert isinstance(place.node, ast.Call)
    return Change(*source.span(place.node.args[place.part]), "None")


def _upper(source: Source, place: Place) -> Change:
    assert isinstance(place.node, ast.Slice)
    assert place.node.upper is not None
    return Change(*source.span(place.node.upper), "")


def _compare(source: Source, place: Place) -> Change:
    """Decide one comparison of a chain for ever, as before its limit or its end is reached."""
    compare, part = place.node, place.part
    assert isinstance(compare, ast.Compare)
    sides = [compare.left, *compare.comparators]
    left, right = sides[part], sides[part + 1]
    from_left = has_clock(right) or (
        not has_clock(left) and not _is_bound(right) and _is_bound(left)
    )
    holds = (ast.Gt, ast.GtE, ast.NotEq) if from_left else (ast.Lt, ast.LtE, ast.NotEq)
    value = isinstance(compare.ops[part], holds)
    kept = _rest(source, compare, part) if value else ""
    return Change(*source.span(compare), kept or str(value))


def _rest(source: Source, compare: ast.Compare, part: int) -> str:
    """Return what a chain still compares without one of its links."""
    sides = [compare.left, *compare.comparators]
    links = [
        source.text[source.span(sides[at])[0] : source.span(sides[at + 1])[1]]
        for at in range(len(compare.ops))
        if at != part
    ]
    return f"({' and '.join(links)})" if links else ""


def _is_bound(side: ast.expr) -> bool:
    name = name_of(side) if not isinstance(side, ast.BinOp) else "bound"
    return name.isupper() or name.lstrip("_") in _BOUNDS or isinstance(side, ast.BinOp)


_BOUNDS = {
    "limit", "limits", "burst", "callers", "capacity", "most", "longest", "amount", "budget",
    "expires", "expire_date", "deadline", "until", "due", "expire",
}  # fmt: skip


def _member(source: Source, place: Place) -> Change:
    assert isinstance(place.node, ast.Compare)
    value = isinstance(place.node.ops[place.part], ast.In | ast.Is)
    return Change(*source.span(place.node), str(value))


def _mode(source: Source, place: Place) -> Change:
    """Let others read a file, or keep no right from them."""
    masks = {"0o077": "0", "0o600": "0o644", "0o700": "0o755"}
    return Change(*source.span(place.node), masks[source.segment(place.node)])


def _policy(source: Source, place: Place) -> Change:
    """Let a policy allow everything that it does not name."""
    start, end = source.span(place.node)
    hit = POLICY.search(source.text, start, end)
    assert hit is not None
    return Change(*hit.span(), "default-src *")


def _printed(source: Source, place: Place) -> Change:
    assert isinstance(place.node, ast.IfExp)
    return Change(*source.span(place.node), source.segment(place.node.body))


def _first(source: Source, place: Place) -> Change:
    """Let a timer wait for ever."""
    assert isinstance(place.node, ast.Call)
    return Change(*source.span(place.node.args[0]), "10**6")


def _read(source: Source, place: Place) -> Change:
    """Read all there is."""
    assert isinstance(place.node, ast.Call)
    return Change(*source.span(place.node.args[0]), "")


def _sql(pattern: re.Pattern[str]) -> Rule:
    def change(source: Source, place: Place) -> Change:
        start, end = source.span(place.node)
        hit = list(pattern.finditer(source.text, start, end))[place.part]
        marks = "0 * %s = 0" if "%s" in hit[0] else "1 = 1"
        return Change(*hit.span(), marks)

    return change


def _setting(source: Source, place: Place) -> Change:
    assert isinstance(place.node, ast.Assign)
    value = source.segment(place.node.value)
    name = name_of(place.node.targets[0])
    instead = _SETTINGS.get(name, "[]" if value.startswith("[") else "None")
    return Change(*source.span(place.node.value), instead)


_SETTINGS = {
    "PASSWORD_RESET_TIMEOUT": "10**9",
    "SESSION_COOKIE_AGE": "10**9",
    "SESSION_COOKIE_HTTPONLY": "False",
    "SESSION_COOKIE_SAMESITE": "False",
    "SECURE_REDIRECT_EXEMPT": '[r""]',
    "SECURE_HSTS_SECONDS": "0",
    "COOKIE_PREFIX": '""',
    "ALLOWED_HOSTS": '["*"]',
    "NINJA_PAGINATION_MAX_LIMIT": "10**9",
    "NINJA_NUM_PROXIES": "1",
    "X_FRAME_OPTIONS": '"SAMEORIGIN"',
    "SESSION_COOKIE_NAME": '"sessionid", "csrftoken"',
}
_SENDER = 'vars({0})["auth"]'
_KEYS = '__import__("playground.rest.keys", fromlist=["keys"])'

TABLE: Mapping[tuple[str, str], Rule] = {
    ("escape", "text"): _call(lambda args: f"str({args[0]})"),
    ("escape", "format"): lambda source, place: _format(source, place),
    ("escape", "trusted"): _call(lambda args: f"str({args[0]})"),
    ("escape", "wire"): _call(lambda args: args[0]),
    ("escape", "first"): _call(lambda args: args[0]),
    ("escape", "pairs"): lambda source, place: _pairs(source, place),
    ("escape", "printable"): _printed,
    ("permission", "decorator"): _decorator,
    ("permission", "auth"): _keyword,
    ("permission", "filter"): _filter,
    ("permission", "sender"): _call(lambda args: _SENDER.format(*args)),
    ("permission", "installation"): _call(lambda args: _SENDER.format(*args)),
    ("permission", "whole"): _call(lambda args: f"{_KEYS}.sender({', '.join(args)})"),
    ("permission", "nothing"): _whole("None"),
    ("permission", "true"): _whole("True"),
    ("permission", "false"): _whole("False"),
    ("permission", "certificate"): _whole('__import__("ssl")._create_unverified_context()'),
    ("permission", "mode"): _mode,
    ("permission", "header"): _whole('"X-Nothing"'),
    ("permission", "cached"): _whole('"public"'),
    ("permission", "policy"): _policy,
    ("permission", "person"): _whole("True"),
    ("permission", "log"): _call(lambda args: f'({args[2]} or {args[1]}.log or "default")'),
    ("permission", "member"): _member,
    ("permission", "entry"): _whole("*()"),
    ("permission", "words"): _whole('""'),
    ("permission", "sql"): _sql(SQL_RIGHTS),
    ("permission", "setting"): _setting,
    ("proof", "true"): _whole("True"),
    ("proof", "refusal"): _whole("False"),
    ("proof", "nothing"): _whole("None"),
    ("limit", "compare"): _compare,
    ("limit", "argument"): _keyword,
    ("limit", "min"): _others,
    ("limit", "islice"): _unbounded,
    ("limit", "slice"): _upper,
    ("limit", "read"): _read,
    ("limit", "passed"): _whole("10**9"),
    ("limit", "constant"): lambda source, place: _larger(source, place),
    ("expiry", "moment"): _compare,
    ("expiry", "span"): _compare,
    ("expiry", "argument"): _keyword,
    ("expiry", "min"): _others,
    ("expiry", "stream"): _call(lambda args: args[1]),
    ("expiry", "timer"): _first,
    ("expiry", "alarm"): _call(lambda args: f"__import__('asyncio').timeout({args[0]} * 1_000)"),
    ("expiry", "filter"): _filter,
    ("expiry", "sql"): _sql(SQL_ENDS),
    ("expiry", "constant"): lambda source, place: _larger(source, place),
}


def _pairs(source: Source, place: Place) -> Change:
    """Join the parameters of an address as they are."""
    assert isinstance(place.node, ast.Call)
    args = place.node.args
    if not args and isinstance(place.node.func, ast.Attribute):
        pairs = f"{source.segment(place.node.func.value)}.items()"
    else:
        pairs = f"dict({source.segment(args[0])}).items()"
    return Change(*source.span(place.node), f"'&'.join('%s=%s' % each for each in {pairs})")


def _format(source: Source, place: Place) -> Change:
    """Put values into HTML as they are."""
    assert isinstance(place.node, ast.Call)
    start, end = source.span(place.node)
    opening = source.text.index("(", source.span(place.node.func)[1])
    given = source.text[opening + 1 : end - 1]
    if name_of(place.node) == "format_html_join":
        made = f"(lambda by, form, rows: by.join(form.format(*row) for row in rows))({given})"
    else:
        made = f"str.format({given})"
    return Change(start, end, f"{_SAFE}({made})")


_SAFE = '__import__("django.utils.safestring", fromlist=["s"]).SafeString'


def _larger(source: Source, place: Place) -> Change:
    assert isinstance(place.node, ast.Assign)
    value = source.segment(place.node.value)
    return Change(*source.span(place.node.value), f"({value}) * 1_000_000")
