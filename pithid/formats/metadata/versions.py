"""The version list that Kaggle's lines, arXivRaw and `.abs` files share: names such as `v2`, each with its time."""

import re
from collections.abc import Iterable

from pithid.core.errors import NotMintable
from pithid.formats.metadata.dates import from_rfc2822

_NAME = re.compile(r"v([1-9][0-9]{0,3})")


def latest_and_first(versions: Iterable[tuple[str, str]]) -> tuple[int, str]:
    """Return the highest version's number and the time of version 1, as the record wants it.

    The order of the list means nothing: v10 comes before v2 in lists sorted as text.

    Args:
        versions: name and time of each version, the time in RFC 2822 form.

    Raises:
        NotMintable: no version 1, a version twice, a name of another form, or a time of version 1 that is none.
    """
    times: dict[int, str] = {}
    for name, time in versions:
        match = _NAME.fullmatch(name)
        if match is None:
            raise NotMintable("versions", f"{name[:40]!r} is not a version's name; expected v1, v2 and so on")
        number = int(match[1])
        if number in times:
            raise NotMintable("versions", f"{name} occurs twice")
        times[number] = time
    if 1 not in times:
        raise NotMintable("versions", "version 1 is not listed, and its time is the time of submission")
    return max(times), from_rfc2822(times[1])
