"""Hold the capability registry ("11. Appendix A"): the agents, what they can do, and which fit.

An agent states six fields, and may state six more. ``role`` and ``fallback`` are ours: the roles of
"9. Example Agents", and the agent that takes over when a step fails ("4. Operational Directives",
"Error handling").
"""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct, field, structs

from cablese.protocols.sacp.aliases import expand_verb

from .definition import Address, BadDefinition, Description, Name, Path, define
from .library import Tool, Verb

Role = Literal["Interface", "Planner", "Executor", "Formatter"]
Names = Annotated[tuple[Name, ...], Meta(min_length=1, max_length=50)]

ROLES: dict[Role, str] = {
    "Interface": "Talks to people, turns their requests into messages, and collects the results.",
    "Planner": "Expands and orders the steps, and checks that tools can execute them.",
    "Executor": "Executes each step and returns data.",
    "Formatter": "Turns final data into a result for people.",
}


class Agent(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An agent as it registers itself. ``tool.interface`` is spelled with its dot, as in the
    specification.
    """

    agent_name: Name
    supported_verbs: Names
    supported_tools: Names
    inputs: Annotated[tuple[Path, ...], Meta(max_length=50)]
    outputs: Annotated[tuple[Path, ...], Meta(max_length=50)]
    description: Description
    embedding: Annotated[tuple[float, ...], Meta(min_length=1, max_length=4096)] | None = None
    tags: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()
    interface: Address | None = field(default=None, name="tool.interface")
    confidence_score: Annotated[float, Meta(ge=0, le=1)] | None = None
    agent_location: Address | None = None
    version: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    role: Role = "Executor"
    fallback: Name | None = None

    def does(self, verb: str) -> bool:
        return expand_verb(verb) in map(expand_verb, self.supported_verbs)

    def fits(self, verb: str, tool: str) -> bool:
        """Return whether the agent may carry out a step with this verb and this tool."""
        return tool in self.supported_tools and self.does(verb)


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """What a registered agent publishes to be found by its meaning ("12. Appendix B")."""

    agent: Name
    embedding: Annotated[tuple[float, ...], Meta(min_length=1, max_length=4096)]
    description: Description


class Query(Struct, frozen=True, forbid_unknown_fields=True):
    """A search for agents by verb, inputs, and type of output. Omitted fields match anything."""

    verb: Annotated[
        Annotated[str, Meta(min_length=1, max_length=64)] | None, Meta(examples=["search"])
    ] = None
    inputs: Annotated[tuple[str, ...], Meta(max_length=50)] = ()
    output_type: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


Agents = tuple[Agent, ...]


def register(agents: Agents, agent: Agent) -> Agents:
    """Return the registry with ``agent``, which replaces one of the same name. Raises
    BadDefinition.
    """
    if agent.fallback == agent.agent_name:
        raise BadDefinition("/fallback", "An agent cannot be its own fallback.")
    return (*(other for other in agents if other.agent_name != agent.agent_name), agent)


def read_agent(value: object, agents: Agents) -> Agent:
    """Return an agent as it registers itself, or as it publishes its embedding, which is added to
    the registered one. Raises BadDefinition.
    """
    if not isinstance(value, dict) or "agent" not in value or "agent_name" in value:
        return define(Agent, value)
    published = define(Published, value)
    registered = get(agents, published.agent)
    if registered is None:
        raise BadDefinition(
            "/agent",
            f"Agent {published.agent} is not registered. Register it with its verbs and tools "
            "first.",
        )
    return structs.replace(
        registered, embedding=published.embedding, description=published.description
    )


def leave_out(agents: Iterable[Agent], *, verbs: Iterable[Verb], tools: Iterable[Tool]) -> Agents:
    """Return ``agents`` without these verbs and tools. An agent without any verb or tool left is
    omitted.
    """
    no_verbs, no_tools = {expand_verb(verb.name) for verb in verbs}, {tool.id for tool in tools}
    remaining = (
        structs.replace(
            agent,
            supported_verbs=tuple(
                verb for verb in agent.supported_verbs if expand_verb(verb) not in no_verbs
            ),
            supported_tools=tuple(tool for tool in agent.supported_tools if tool not in no_tools),
        )
        for agent in agents
    )
    return tuple(agent for agent in remaining if agent.supported_verbs and agent.supported_tools)


def get(agents: Iterable[Agent], name: str) -> Agent | None:
    return next((agent for agent in agents if agent.agent_name == name), None)


def read_query(value: object) -> Query:
    """Return a query, bare or under ``query`` as in the source. Raises BadDefinition."""
    wrapped = isinstance(value, dict) and value.keys() == {"query"}
    try:
        query = define(Query, value["query"] if wrapped and isinstance(value, dict) else value)
    except BadDefinition as bad:
        raise BadDefinition(
            f"/query{bad.pointer}" if wrapped else bad.pointer, bad.reason
        ) from None
    if query == Query():
        raise BadDefinition(
            "/query" if wrapped else "", "A query must have a verb, inputs, or an output_type."
        )
    return query


def find(agents: Agents, query: Query) -> Agents:
    """Return the agents that fit, most trusted first.

    An input matches by the last part of its path: ``history`` fits an agent that takes
    ``ctx.history``.
    """
    given, wanted = {last(name) for name in query.inputs}, query.output_type
    fitting = (
        agent
        for agent in agents
        if (query.verb is None or agent.does(query.verb))
        and given <= {last(name) for name in agent.inputs}
        and (wanted is None or last(wanted) in {last(name) for name in agent.outputs})
    )
    return tuple(sorted(fitting, key=_trust))


def find_for_step(agents: Agents, verb: str, tool: str) -> Agents:
    """Return the agents that may carry out a step, the best first."""
    return tuple(sorted((agent for agent in agents if agent.fits(verb, tool)), key=_trust))


def last(path: str) -> str:
    """Return the last part of a path: ``history`` of ``ctx.history``."""
    return path.rpartition(".")[2]


def _trust(agent: Agent) -> float:
    """Return the order of an agent by its confidence. Without one it counts as half confident."""
    return -(0.5 if agent.confidence_score is None else agent.confidence_score)
