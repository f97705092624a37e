"""arXiv identifiers in text: which numbers are meant as such, and how their spelling is mended.

Sources: arXiv's help pages on identifiers and URLs, ADS's description of bibcodes, DBLP's keys of CoRR papers.
"""

import re
from typing import Final

from pithid.core.identifiers.arxiv import ARCHIVES
from pithid.recognise import old
from pithid.recognise.bibtex import Field
from pithid.recognise.context import Hit, Place
from pithid.recognise.label import GROUPS, label_before, path_before
from pithid.recognise.late import late
from pithid.recognise.mend import possible
from pithid.recognise.tail import finish

_FLAGS: Final = re.ASCII | re.IGNORECASE
_GROUP: Final = re.compile(r"(?<![\w-])([a-z]+(?:-[a-z]+)?)(?:\. ?[a-z]{2,8}(?:-[a-z]{2,8})?)?/$", _FLAGS)


# The end of a list without blanks: `0704.0001,0704.0002`.
_LISTED: Final = late(r"(?<![\w.])[0-9]{4}\.[0-9]{4,5}(?:v[0-9]{1,4})?,$", _FLAGS)


def read(text: str, match: re.Match[str], where: Place, field: Field | None) -> Hit | None:
    """Read the number `match` as an arXiv identifier, or return None if nothing suggests one."""
    if field is not None and field.archive not in {"arxiv", ""} and field.archive not in ARCHIVES:
        return None
    if match.lastgroup == "bibcode":
        return _bibcode(text, match, where)
    hit = (_new if match.lastgroup == "new" else old.read)(text, match, where, field)
    if hit is None or hit.identifier is None or hit.firm or where.host is None:
        return hit
    reason = (
        f"{where.host} is not known to show arXiv papers under their identifiers; write arXiv: in front if it is one"
    )
    return Hit(hit.start, hit.end, hit.first, hit.last, reason=reason)


def _new(text: str, match: re.Match[str], where: Place, field: Field | None) -> Hit | None:
    start, end = match.span()
    before = text[max(0, start - 64) : start]
    if before[-1:] == "." and before[-2:-1].isdigit():
        return None
    name, repairs, firm = match[0], set[str](), field is not None
    if name[4] == "-":
        if re.search(r"(?i)corr/abs-$", before) is None:
            return None
        name, firm, repairs = name.replace("-", "."), True, {"dblp"}
    first = where.token if where.host is not None else start
    label = label_before(before)
    if where.host is not None:
        firm = firm or where.arxiv or (label is not None and label["label"].lower() not in {"corr", "preprint"})
        repairs.add("url")
    elif label is not None:
        first, firm = min(first, start - len(before) + label.start("label")), True
        repairs.add("prefix")
    elif (path := path_before(before)) is not None:
        first, firm = start - len(before) + path.start(), True
        repairs.add("prefix")
    group = _GROUP.search(before) if before[-1:] == "/" else None
    if group is not None and group[1].lower() in GROUPS:
        first, firm = min(first, start - len(before) + group.start()), firm or where.host is None
        repairs.add("subject-class")
    elif label is not None and label["group"] is not None:
        repairs.add("subject-class")
    joined = before[-1:] and (before[-1].isalnum() or before[-1] in ".-_+,=$€£:@#~")
    if not firm and joined and _LISTED.search(before) is None:
        return None
    return finish(text, (start, end, first), name, repairs, firm=firm)


def _bibcode(text: str, match: re.Match[str], where: Place) -> Hit | None:
    first = where.token if where.host is not None else match.start()
    year, code = match[0][:4], match[0][4:-1]
    edge = text[match.start() - 1 : match.start()] if match.start() else ""
    if edge.isalnum() or text[match.end() : match.end() + 1].isalnum():
        return None
    if code.startswith("arXiv"):
        digits = code[5:].replace(".", "")
        name = f"{digits[:4]}.{digits[4:]}"
        near_year = abs(int(year) - 2000 - int(digits[:2])) <= 1
    else:
        parts = re.fullmatch(r"([a-z]+(?:\.[a-z]+)?)\.*([0-9]{4,5})", code)
        if parts is None or len(match[0]) != 19:
            return None
        name = f"{parts[1].replace('.', '-')}/{year[2:]}{parts[2].zfill(5)}"
        near_year = True
    if not near_year:
        reason = f"the year {year} of the bibcode and the identifier {name} disagree; look it up in ADS"
        return Hit(*match.span(), first, match.end(), reason=reason, candidates=possible(name, "the bibcode's number"))
    repairs = {"bibcode"} | ({"url"} if where.host is not None else set())
    return finish(text, (*match.span(), first), name, repairs)
