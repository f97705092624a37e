"""Labels in front of a number that make it an arXiv identifier."""

import re
from typing import Final

from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise.late import late

GROUPS: Final = ARCHIVES | {"stat", "econ", "eess", "q-fin"}
"""Archives and the groups that never had old-scheme identifiers; all of them appear in front of new ones."""

_FLAGS: Final = re.ASCII | re.IGNORECASE
_LABEL: Final = late(
    r"(?:^|[^a-z])(?P<label>(?:oai:|info:|urn:)?arxiv(?:[^a-z0-9]?(?:identifier|id|number|no|nr|paper|version|vanity"
    r"|org|com|e-?prints?|pre-?prints?)s?)?|e-?prints?|pre-?prints?|corr)"
    r"[^a-z0-9]{0,8}(?:(?:abs|pdf|ps|html|src|e-print)/)?"
    r"(?:(?P<group>[a-z]{2,8}(?:-[a-z]{2,6})?)(?:\.[a-z]{2,8}(?:-[a-z]{2,8})?)?[^a-z0-9]{1,3})?$",
    _FLAGS,
)
# `10.1000/arxiv.2010.10458` is somebody else's DOI, also when its first characters are lost.
_FOREIGN: Final = re.compile(r"[0-9](?<!48550)/$")
_PATH: Final = late(r"(?:^|[^a-z0-9])(?:abs|pdf|ps|html|src|e-print)/$", _FLAGS)


def label_before(before: str) -> re.Match[str] | None:
    """Return the label at the end of `before`, the last one if there are several."""
    lower = before.lower()
    if "arxiv" not in lower and "print" not in lower and "corr" not in lower:
        return None
    label = _LABEL.search(before)
    while label is not None and label["group"] is not None and label["group"].lower() not in GROUPS:
        label = _LABEL.search(before, label.end("label"))
    if label is not None and _FOREIGN.search(before, 0, label.start("label")) is not None:
        return None
    return label


def path_before(before: str) -> re.Match[str] | None:
    """Return the piece of a path, such as `abs/`, at the end of `before`."""
    return _PATH.search(before) if before.endswith("/") else None
