"""List the requirements of SACP, by number."""

REQUIREMENTS = {
    "SACP-01": "A message is one JSON object with only the keys of the schema.",
    "SACP-02": "The goal g is required and is non-empty text.",
    "SACP-03": "The plan is an array. A step is a verb, a tool, and parameters.",
    "SACP-04": "Parameters are text, numbers, booleans, lists, or objects.",
    "SACP-05": "msg_id, reply_to, and proto_ver are text.",
    "SACP-06": "out_fmt is human, raw, or summary. The default is raw.",
    "SACP-07": "state is PENDING, IN_PROGRESS, DONE, or FAILED.",
    "SACP-08": "A validator answers VALID, or ERR with a code and a reason.",
    "SACP-09": "An ERR about the plan names the step, counted from 1.",
    "SACP-10": "Short forms of keys and verbs are preserved, and spelled out for people.",
    "SACP-11": "Steps can run in parallel, followed by a join.",
    "SACP-12": "Messages are chained by msg_id and reply_to.",
    "SACP-13": "proto_ver names the version.",
    "SACP-14": "A subtask is a SACP message inside another.",
    "SACP-15": "test_mode asks for a dry run.",
    "SACP-16": (
        "Prose is only valid from Interface and Formatter agents or with out_fmt human. Any other "
        "is reported."
    ),
    "SACP-17": "An empty plan is answered with REQ_CLARIFY.",
    "SACP-18": "A registered agent may name a fallback, which is used when its step fails.",
    "SACP-19": "Text that is not a SACP message is answered with ERR.",
    "SACP-20": "The roles are Interface, Planner, Executor, and Formatter.",
    "SACP-21": "The states of a message are tracked and shown in order.",
    "SACP-22": "There is a library of verbs.",
    "SACP-23": "There is a library of tools.",
    "SACP-24": "An unknown verb or tool, or a pair that does not match, is answered with ERR.",
    "SACP-25": "The capability registry has six required and six optional fields for each agent.",
    "SACP-26": "The registry can be searched by verb, inputs, and output type.",
    "SACP-27": "Agents, verbs, and tools can be registered.",
    "SACP-28": "Agents are selected by similarity of meaning, with a score.",
    "SACP-29": (
        "An agent’s prompt is generated from the template, with the specification on request."
    ),
    "SACP-30": (
        "A message is assembled from goal, context, and registered pairs, and its plan is checked "
        "for feasibility."
    ),
    "SACP-31": "When no agent fits, SPAWN_AGENT asks for a new one.",
    "SACP-32": "A listener defines the agent, registers it, and confirms.",
    "SACP-33": "The original plan is then retried.",
    "SACP-34": (
        "A 1.0 message has the seven required fields in the specified format, and only the "
        "sixteen defined fields."
    ),
    "SACP-35": (
        "The steps of 1.0 are objects with id, verb, tool, and params. Optional fields have the "
        "specified format."
    ),
    "SACP-36": (
        "Step IDs are unique, depends_on names existing steps, and no step depends on itself."
    ),
    "SACP-37": (
        "1.0 has seven states with defined transitions. DONE has a result and FAILED an error, "
        "never both."
    ),
    "SACP-38": (
        "The result and error of 1.0 have the specified format. Errors have one of twelve codes."
    ),
    "SACP-39": "The trace of 1.0 has the specified format, and extensions have a namespace.",
    "SACP-40": (
        "Messages are translated from 0.1 to 1.0 and back, or rejected with a reason if no "
        "lossless form exists."
    ),
    "SACP-41": (
        "A 1.0 step runs when all its dependencies have succeeded. on_error defines what a "
        "failure does."
    ),
}
