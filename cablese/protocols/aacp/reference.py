"""AACP for people: what it is, its grammar, and its words with their meaning."""

from cablese.reference import Reference, Row, Table, one_of, tabulate
from cablese.text import capitalize_first

from .examples import EXAMPLES
from .requirements import REQUIREMENTS
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
    "AACP shortens the instructions that agents of a business workflow send each other: fetch these records, merge "
    "those, flag that clause. A packet names an action and a domain by their place, then named fields with bars "
    "between them; who gets the result and which version is spoken are never left out. Only the coordination is "
    "compressed. The content of the work travels beside the packet in plain language. A packet is the record, and "
    "whatever English is made from it is advice."
)
GRAMMAR = f"""\
packet = task "|" dom 2*( "|" field )      ; return: and aacp: are always there
task   = {one_of(TASKS)}
dom    = {one_of(DOMS)}
field  = key ":" value                     ; a line may break behind a bar
key    = 1*( lower / DIGIT / "_" / "-" )
value  = text                              ; % | line breaks and blanks at the edges are percent codes
"""
DONE_BY_TASK = {
    "FETCH": "Get data.",
    "PROC": "Work through something.",
    "FLAG": "Draw a person’s attention to something.",
    "RESOLVE": "Settle an open question or case.",
    "LOG": "Write down that something happened.",
    "SEND": "Pass something on to someone.",
    "BUILD": "Make something, such as an account or a file.",
    "MERGE": "Bring several sets of data together.",
    "CALC": "Work out figures.",
    "REPORT": "Write a report.",
    "ACK": "Confirm that something arrived.",
    "SYNC": "Bring two places to the same state.",
}
RUN_IN_DOM = {
    "HR": "Staff, payroll, leave.",
    "FIN": "Money, budgets, invoices.",
    "SALES": "Offers, orders, accounts.",
    "LEGAL": "Contracts and rules.",
    "IT": "Systems, accounts, access.",
    "CS": "Requests and complaints of customers.",
    "MKT": "Campaigns and content.",
}
SAID_BY_PRIORITY = {"1": "At once.", "2": "In the usual order.", "3": "When there is time."}


def _keys(title: str, keys: dict[str, Key], note: str) -> Table:
    rows = tuple(
        Row(name, key.full.replace("_", " "), f"{capitalize_first(key.label)}.")
        for name, key in keys.items()
    )
    return Table(title, rows, ("Key", "Word", "Meaning"), note)


REFERENCE = Reference(
    about=ABOUT,
    source="draft-mackay-aacp-00, an Internet-Draft",
    example="FETCH|HR|return:HR-Agent|p:1|aacp:1.1|res:emp_salary|period:2024-08|filter:status=active|fmt:json",
    grammar=GRAMMAR,
    tables=(
        tabulate(
            "TASK", TASKS, DONE_BY_TASK, note="Another TASK is a warning; the packet stays valid."
        ),
        tabulate(
            "DOM", DOMS, RUN_IN_DOM, note="An organisation may add its own, which are warned of."
        ),
        _keys(
            "Core keys",
            CORE,
            "return and aacp are required, the others are recommended where they apply.",
        ),
        tabulate(
            "Priorities",
            PRIORITIES,
            SAID_BY_PRIORITY,
            note=f"{DEFAULT_PRIORITY} holds when p is left out.",
        ),
        _keys(
            "Extended keys",
            EXTENDED,
            "Any other key is a warning. A private one is written x-<organisation>-<name>.",
        ),
        Table(
            "Versions",
            (
                Row(VERSION, "", "The version of the draft, and of these tables."),
                *(
                    Row(later, "", f"A later draft, read by the rules of {VERSION}.")
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
    examples=EXAMPLES,
    requirements=REQUIREMENTS,
)
