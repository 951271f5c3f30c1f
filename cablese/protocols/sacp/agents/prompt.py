"""Write the prompt that makes a model an agent ("13. Appendix C"), with the specification or not.

"7. Specification Usage" requires the specification for every model that reads or writes SACP; ours
is written from the tables that the codec works with. The template is filled with names, which have
no spaces, and with a message as one line of JSON, in which characters that could close a fence or
open a role are escaped: neither can end its place in the prompt.
"""

from cablese.json import jsontext
from cablese.message import Message
from cablese.protocols.sacp.reference import REFERENCE
from cablese.protocols.sacp.requirements import REQUIREMENTS
from cablese.protocols.sacp.writer import shape
from cablese.reference import Table

from .registry import Agent

TEMPLATE = """\
You are an autonomous agent operating under the SACP protocol.

### Agent Role: <AGENT_NAME>

### Role Definition:
- You respond only to SACP-compliant messages.
- You only execute actions that include your assigned verb(s) and tool(s).
- All other messages must be rejected with an ERR response.
- You must follow the output format defined by `out_fmt`.

### Supported Verb(s):
- <verb>

### Supported Tool(s):
- <tool>

### Behavior:
- Validate the message structure.
- Parse and use relevant fields from `ctx` and `plan`.
- Return either a valid SACP output or a protocol-compliant error.

### Message Input:
<Insert SACP JSON message here>

### Instruction:
Process this message strictly according to the rules of your defined role and the SACP protocol.
"""
"""Quoted as data from SACP, specification v0.1, "13. Appendix C: Agent Prompt Template for LLM
Integration".
"""

PLACE_OF_MESSAGE = "<Insert SACP JSON message here>"
_ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>`"}
OF_THE_WIRE = 15
"""The number of requirements about messages themselves. Those after them are about whole systems.
"""


def make_prompt(
    agent: Agent, message: Message | None = None, *, specification: bool = False
) -> str:
    """Return the template filled for ``agent``. Without a message its place stays open."""
    filled = (
        TEMPLATE.replace("<AGENT_NAME>", agent.agent_name)
        .replace("<verb>", "\n- ".join(agent.supported_verbs))
        .replace("<tool>", "\n- ".join(agent.supported_tools))
    )
    if message is not None:
        filled = filled.replace(
            PLACE_OF_MESSAGE, jsontext.write(shape(message.values)).translate(_ESCAPED)
        )
    if not specification:
        return filled
    head, instruction = filled.split("### Message Input:")
    return f"{head}### Specification:\n{specify()}\n### Message Input:{instruction}"


def specify() -> str:
    """Return SACP for a model: what it is, its grammar, words, and rules, in our own words."""
    parts = [
        REFERENCE.about,
        f"Grammar:\n{REFERENCE.grammar}",
        *map(_lay_out, REFERENCE.tables),
        "Rules:\n" + "".join(f"- {rule}\n" for rule in list(REQUIREMENTS.values())[:OF_THE_WIRE]),
    ]
    return "\n".join(part if part.endswith("\n") else f"{part}\n" for part in parts)


def _lay_out(table: Table) -> str:
    lines = (" | ".join(filter(None, (row.code, row.word, row.meaning))) for row in table.rows)
    return f"{table.title}:\n" + "".join(f"- {line}\n" for line in lines)
