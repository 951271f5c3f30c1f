"""Settings of Django. Those that differ between machines come from `environment`."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from auditlog import securitylog
from playground.offline import built
from playground.server import environment, secret_key, sqlite

sqlite.alias()

BASE_DIR = environment.BASE_DIR

try:
    ENVIRONMENT = environment.read(os.environ)
    KEY_IS_GIVEN = ENVIRONMENT.secret_key is not None
    # A new key is stored once there is a database, see apps.py.
    SECRET_KEY = ENVIRONMENT.secret_key or secret_key.read(ENVIRONMENT.data) or secret_key.new()
except environment.Unreadable as error:
    raise SystemExit(f"cablese: {error}") from None
except OSError as error:
    raise SystemExit(f"cablese: CABLESE_DATA: cannot read the secret key there: {error}") from None

DATA = ENVIRONMENT.data
THREADS = ENVIRONMENT.threads
CLOCK_LIMIT = ENVIRONMENT.clock_limit
CHECKPOINT_SECONDS = ENVIRONMENT.checkpoint_seconds
SELFCHECK_HOUR = ENVIRONMENT.selfcheck_hour
DEBUG = ENVIRONMENT.debug
ALLOWED_HOSTS = list(ENVIRONMENT.hosts.names)

# Its templates and static files alone. As an installed app, every command would import it, which
# takes as long as Django itself.
_ninja = find_spec("ninja")
assert _ninja is not None
assert _ninja.origin is not None
_NINJA = Path(_ninja.origin).parent

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "auditlog",
    "playground",
]

MIDDLEWARE = [
    "playground.health.failures.LogFailures",
    "playground.health.reconnection.Reconnect",
    "django.middleware.security.SecurityMiddleware",
    "playground.http.transport.Transport",
    "playground.http.pages.Compressed",
    "playground.http.csp.ContentSecurityPolicy",
    "playground.rest.problems.ProblemsOnly",
    "playground.nlip.envelope.MessagesOnly",
    "playground.accounts.session_middleware.Sessions",
    "django.middleware.common.CommonMiddleware",
    "playground.http.pages.Forms",
    "playground.http.pages.Persons",
    "playground.http.pages.Messages",
    "playground.http.pages.Frames",
    "playground.http.pages.Readers",
    "playground.offline.middleware.Offline",
    "django_htmx.middleware.HtmxMiddleware",
]

CSRF_FAILURE_VIEW = "playground.http.errors.csrf_failure"
ROOT_URLCONF = "playground.urls"
WSGI_APPLICATION = "playground.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", _NINJA / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "playground.health.readiness.to_templates",
                "playground.offline.mode.to_templates",
            ],
        },
    },
]

# Database. A receipt promises that its commit survives power loss, hence synchronous=FULL;
# secure_delete because an erased packet must be gone from the file too; IMMEDIATE because a
# transaction that reads and then writes would otherwise fail without waiting when another writer
# comes between.
_SQLITE: dict[str, Any] = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": DATA / "cablese.sqlite3",
    # One connection per thread, which stays open: opening one and setting its pragmas costs more
    # than most requests.
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;"
        ),
    },
}
_POSTGRESQL: dict[str, Any] = {
    "CONN_MAX_AGE": 0,
    # New connections after a restart of the database server, and no waiting while it is down.
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        # A receipt promises that its commit is on disk, whatever the server or the role has as its
        # default. Options in the address of the database come later and override this.
        "options": "-c synchronous_commit=on",
        "connect_timeout": 3,
        # Each thread may have two, and searches are counted on four of their own.
        "pool": {
            "min_size": 1,
            "max_size": 2 * THREADS + 20 + ENVIRONMENT.heavy,
            "timeout": 3,
            "reconnect_timeout": 3,
        },
    },
}


def _database(parsed: dict[str, Any] | None) -> dict[str, Any]:
    if parsed is None:
        return _SQLITE
    defaults = _SQLITE if parsed["ENGINE"] == _SQLITE["ENGINE"] else _POSTGRESQL
    ours, given = defaults["OPTIONS"], parsed.get("OPTIONS", {})
    options = {**ours, **given}
    if "options" in ours and "options" in given:
        options["options"] = f"{ours['options']} {given['options']}"
    return parsed | {**defaults, "NAME": parsed["NAME"], "OPTIONS": options}


DATABASES = {"default": _database(ENVIRONMENT.database)}
DATABASE_NAME = DATABASES["default"]["NAME"]

# A thread checks every few seconds that the database is writable, see readiness.py.
READINESS = True

# People. There are no passwords: a person signs in with a one-time link, see signin.py.
LOGIN_URL = "signin"
LOGIN_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60
SESSION_ENGINE = "playground.accounts.sessions"
# The cookie lives as long as the longest session; the row of a session ends it earlier, see
# sessions.py.
SESSION_COOKIE_AGE = 14 * 24 * 60 * 60

# Browsers. An https:// origin among the hosts means that people use TLS, so cookies require it, and
# their names bind them to this host. With a certificate of our own, `transport` adds Secure.
CSRF_TRUSTED_ORIGINS = list(ENVIRONMENT.hosts.origins)
COOKIE_PREFIX = "__Host-" if ENVIRONMENT.hosts.origins else ""
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid", f"{COOKIE_PREFIX}csrftoken"
MESSAGE_STORAGE = "playground.http.pages.Notices"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = bool(ENVIRONMENT.hosts.origins)
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

# Decoding in the browser, with the files of `make offline`: off, offered, or the only way.
OFFLINE = ENVIRONMENT.offline
if OFFLINE == "only" and built.current() is None:
    raise SystemExit("cablese: CABLESE_OFFLINE: only needs current files: run make offline")

# TLS. Without a trusted proxy, every request through a proxy looks like plain HTTP: a redirect
# would never end. API requests are rejected instead of redirected, see transport.py, and health
# checks come from this machine.
SECURE_SSL_REDIRECT = bool(ENVIRONMENT.hosts.origins and ENVIRONMENT.trusted_proxy)
SECURE_REDIRECT_EXEMPT = [
    r"^api/(?!docs)",
    r"^nlip/?$",
    r"^nlip/(upload|via)/",
    r"^(healthz|readyz)$",
]
SECURE_HSTS_SECONDS = ENVIRONMENT.hsts.seconds
SECURE_HSTS_INCLUDE_SUBDOMAINS = ENVIRONMENT.hsts.subdomains
SECURE_HSTS_PRELOAD = ENVIRONMENT.hsts.preload
# The owner of a domain decides whether it is on the preload list of browsers, which is hard to
# undo.
_PRELOAD = "security.W021"
# The checks expect Django's own middleware. Ours are `pages.Frames` and `pages.Forms`, and the API
# forbids frames with its policy.
_FRAMES, _FORMS = "security.W002", "security.W003"
SILENCED_SYSTEM_CHECKS = [_PRELOAD, _FRAMES, _FORMS]

# Bodies. Django itself reads only forms; the API reads its bodies in blocks and has its own limits.
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000
FILE_UPLOAD_HANDLERS = ["playground.http.uploads.NoFiles"]

# The API does not take the caller's address from proxies.
NINJA_NUM_PROXIES = 0
NINJA_PAGINATION_MAX_LIMIT = 1_000

# NLIP. Exchanges without a key are answered, and stored only if a log is configured for them.
NLIP_LOG = ENVIRONMENT.nlip_log

# NLIP servers that this installation can call, for signed-in people and for programs with a key.
NLIP_SERVERS = ENVIRONMENT.nlip_servers

# Only these proxies are trusted to report TLS in X-Forwarded-Proto (see wsgi.py).
TRUSTED_PROXY = ENVIRONMENT.trusted_proxy

# Ordinary requests that store packets are answered without Django (see server.front.hot). A test
# compares both ways.
SHORTCUT = True

# The model that writes AACP packets if no rule matches; None without an endpoint.
LLM = ENVIRONMENT.llm

# Static files. `up` collects them into the data directory under hashed names, which browsers can
# cache forever.
STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [BASE_DIR / "static", _NINJA / "static"]
if OFFLINE != "off" and built.STATIC.exists():
    STATICFILES_DIRS.append(built.STATIC)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "playground.server.static_storage.HashedFiles"},
}

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "playground.server.log_format.LogLine"},
        "security": {"()": "auditlog.securitylog.SecurityLine"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "nothing": {"class": "logging.NullHandler"},
        "security": {
            "class": "auditlog.securitylog.SecurityFile",
            "filename": DATA / securitylog.FILE,
            "delay": True,
            "formatter": "security",
        },
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        # It logs "Not Found" for every guessed address. `failures` logs each failure once.
        "django.request": {"handlers": ["nothing"], "propagate": False},
        # Wrong hosts, too many fields, and forms without a token: anyone could cause a traceback.
        # Without any handler, Python would print it too.
        "django.security": {"handlers": ["nothing"], "propagate": False},
        # It logs every second that PostgreSQL is down, which `readiness` logs once.
        "psycopg.pool": {"handlers": ["console"], "level": "ERROR", "propagate": False},
        securitylog.NAME: {"handlers": ["security"], "level": "INFO", "propagate": False},
    },
}
