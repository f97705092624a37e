"""A paper's metadata as arXiv gives it, before hashing.

Source: docs/protocol.md sections 3 and 4. This is the raw text; `Paper.record()` applies the protocol's rules once, for
every format that metadata comes in.
"""

from dataclasses import dataclass

from pithid.core.errors import InvalidRecord, NotMintable
from pithid.core.identifiers import ArxivId
from pithid.core.records import CanonicalRecord, Metadata, Source
from pithid.core.text import text_sha256

ASSUMED_LICENSE = "http://arxiv.org/licenses/assumed-1991-2003/"
"""Shown by arXiv where the stored licence is null; the record then holds the empty text."""

LICENSES = (
    "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
    "",
    "http://creativecommons.org/licenses/by/4.0/",
    "http://creativecommons.org/licenses/by-nc-nd/4.0/",
    "http://creativecommons.org/licenses/by-nc-sa/4.0/",
    "http://creativecommons.org/licenses/by-sa/4.0/",
    "http://creativecommons.org/publicdomain/zero/1.0/",
    "http://creativecommons.org/licenses/by/3.0/",
    "http://creativecommons.org/licenses/by-nc-sa/3.0/",
    "http://creativecommons.org/licenses/publicdomain/",
)
"""Every licence a record can hold, the most frequent first. `https://` or a missing slash gives another hash."""


@dataclass(frozen=True, slots=True)
class Caution:
    """A reason to doubt that the number equals the registry's; `code` is stable."""

    code: str
    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Paper:
    """Metadata of one version of a paper, texts raw as arXiv holds them (TeX kept).

    Attributes:
        arxiv: identifier without version.
        version: the version the metadata describes, from 1.
        title: raw title.
        abstract: raw abstract.
        categories: blank-separated, the primary first.
        submitted_at: time of version 1, `YYYY-MM-DDTHH:MM:SSZ`.
        license: licence URL; empty when arXiv holds none.
        authors: as given, for display only; not hashed.
        dois: DOI texts the source links to the paper, as given; not hashed.
    """

    arxiv: str
    version: int
    title: str
    abstract: str
    categories: str
    submitted_at: str
    license: str = ""
    authors: str = ""
    dois: tuple[str, ...] = ()

    def record(self) -> CanonicalRecord:
        """Apply the protocol's rules to the texts.

        Raises:
            NotMintable: a text that must be hashed is empty, or there is no category.
            InvalidRecord: an identifier, category, licence or time breaks its rule.
        """
        for name in ("title", "abstract"):
            if not getattr(self, name).strip():
                raise NotMintable(name, f"the {name} is empty")
        categories = self.categories.split()
        if not categories:
            raise NotMintable("categories", "there is no category")
        primary, *cross = categories
        license_url = "" if self.license == ASSUMED_LICENSE else self.license
        try:
            hashes = text_sha256(self.title), text_sha256(self.abstract)
        except UnicodeEncodeError:
            raise InvalidRecord("title or abstract", "a lone surrogate") from None
        return CanonicalRecord(
            Source("arxiv", self.arxiv, self.version),
            Metadata(*hashes, primary, tuple(sorted(set(cross) - {primary})), license_url, self.submitted_at),
        )

    def _date_cautions(self) -> list[Caution]:
        """Doubt a submission in a year after the identifier's; before it, a paper may have been held for years."""
        try:
            is_late = int(self.submitted_at[:4]) > ArxivId(self.arxiv).year
        except ValueError:
            return []  # minting says what is wrong with them
        text = f"{self.arxiv} existed before {self.submitted_at[:4]}: most likely not the time of version 1"
        return [Caution("date", text)] if is_late else []

    def cautions(self) -> tuple[Caution, ...]:
        """Return the reasons to doubt that these texts are arXiv's own.

        arXiv's titles and abstracts are ASCII with TeX. A non-ASCII one has most likely been through a TeX-to-Unicode
        converter, and then hashes to another number. A licence outside arXiv's list is most likely respelled.
        """
        found = [
            Caution(
                f"non-ascii-{name}",
                f"the {name} holds non-ASCII text, so it was most likely converted from TeX: the number may differ",
            )
            for name in ("title", "abstract")
            if not getattr(self, name).isascii()
        ]
        found += self._date_cautions()
        if self.license not in {*LICENSES, ASSUMED_LICENSE}:
            found.append(
                Caution(
                    "unknown-license",
                    f"the licence {self.license[:80]!r} is none that arXiv stores: the number may differ",
                )
            )
        return tuple(found)
