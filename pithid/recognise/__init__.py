"""The tolerant front end: any text to the identifiers in it."""

from pithid.recognise.entry import identify
from pithid.recognise.result import REPAIRS, Candidate, Found, Identification

__all__ = ["REPAIRS", "Candidate", "Found", "Identification", "identify"]
