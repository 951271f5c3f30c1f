"""Finds every escape, permission, limit, and expiry of the product, and every refusal of a proof.

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
    r"|PADS|PADS_PER_CALLER|HOPS|AT_ONCE|STREAMS|SPOOLED|MESSAGES|MOST_\w+|DEEPEST|MEMBERS|LISTED"
    r"|HASHES|limit|limits|burst|callers|capacity|most|longest|max_\w+|amount|budget)"
    r"|NESTED|CHARACTERS|BYTES|LARGEST|LINE|SMALL|REFUSED|ATTEMPTS|CLIENTS|RATIO|NEWEST|JSON_BODY"
    r"|ITEM_BODY|TOKEN_LENGTH|required"
)
SIZE = re.compile(r"_*(SIZE|DEPTH|ENTRIES|CHECKPOINT)")
"""Names that are limits where something is larger or smaller, and elsewhere a kind or a size."""
ORDERED = ast.Lt | ast.LtE | ast.Gt | ast.GtE
SPAN = re.compile(
    r"_*((\w+_)?(LIFE|LEASE|IDLE|AGE|MEMORY|REMEMBERED|EVERY|TIMEOUT|GRACE|PATIENCE|TAKEN|SILENT"
    r"|SECONDS|RECHECK|HANGING|LONG|DEADLINE|UNUSED|SILENCE|WINDOW|WAIT))"
)
"""Constants that say how long something lasts."""
ENDS = {"max_age", "timeout", "expires"}
"""Arguments that say when something ends."""
MOMENT = re.compile(r"_*(expires?|expire_date|deadline|until|due)")
"""Names that say when something ends."""
CLOCKS = {"now", "monotonic", "_clock", "clock"}
GUARDS = {"login_required", "administrators_only", "csrf_protect", "require_POST"}
SENDERS = {"caller", "sender", "by", "key"}
PERSON = {"is_authenticated", "is_superuser", "is_staff", "is_active", "may_store", "public"}
HEADERS = {
    "Cache-Control", "Content-Security-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy",
    "Referrer-Policy", "X-Content-Type-Options", "X-Frame-Options",
}  # fmt: skip
MODES = {0o077, 0o600, 0o700}
MODE = re.compile(r"0o[0-7]+")
POLICY = re.compile(r"default-src 'none'")
PROOFS = re.compile(
    r"cablese/(tlog|verify)/.*|auditlog/(continuity|erasure|evidence|proofs|tree|witness)/.*"
    r"|playground/(erasure|evidence|tiles|witness)/.*"
)
"""Modules in which every refusal counts: what they let pass, others believe."""
REFUSED = {"_refuse", "_miss", "Answer", "Asked"}
"""What they return instead of an exception."""
VERIFIED = {"verifies", "verify", "verify_signature", "opens", "is_whole", "are_open"}
REQUIRED = re.compile(r"_?(verify|require|check)(_\w+)?")
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
        elif keyword.arg in {"limit", "most"} and LIMIT.fullmatch(name_of(keyword.value)):
            yield Place("limit", "passed", keyword.value)
        elif keyword.arg in ENDS or (keyword.arg or "").startswith("expire_date"):
            is_query = keyword.arg not in ENDS
            yield Place("expiry", "filter" if is_query else "argument", call, number)
    if name == "create_default_context" and not call.args:
        yield Place("permission", "certificate", call)
    sole = name_of(call.args[0]) if len(call.args) == 1 else ""
    if name in {"read", "read1", "recv"} and LIMIT.fullmatch(sole):
        yield Place("limit", "read", call)
    if name in {"min", "islice"} and not call.keywords:
        for number, argument in enumerate(call.args):
            if LIMIT.fullmatch(name_of(argument)):
                yield Place("limit", name, call, number)
            elif (
                name == "min"
                and len(call.args) > 1
                and any(_is_end(name_of(each)) for each in ast.walk(argument))
            ):
                yield Place("expiry", "min", call, number)


def _is_end(name: str) -> bool:
    return bool(MOMENT.fullmatch(name) or SPAN.fullmatch(name))


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
    ("escape", "first", lambda _, _module, name: name in {"_escape", "_quote", "guard"}),
    ("escape", "first", lambda path, _, name: name == "escape" and "/export/" in path),
    ("escape", "first", lambda path, _, name: name == "quote" and path.endswith("lexemes.py")),
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
    ("permission", "true", lambda _, _module, name: name in {"reads", "may_change", "_may_read"}),
    ("proof", "true", lambda path, _, name: bool(PROOFS.match(path)) and name in VERIFIED),
    ("permission", "false", lambda _, _module, name: name in {"is_only", "_is_private"}),
    ("expiry", "stream", lambda _, _module, name: name == "while_valid"),
    ("expiry", "timer", lambda _, _module, name: name == "Timer"),
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
        elif any(
            LIMIT.fullmatch(name) or (isinstance(op, ORDERED) and SIZE.fullmatch(name))
            for name in _names_in(left, right)
        ):
            yield Place("limit", "compare", compare, number)


def is_limit(name: str) -> bool:
    return bool(LIMIT.fullmatch(name) or SIZE.fullmatch(name))


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
    if constant.value in MODES and MODE.fullmatch(source.segment(constant)):
        yield Place("permission", "mode", constant)
    if not isinstance(constant.value, str) or isinstance(above, ast.Expr):
        return
    if above is not None and _is_policy(source, above):
        yield Place("permission", "entry", constant)
    elif isinstance(above, ast.Dict) and source.path.endswith("http/csp.py"):
        if constant in above.values:
            yield Place("permission", "words", constant)
    elif source.path.endswith("settings.py") and PROTECTIONS.fullmatch(constant.value):
        yield Place("permission", "entry", constant)
    elif constant.value in HEADERS:
        yield Place("permission", "header", constant)
    elif constant.value == "private" and "Cache-Control" in source.text:
        yield Place("permission", "cached", constant)
    elif POLICY.search(constant.value):
        yield Place("permission", "policy", constant)
    for number, _ in enumerate(SQL_ENDS.finditer(constant.value)):
        yield Place("expiry", "sql", constant, number)
    for number, _ in enumerate(SQL_RIGHTS.finditer(constant.value)):
        yield Place("permission", "sql", constant, number)


def _is_policy(source: Source, entries: ast.AST) -> bool:
    """Return whether these are the directives of a policy, joined by semicolons."""
    join = source.parents.get(entries)
    return (
        isinstance(entries, ast.Tuple)
        and isinstance(join, ast.Call)
        and isinstance(join.func, ast.Attribute)
        and isinstance(join.func.value, ast.Constant)
        and join.func.value.value == "; "
    )


def _joined(source: Source, text: ast.JoinedStr) -> Iterator[Place]:
    if _is_policy(source, source.parents[text]):
        yield Place("permission", "entry", text)


def _slices(source: Source, part: ast.Slice) -> Iterator[Place]:
    if part.upper is not None and LIMIT.fullmatch(name_of(part.upper)):
        yield Place("limit", "slice", part)


def _assignments(source: Source, assign: ast.Assign) -> Iterator[Place]:
    name = name_of(assign.targets[0])
    if source.path == "playground/settings.py" and SECURITY.fullmatch(name):
        yield Place("permission", "setting", assign)


def _refusals(source: Source, branch: ast.If) -> Iterator[Place]:
    last, test = branch.body[-1], branch.test
    is_refusal = isinstance(last, ast.Raise) or (
        isinstance(last, ast.Return) and name_of(last.value or branch) in REFUSED
    )
    is_found = isinstance(test, ast.Compare) and any(True for _ in _comparisons(source, test))
    if is_refusal and not is_found and PROOFS.match(source.path):
        yield Place("proof", "refusal", test)


def _statements(source: Source, statement: ast.Expr) -> Iterator[Place]:
    call = statement.value
    is_required = isinstance(call, ast.Call) and REQUIRED.fullmatch(name_of(call))
    if is_required and PROOFS.match(source.path):
        yield Place("proof", "nothing", call)


def _conditions(_source: Source, condition: ast.IfExp) -> Iterator[Place]:
    """Characters that would control a terminal are replaced one by one."""
    if name_of(condition.test) == "isprintable":
        yield Place("escape", "printable", condition)


_FINDERS: Mapping[type[ast.AST], Callable[[Source, Any], Iterator[Place]]] = {
    ast.Call: _calls,
    ast.Compare: _comparisons,
    ast.Attribute: _attributes,
    ast.Constant: _constants,
    ast.Slice: _slices,
    ast.Assign: _assignments,
    ast.Expr: _statements,
    ast.FunctionDef: _decorators,
    ast.If: _refusals,
    ast.IfExp: _conditions,
    ast.JoinedStr: _joined,
}
