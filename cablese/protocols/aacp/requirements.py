"""The requirements of AACP, by number."""

REQUIREMENTS = {
    "AACP-01": "A packet has a positional TASK and DOM, then named fields, separated by bars.",
    "AACP-02": "The first field is the TASK. It is required.",
    "AACP-03": "The second field is the DOM. It is required.",
    "AACP-04": "Every other field is a key, a colon, and a value.",
    "AACP-05": "Fields between two bars must not be empty.",
    "AACP-06": "return: names the agent that gets the result.",
    "AACP-07": "aacp: names the version.",
    "AACP-08": "p: is the priority. The default is 2.",
    "AACP-09": "The recommended fields are recognized: p, res, period, filter, fields, and fmt.",
    "AACP-10": "The 33 extended keys are recognized.",
    "AACP-11": "An unknown key is a warning, never an error.",
    "AACP-12": "The twelve TASK values are recognized.",
    "AACP-13": "An unknown TASK is a warning; the packet is still valid.",
    "AACP-14": "The seven DOM values are recognized. Others are allowed with a warning.",
    "AACP-15": "Priority 1 is critical, 2 is medium, and 3 is low.",
    "AACP-16": (
        "Rules generate packets from structured input without a model: the same input gives the "
        "same bytes."
    ),
    "AACP-17": "The payroll workflow has six hops.",
    "AACP-18": "The IT provisioning workflow has six hops.",
    "AACP-19": "The invoice workflow has three hops.",
    "AACP-20": "The contract review workflow has three hops.",
    "AACP-21": (
        "A model can generate a packet from English, with the specification as its system prompt."
    ),
    "AACP-22": "Structured input is handled by rules, English by a model.",
    "AACP-23": (
        "A model’s packet is stored as a candidate. When a person promotes it, it becomes a rule "
        "that answers for free."
    ),
    "AACP-24": "TASK, DOM, return:, and aacp: are always checked.",
    "AACP-25": "An unknown TASK or DOM is a warning.",
    "AACP-26": "A missing p: is a warning.",
    "AACP-27": "A version other than 1.1 is a warning.",
    "AACP-28": "A sentiment: without a tone: is a warning.",
    "AACP-29": "An ltv: without a ccy: is a warning.",
    "AACP-30": "Unknown keys are warnings.",
    "AACP-31": "Errors are shown before a packet is sent.",
    "AACP-32": "Warnings never prevent a packet from being sent.",
    "AACP-33": "A packet is described in English.",
    "AACP-34": "Pages state that the packet is authoritative and its English is advisory.",
    "AACP-35": "Task content is sent with the packet, and its tokens are counted separately.",
    "AACP-36": "The four-hop benchmark is shown hop by hop, with our own counts.",
    "AACP-37": "The method of the benchmark is stated.",
    "AACP-38": (
        "Long lists of fields, URIs as pointers, and tones are reported with their token cost."
    ),
    "AACP-39": "Private keys, such as x-acme-batch, are identified.",
    "AACP-40": "Later versions are read as 1.1, and never rejected because of the version.",
    "AACP-41": "Every packet is validated before it is used.",
    "AACP-42": (
        "Values are data: escaped, never linked or executed, and available as prompt-safe text."
    ),
    "AACP-43": "The log adds a sequence number and a time, and identifies identical packets.",
    "AACP-44": (
        "Sensitive data is a warning in received packets, and rejected in generated packets."
    ),
    "AACP-45": "There is a structured audit trail.",
    "AACP-46": "Packets inside MCP and A2A messages are found.",
    "AACP-47": "A packet folded over several lines is joined and read.",
}
