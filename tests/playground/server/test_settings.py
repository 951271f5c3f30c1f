import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from pprint import pformat

import pytest
from django.db import connection

from playground import settings
from playground.server import environment, secret_key
from tests.installation import ROOT
from tests.installation import environment as installation_environment

SETTINGS = (ROOT / "docs/settings.md").read_text()


def test_every_variable_has_a_default() -> None:
    read = environment.read({})

    assert read.data == ROOT / "var"
    assert read.database is None
    assert read.hosts.names == ("localhost", "127.0.0.1", "[::1]")
    assert read.hosts.origins == ()
    assert read.secret_key is None
    assert read.debug is False


def test_an_empty_variable_counts_as_not_set() -> None:
    assert environment.read({"CABLESE_THREADS": "", "CABLESE_HOSTS": ""}) == environment.read({})


def test_a_data_directory_is_relative_to_the_project() -> None:
    assert environment.read({"CABLESE_DATA": "elsewhere"}).data == ROOT / "elsewhere"
    assert environment.read({"CABLESE_DATA": "/srv/cablese"}).data == Path("/srv/cablese")


def test_a_host_is_a_name_or_a_secure_origin() -> None:
    hosts = environment.read({"CABLESE_HOSTS": "localhost, https://log.example.org:8443"}).hosts

    assert hosts.names == ("localhost", "log.example.org")
    assert hosts.origins == ("https://log.example.org:8443",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CABLESE_THREADS", "0"),
        ("CABLESE_THREADS", "many"),
        ("CABLESE_THREADS", "٣"),
        ("CABLESE_THREADS", "257"),
        ("CABLESE_DEBUG", "maybe"),
        ("CABLESE_HOSTS", "*"),
        ("CABLESE_HOSTS", "a,,b"),
        ("CABLESE_HOSTS", "http://plain.example.org"),
        ("CABLESE_HOSTS", "https://log.example.org/path"),
        ("CABLESE_SECRET_KEY", "short"),
        ("DATABASE_URL", "mysql://somewhere/else"),
        ("DATABASE_URL", "postgresql://localhost"),
        ("DATABASE_URL", "postgresql://user:hunter2@localhost:port/name"),
        ("CABLESE_THREAD", "8"),
        ("CABLESE_LLM_URL", "llm.example.org/v1"),
        ("CABLESE_LLM_URL", "ftp://llm.example.org/v1"),
        ("CABLESE_LLM_URL", "https://me:hunter2@llm.example.org/v1"),
        ("CABLESE_LLM_KEY", "two\nlines"),
        ("CABLESE_LLM_MODEL", " small"),
        ("CABLESE_LLM_MODEL", "m" * 201),
        ("CABLESE_NLIP_SERVERS", "rooms.example.org"),
        ("CABLESE_NLIP_SERVERS", "//rooms.example.org/nlip"),
        ("CABLESE_NLIP_SERVERS", "ftp://rooms.example.org/nlip"),
        ("CABLESE_NLIP_SERVERS", "http://rooms.example.org/nlip"),
        ("CABLESE_NLIP_SERVERS", "http://169.254.169.254/latest/meta-data"),
        ("CABLESE_NLIP_SERVERS", "http://127.0.0.1.example.org/nlip"),
        ("CABLESE_NLIP_SERVERS", "https://me:hunter2@rooms.example.org/nlip"),
        ("CABLESE_NLIP_SERVERS", "https://rooms.example.org/nlip#a"),
        ("CABLESE_NLIP_SERVERS", "https://rooms.example.org/nlip#"),
        ("CABLESE_NLIP_SERVERS", "https://rooms.example.org:0/nlip"),
        ("CABLESE_NLIP_SERVERS", "https://rooms.example.org:99999/nlip"),
        ("CABLESE_NLIP_SERVERS", "https://rooms.example.org/a b"),
        ("CABLESE_NLIP_SERVERS", "https://rooms.example.org\\nlip"),
        ("CABLESE_NLIP_SERVERS", "https://[::1/nlip"),
        ("CABLESE_NLIP_SERVERS", "https:///nlip"),
        ("CABLESE_NLIP_SERVERS", "https://röoms.example.org/nlip"),
        ("CABLESE_NLIP_SERVERS", "https://a.example.org,,https://b.example.org"),
        ("CABLESE_NLIP_SERVERS", "https://a.example.org/1,https://a.example.org/2"),
        ("CABLESE_NLIP_SERVERS", "a=https://a.example.org,a=https://b.example.org"),
        ("CABLESE_NLIP_SERVERS", "Rooms=https://a.example.org"),
        ("CABLESE_HSTS", "a year"),
        ("CABLESE_HSTS", "-1"),
        ("CABLESE_HSTS", "٣"),
        ("CABLESE_HSTS", "31536000; preload"),
        ("CABLESE_HSTS", "31536000; includesubdomains"),
    ],
)
def test_it_names_the_variable_that_it_does_not_understand(name: str, value: str) -> None:
    with pytest.raises(environment.Unreadable, match=f"^{name}: ") as caught:
        environment.read({name: value})

    assert "\n" not in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_name_of_a_model_has_a_limit() -> None:
    assert environment.read({"CABLESE_LLM_MODEL": "m" * 200}).llm_model == "m" * 200


def test_a_model_needs_an_address_and_a_name() -> None:
    address = {"CABLESE_LLM_URL": "https://llm.example.org/v1"}

    with pytest.raises(environment.Unreadable, match=r"^CABLESE_LLM_MODEL: "):
        environment.read(address)
    read = environment.read(
        address | {"CABLESE_LLM_MODEL": "small", "CABLESE_LLM_KEY": "sk-secret"}
    )

    assert read.llm == environment.Endpoint("https://llm.example.org/v1", "small", "sk-secret")
    assert "sk-secret" not in repr(read.llm)
    assert environment.read({}).llm is None


def test_secrets_are_not_in_the_text_that_a_page_about_a_failure_shows() -> None:
    read = environment.read(
        {
            "CABLESE_SECRET_KEY": "secret-of-sessions" * 2,
            "CABLESE_LLM_KEY": "secret-of-the-model",
            "DATABASE_URL": "postgresql://cablese:secret-of-the-database@db/cablese",
        }
    )

    shown = pformat(read)

    assert "threads=32" in shown
    assert "secret-of" not in shown


def test_a_server_that_may_be_called_has_a_name_and_an_address() -> None:
    def peers(text: str) -> list[tuple[str, str]]:
        return [
            (server.name, server.url)
            for server in environment.read({"CABLESE_NLIP_SERVERS": text}).nlip_servers
        ]

    assert peers("") == []
    assert peers("https://rooms.example.org") == [
        ("rooms.example.org", "https://rooms.example.org/nlip")
    ]
    assert peers(
        " rooms=https://rooms.example.org/v1/nlip?dialect=nlip/ecma-430 , http://127.0.0.1:8001/ "
    ) == [
        ("rooms", "https://rooms.example.org/v1/nlip?dialect=nlip/ecma-430"),
        ("127.0.0.1:8001", "http://127.0.0.1:8001/nlip"),
    ]
    assert peers("http://localhost:8001,http://[::1]:8002/a?b=c") == [
        ("localhost:8001", "http://localhost:8001/nlip"),
        ("::1:8002", "http://[::1]:8002/a?b=c"),
    ]


def test_it_does_not_start_with_a_value_that_it_does_not_understand(tmp_path: Path) -> None:
    environ = installation_environment(tmp_path, CABLESE_DEBUG="maybe")

    run = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 1
    assert (
        run.stderr
        == "cablese: CABLESE_DEBUG: must be one of 0, false, no, 1, true, yes, not 'maybe'\n"
    )


def test_the_documents_list_every_variable_and_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (?:`([^`]*)`)? *\|", SETTINGS, re.MULTILINE)

    assert rows == [(variable.name, variable.default) for variable in environment.VARIABLES]


def test_the_secret_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"

    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: secret_key.store(data, secret_key.new()), range(32)))

    assert len(keys) == 1
    assert len(keys.pop()) >= 64
    [kept] = data.iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_who_comes_second_takes_the_key_of_who_came_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(_size: int) -> str:
        (tmp_path / "secret-key").write_text("theirs")
        return "draft"

    monkeypatch.setattr("secrets.token_hex", meanwhile)

    assert secret_key.store(tmp_path, "ours") == "theirs"
    assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


def test_a_key_is_stored_once_there_is_a_database(tmp_path: Path) -> None:
    def manage(*words: str) -> None:
        environ = installation_environment(tmp_path)
        subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=environ,
            check=True,
            capture_output=True,
        )

    manage("check")
    assert list(tmp_path.iterdir()) == []

    manage("migrate")
    assert secret_key.read(tmp_path)


def answer_with(data: Path, names: tuple[str, ...], **environ: str) -> str:
    """What the settings are in a process with this environment."""
    ask = f"from django.conf import settings; print(*(getattr(settings, name) for name in {names}))"
    more = installation_environment(data, DJANGO_SETTINGS_MODULE="playground.settings", **environ)
    return subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, env=more, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_cookies_need_tls_when_an_origin_says_so(tmp_path: Path) -> None:
    names = "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME"

    assert (
        answer_with(tmp_path, names, CABLESE_HOSTS="localhost") == "False False sessionid csrftoken"
    )
    assert (
        answer_with(tmp_path, names, CABLESE_HOSTS="https://log.example.org")
        == "True True __Host-sessionid __Host-csrftoken"
    )


def test_plain_http_is_redirected_only_where_a_proxy_says_what_is_plain(tmp_path: Path) -> None:
    origin = {"CABLESE_HOSTS": "https://log.example.org"}

    assert answer_with(tmp_path, ("SECURE_SSL_REDIRECT",), **origin) == "False"
    assert (
        answer_with(tmp_path, ("SECURE_SSL_REDIRECT",), **origin, CABLESE_TRUSTED_PROXY="127.0.0.1")
        == "True"
    )


def test_browsers_are_told_to_come_over_tls_by_a_setting_only(tmp_path: Path) -> None:
    names = "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD"

    assert answer_with(tmp_path, names, CABLESE_HOSTS="https://log.example.org") == "0 False False"
    assert answer_with(tmp_path, names, CABLESE_HSTS="600") == "600 False False"
    assert (
        answer_with(tmp_path, names, CABLESE_HSTS="31536000; includeSubDomains")
        == "31536000 True False"
    )
    assert (
        answer_with(tmp_path, names, CABLESE_HSTS="31536000;includeSubDomains;preload")
        == "31536000 True True"
    )


def test_the_production_settings_of_the_documents_are_clean(tmp_path: Path) -> None:
    lines = re.search(r"^```sh\n((?:CABLESE_\w+=.*\n)+)```$", SETTINGS, re.MULTILINE)
    assert lines is not None
    recommended = {
        name: value.strip('"')
        for name, _, value in (line.partition("=") for line in lines[1].splitlines())
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "INFO"]

    run = subprocess.run(
        command,
        cwd=ROOT,
        env=installation_environment(tmp_path, **recommended),
        capture_output=True,
        text=True,
        check=False,
    )

    assert set(recommended) == {"CABLESE_HOSTS", "CABLESE_TRUSTED_PROXY", "CABLESE_HSTS"}
    assert (run.returncode, run.stdout) == (
        0,
        "System check identified no issues (3 silenced).\n",
    ), run.stderr


@pytest.mark.django_db(transaction=True)
def test_sqlite_keeps_what_it_acknowledged_and_forgets_what_it_erased() -> None:
    with connection.cursor() as cursor:
        answers = {}
        for name in (
            "journal_mode",
            "synchronous",
            "secure_delete",
            "busy_timeout",
            "foreign_keys",
        ):
            cursor.execute(f"PRAGMA {name}")
            answers[name] = cursor.fetchone()[0]

    assert answers == {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "busy_timeout": 20_000,
        "foreign_keys": 1,
    }


def test_a_database_address_keeps_the_options_of_its_kind() -> None:
    read = environment.read({"DATABASE_URL": "sqlite:////srv/other.sqlite3"})
    chosen = settings._database(read.database)

    assert chosen["NAME"] == "/srv/other.sqlite3"
    assert chosen["OPTIONS"] == settings._SQLITE["OPTIONS"]


def test_a_postgresql_address_gets_a_pool_with_room_for_every_thread() -> None:
    pytest.importorskip("psycopg")
    read = environment.read({"DATABASE_URL": "postgresql://me@localhost:5433/log?sslmode=require"})
    chosen = settings._database(read.database)

    assert (chosen["NAME"], chosen["HOST"], chosen["PORT"], chosen["USER"]) == (
        "log",
        "localhost",
        5433,
        "me",
    )
    assert chosen["OPTIONS"]["sslmode"] == "require"
    assert chosen["OPTIONS"]["pool"]["max_size"] > settings.THREADS
    assert chosen["CONN_MAX_AGE"] == 0
