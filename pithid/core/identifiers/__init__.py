"""Strict identifier types, one kind a file: `parse()` and `str()` are exact inverses, ASCII only.

Tolerance lives in `pithid.recognise`; nothing here repairs.
"""

from pithid.core.identifiers.arxiv import ArxivId, ArxivVersion
from pithid.core.identifiers.doi import Doi
from pithid.core.identifiers.pith import PithNumber, PithPrefix, PithSuffix

Identifier = ArxivId | ArxivVersion | Doi | PithNumber | PithSuffix | PithPrefix

__all__ = ["ArxivId", "ArxivVersion", "Doi", "Identifier", "PithNumber", "PithPrefix", "PithSuffix"]
