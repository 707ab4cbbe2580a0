"""`python -m table_assist` is `table-assist`."""

import sys

from table_assist.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
