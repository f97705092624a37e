"""Which archive the `eprint` field of a BibTeX entry or wiki template belongs to.

Sources: BibLaTeX manual section 3.14.7 (`eprinttype`, with `archivePrefix` as its alias), arXiv's BibTeX export.
"""

import re
from typing import Final, NamedTuple

from pithid.recognise.late import late

_FIELD: Final = late(
    r"""(?<![A-Za-z])(?P<name>eprint|archiveprefix|eprinttype)\s{0,20}=\s{0,20}"""
    r"""(?:\{+(?P<braced>[^{}]{0,200})\}|"(?P<quoted>[^"]{0,200})"|(?P<plain>[^\s,{}"|&]{1,200}))"""
    r"""|@[A-Za-z]{1,30}\s{0,5}[{(]""",
    re.ASCII | re.IGNORECASE,
)
_ARXIV: Final = late(r"\s*arxiv(?:\.org)?\s*", re.ASCII | re.IGNORECASE)


class Field(NamedTuple):
    """The value of an `eprint` field.

    Attributes:
        start: where the value starts.
        end: where it ends.
        archive: text of the field that names the archive, in lower case; `arxiv` if it is arXiv, empty if missing.
    """

    start: int
    end: int
    archive: str


def eprints(text: str) -> tuple[Field, ...]:
    """Return the `eprint` fields of all entries in `text`, in order."""
    fields: list[Field] = []
    entry: list[tuple[int, int]] = []
    archive = ""
    for match in _FIELD.finditer(text):
        name = match["name"]
        if name is None:
            fields += [Field(start, end, archive) for start, end in entry]
            entry, archive = [], ""
            continue
        group = next(g for g in ("braced", "quoted", "plain") if match[g] is not None)
        if name.lower() == "eprint":
            entry.append(match.span(group))
        else:
            archive = "arxiv" if _ARXIV.fullmatch(match[group]) else match[group].strip().lower()
    fields += [Field(start, end, archive) for start, end in entry]
    return tuple(fields)
