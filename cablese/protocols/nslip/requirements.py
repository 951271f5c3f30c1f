"""The requirements of nSLIP, by number."""

REQUIREMENTS = {
    "NSLIP-01": "A message is decoded into its act, frame, and slots.",
    "NSLIP-02": "An act, a frame, and slots are encoded as a message.",
    "NSLIP-03": "An encoded message decodes to the same values.",
    "NSLIP-04": "The eight acts are recognized.",
    "NSLIP-05": "The seven frames are recognized.",
    "NSLIP-06": "The eight slots and their types are recognized.",
    "NSLIP-07": "The priority p is 1, 2, or 3.",
    "NSLIP-08": "The score sc is from 0 to 10.",
    "NSLIP-09": "Goal, task, result, priority, and score are integers.",
    "NSLIP-10": "The status is one of six words. Any other is reported as info.",
    "NSLIP-11": "The tag @ is shown only as a note for people.",
    "NSLIP-12": "A reject gives its reason in the slot !.",
    "NSLIP-13": "Unknown acts, frames, and slots are reported.",
    "NSLIP-14": "Structural problems are reported with their position.",
    "NSLIP-15": "The roles are user, coordinator, planner, executor, and critic.",
    "NSLIP-16": (
        "Each task of a goal goes through request, plan, acceptance, execution, and evaluation."
    ),
    "NSLIP-17": (
        "A reject returns a task to planning. After a complete cycle it starts a new round."
    ),
    "NSLIP-18": (
        "Queries and confirmations may come at any point. Inferred roles are marked as inferred."
    ),
    "NSLIP-19": "The six messages of the source’s conversation are decoded and shown as a flow.",
    "NSLIP-20": "There are training prompts for the four agent roles.",
    "NSLIP-21": (
        "Training examples are JSON lines, the same for the same seed, with scores that match "
        "statuses."
    ),
    "NSLIP-22": (
        "Token counts of English, JSON, and nSLIP are compared per message and per cycle, next to "
        "the source’s claims."
    ),
    "NSLIP-23": "A message is described in plain English, for logs.",
}
