"""The tolerant front end: any text to the identifiers in it."""

from pithid.recognise.result import REPAIRS, Candidate, Found, Identification
from pithid.recognise.scan import identify

__all__ = ["REPAIRS", "Candidate", "Found", "Identification", "identify"]
