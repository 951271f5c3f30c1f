"""The four workflows that the draft names in section 6.1, with its own packets where it prints
them.

The draft gives the number of hops of each and five packets: two of payroll, one of IT provisioning,
one of contract review. What the other hops hold, and all English but that of the first payroll hop,
is ours.
"""

from .workflow import Hop, Input, Kind, Workflow

CODE = Kind(
    r"[A-Za-z0-9](?:[A-Za-z0-9._\-]{0,38}[A-Za-z0-9])?",
    "1 to 40 letters, digits, dots, underscores, and hyphens",
)
MONTH = Kind(r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])", "a year and a month", calendar=True)
DAY = Kind(
    r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-[0-3][0-9]", "a year, a month, and a day", calendar=True
)
AMOUNT = Kind(r"(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,2})?", "a number with at most two decimals")
CURRENCY = Kind("[A-Z]{3}", "a currency code of three capital letters")
RISK = Kind("low|medium|high", "low, medium, or high")

PAYROLL = Workflow(
    "payroll",
    "Payroll",
    "Monthly payroll: fetch, calculate, report, approve, and record.",
    "AACP-17",
    (
        Input("period", "Month", MONTH, "2024-08"),
        Input("rules", "Rules", CODE, "payroll_v2"),
        Input("template", "Report template", CODE, "payroll_summary"),
        Input("approver", "Approver", CODE, "CFO"),
    ),
    (
        Hop(
            "Fetch employees",
            (
                "Please retrieve the employee salary records for the period ending {period_end}. "
                "I need all active employees, their departments, cost centres, base salary, any "
                "changes made this month, and pension contribution rates. Return as JSON array."
            ),
            "FETCH",
            "HR",
            "HR-Agent",
            "1",
            {"res": "emp_salary", "period": "{period}", "filter": "status=active", "fmt": "json"},
            quoted=True,
        ),
        Hop(
            "Fetch budgets",
            (
                "Please retrieve the approved budgets of all cost centres for the period ending "
                "{period_end}. For each cost centre I need the budgeted salary total, what has "
                "been spent so far this year, and the name of the budget owner. Return as JSON "
                "array."
            ),
            "FETCH",
            "FIN",
            "HR-Agent",
            "1",
            {"res": "budget_cc", "period": "{period}", "fmt": "json"},
        ),
        Hop(
            "Merge and calculate",
            (
                "Please merge the employee salary records with the cost centre budgets and run "
                "the payroll calculation by the rules {rules}. Work out gross pay, tax, pension "
                "contributions and net pay for every employee, check the totals against the "
                "budget of each cost centre, and report any difference."
            ),
            "MERGE",
            "HR",
            "HR-Agent",
            "1",
            {"rules": "{rules}", "validate": "budget_cc"},
        ),
        Hop(
            "Generate report",
            (
                "Please write the payroll report for the period ending {period_end} by the "
                "template {template}. Show the totals of each department, compare them with the "
                "month before, and highlight every difference from the budget. Return it as a PDF "
                "document."
            ),
            "REPORT",
            "HR",
            "HR-Agent",
            "1",
            {"tmpl": "{template}", "period": "{period}", "highlight": "budget_diff", "fmt": "pdf"},
        ),
        Hop(
            "Send for approval",
            (
                "Please send the payroll report for the period ending {period_end} to {approver} "
                "with the subject payroll approval, attach the report {template}, and ask for an "
                "approval before any payment is made."
            ),
            "SEND",
            "FIN",
            "FIN-Agent",
            "1",
            {
                "to": "{approver}",
                "subj": "payroll_approval",
                "att": "{template}",
                "period": "{period}",
                "req": "approval",
            },
        ),
        Hop(
            "Record the run",
            (
                "Please write to the audit log that the payroll run for the period ending "
                "{period_end} is done and that the HR agent carried it out. There is no hurry."
            ),
            "LOG",
            "HR",
            "Audit-Agent",
            "3",
            {"res": "payroll_run", "period": "{period}", "status": "done", "actor": "HR-Agent"},
        ),
    ),
)

IT_PROVISIONING = Workflow(
    "it-provisioning",
    "IT provisioning",
    "A new employee gets an account, access, licenses, and a device.",
    "AACP-18",
    (
        Input("user", "Username", CODE, "j.smith"),
        Input("group", "Access group", CODE, "sales_team"),
        Input("licence", "License", CODE, "office_std"),
        Input("device", "Device", CODE, "laptop_std"),
        Input("start", "First day", DAY, "2024-09-02"),
        Input("manager", "Manager", CODE, "Sales-Lead"),
    ),
    (
        Hop(
            "Create the account",
            (
                "Please create a directory account for the new user {user}. I need the e-mail "
                "address, the department, the groups, and confirmation that the password must be "
                "reset at the first sign-in."
            ),
            "BUILD",
            "IT",
            "IT-Agent",
            "1",
            {"res": "ad_account", "filter": "usr={user}", "fields": "email,dept,grp,pwd_reset"},
        ),
        Hop(
            "Grant access",
            (
                "Please add the user {user} to the access group {group} and check the request "
                "against the access policy before you do."
            ),
            "PROC",
            "IT",
            "IT-Agent",
            "1",
            {
                "res": "group_access",
                "filter": "usr={user}",
                "req": "{group}",
                "validate": "access_policy",
            },
        ),
        Hop(
            "Assign licenses",
            (
                "Please assign the software license {licence} to the user {user}, and tell me when "
                "none is left."
            ),
            "PROC",
            "IT",
            "IT-Agent",
            "2",
            {"res": "licence", "filter": "usr={user}", "type": "{licence}"},
        ),
        Hop(
            "Prepare the device",
            (
                "Please set up a device of the model {device} for the user {user} so that it is "
                "ready on {start}."
            ),
            "BUILD",
            "IT",
            "IT-Agent",
            "2",
            {"res": "device", "filter": "usr={user}", "type": "{device}", "period": "{start}"},
        ),
        Hop(
            "Notify the manager",
            (
                "Please tell {manager} that the account, the access, and the device of the user "
                "{user} are ready for the first day, {start}."
            ),
            "SEND",
            "IT",
            "IT-Agent",
            "2",
            {
                "to": "{manager}",
                "subj": "account_ready",
                "filter": "usr={user}",
                "period": "{start}",
            },
        ),
        Hop(
            "Record the access",
            (
                "Please write to the audit log that the user {user} now has the access group "
                "{group} and that the IT agent granted it."
            ),
            "LOG",
            "IT",
            "Audit-Agent",
            "3",
            {
                "res": "provisioning",
                "filter": "usr={user}",
                "req": "{group}",
                "status": "done",
                "actor": "IT-Agent",
            },
        ),
    ),
)

INVOICE = Workflow(
    "invoice",
    "Invoice",
    "A supplier’s invoice is matched with its order, approved, and paid.",
    "AACP-19",
    (
        Input("invoice", "Invoice number", CODE, "INV-1042"),
        Input("supplier", "Supplier", CODE, "Acme-Ltd"),
        Input("order", "Purchase order", CODE, "PO-77"),
        Input("amount", "Amount", AMOUNT, "1250.00"),
        Input("currency", "Currency", CURRENCY, "GBP"),
        Input("approver", "Approver", CODE, "Finance-Lead"),
    ),
    (
        Hop(
            "Match the order",
            (
                "Please check the invoice {invoice} of the supplier {supplier} over {amount} "
                "{currency} against the purchase order {order} and report every line that does not "
                "agree."
            ),
            "PROC",
            "FIN",
            "FIN-Agent",
            "2",
            {
                "res": "{invoice}",
                "sup": "{supplier}",
                "amt": "{amount}",
                "ccy": "{currency}",
                "match": "{order}",
            },
        ),
        Hop(
            "Ask for approval",
            (
                "Please send the invoice {invoice} of the supplier {supplier} over {amount} "
                "{currency} to {approver} and ask for an approval of the payment."
            ),
            "SEND",
            "FIN",
            "FIN-Agent",
            "2",
            {
                "res": "{invoice}",
                "sup": "{supplier}",
                "amt": "{amount}",
                "ccy": "{currency}",
                "to": "{approver}",
                "req": "approval",
            },
        ),
        Hop(
            "Record the payment",
            (
                "Please write to the audit log that the payment of the approved invoice {invoice} "
                "to the supplier {supplier} over {amount} {currency} is scheduled."
            ),
            "LOG",
            "FIN",
            "Audit-Agent",
            "2",
            {
                "res": "{invoice}",
                "sup": "{supplier}",
                "amt": "{amount}",
                "ccy": "{currency}",
                "status": "payment_scheduled",
            },
        ),
    ),
)

CONTRACT = Workflow(
    "contract",
    "Contract review",
    "A contract is fetched, a risky clause is flagged, and a lawyer decides.",
    "AACP-20",
    (
        Input("type", "Contract type", CODE, "NDA"),
        Input("party", "Other party", CODE, "Acme-Ltd"),
        Input("clause", "Clause", CODE, "s7"),
        Input("issue", "Issue", CODE, "ip_rights_restriction"),
        Input("risk", "Risk", RISK, "high"),
        Input("reviewer", "Reviewer", CODE, "Senior-Counsel"),
    ),
    (
        Hop(
            "Fetch the contract",
            (
                "Please retrieve the current draft of the {type} with {party}, with all its "
                "clauses and annexes, and mark what has changed since the last version."
            ),
            "FETCH",
            "LEGAL",
            "LEG-Agent",
            "1",
            {"res": "contract", "type": "{type}", "party": "{party}", "highlight": "changes"},
        ),
        Hop(
            "Flag the clause",
            (
                "Please flag clause {clause} of the {type} with {party} for a senior review "
                "because of {issue}. The risk is {risk}, and the contract must not be signed "
                "before the review is done."
            ),
            "FLAG",
            "LEGAL",
            "LEG-Agent",
            "1",
            {
                "type": "{type}",
                "party": "{party}",
                "clause": "{clause}",
                "issue": "{issue}",
                "risk": "{risk}",
                "block": "signature",
            },
        ),
        Hop(
            "Ask for a decision",
            (
                "Please send clause {clause} of the {type} with {party} to {reviewer} and ask for "
                "a decision about {issue}, with a proposal for better wording."
            ),
            "SEND",
            "LEGAL",
            "LEG-Agent",
            "1",
            {
                "to": "{reviewer}",
                "subj": "contract_review",
                "type": "{type}",
                "party": "{party}",
                "clause": "{clause}",
                "issue": "{issue}",
                "req": "decision",
            },
        ),
    ),
)

WORKFLOWS = {workflow.name: workflow for workflow in (PAYROLL, IT_PROVISIONING, INVOICE, CONTRACT)}
