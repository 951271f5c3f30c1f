"""Commands of manage.py on an installation, in one process that waits for them: one of its own for
each would take a second to begin.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

_ROOT = Path(__file__).resolve().parent.parent
_WAIT = """
import json, sys, traceback
from io import StringIO

import django
from django.core.management import call_command
from django.db import connections

django.setup()
for line in sys.stdin:
    printed, error = StringIO(), ""
    try:
        call_command(*json.loads(line), stdout=printed, stderr=StringIO())
    except Exception:
        error = traceback.format_exc()
    connections.close_all()
    print(json.dumps([printed.getvalue(), error]), flush=True)
"""


class Commands:
    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = {**environ, "DJANGO_SETTINGS_MODULE": "playground.settings"}
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def run(self, *words: str) -> str:
        """Run a command, and return what it printed. Raises AssertionError if it fails."""
        with self._lock:
            self._process = self._process or self._start()
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(words) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        assert answer, f"the process of {words} has ended"
        printed, error = json.loads(answer)
        assert not error, error
        return str(printed).strip()

    def end(self) -> None:
        if self._process is not None:
            self._process.communicate()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", _WAIT],
            cwd=_ROOT,
            env=self._environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
