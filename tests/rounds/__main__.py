import sys

from tests.rounds import main

sys.exit(main(sys.argv[1:]))
