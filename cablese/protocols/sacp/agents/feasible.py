"""Check whether a plan can be carried out here ("8. Message Validator", "10. Verb/Tool Library").

Agents answer unknown verbs and tools, and pairs that do not match, with ``ERR``. A verb is known
when the library or an agent names it, and so is a tool. Where the library defines the tool, its
``supported_verbs`` decide about the pair; otherwise the agents do. What a plan itself defines and
instantiates counts for the later steps.

A registered verb declares the parameters that its steps expect. A parameter that is unknown, or
that neither the step nor the context nor an earlier step provides, is reported; it is not an error,
since the source's own plans leave some out. An agent for one verb and one tool needs its inputs
from the context (``ctx.history``). Without them, and for a pair that does not match, the agent is
not proposed.
"""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from cablese.message import Message
from cablese.protocols.sacp.aliases import expand_key, expand_verb
from cablese.protocols.sacp.v0.steps import Step, walk
from cablese.text import quote

from .answer import answer
from .definition import is_kind
from .library import Library, is_built_in
from .registry import Agent, Agents, find_for_step, last


class Obstacle(Struct, frozen=True):
    """Why a step cannot be executed: an error code of SACP, with the number of the step (``2.1`` is
    a branch).
    """

    step: str
    code: str
    details: str


class Parameter(Struct, frozen=True):
    """A parameter of a step that its verb does not have, or one that the verb expects and nothing
    provides.
    """

    step: str
    problem: Literal["unknown", "missing"]
    name: str
    details: str


class Assignment(Struct, frozen=True):
    """The agents that can execute a step, best first; a built-in verb needs none.

    ``lacking`` are agents that fit but need context that nothing provides.
    """

    step: str
    verb: str
    tool: str
    agents: tuple[str, ...]
    built_in: bool
    lacking: tuple[str, ...] = ()


class Feasibility(Struct, frozen=True):
    """The reply of an agent in ``answer``, and whether every step of a valid plan has an agent."""

    answer: dict[str, Any]
    feasible: bool
    obstacles: tuple[Obstacle, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    @property
    def proposed(self) -> dict[str, tuple[str, ...]]:
        """Return the agents of each step, by its number."""
        return {assignment.step: assignment.agents for assignment in self.assignments}


def check(message: Message, library: Library, agents: Agents) -> Feasibility:
    """Check a message and its plan. The steps of an invalid message are not looked up."""
    replied = answer(message)
    if replied["status"] != "VALID" or "steps" not in message.values:
        return Feasibility(replied, feasible=False)
    steps = list(walk(message.values["steps"]))
    obstacles = tuple(find_obstacles(steps, library, agents))
    if obstacles:
        replied = {"status": "ERR", "code": obstacles[0].code, "details": obstacles[0].details}
    at_hand = list(_find_at_hand(message.values.get("ctx", {}), steps, library, agents))
    unfit = {obstacle.step for obstacle in obstacles if obstacle.code != "BAD_PARAM"}
    assignments = tuple(
        _assign(step, () if step.number in unfit else agents, given)
        for step, given in zip(steps, at_hand, strict=True)
    )
    parameters = (
        parameter
        for step, given in zip(steps, at_hand, strict=True)
        if step.number not in unfit
        for parameter in _compare(step, given, library, agents)
    )
    return Feasibility(
        replied,
        not obstacles
        and all(assignment.agents or assignment.built_in for assignment in assignments),
        obstacles,
        assignments,
        tuple(parameters),
    )


def find_obstacles(steps: list[Step], library: Library, agents: Agents) -> Iterator[Obstacle]:
    """Yield at most one obstacle for the verb and tool of each step, and one for each parameter of
    a wrong type.
    """
    verbs = {expand_verb(name) for agent in agents for name in agent.supported_verbs}
    tools = {name for agent in agents for name in agent.supported_tools}
    new: set[tuple[str, str]] = set()
    for step in steps:
        verb = expand_verb(step.verb)
        problem = None
        if not is_built_in(verb):
            if not (library.verb(verb) or verb in verbs or any(verb == agent for agent, _ in new)):
                problem = "UNKNOWN_VERB", f"the verb {_named(step.verb, verb)} is not registered"
            elif not (
                library.tool(step.tool)
                or step.tool in tools
                or any(step.tool == agent for _, agent in new)
            ):
                problem = "UNKNOWN_TOOL", f"the tool {quote(step.tool)} is not registered"
            elif (verb, step.tool) not in new and not _match(verb, step.tool, library, agents):
                problem = (
                    "VERB_TOOL_MISMATCH",
                    f"{quote(step.tool)} does not support {_named(step.verb, verb)}",
                )
        elif verb == "instantiate":
            new.add((expand_verb(str(step.params.get("verb"))), str(step.params.get("tool"))))
        if problem:
            yield Obstacle(step.number, problem[0], f"{step.words}: {problem[1]}.")
        yield from _mistyped(step, library)


def _match(verb: str, tool: str, library: Library, agents: Agents) -> bool:
    defined = library.tool(tool)
    return defined.takes(verb) if defined else any(agent.fits(verb, tool) for agent in agents)


def _find_at_hand(
    context: dict[str, Any], steps: list[Step], library: Library, agents: Agents
) -> Iterator[frozenset[str]]:
    """Yield the names that each step can use: of its parameters, the context, and the results of
    earlier steps.
    """
    shared = {_full(key) for key in context}
    for step in steps:
        yield frozenset(shared | {_full(key, step.verb) for key in step.params})
        shared |= {_full(name) for name in _outputs(step, library, agents)}


def _outputs(step: Step, library: Library, agents: Agents) -> Iterator[str]:
    verb = library.verb(step.verb)
    outputs = verb.outputs if verb else ()
    yield from (outputs,) if isinstance(outputs, str) else outputs
    for agent in find_for_step(agents, step.verb, step.tool):
        yield from agent.outputs


def _full(path: str, verb: str = "") -> str:
    """Return the last part of a path in full: ``location`` of ``ctx.loc``."""
    return expand_key(last(path), verb)


def _compare(
    step: Step, given: frozenset[str], library: Library, agents: Agents
) -> Iterator[Parameter]:
    """Yield the parameters of a step that do not fit those of its verb and its agents."""
    verb = library.verb(step.verb)
    if verb is None or not verb.inputs:
        return
    inputs = (
        name for agent in find_for_step(agents, step.verb, step.tool) for name in agent.inputs
    )
    known = {_full(name, step.verb) for name in (*verb.inputs, *inputs)}
    for key in step.params:
        if _full(key, step.verb) not in known:
            yield Parameter(
                step.number,
                "unknown",
                key,
                f"{step.words}: {verb.name} has no parameter {quote(key)}. Valid parameters: "
                f"{', '.join(verb.inputs)}.",
            )
    for name in verb.inputs:
        if _full(name, step.verb) not in given:
            yield Parameter(
                step.number,
                "missing",
                name,
                f"{step.words}: {verb.name} expects {quote(name)}, but nothing provides it.",
            )


def _mistyped(step: Step, library: Library) -> Iterator[Obstacle]:
    verb = library.verb(step.verb)
    for key, value in step.params.items():
        kind = verb.type_of(key) if verb else None
        if kind and not is_kind(value, kind):
            yield Obstacle(
                step.number,
                "BAD_PARAM",
                f"{step.words}: {quote(key)} must be {_TAKES[kind]} for the verb "
                f"{expand_verb(step.verb)}.",
            )


_TAKES = {
    "string": "text",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
}


def _assign(step: Step, agents: Agents, given: frozenset[str]) -> Assignment:
    own = is_built_in(step.verb)
    fitting = () if own else find_for_step(agents, step.verb, step.tool)
    able = tuple(agent.agent_name for agent in fitting if _needs(agent, step) <= given)
    return Assignment(
        step.number,
        step.verb,
        step.tool,
        able,
        own,
        tuple(agent.agent_name for agent in fitting if agent.agent_name not in able),
    )


def _needs(agent: Agent, step: Step) -> set[str]:
    """Return the context that an agent requires. An agent with several pairs does not say which
    pair needs it.
    """
    if len(agent.supported_verbs) > 1 or len(agent.supported_tools) > 1:
        return set()
    return {_full(name, step.verb) for name in agent.inputs if name.startswith("ctx.")}


def _named(short: str, full: str) -> str:
    return quote(short) if short == full else f"{quote(short)} ({full})"
