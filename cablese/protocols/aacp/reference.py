"""The reference page of AACP: about, grammar, and vocabulary."""

from cablese.reference import Reference, Row, Table, one_of, tabulate
from cablese.text import capitalize_first

from . import examples, requirements
from .tables import (
    CORE,
    DEFAULT_PRIORITY,
    DOMS,
    EXTENDED,
    LATER_DRAFTS,
    PRIORITIES,
    TASKS,
    VERSION,
    Key,
)

ABOUT = (
    "AACP shortens the instructions that agents in a business workflow send each other: fetch "
    "these records, merge those, flag that clause. A packet starts with an action and a domain, "
    "followed by named fields separated by |. The result agent and the version are always "
    "required. Only the coordination is compressed; the content of the work is sent with the "
    "packet in plain language. The packet is the record, and English generated from it is "
    "advisory."
)
GRAMMAR = f"""\
packet = task "|" dom 2*( "|" field )      ; return: and aacp: are always there
task   = {one_of(TASKS)}
dom    = {one_of(DOMS)}
field  = key ":" value                     ; a line may break after a bar
key    = 1*( lower / DIGIT / "_" / "-" )
value  = text                              ; % | line breaks and spaces at the edges are percent \
codes
"""


def _keys(title: str, keys: dict[str, Key], note: str) -> Table:
    rows = tuple(
        Row(name, key.full.replace("_", " "), f"{capitalize_first(key.label)}.")
        for name, key in keys.items()
    )
    return Table(title, rows, ("Key", "Word", "Meaning"), note)


REFERENCE = Reference(
    about=ABOUT,
    source="draft-mackay-aacp-00, an Internet-Draft",
    example=(
        "FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2024-08|filter:status=active|"
        "fmt:json"
    ),
    grammar=GRAMMAR,
    tables=(
        tabulate(
            "TASK",
            TASKS,
            {
                "FETCH": "Get data.",
                "PROC": "Process something.",
                "FLAG": "Call a person’s attention to something.",
                "RESOLVE": "Resolve an open question or case.",
                "LOG": "Record that something happened.",
                "SEND": "Send something to someone.",
                "BUILD": "Create something, such as an account or a file.",
                "MERGE": "Combine several data sets.",
                "CALC": "Calculate figures.",
                "REPORT": "Write a report.",
                "ACK": "Confirm receipt.",
                "SYNC": "Synchronize two places.",
            },
            note=("An unknown TASK is a warning; the packet is still valid."),
        ),
        tabulate(
            "DOM",
            DOMS,
            {
                "HR": "Staff, payroll, and leave.",
                "FIN": "Money, budgets, and invoices.",
                "SALES": "Offers, orders, and accounts.",
                "LEGAL": "Contracts and rules.",
                "IT": "Systems, accounts, and access.",
                "CS": "Customer requests and complaints.",
                "MKT": "Campaigns and content.",
            },
            note=("Organizations may add their own, which are reported as warnings."),
        ),
        _keys(
            "Core keys",
            CORE,
            "return and aacp are required. The others are recommended where they apply.",
        ),
        tabulate(
            "Priorities",
            PRIORITIES,
            {
                "1": "Do immediately.",
                "2": "Do in the usual order.",
                "3": "Do when there is time.",
            },
            note=f"The default is {DEFAULT_PRIORITY}.",
        ),
        _keys(
            "Extended keys",
            EXTENDED,
            "Any other key is a warning. Private keys are written x-<organization>-<name>.",
        ),
        Table(
            "Versions",
            (
                Row(VERSION, "", "The version of the draft and of these tables."),
                *(
                    Row(later, "", f"A later draft, decoded by the rules of {VERSION}.")
                    for later in LATER_DRAFTS
                ),
            ),
        ),
        Table(
            "Positions",
            (
                Row("task", "TASK", "The first field: the action."),
                Row("dom", "DOM", "The second field: the domain."),
            ),
            ("Field", "Name", "Meaning"),
        ),
    ),
    examples=examples.EXAMPLES,
    requirements=requirements.REQUIREMENTS,
)
