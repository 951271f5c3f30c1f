"""Whether a plan can be carried out here ("8. Message Validator", "10. Verb/Tool Library").

Agents answer unknown verbs and tools and pairs that do not match with ``ERR``. A verb is known when the library or an
agent names it, and so is a tool; where the library defines the tool, its ``supported_verbs`` decide about the pair,
otherwise the agents do. What a plan itself defines and instantiates counts for the steps that follow.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from protocols.message import Message
from protocols.words import quote

from .aliases import expand_verb
from .answer import answer
from .definition import is_kind
from .library import Library, is_built_in
from .registry import Agents, find_for_step
from .steps import Step, walk


class Obstacle(Struct, frozen=True):
    """Why a step cannot be carried out: an error code of SACP, with the number of the step (``2.1``: its branch)."""

    step: str
    code: str
    details: str


class Assignment(Struct, frozen=True):
    """The agents that may carry out a step, the best first; a verb that is built in needs none."""

    step: str
    verb: str
    tool: str
    agents: tuple[str, ...]
    built_in: bool


class Feasibility(Struct, frozen=True):
    """``answer`` is what an agent replies. A plan is feasible when it is VALID and every step has an agent."""

    answer: dict[str, Any]
    feasible: bool
    obstacles: tuple[Obstacle, ...] = ()
    assignments: tuple[Assignment, ...] = ()


def check(message: Message, library: Library, agents: Agents) -> Feasibility:
    """Judge a message and its plan. A message that is wrong in itself is answered as such, and no step looked up."""
    replied = answer(message)
    if replied["status"] != "VALID" or "steps" not in message.values:
        return Feasibility(replied, feasible=False)
    steps = list(walk(message.values["steps"]))
    obstacles = tuple(find_obstacles(steps, library, agents))
    if obstacles:
        first = obstacles[0]
        replied = {"status": "ERR", "code": first.code, "details": first.details}
    assignments = tuple(_assign(step, agents) for step in steps)
    nobody = any(not one.agents and not one.built_in for one in assignments)
    return Feasibility(replied, not obstacles and not nobody, obstacles, assignments)


def find_obstacles(steps: list[Step], library: Library, agents: Agents) -> Iterator[Obstacle]:
    """At most one for each step for its verb and tool, and one for each parameter of another type than registered."""
    verbs = {expand_verb(name) for agent in agents for name in agent.supported_verbs}
    tools = {name for agent in agents for name in agent.supported_tools}
    made: set[tuple[str, str]] = set()
    for step in steps:
        verb = expand_verb(step.verb)
        found = None
        if not is_built_in(verb):
            known_verb = library.verb(verb) or verb in verbs or any(verb == one for one, _ in made)
            known_tool = library.tool(step.tool) or step.tool in tools or any(step.tool == one for _, one in made)
            if not known_verb:
                found = "UNKNOWN_VERB", f"the verb {_named(step.verb, verb)} is not registered"
            elif not known_tool:
                found = "UNKNOWN_TOOL", f"the tool {quote(step.tool)} is not registered"
            elif (verb, step.tool) not in made and not _match(verb, step.tool, library, agents):
                found = "VERB_TOOL_MISMATCH", f"{quote(step.tool)} does not do {_named(step.verb, verb)}"
        elif verb == "instantiate":
            made.add((expand_verb(str(step.params.get("verb"))), str(step.params.get("tool"))))
        if found:
            yield Obstacle(step.number, found[0], f"{step.words}: {found[1]}.")
        yield from _mistyped(step, library)


def _match(verb: str, tool: str, library: Library, agents: Agents) -> bool:
    defined = library.tool(tool)
    return defined.takes(verb) if defined else any(agent.fits(verb, tool) for agent in agents)


def _mistyped(step: Step, library: Library) -> Iterator[Obstacle]:
    verb = library.verb(step.verb)
    for key, value in step.params.items():
        kind = verb.type_of(key) if verb else None
        if kind and not is_kind(value, kind):
            words = f"{step.words}: {quote(key)} takes {_TAKES[kind]} when the verb is {expand_verb(step.verb)}."
            yield Obstacle(step.number, "BAD_PARAM", words)


_TAKES = {
    "string": "text",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
}


def _assign(step: Step, agents: Agents) -> Assignment:
    own = is_built_in(step.verb)
    fitting = () if own else tuple(agent.agent_name for agent in find_for_step(agents, step.verb, step.tool))
    return Assignment(step.number, step.verb, step.tool, fitting, own)


def _named(short: str, full: str) -> str:
    return quote(short) if short == full else f"{quote(short)} ({full})"
