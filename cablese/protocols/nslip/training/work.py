"""The work in training examples: goals in plain English, and the tags and reasons that fit them.

    Write a health check for the billing service without downtime.
    plan_incremental  small_steps  tests_pass  good_coverage  scope_too_large

A goal is a verb, a thing, a place, and a condition, so that a few dozen words make tens of
thousands of goals. All words are ours.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Trade(NamedTuple):
    """One kind of work: the parts of its goals, the names of its plans, and how it ends."""

    verbs: tuple[str, ...]
    things: tuple[str, ...]
    plans: tuple[str, ...]
    successes: tuple[str, ...]
    shortfalls: tuple[str, ...]
    failures: tuple[str, ...]

    @property
    def tags(self) -> dict[str, Sequence[Any]]:
        """The tags of a message about this work."""
        return {"plan": self.plans, "failure": self.failures, "gap": self.shortfalls}

    @property
    def ends(self) -> dict[str, tuple[str, ...]]:
        """The tags of a result, by its status."""
        return {"done": self.successes, "partial": self.shortfalls, "failed": self.failures}


TRADES = (
    Trade(
        verbs=("Build", "Write", "Add"),
        things=(
            "a health check",
            "an audit report",
            "a retry queue",
            "a search page",
            "a rate limiter",
            "an import form",
            "a status board",
            "a cache",
            "a nightly export",
            "an event feed",
        ),
        plans=(
            "plan_incremental",
            "plan_prototype_first",
            "plan_interface_first",
            "plan_behind_switch",
        ),
        successes=("tests_pass", "feature_live", "review_passed", "demo_accepted"),
        shortfalls=("happy_path_only", "half_of_cases", "docs_missing"),
        failures=("build_broken", "tests_fail", "design_rejected"),
    ),
    Trade(
        verbs=("Find and fix", "Explain and remove", "Track down"),
        things=(
            "a memory leak",
            "a slow query",
            "a lost message",
            "a double charge",
            "a wrong total",
            "a stuck worker",
            "a failing login",
            "a broken link",
            "a late alarm",
            "a race at start-up",
        ),
        plans=("plan_reproduce_first", "plan_bisect", "plan_add_tracing", "plan_small_patch"),
        successes=("cause_removed", "regression_test_added", "no_recurrence", "fix_verified"),
        shortfalls=("workaround_only", "cause_suspected", "rarer_but_there"),
        failures=("not_reproducible", "fix_reverted", "symptom_returned"),
    ),
    Trade(
        verbs=("Move", "Migrate", "Hand over"),
        things=(
            "the user records",
            "the invoices",
            "the session store",
            "the old archive",
            "the build jobs",
            "the mail templates",
            "the metrics",
            "the access rules",
            "the price list",
            "the message queue",
        ),
        plans=(
            "plan_copy_then_switch",
            "plan_in_batches",
            "plan_dual_write",
            "plan_rehearse_first",
        ),
        successes=("all_rows_moved", "switch_complete", "counts_agree", "old_copy_retired"),
        shortfalls=("some_rows_left", "two_copies_remain", "slow_catch_up"),
        failures=("rolled_back", "counts_differ", "target_full"),
    ),
    Trade(
        verbs=("Measure", "Compare", "Assess"),
        things=(
            "the response times",
            "the token costs",
            "the error rates",
            "the disk usage",
            "the test coverage",
            "the licence terms",
            "the backup times",
            "the support load",
            "the cold starts",
            "the supplier offers",
        ),
        plans=(
            "plan_sample_a_week",
            "plan_baseline_first",
            "plan_two_methods",
            "plan_use_existing_logs",
        ),
        successes=("figures_confirmed", "report_ready", "trend_clear", "baseline_set"),
        shortfalls=("sample_too_small", "one_source_only", "wide_margin"),
        failures=("no_data", "figures_contradict", "method_flawed"),
    ),
    Trade(
        verbs=("Secure", "Review the protection of", "Harden"),
        things=(
            "the admin pages",
            "the upload path",
            "the stored keys",
            "the public endpoint",
            "the password reset",
            "the backups",
            "the staging hosts",
            "the webhook",
            "the service accounts",
            "the log access",
        ),
        plans=(
            "plan_threats_first",
            "plan_least_rights",
            "plan_rotate_then_close",
            "plan_outside_review",
        ),
        successes=("holes_closed", "scan_clean", "keys_rotated", "access_narrowed"),
        shortfalls=("low_risks_left", "one_host_open", "partly_rotated"),
        failures=("hole_remains", "access_lost", "scan_failed"),
    ),
)
PLACES = (
    "the billing service",
    "the login service",
    "the mobile app",
    "the data warehouse",
    "the customer portal",
    "the warehouse robots",
    "the help desk",
    "the payment gateway",
    "the booking engine",
    "the training cluster",
    "the content editor",
    "the partner interface",
    "the delivery planner",
    "the sensor network",
    "the payroll system",
    "the recommendation model",
)
CONDITIONS = (
    "",
    " without downtime",
    " within two days",
    " before the next release",
    " with no new dependency",
    " at the lowest cost",
    " so that others can repeat it",
    " and write down how",
)
OBJECTIONS = (
    "scope_too_large",
    "risk_not_covered",
    "no_way_back",
    "too_expensive",
    "steps_missing",
    "takes_too_long",
    "owner_unclear",
    "no_test_planned",
)
REMEDIES = (
    "needs_breakdown",
    "name_the_risks",
    "add_fallback",
    "cheaper_variant",
    "shorter_plan",
    "ask_owner",
)
HINDRANCES = (
    "waiting_for_access",
    "waiting_for_review",
    "missing_input",
    "quota_reached",
    "host_unreachable",
)
STEPS = ("first_step_taken", "half_way", "last_checks", "on_schedule")
QUESTIONS = ("deadline_known", "budget_known", "downtime_allowed", "owner_known", "tools_allowed")
PRAISE = ("good_coverage", "clean_result", "meets_goal", "well_documented")
CRITIQUE = ("gaps_remain", "needs_more_tests", "result_incomplete", "half_the_goal")
BLAME = ("goal_missed", "result_unusable", "start_over", "cause_unknown")
VERDICTS = {"done": PRAISE, "partial": CRITIQUE, "failed": BLAME}
"""The tags of an evaluation, by the status of the result."""
