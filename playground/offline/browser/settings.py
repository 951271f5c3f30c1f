"""Django's settings in the browser: the templates and the views of the workbench, no database.

They repeat what a fragment depends on in `playground.settings`; a test compares the two.
"""

from pathlib import Path

BASE_DIR = Path(__file__).resolve().parents[3]

DEBUG = False
# Nothing is signed in the browser, and nobody signs in.
SECRET_KEY = "in the browser"  # noqa: S105
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.humanize",
    "auditlog",
    "playground.offline.browser.apps.InBrowser",
]
MIDDLEWARE = ["django_htmx.middleware.HtmxMiddleware"]
ROOT_URLCONF = "playground.offline.browser.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    },
]
# The definitions of SACP agents are read from a database: here, of an empty one.
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000
LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
LOGGING_CONFIG = None
