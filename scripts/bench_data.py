"""Made-up metadata in the form and order of Kaggle's arXiv snapshot, the same for the same seed, one line at a time.

Lengths and shares follow the real file: about 1,460 bytes a line, titles of 75 characters, abstracts of 900, one
identifier in seven of the old scheme, 30 % without a licence, 45 % with a journal's DOI. Words, names and journals are
invented, so that nothing here is anybody's text.
"""

import calendar
import json
import random
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from pithid.core.paper import LICENSES
from pithid.formats.metadata.taxonomy import CATEGORIES

_Item = TypeVar("_Item")

MAX_RECORDS = 2_900_000
"""Above this a month would need more papers than its identifiers can number."""

_OLD_SHARE = 1 / 7
_NO_LICENSE, _WITH_DOI, _NON_ASCII = 0.30, 0.45, 0.06
_VERSIONS = (0.60, 0.86, 0.95, 0.98)
"""Shares of papers that have at most one, two, three and four versions; nobody has more than five."""
_CATEGORY_SETS = 4_000
# Ascending as text once the slash is behind them: math-ph/ before math/.
_OLD_ARCHIVES = "astro-ph cond-mat cs gr-qc hep-ex hep-lat hep-ph hep-th math-ph math nucl-th physics quant-ph".split()
_DAYS, _MONTHS = calendar.day_abbr[:], calendar.month_abbr[:]
_TEX = (r"$\alpha$-", r"$O(n\log n)$ ", r"\"{o}", r"$10^{-3}$ ", r"{\em ab initio} ", r"$\mathcal{L}_\infty$ ")


def lines(records: int, seed: int = 1) -> Iterator[bytes]:
    """Yield `records` lines, each with its line end, ascending by identifier as text."""
    if not 1 <= records <= MAX_RECORDS:
        raise ValueError(f"{records} records; expected 1 to {MAX_RECORDS}")
    stock = _Stock(random.Random(seed))  # noqa: S311 - made-up text, no secret
    for arxiv, year, month in _identifiers(records):
        yield stock.line(arxiv, year, month)


def _identifiers(records: int) -> Iterator[tuple[str, int, int]]:
    """Yield identifier, year and month; the numbers a month grow with the years, as arXiv did."""
    old = int(records * _OLD_SHARE)
    months = [(year, month) for year in range(2007, 2026) for month in range(1, 13) if (year, month) >= (2007, 4)]
    for (year, month), count in zip(months, _shared(records - old, len(months), 60), strict=True):
        width = 4 if year < 2015 else 5
        for number in range(1, count + 1):
            yield f"{year % 100:02}{month:02}.{number:0{width}}", year, month
    old_months = sorted(
        (f"{year % 100:02}{month:02}", year, month) for year in range(1993, 2007) for month in range(1, 13)
    )
    cells = [(archive, *when) for archive in _OLD_ARCHIVES for when in old_months]
    for (archive, yymm, year, month), count in zip(cells, _shared(old, len(cells), 10**9), strict=True):
        for number in range(1, count + 1):
            yield f"{archive}/{yymm}{number:03}", year, month


def _shared(total: int, cells: int, doubling: int) -> Iterator[int]:
    """Split `total` over cells whose weight grows by that of the first one every `doubling` cells."""
    whole = cells + cells * (cells - 1) / (2 * doubling)
    done, weight = 0, 0.0
    for cell in range(cells):
        weight += 1 + cell / doubling
        until = round(total * weight / whole)
        yield until - done
        done = until


@dataclass(frozen=True, slots=True)
class _Author:
    first: str
    last: str


class _Stock:
    """What lines are put together from: sentences, authors and sets of categories, made once."""

    def __init__(self, source: random.Random) -> None:
        self._random: Callable[[], float] = source.random  # the one method whose results never change
        syllables = [a + b for a in "b d f g k l m n p r s t v st tr pl".split() for b in "a e i o u".split()]
        self._words = ["".join(self._several(syllables, 1, 4)) for _ in range(6_000)]
        self._sentences = [self._sentence() for _ in range(8_000)]
        self._names = [self._pick(self._words).capitalize() for _ in range(3_000)]
        everything = sorted(CATEGORIES)
        self._category_sets = [self._categories(everything) for _ in range(_CATEGORY_SETS)]

    def line(self, arxiv: str, year: int, month: int) -> bytes:
        """Return one line."""
        authors = [_Author(self._pick(self._names)[0] + ".", self._pick(self._names)) for _ in range(self._up_to(6))]
        abstract = " ".join(self._several(self._sentences, 7, 10))
        item = {
            "id": arxiv,
            "submitter": f"{authors[0].first} {authors[0].last}",
            "authors": ", ".join(f"{author.first} {author.last}" for author in authors),
            "title": textwrap.fill(self._title(), 72, subsequent_indent="  "),
            "comments": f"{5 + self._up_to(40)} pages, {self._up_to(9)} figures" if self._random() < 0.7 else None,
            "journal-ref": None,
            "doi": None,
            "report-no": None,
            "categories": self._category_sets[int(_CATEGORY_SETS * self._random() ** 3)],
            "license": self._license(),
            "abstract": "  " + abstract.replace(". ", ".\n") + "\n",
            "versions": self._version_list(year, month),
            "update_date": f"{year}-{month:02}-{self._up_to(28):02}",
            "authors_parsed": [[self._accented(author.last), author.first, ""] for author in authors],
        }
        if self._random() < _WITH_DOI:
            volume, page, journal = self._up_to(300), self._up_to(99_999), self._pick(self._names)
            item["journal-ref"] = f"{journal}.Lett.{volume}:{page},{year}"
            item["doi"] = f"10.{1000 + self._up_to(90)}/{journal}Lett.{volume}.{page:06}"
        return json.dumps(item, separators=(",", ":")).encode("ascii") + b"\n"

    def _pick(self, items: list[_Item]) -> _Item:
        return items[int(self._random() * len(items))]

    def _several(self, items: list[_Item], least: int, most: int) -> list[_Item]:
        return [self._pick(items) for _ in range(least + int(self._random() * (most - least + 1)))]

    def _up_to(self, most: int) -> int:
        return 1 + int(self._random() * most)

    def _sentence(self) -> str:
        words = self._several(self._words, 11, 19)
        if self._random() < 0.3:
            words[3] = self._pick(list(_TEX)) + words[3]
        return " ".join(words).capitalize() + "."

    def _title(self) -> str:
        return " ".join(self._several(self._words, 10, 14)).capitalize()

    def _categories(self, everything: list[str]) -> str:
        return " ".join(dict.fromkeys(self._several(everything, 1, 4)))

    def _license(self) -> str | None:
        if self._random() < _NO_LICENSE:
            return None
        return next(url for url in LICENSES[int(self._random() ** 3 * len(LICENSES)) :] if url)

    def _accented(self, name: str) -> str:
        return name.replace("a", "\xe1") if self._random() < _NON_ASCII / 3 else name

    def _version_list(self, year: int, month: int) -> list[dict[str, str]]:
        luck = self._random()
        count = 1 + sum(luck > share for share in _VERSIONS)
        found = []
        for number in range(1, count + 1):
            later = month - 1 + (number - 1) * 2
            found.append({"version": f"v{number}", "created": self._time(year + later // 12, later % 12 + 1)})
        return found

    def _time(self, year: int, month: int) -> str:
        day = self._up_to(28)
        name = _DAYS[calendar.weekday(year, month, day)]
        clock = ":".join(f"{int(self._random() * most):02}" for most in (24, 60, 60))
        return f"{name}, {day} {_MONTHS[month]} {year} {clock} GMT"
