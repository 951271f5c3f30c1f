"""`cablese-mirror`: keep a verified copy of a log.

cablese-mirror https://example.com/log/default copy --key example.com/log/default+1a2b3c4d+AbCd…
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from cablese.verify import progress
from cablese.verify.keys import accept_keys, read_keys, require
from cablese.verify.mirror.copying import mirror
from cablese.verify.mirror.folder import Folder
from cablese.verify.mirror.remote import KEY, Remote
from cablese.verify.report import Report, run

_EPILOG = f"""\
Run it again to continue, even after interruption. A log that shrank or forked is refused, and the
copy stays as it was. For a log that is not public, set {KEY} to an API key with the scope read.

Exit codes: 0 verified, 1 failed, 2 unusable.
"""


def main(words: Sequence[str] | None = None) -> int:
    return run(_make_parser(), _run, words)


def _run(given: argparse.Namespace) -> Report:
    keys = require(read_keys(given.key))
    report = Report(f"log at {given.url}")
    with closing(Remote(given.url)) as source:
        mirror(source, Folder(Path(given.folder)), keys, report, progress.show())
    return report


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cablese-mirror",
        description="Keep a verified copy of a log's leaves, tiles, and checkpoints.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("url", help="the URL of the log: https://<host>/log/<slug>")
    parser.add_argument("folder", help="where the copy is, or will be")
    accept_keys(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
