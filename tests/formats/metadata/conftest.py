"""Invented papers written in every format that can mint, and the shared real data when it is there."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from pithid.core.errors import PithError
from pithid.core.paper import Paper
from pithid.formats.metadata import Entry, Options, open_entries

SHARED = Path(__file__).resolve().parents[3].parent / "shared"
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()

PAPER = Paper(
    arxiv="2101.99901",
    version=2,
    title='On the colour of Schr\\"odinger boxes\n  and other parcels',
    abstract="  We paint boxes with $x^2 < y$ & find that\nthey dry.\n  A second paragraph dries slower.\n",
    categories="quant-ph math-ph math.MP",
    submitted_at="2021-01-04T09:08:07Z",
    license="http://creativecommons.org/licenses/by/4.0/",
    authors='A. Author, B. Bj\\"ork',
    dois=("10.9999/boxes.1",),
)


def mail_time(iso: str) -> str:
    """Write a time as arXiv does in its version lists."""
    return f"Mon, {int(iso[8:10])} {MONTHS[int(iso[5:7]) - 1]} {iso[:4]} {iso[11:19]} GMT"


def version_times(paper: Paper) -> list[tuple[str, str]]:
    """Name and time of every version."""
    first = [("v1", mail_time(paper.submitted_at))]
    return first + [(f"v{n}", "Tue, 2 Feb 2021 10:00:00 GMT") for n in range(2, paper.version + 1)]


def kaggle(paper: Paper) -> bytes:
    """Write a line of the snapshot."""
    value = {
        "id": paper.arxiv,
        "authors": paper.authors,
        "title": paper.title,
        "doi": paper.dois[0] if paper.dois else None,
        "categories": paper.categories,
        "license": paper.license or None,
        "abstract": paper.abstract,
        "versions": [{"version": name, "created": time} for name, time in version_times(paper)],
        "update_date": "2021-02-03",
    }
    return json.dumps(value).encode() + b"\n"


def arxivraw(paper: Paper) -> bytes:
    """Write an arXivRaw record."""
    versions = "".join(
        f'<version version="{name}"><date>{time}</date><size>9kb</size></version>\n'
        for name, time in version_times(paper)
    )
    optional = f"<license>{escape(paper.license)}</license>" if paper.license else ""
    optional += "".join(f"<doi>{escape(doi)}</doi>" for doi in paper.dois)
    return (
        f'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{paper.arxiv}</id><submitter>A. Author</submitter>\n'
        f"{versions}<title>{escape(paper.title)}</title><authors>{escape(paper.authors)}</authors>"
        f"<categories>{paper.categories}</categories>{optional}<abstract>{escape(paper.abstract)}</abstract></arXivRaw>"
    ).encode()


def abs_record(paper: Paper) -> bytes:
    """Write an `.abs` record."""
    dates = "".join(
        f"Date{'' if name == 'v1' else f' (revised {name})'}: {time}   (9kb)\n" for name, time in version_times(paper)
    )
    title = "\n  ".join(line.strip() for line in paper.title.split("\n"))
    optional = f"License: {paper.license}\n" if paper.license else ""
    optional += "".join(f"DOI: {doi}\n" for doi in paper.dois)
    return (
        f"{'-' * 78}\n\\\\\narXiv:{paper.arxiv}\nFrom: A. Author <x@example.org>\n{dates}\n"
        f"Title: {title}\nAuthors: {paper.authors}\nCategories: {paper.categories}\n{optional}\\\\\n"
        f"{paper.abstract.rstrip(chr(10))}\n\\\\\n"
    ).encode()


def atom_entry(paper: Paper) -> str:
    """Write an entry of a feed."""
    primary, *_ = paper.categories.split()
    terms = [*paper.categories.split(), "81P05", "I.2.9; J.3"]
    doi = "".join(f'<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">{escape(d)}</arxiv:doi>' for d in paper.dois)
    return (
        f'<entry xmlns="http://www.w3.org/2005/Atom"><id>http://arxiv.org/abs/{paper.arxiv}v{paper.version}</id>\n'
        f"<published>{paper.submitted_at}</published><updated>2022-02-02T10:00:00Z</updated>\n"
        f"<title>{escape(paper.title)}</title><summary>{escape(paper.abstract)}</summary>{doi}\n"
        + "".join(f"<author><name>{escape(name)}</name></author>" for name in paper.authors.split(", "))
        + f'<arxiv:primary_category xmlns:arxiv="http://arxiv.org/schemas/atom" term="{primary}"/>'
        + "".join(f'<category term="{term}"/>' for term in terms)
        + "</entry>"
    )


def atom(*papers: Paper) -> bytes:
    """Write a feed."""
    entries = "\n".join(map(atom_entry, papers))
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">Query</title>{entries}</feed>'.encode()


def entries_of(data: bytes, name: str = "auto", license_url: str | None = None) -> list[Entry]:
    """Read everything."""
    return list(open_entries(io.BytesIO(data), name=name, options=Options(license_url)))


@pytest.fixture
def paper() -> Paper:
    """An invented paper with something of every trap."""
    return PAPER


@pytest.fixture
def write() -> dict[str, Callable[[Paper], bytes]]:
    """Writers of one paper by format."""
    return {"kaggle": kaggle, "arxivraw": arxivraw, "abs": abs_record, "atom": atom}


@pytest.fixture
def entries() -> Callable[..., list[Entry]]:
    """Everything that an input gives: `entries(data, name="auto", license_url=None)`."""
    return entries_of


@pytest.fixture
def fault() -> Callable[..., PithError]:
    """The error of an input whose one entry is an error."""

    def only_fault(data: bytes, name: str = "auto", license_url: str | None = None) -> PithError:
        (entry,) = entries_of(data, name, license_url)
        assert isinstance(entry.content, PithError), entry
        return entry.content

    return only_fault


@pytest.fixture
def shared_lines() -> Callable[[str], Iterator[bytes]]:
    """Lines of a file of real data that is not part of the project."""

    def lines(name: str) -> Iterator[bytes]:
        path = SHARED / "vectors" / name
        if not path.is_file():
            pytest.skip(f"{name} is not beside the checkout")
        with path.open("rb") as file:
            yield from file

    return lines
