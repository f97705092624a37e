"""What may have been meant by an arXiv identifier that breaks a rule."""

import re

from pithid.core.errors import InvalidIdentifier
from pithid.core.identifiers import ArxivId, ArxivVersion
from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise.result import Candidate, candidate


def possible(name: str, why: str) -> tuple[Candidate, ...]:
    """Return `name` as a candidate if it obeys the scheme."""
    try:
        identifier = ArxivVersion.parse(name) if re.search("v[0-9]+$", name) else ArxivId.parse(name)
    except InvalidIdentifier:
        return ()
    return (candidate(identifier, why),)


def mended(name: str) -> tuple[Candidate, ...]:
    """Return what may have been meant by `name`, which breaks a rule of the scheme."""
    base, _, version = name.partition("v")
    suffix = f"v{version}" if version else ""
    found: tuple[Candidate, ...] = possible(base, "without the impossible version") if suffix else ()
    new = re.fullmatch(r"([0-9]{4})\.([0-9]{3,6})", base)
    if new is not None:
        wanted = 4 if new[1] <= "1412" else 5
        if len(new[2]) == wanted - 1:
            found += possible(f"{new[1]}.{new[2]}0{suffix}", "with a final zero that a spreadsheet cut")
            found += possible(f"{new[1]}.0{new[2]}{suffix}", "with a leading zero")
        elif len(new[2]) == wanted + 1 and new[2][0] == "0":
            found += possible(f"{new[1]}.{new[2][1:]}{suffix}", "without the leading zero")
    return found


def near(first: str, second: str) -> bool:
    """Whether one letter put in, left out, changed or two neighbours swapped turn one text into the other."""
    if abs(len(first) - len(second)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    a, b = first[at:], second[at:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:])


def archives(misspelt: str) -> tuple[str, ...]:
    """Return the archives that `misspelt` is one typing error away from."""
    return tuple(sorted(known for known in ARCHIVES if known != misspelt and near(misspelt, known)))
