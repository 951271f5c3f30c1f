"""Finds every escape, permission, limit, and expiry of the product.

A place is a node of a module, or a stretch of a template, with a kind and a form. The forms are
those of `table`, which says how each is mutated.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from tests.mutation.mutants.source import Source

HTML = "django.utils.html"
ESCAPERS = {HTML, "html"}
ADDRESS = "urllib.parse"
KEYS = "playground.rest.keys"
LIMIT = re.compile(
    r"_*(MAX_\w+|(\w+_)?LIMITS?|\w+_MAX|MOST|LONGEST\w*|BURST|CALLERS|CAPACITY|MANY|WORK"
    r"|PADS|PADS_PER_CALLER|HOPS|AT_ONCE|STREAMS|SPOOLED|MESSAGES"
    r"|limit|limits|burst|callers|capacity|most|longest|max_\w+|amount|budget)"
)
SPAN = re.compile(
    r"_*((\w+_)?(LIFE|LEASE|IDLE|AGE|MEMORY|REMEMBERED|EVERY|TIMEOUT|GRACE|PATIENCE|TAKEN|SILENT"
    r"|SECONDS|RECHECK|HANGING|LONG))"
)
"""Constants that say how long something lasts."""
MOMENT = re.compile(r"_*(expires?|expire_date|deadline|until|due)")
"""Names that say when something ends."""
CLOCKS = {"now", "monotonic", "_clock", "clock"}
GUARDS = {"login_required", "administrators_only", "csrf_protect", "require_POST"}
SENDERS = {"caller", "sender", "by", "key"}
PERSON = {"is_authenticated", "is_superuser", "is_staff", "is_active"}
SECURITY = re.compile(
    r"(SESSION_COOKIE|CSRF_COOKIE|SECURE|X_FRAME|COOKIE_PREFIX|PASSWORD_RESET_TIMEOUT"
    r"|DATA_UPLOAD|FILE_UPLOAD|NINJA_|ALLOWED_HOSTS|CSRF_TRUSTED)\w*"
)
PROTECTIONS = re.compile(
    r"django\.middleware\.(security|csrf)\..*"
    r"|playground\.http\.(transport|csp|pages\.(Forms|Frames)).*"
    r"|playground\.http\.pages\.Persons|playground\.accounts\.session_middleware\..*"
)
# The size of a cache of answers is not here: it changes no answer.
MOST_OF = {"max_length", "max_value", "le", "lt", "maxlen", "max_size"}
SQL_ENDS = re.compile(r"(?:\w+\.)?expires? (?:IS NULL|[<>]=? %s)|expire_date [<>]=? %s")
SQL_RIGHTS = re.compile(r"(?:\w+\.)?revoked IS NULL")


class Place(NamedTuple):
    """`part` is what is mutated where a node has several: the index of an argument or operator."""

    kind: str
    form: str
    node: ast.AST
    part: int = 0


def find_places(source: Source) -> Iterator[Place]:
    for node in source.nodes:
        find = _FINDERS.get(type(node))
        if find is not None:
            yield from (each for each in find(source, node) if not source.is_asserted(node))


def name_of(node: ast.AST) -> str:
    """Return the last part of a name, called or not: ``b`` of ``a.b(c)``."""
    if isinstance(node, ast.Call):
        return name_of(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _decorators(_source: Source, function: ast.FunctionDef) -> Iterator[Place]:
    for number, decorator in enumerate(function.decorator_list):
        if name_of(decorator) in GUARDS:
            yield Place("permission", "decorator", function, number)


def _calls(source: Source, call: ast.Call) -> Iterator[Place]:
    name = name_of(call)
    module = source.imported.get(name, "")
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        module = source.imported.get(call.func.value.id, call.func.value.id)
    for kind, form, is_meant in _CALLED:
        if is_meant(source.path, module, name):
            yield Place(kind, form, call)
    for number, keyword in enumerate(call.keywords):
        if keyword.arg == "auth" and name_of(keyword.value) == "Key":
            yield Place("permission", "auth", call, number)
        elif keyword.arg == "revoked":
            yield Place("permission", "filter", call, number)
        elif keyword.arg in MOST_OF and "models.py" not in source.path:
            yield Place("limit", "argument", call, number)
        elif keyword.arg in {"max_age", "timeout"} or (keyword.arg or "").startswith("expire_date"):
            is_query = keyword.arg not in {"max_age", "timeout"}
            yield Place("expiry", "filter" if is_query else "argument", call, number)
    if name in {"min", "islice"} and not call.keywords:
        for number, argument in enumerate(call.args):
            if LIMIT.fullmatch(name_of(argument)):
                yield Place("limit", name, call, number)


def _is_escape(path: str, module: str, name: str) -> bool:
    return name == "escape" and module.endswith("escape") and "cablese" in path


_CALLED: tuple[tuple[str, str, Callable[[str, str, str], bool]], ...] = (
    ("escape", "text", lambda _, module, name: module in ESCAPERS and name.endswith("escape")),
    ("escape", "format", lambda _, module, name: module == HTML and name.startswith("format_html")),
    ("escape", "trusted", lambda _, _module, name: name in {"SafeString", "mark_safe"}),
    ("escape", "wire", _is_escape),
    ("escape", "first", lambda _, module, name: (module, name) == ("shlex", "quote")),
    ("escape", "first", lambda _, module, name: (module, name) == ("re", "escape")),
    ("escape", "first", lambda _, module, name: (module, name) == (ADDRESS, "quote")),
    ("escape", "first", lambda _, _module, name: name in {"_escape", "_quote"}),
    ("escape", "pairs", lambda _, _module, name: name == "urlencode"),
    ("permission", "sender", lambda path, _, name: name == "sender" and path.startswith("pl")),
    ("permission", "installation", lambda _, _module, name: name == "for_installation"),
    ("permission", "whole", lambda _, _module, name: name == "for_installation"),
    ("permission", "nothing", lambda path, _, name: name == "require" and path.startswith("pl")),
    ("permission", "nothing", lambda _, _module, name: name == "require_administrator"),
    ("permission", "log", lambda _, _module, name: name == "readable_log"),
    ("permission", "true", lambda _, _module, name: name == "is_administrator"),
    ("permission", "true", lambda _, _module, name: name == "compare_digest"),
    ("permission", "true", lambda _, _module, name: name == "url_has_allowed_host_and_scheme"),
    ("permission", "true", lambda _, _module, name: name == "reads"),
    ("expiry", "alarm", lambda _, module, name: (module, name) == ("asyncio", "timeout")),
)


def _comparisons(source: Source, compare: ast.Compare) -> Iterator[Place]:
    sides = [compare.left, *compare.comparators]
    for number, (left, op, right) in enumerate(zip(sides, compare.ops, sides[1:], strict=False)):
        names = f"{name_of(left)} {name_of(right)}".split()
        if isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot):
            yield from _rights(compare, number, left, right)
        elif any(map(MOMENT.fullmatch, names)) or has_clock(left) or has_clock(right):
            yield Place("expiry", "moment", compare, number)
        elif any(SPAN.fullmatch(name) for name in _names_in(left, right)):
            yield Place("expiry", "span", compare, number)
        elif any(LIMIT.fullmatch(name) for name in _names_in(left, right)):
            yield Place("limit", "compare", compare, number)


def has_clock(side: ast.expr) -> bool:
    """Return whether a side is the present time, or an age."""
    return any(
        name_of(each) in CLOCKS
        for each in ast.walk(side)
        if isinstance(each, ast.Call) or each is side or isinstance(side, ast.BinOp)
    )


def _names_in(*sides: ast.expr) -> Iterator[str]:
    """Yield the names of a side, of sums and products too: ``begun + LIFE``."""
    for side in sides:
        if isinstance(side, ast.BinOp):
            yield from _names_in(side.left, side.right)
        elif not isinstance(side, ast.Call):
            yield name_of(side)


def _rights(compare: ast.Compare, number: int, left: ast.expr, right: ast.expr) -> Iterator[Place]:
    of_sender = isinstance(left, ast.Attribute) and name_of(left.value) in SENDERS
    if name_of(right) in {"scopes", "SCOPES"} or (name_of(left) == "log" and of_sender):
        yield Place("permission", "member", compare, number)


def _attributes(source: Source, attribute: ast.Attribute) -> Iterator[Place]:
    if attribute.attr in PERSON and isinstance(attribute.ctx, ast.Load):
        yield Place("permission", "person", attribute)


def _constants(source: Source, constant: ast.Constant) -> Iterator[Place]:
    above = source.parents.get(constant)
    if not isinstance(constant.value, str) or isinstance(above, ast.Expr):
        return
    if isinstance(above, ast.Tuple) and source.path.endswith("http/csp.py"):
        yield Place("permission", "entry", constant)
    elif isinstance(above, ast.Dict) and source.path.endswith("http/csp.py"):
        if constant in above.values:
            yield Place("permission", "words", constant)
    elif source.path.endswith("settings.py") and PROTECTIONS.fullmatch(constant.value):
        yield Place("permission", "entry", constant)
    for number, _ in enumerate(SQL_ENDS.finditer(constant.value)):
        yield Place("expiry", "sql", constant, number)
    for number, _ in enumerate(SQL_RIGHTS.finditer(constant.value)):
        yield Place("permission", "sql", constant, number)


def _slices(source: Source, part: ast.Slice) -> Iterator[Place]:
    if part.upper is not None and LIMIT.fullmatch(name_of(part.upper)):
        yield Place("limit", "slice", part)


def _assignments(source: Source, assign: ast.Assign) -> Iterator[Place]:
    name = name_of(assign.targets[0])
    if source.path == "playground/settings.py" and SECURITY.fullmatch(name):
        yield Place("permission", "setting", assign)


_FINDERS: Mapping[type[ast.AST], Callable[[Source, Any], Iterator[Place]]] = {
    ast.Call: _calls,
    ast.Compare: _comparisons,
    ast.Attribute: _attributes,
    ast.Constant: _constants,
    ast.Slice: _slices,
    ast.Assign: _assignments,
    ast.FunctionDef: _decorators,
}
