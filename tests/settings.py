"""The project's settings for tests: a data directory that goes away, and static files under their
own names.

DATABASE_URL still counts, so `DATABASE_URL=postgresql://… pytest tests/auditlog` runs tests on
another database.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

for _name in [name for name in os.environ if name.startswith("CABLESE_")]:
    del os.environ[_name]
_data = Path(tempfile.mkdtemp(prefix="cablese-test-"))
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["CABLESE_DATA"] = str(_data)

from playground.settings import *

# A file and not the memory: a thread with a connection of its own must meet the locks it will meet
# in service.
DATABASES["default"]["TEST"] = {"NAME": None if ENVIRONMENT.database else _data / "test.sqlite3"}
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}

READINESS = False
# Without the files of `make offline`: their own tests ask for them.
OFFLINE = "off"
# Cablese has no passwords. pytest-django hashes one for each administrator: slow by default.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

del os.environ["CABLESE_DATA"]
