"""How many files and connections a process may have open."""

import resource

MOST = 20_000
RESERVED = 256
"""Descriptors for everything that is not a connection: databases, bodies, static files."""


def raise_limit() -> int:
    """Raise the limit of this process and those that it starts as far as possible. Return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    raised = MOST if hard == resource.RLIM_INFINITY else min(MOST, hard)
    if soft != resource.RLIM_INFINITY and soft < raised:
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
    return raised


def connections(limit: int) -> int:
    """Return how many connections leave enough descriptors for everything else."""
    return max(limit // 2, limit - RESERVED)
