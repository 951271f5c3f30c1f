#!/usr/bin/env python
"""The command line of Cablese: `python manage.py up` serves it, `python manage.py help` lists the
rest.
"""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
