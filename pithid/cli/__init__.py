"""The command line: parse, call the service, print. Results go to stdout, everything else to stderr.

This package and `store.places` alone read the environment. `run()` is the one place where errors become exit codes.
"""

from pithid.cli.app import run
from pithid.cli.output import output_fault

__all__ = ["output_fault", "run"]
