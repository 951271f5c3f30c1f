"""One mutant for every place that `search` finds."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tests.mutation.mutants.areas import area_of
from tests.mutation.mutants.mutant import Mutant
from tests.mutation.mutants.search import SPAN, Place, find_places, is_limit, name_of
from tests.mutation.mutants.source import Source
from tests.mutation.mutants.table import TABLE

VARIABLE = re.compile(r"\{\{(?P<value>(?:[^{}\"']|\"[^\"]*\"|'[^']*')+)\}\}")
FILTER = re.compile(r"\|(?:urlencode(?::''|:\"\")?|force_escape|escapejs|escape)(?=[ |}])")
META = re.compile(r'<meta (?:http-equiv="Content-Security-Policy"|name="referrer")[^>]*>')
KINDS = ("escape", "permission", "limit", "expiry", "proof")


def make_hand(files: Mapping[str, str]) -> list[Mutant]:
    """Return the mutants of all files, in their order."""
    sources = [Source(path, text) for path, text in files.items() if path.endswith(".py")]
    mutants = [mutate(source, place) for source, place in find_all(sources)]
    for path, text in files.items():
        if not path.endswith(".py"):
            mutants += _of_template(path, text)
    return number(mutants)


def find_all(sources: list[Source]) -> Iterator[tuple[Source, Place]]:
    """Yield every place of the modules. A constant counts where no place uses it by its name."""
    used: set[str] = set()
    for source in sources:
        for place in find_places(source):
            if place.kind in {"limit", "expiry"}:
                used |= {name_of(each) for each in ast.walk(place.node)}
            yield source, place
    for source in sources:
        for node in source.tree.body:
            if isinstance(node, ast.Assign) and _is_number(node.value):
                name = name_of(node.targets[0])
                if name not in used and name.isupper() and is_limit(name):
                    yield source, Place("limit", "constant", node)
                elif name not in used and name.isupper() and SPAN.fullmatch(name):
                    yield source, Place("expiry", "constant", node)


def mutate(source: Source, place: Place) -> Mutant:
    """Raises KeyError for a form of place that the table does not know."""
    start, end, replacement = TABLE[place.kind, place.form](source, place)
    return Mutant(
        source.path, place.kind, place.form, start, end, replacement,
        source.scope(place.node), source.text[start:end], area=area_of(source.path),
    )  # fmt: skip


def _is_number(value: ast.expr) -> bool:
    return all(
        isinstance(each, ast.BinOp | ast.operator | ast.UnaryOp | ast.USub)
        or (isinstance(each, ast.Constant) and isinstance(each.value, int | float))
        or (isinstance(each, ast.Call) and name_of(each) == "timedelta")
        or isinstance(each, ast.Name | ast.keyword | ast.expr_context)
        for each in ast.walk(value)
    )


def _of_template(path: str, text: str) -> Iterator[Mutant]:
    """One mutant prints every variable unescaped; one each takes a filter away."""
    if VARIABLE.search(text):
        unescaped = VARIABLE.sub(lambda hit: f"{{{{{hit['value'].rstrip()}|safe }}}}", text)
        yield Mutant(
            path, "escape", "template", 0, len(text), unescaped, "", "{{ … }}", area="drawing"
        )
    for hit in FILTER.finditer(text):
        yield Mutant(path, "escape", "filter", *hit.span(), "|safe", "", hit[0], area="drawing")
    for hit in META.finditer(text):
        yield Mutant(path, "permission", "meta", *hit.span(), "", "", hit[0], area="drawing")


def number(mutants: list[Mutant]) -> list[Mutant]:
    """Tell equal changes in one scope apart."""
    seen: Counter[str] = Counter()
    numbered = []
    for mutant in mutants:
        numbered.append(replace(mutant, number=seen[mutant.key]))
        seen[mutant.key] += 1
    return numbered
