"""pithid: mint, resolve, look up and check Pith Numbers.

The names below are the library. They are loaded on first use, so that the command's fast path, which imports this
package, pays for none of them.
"""

TYPE_CHECKING = False  # what type checkers take for true; importing typing costs more than a look-up
if TYPE_CHECKING:
    from pithid.core.aliases import Alias
    from pithid.core.digest import Digest
    from pithid.core.errors import Ambiguous, InvalidIdentifier, NotFound, PithError
    from pithid.core.identifiers import ArxivId, ArxivVersion, Doi, PithNumber, PithPrefix, PithSuffix
    from pithid.core.mint import Minted, mint
    from pithid.core.paper import Paper
    from pithid.core.records import CanonicalRecord
    from pithid.recognise import Identification, identify
    from pithid.service.index import Index
    from pithid.service.resolve import Resolution

__all__ = [
    "Alias",
    "Ambiguous",
    "ArxivId",
    "ArxivVersion",
    "CanonicalRecord",
    "Digest",
    "Doi",
    "Identification",
    "Index",
    "InvalidIdentifier",
    "Minted",
    "NotFound",
    "Paper",
    "PithError",
    "PithNumber",
    "PithPrefix",
    "PithSuffix",
    "Resolution",
    "identify",
    "mint",
]

_MODULES = {
    "pithid.core.aliases": ("Alias",),
    "pithid.core.digest": ("Digest",),
    "pithid.core.errors": ("Ambiguous", "InvalidIdentifier", "NotFound", "PithError"),
    "pithid.core.identifiers": ("ArxivId", "ArxivVersion", "Doi", "PithNumber", "PithPrefix", "PithSuffix"),
    "pithid.core.mint": ("Minted", "mint"),
    "pithid.core.paper": ("Paper",),
    "pithid.core.records": ("CanonicalRecord",),
    "pithid.recognise": ("Identification", "identify"),
    "pithid.service.index": ("Index",),
    "pithid.service.resolve": ("Resolution",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'pithid' has no attribute {name!r}")
    import importlib  # noqa: PLC0415 - late: see above

    value: object = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
