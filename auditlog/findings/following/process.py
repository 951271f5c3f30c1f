"""The process that makes findings, see `auditlog.background.process`:

    python -m auditlog.findings.following.process [FILE]

Each byte of its input says that something was committed.
"""

from auditlog.background import process


def main() -> None:
    process.begin()
    process.prepare()
    from auditlog.findings.following.follower import Follower
    from auditlog.log import notify

    Follower().start()
    process.listen(notify.mark)


if __name__ == "__main__":
    main()
