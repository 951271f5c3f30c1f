"""The program that wrote a record or a line, which is the sender where nothing else names one.

{"SYSLOG_IDENTIFIER": "planner", "MESSAGE": "REQ/TSK|g=1"}     journald
{"service": "planner", "message": "REQ/TSK|g=1"}               Datadog
2026-11-20T10:00:01Z {app="planner"} REQ/TSK|g=1               labels of Loki
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from cablese.transcript.log_lines.names import NAME, is_party

_KEYS = (
    "syslog_identifier", "service.name", "service_name", "service", "app", "app_name",
    "stream.service_name", "stream.app", "labels.app", "kubernetes.labels.app",
    "kubernetes.container_name", "container_name",
)  # fmt: skip
_SHARED = frozenset((
    "agents", "api", "app", "application", "backend", "bus", "demo", "docker", "main", "platform",
    "server", "service", "services", "web", "worker", "workers",
))  # fmt: skip
"""Programs that may run several agents: there the logger tells which."""
_RUNNERS = frozenset((
    "celery", "containerd", "cron", "dockerd", "gunicorn", "java", "kernel", "kubelet", "podman",
    "python3", "systemd", "uvicorn",
))  # fmt: skip
"""Programs that run others."""
_COPY = re.compile(r"[-_]\d+\Z")
"""The number of one of several equal containers."""
_NAME = re.compile(rf"(?![0-9a-f]{{12,64}}\Z){NAME}")
"""A name, and not the number of a container."""


def is_shared(name: str) -> bool:
    """Return whether a program may run several agents."""
    return _COPY.sub("", name).lower() in _SHARED


def find(objects: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the program that the nearest of the objects names, with keys in lower case."""
    for members in objects:
        for key in _KEYS:
            name = members.get(key)
            if isinstance(name, str) and name:
                is_agent = _NAME.fullmatch(name) and is_party(name) and not is_shared(name)
                return name if is_agent and name.lower() not in _RUNNERS else None
    return None
