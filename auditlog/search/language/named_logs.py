"""The logs that a query names, against the logs that are searched.

    log:day goal:42     in log default: an error, not the answer that there is nothing

A search reads the logs that were chosen for it, and `log:` only selects among these.
"""

from collections.abc import Collection

from auditlog.search import keys, terms
from auditlog.search.language import values
from auditlog.search.query import Clause, Many, Not, QueryError, Tree


def check(tree: Tree, logs: Collection[str], *, negated: bool = False) -> None:
    """Raises QueryError if a query names a log that is not searched, or excludes the only one."""
    match tree:
        case Not(part):
            check(part, logs, negated=not negated)
        case Many(_, parts):
            for part in parts:
                check(part, logs, negated=negated)
        case Clause() if tree.key is not None and _is_log(tree.key.name):
            named = values.single(tree.key, tree.value, "default")
            if negated:
                _check_excluded(tree, named, logs)
            elif named not in logs:
                raise QueryError(
                    tree.span,
                    f"This search is of log {', '.join(sorted(logs))}.",
                    f"Choose log {named} above, or send log={named}.",
                )


def _is_log(name: str) -> bool:
    term = keys.get_term(terms.fold_key(name))
    return term is not None and term.kind == "log"


def _check_excluded(clause: Clause, named: str, logs: Collection[str]) -> None:
    if set(logs) == {named}:
        raise QueryError(
            clause.span,
            f"This search is of log {named}, and this term excludes the log.",
            "Remove the term, or choose another log.",
        )
