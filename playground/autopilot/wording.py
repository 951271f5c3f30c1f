"""The answer in one sentence, and what a candidate loses, in words."""

from cablese import amount
from playground.autopilot.analysis import Analysis
from playground.autopilot.candidate import Candidate, Losses
from playground.tokens.formats import MESSAGE

NAMED = 5
"""Lost fields that are named."""


def sum_up(analysis: Analysis) -> str:
    """Return what to do, what it saves, when its prompt breaks even, and what is lost."""
    best = analysis.best
    if best is None:
        return "No valid messages to compare."
    useless = _is_useless(best, analysis)
    act = _deny(best) if useless else _act(best, analysis)
    parts = [
        f"{act}: {_count(best)}{_compare(best, analysis)}",
        "" if useless else _pay(best, analysis),
        explain_loss(best, analysis.messages),
    ]
    return "; ".join(part for part in parts if part) + "."


def explain_loss(candidate: Candidate, messages: int) -> str:
    """Return what is lost if the messages are sent this way, as a clause."""
    losses = candidate.losses
    if candidate.standing == "lossless":
        return "no field is lost"
    if candidate.standing == "private":
        return (
            "nothing is lost between Cablese tools, but other readers lose what is in "
            f"{_name(list(losses.private))}"
        )
    if candidate.standing == "partial":
        missing = messages - candidate.carried
        return f"{missing:,} of {messages:,} messages can’t be sent this way" + (
            f", and others lose {_list_lost(losses)}" if losses.fields else ""
        )
    if candidate.standing == "one-way":
        return "complete, but can’t be decoded back"
    return f"it changes or loses {_list_lost(losses)}"


def _is_useless(best: Candidate, analysis: Analysis) -> bool:
    """Return whether the messages are in the best format already and save nothing with it."""
    if not best.sent or best.key == analysis.baseline or best.baseline is None:
        return False
    return best.tokens >= best.baseline


def _deny(best: Candidate) -> str:
    if best.key == MESSAGE:
        return "The messages as sent save nothing here"
    return f"{best.title} saves nothing here"


def _act(best: Candidate, analysis: Analysis) -> str:
    verb, link = ("Keep", "in") if best.sent else ("Send", "as")
    which = _which(best, analysis)
    if best.key == MESSAGE:
        return f"{verb} {which} as sent"
    return f"{verb} {which} {link} {best.title}"


def _which(best: Candidate, analysis: Analysis) -> str:
    number = best.carried
    kind = "valid message" if analysis.invalid else "message"
    named = kind if number == 1 else f"{number:,} {kind}s"
    if best.standing == "partial":
        return f"{number:,} of these {analysis.messages:,} {kind}s"
    if analysis.left:
        return f"the first {named}"
    return f"the {named}" if analysis.invalid else f"th{'is' if number == 1 else 'ese'} {named}"


def _count(best: Candidate) -> str:
    about = "" if best.exact else "≈ "
    return f"{about}{amount.count(best.tokens, 'token')}"


def _compare(best: Candidate, analysis: Analysis) -> str:
    if best.key == analysis.baseline or best.change is None:
        return ""
    if not best.change:
        return f", as many as {analysis.baseline_title}"
    percent = f"{abs(best.change):g}%"
    return f", {percent} {'fewer' if best.change < 0 else 'more'} than {analysis.baseline_title}"


def _pay(best: Candidate, analysis: Analysis) -> str:
    if best.key == analysis.baseline:
        return "no lossless format is shorter" if best.standing == "lossless" else ""
    if best.baseline is None:
        return ""
    if not best.prompt_tokens:
        return "no prompt is needed"
    if best.breaks_even is None:
        return "its prompt never breaks even"
    after = amount.count(best.breaks_even, "message")
    return f"its {best.prompt_tokens:,}-token prompt breaks even after {after}"


def _list_lost(losses: Losses) -> str:
    return _name([field.key for field in losses.fields])


def _name(keys: list[str]) -> str:
    named = ", ".join(keys[:NAMED])
    return f"{named}, and {len(keys) - NAMED:,} more" if len(keys) > NAMED else named
