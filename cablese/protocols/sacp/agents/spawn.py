"""Create agents for steps that no agent fits ("14. Appendix D").

`ask` writes the SPAWN_AGENT message for a step without an agent. `listen` is the spawning service:
it defines the tool, registers the agent, and confirms. Then the plan is checked again, and every
step has its agent.

    {"g":"SPAWN_AGENT","plan":[["define","VISA_QUERY",{…}],
    ["instantiate","VISA_AGENT",{"tool":"VISA_QUERY","verb":"check"}]]}
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from msgspec import Struct

from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.sacp.aliases import expand_verb, get_family
from cablese.protocols.sacp.codec import codec
from cablese.protocols.sacp.v0.steps import Step, walk

from .answer import answer
from .definition import BadDefinition, define
from .library import Library, Tool, Verb, is_built_in
from .registry import Agent, Agents, get, register
from .report import Outlook, look, unfold

GOAL = "SPAWN_AGENT"


class Spawned(Struct, frozen=True):
    """A SPAWN_AGENT message, the listener's reply, the library and registry after it, and what was
    added to them.
    """

    wire: str
    reply: dict[str, Any]
    library: Library
    agents: Agents
    defined: tuple[Verb | Tool | Agent, ...] = ()

    @property
    def answer(self) -> str:
        """Return the reply as sent."""
        return jsontext.dump(self.reply)

    @property
    def made(self) -> tuple[Agent, ...]:
        return tuple(definition for definition in self.defined if isinstance(definition, Agent))


def find_missing(message: Message, outlook: Outlook) -> list[tuple[Step, ...]]:
    """Return the steps that new agents could carry out, of a message and its subtasks: by tool, and
    each verb once.

    No other agent fixes a pair that a registered tool refuses, a parameter of a wrong type, or
    context that an agent lacks.
    """
    tools: dict[str, dict[str, Step]] = {}
    for level, judged in zip(unfold(message), outlook.chain, strict=True):
        nobody = {
            each.step
            for each in judged.assignments
            if not (each.agents or each.built_in or each.lacking)
        }
        wrong = {
            each.step
            for each in judged.obstacles
            if each.code in ("VERB_TOOL_MISMATCH", "BAD_PARAM")
        }
        for step in walk(level.values["steps"]) if judged.assignments else ():
            if step.number in nobody - wrong:
                tools.setdefault(step.tool, {}).setdefault(expand_verb(step.verb), step)
    return [tuple(steps.values()) for steps in tools.values()]


def ask(steps: Sequence[Step], library: Library, agents: Agents) -> dict[str, Any]:
    """Return the values of the message that requests an agent for each of ``steps``, which have one
    tool. A registered tool is not defined again.
    """
    tool = steps[0].tool
    verbs = [expand_verb(step.verb) for step in steps]
    inputs = list(dict.fromkeys(hint for step in steps for hint in _hint(step, library)))
    outputs = list(dict.fromkeys(_expect(step, library) for step in steps))
    plural = "s" if len(verbs) > 1 else ""
    definition = {
        "description": f"Executes the verb{plural} {', '.join(verbs)} with the tool {tool}",
        "inputs": inputs,
        "outputs": outputs,
    }
    defined = [] if library.tool(tool) else [_step("define", tool, definition)]
    return {
        "g": GOAL,
        "ctx": {
            "missing_capability": "_".join((*verbs, tool)).lower(),
            "input_hints": inputs,
            "output_expectation": ", ".join(outputs),
        },
        "out_fmt": "raw",
        "steps": [
            *defined,
            *(
                _step("instantiate", name, {"tool": tool, "verb": verb})
                for name, verb in zip(_free_names(tool, agents), verbs, strict=False)
            ),
        ],
    }


def listen(message: Message, library: Library, agents: Agents) -> Spawned:
    """Carry out a SPAWN_AGENT message: all of it or, with an ERR that names the step, nothing."""
    work = _Work(library, agents)
    reply = answer(message)
    if reply["status"] == "VALID":
        reply = work.carry_out(message)
    if isinstance(message.values.get("msg_id"), str):
        reply = reply | {"reply_to": message.values["msg_id"]}
    if reply["status"] != "VALID":
        return Spawned(message.wire, reply, library, agents)
    defined: tuple[Verb | Tool | Agent, ...] = (
        *work.library.verbs[len(library.verbs) :],
        *work.library.tools[len(library.tools) :],
        *work.agents[len(agents) :],
    )
    return Spawned(message.wire, reply, work.library, work.agents, defined)


def retry(
    message: Message, library: Library, agents: Agents
) -> tuple[tuple[Spawned, ...], Outlook]:
    """Spawn an agent for every step that lacks one, then judge the original message again."""
    spawned: list[Spawned] = []
    for steps in find_missing(message, look(message, library, agents)):
        result = listen(codec.decode(codec.encode(ask(steps, library, agents))), library, agents)
        library, agents = result.library, result.agents
        spawned.append(result)
    return tuple(spawned), look(message, library, agents)


class _Work:
    """The library and registry with what a spawn has added so far."""

    def __init__(self, library: Library, agents: Agents) -> None:
        self.library = library
        self.agents = agents
        self.defined: dict[str, Agent] = {}

    def carry_out(self, message: Message) -> dict[str, Any]:
        """Carry out the steps of a valid message until one fails, and return the reply."""
        if message.values.get("g") != GOAL:
            return _err("MALFORMED_MESSAGE", f"Unexpected goal. This listener only answers {GOAL}.")
        before = len(self.agents)
        for step in walk(message.values["steps"]):
            try:
                if step.verb == "define":
                    self._define(step)
                elif step.verb == "instantiate":
                    self._instantiate(step)
                else:
                    reason = "A spawn plan must contain only define and instantiate steps."
                    raise BadDefinition("", reason)
            except BadDefinition as bad:
                field = bad.pointer.removeprefix("/")
                reason = f"{field}: {bad.reason}" if field else bad.reason
                code = "BAD_PARAM" if step.verb in ("define", "instantiate") else "UNKNOWN_VERB"
                return _err(code, f"{step.words}: {reason}")
        created = self.agents[before:]
        if not created:
            reason = "The plan has no instantiate step, so no agent would be created."
            return _err("MALFORMED_PLAN", f"Step 1: {reason}")
        registered = ", ".join(
            f"{agent.agent_name} ({agent.supported_verbs[0]} with {agent.supported_tools[0]})"
            for agent in created
        )
        return {"status": "VALID", "details": f"Registered: {registered}."}

    def _define(self, step: Step) -> None:
        if self.library.tool(step.tool) is not None:
            raise BadDefinition("", f"Tool {step.tool} already exists.")
        named = {"agent_name": "A", "supported_verbs": ["define"], "supported_tools": [step.tool]}
        stated = {
            key: step.params[key]
            for key in ("description", "inputs", "outputs")
            if key in step.params
        }
        self.defined[step.tool] = define(Agent, stated | named)

    def _instantiate(self, step: Step) -> None:
        name, tool = expand_verb(str(step.params.get("verb", ""))), str(step.params.get("tool", ""))
        before = self.library.tool(tool)
        definition = self.defined.get(tool)
        if definition is None and before is None:
            raise BadDefinition(
                "/tool", f'The tool "{tool[:40]}" is neither defined nor registered.'
            )
        if is_built_in(name):
            raise BadDefinition("/verb", f"{name} is built in and needs no agent.")
        if definition is None and before is not None and not before.takes(name):
            raise BadDefinition("/verb", f"{tool} does not support {name[:64]}.")
        if get(self.agents, step.tool) is not None:
            raise BadDefinition("", f"Agent {step.tool} already exists.")
        known = self.library.verb(name)
        agent = define(
            Agent,
            {
                "agent_name": step.tool,
                "supported_verbs": [name],
                "supported_tools": [tool],
                "inputs": list(definition.inputs if definition else known.inputs if known else ()),
                "outputs": list(definition.outputs) if definition else ["result"],
                "description": definition.description
                if definition
                else before.description
                if before
                else tool,
            },
        )
        self.agents = register(self.agents, agent)
        if definition is not None:
            verbs = dict.fromkeys((*(before.supported_verbs if before else ()), name))
            self.library = self.library.with_tool(Tool(tool, agent.description, tuple(verbs)))
        if known is None:
            description = f"What {step.tool} does: {agent.description}"[:1000]
            self.library = self.library.with_verb(
                Verb(name, description, agent.inputs, ", ".join(agent.outputs))
            )


def _step(verb: str, tool: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"verb": verb, "tool": tool, "params": params}


def _hint(step: Step, library: Library) -> list[str]:
    """Return the names of the inputs that a step shows, or else those of its verb."""
    verb = library.verb(step.verb)
    known = get_family(step.tool).keys
    hints = [known.get(key, key) for key in step.params] or list(verb.inputs if verb else ())
    return [name.replace(" ", "_").replace("-", "_") for name in hints]


def _expect(step: Step, library: Library) -> str:
    verb = library.verb(step.verb)
    return verb.outputs if verb and isinstance(verb.outputs, str) else "result"


def _free_names(tool: str, agents: Agents) -> Iterator[str]:
    """Yield names that no agent has, the simplest first."""
    base = f"{tool[:50]}_AGENT"
    names = {agent.agent_name for agent in agents}
    return (
        name
        for number in count(1)
        if (name := base if number == 1 else f"{base}_{number}") not in names
    )


def _err(code: str, details: str) -> dict[str, Any]:
    return {"status": "ERR", "code": code, "details": details}
