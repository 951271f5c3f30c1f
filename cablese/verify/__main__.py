import sys

from cablese.verify.command import main

sys.exit(main())
