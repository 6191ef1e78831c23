"""`python -m oracle`."""

import sys

from oracle.command_line import main

sys.exit(main())
