"""What came of the mutants, and which survivors are accepted."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.mutation.mutants.areas import AREAS, OTHER
from tests.mutation.mutants.hand import KINDS
from tests.mutation.mutants.mutant import Mutant

ACCEPTED = Path(__file__).with_name("survivors")
"""A file for each room of the product."""


def read_accepted(folder: Path = ACCEPTED) -> dict[str, str]:
    """Return the reason of each accepted survivor, by its key."""
    read = [tomllib.loads(file.read_text()).get("survivor", []) for file in folder.glob("*.toml")]
    return {key: group["reason"] for groups in read for group in groups for key in group["mutants"]}


def report(
    mutants: Sequence[Mutant], results: Mapping[str, dict[str, Any]], files: Mapping[str, str],
    accepted: Mapping[str, str],
) -> Iterator[str]:  # fmt: skip
    """Yield the score of each area and kind, then each survivor."""
    for name, of in (("area", [*AREAS, OTHER]), ("kind", [*KINDS, "seeded"])):
        yield f"\n{name:12} mutants  noticed  accepted  missed   score"
        for group in [*of, ""]:
            ran = [
                each for each in mutants
                if each.key in results and group in ("", getattr(each, name))
            ]  # fmt: skip
            if ran:
                yield _row(group or "all", ran, results, accepted)
    not_run = sum(mutant.key not in results for mutant in mutants)
    if not_run:
        yield f"\nNot run, because the time was over: {not_run}"
    late = sum(result["outcome"] == "timeout" for result in results.values())
    if late:
        yield f"\nNoticed only because the tests ran out of time: {late}"
    for mutant in mutants:
        if _survived(mutant, results):
            reason = accepted.get(mutant.key)
            yield f"\n{mutant.path}:{mutant.line(files[mutant.path])} {mutant.kind} {mutant.form}"
            yield f"  {mutant.key}"
            yield from (f"  {line}" for line in mutant.diff(files[mutant.path]))
            yield f"  accepted: {reason}" if reason else "  NOT NOTICED"


def find_missed(
    mutants: Sequence[Mutant], results: Mapping[str, dict[str, Any]], accepted: Mapping[str, str]
) -> list[Mutant]:
    return [each for each in mutants if _survived(each, results) and each.key not in accepted]


def _survived(mutant: Mutant, results: Mapping[str, dict[str, Any]]) -> bool:
    return results.get(mutant.key, {}).get("outcome") == "survived"


def _row(
    name: str, ran: Sequence[Mutant], results: Mapping[str, dict[str, Any]],
    accepted: Mapping[str, str],
) -> str:  # fmt: skip
    survived = [each for each in ran if _survived(each, results)]
    listed = sum(each.key in accepted for each in survived)
    noticed, missed = len(ran) - len(survived), len(survived) - listed
    share = noticed / max(len(ran) - listed, 1)
    return f"{name:12} {len(ran):7}  {noticed:7}  {listed:8}  {missed:6}  {share:6.1%}"
