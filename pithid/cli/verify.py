"""`pithid verify`: every check of a document, by name, with its own result."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.mint import FromOption, LicenseOption, Source, entries_of
from pithid.cli.output import (
    EXIT_CONFLICT,
    EXIT_MALFORMED,
    EXIT_OK,
    EXIT_PARTLY,
    MAX_READ,
    JsonOption,
    TrustOption,
    opened,
    print_json,
    printable,
)

if TYPE_CHECKING:
    from pithid.core.canonical import Json
    from pithid.core.checks import Verification
    from pithid.core.paper import Paper
    from pithid.service.complete import Completed


def command(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE...", help="Documents to verify, or - for stdin.")
    ] = None,
    metadata: Annotated[
        str | None, typer.Option(metavar="FILE", help="Compare the record with this metadata, field by field.")
    ] = None,
    complete: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help="Find the licence or time of day that metadata lacks for this number."),
    ] = None,
    source: FromOption = Source.auto,
    license_url: LicenseOption = None,
    arxiv: Annotated[str | None, typer.Option(metavar="ID", help="With --complete: arXiv identifier.")] = None,
    version: Annotated[int | None, typer.Option(metavar="N", help="With --complete: version.")] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="With --complete: title.")] = None,
    abstract: Annotated[str | None, typer.Option(metavar="TEXT", help="With --complete: abstract.")] = None,
    categories: Annotated[str | None, typer.Option(metavar="LIST", help="With --complete: categories.")] = None,
    submitted_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="With --complete: day or time of version 1.")
    ] = None,
    trust: TrustOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verify bundles, record documents, states, receipts and integrity documents, offline.

    Prints each check with its result: passed, failed, not_checkable or absent; then what anyone could have changed
    unnoticed, by which trusted key, and the verdict. Exits with 0 when verified, 1 when a check failed, 3 when
    malformed, 5 when the only fault is that one key contradicts itself.

    Example: pithid verify bundle.json
    """
    if complete is not None:
        papers = [_paper_of(arxiv, version, title, abstract, categories, submitted_at, license_url)] if arxiv else []
        for name in files or []:
            papers += _papers_in(name, source, license_url)
        raise typer.Exit(_complete(complete, papers, license_known=license_url is not None, as_json=as_json))
    if not files:
        raise typer.BadParameter("give a document, - for stdin, or --complete NUMBER", param_hint="FILE")
    from pithid.service.trust import load_keyring
    from pithid.service.verify import verify_document

    keyring, results = load_keyring(trust), []
    for name in files:
        with opened(name) as stream:
            data = stream.read(MAX_READ)
        verification = verify_document(data, keyring)
        if metadata is not None:
            verification = _compared(verification, data, metadata, source, license_url)
        results.append((name, verification))
    raise typer.Exit(_print(results, as_json=as_json))


def _print(results: "list[tuple[str, Verification]]", *, as_json: bool) -> int:
    if as_json:
        documents: list[Json] = [{"file": name, **verification.to_json()} for name, verification in results]
        print_json(documents if len(documents) > 1 else documents[0])
    else:
        for name, verification in results:
            sys.stdout.write("".join(printable(text) + "\n" for text in _lines(name, verification)))
    codes = [_exit_code(verification) for _, verification in results]
    return codes[0] if len(set(codes)) == 1 else EXIT_PARTLY


def _lines(name: str, verification: "Verification") -> list[str]:
    from pithid.core.checks import describe

    many = len(verification.unsigned) > 40
    lines = [
        f"{check.result:<13} {check.name}{': ' if check.detail else ''}{check.detail}" for check in verification.checks
    ]
    if many:
        lines.append(f"unsigned      {len(verification.unsigned)} members; --json lists them")
    else:
        lines += [f"unsigned      {path}" for path in verification.unsigned]
    lines += [f"trusted by    {describe(entry)}" for entry in verification.trusted_by]
    lines += [f"self-signed   {did}" for did in verification.self_certified]
    return [*lines, f"{verification.verdict:<13} {verification.kind} {name}"]


def _exit_code(verification: "Verification") -> int:
    if verification.verdict == "malformed":
        return EXIT_MALFORMED
    if verification.verdict == "verified":
        return EXIT_OK
    failed = {check.name for check in verification.checks if check.result == "failed"}
    return EXIT_CONFLICT if failed == {"equivocation"} else EXIT_PARTLY


def _compared(
    verification: "Verification", data: bytes, metadata: str, source: Source, license_url: str | None
) -> "Verification":
    """Add the comparison of the document's record with metadata."""
    from dataclasses import replace

    from pithid.core.canonical import load
    from pithid.core.checks import Check
    from pithid.core.records import CanonicalRecord
    from pithid.service.diagnose import compare

    if verification.verdict == "malformed":
        return verification
    value = load(data)
    stated = _record_in(value)
    if stated is None:
        nothing = Check("metadata", "not_checkable", "the document holds no canonical record to compare with")
        return replace(verification, checks=(*verification.checks, nothing))
    record = CanonicalRecord.from_json(stated)
    papers = _papers_in(metadata, source, license_url)
    ranked = sorted(papers, key=lambda paper: (paper.arxiv != record.source.id, paper.version != record.source.version))
    checks = list(compare(record, ranked[0]))
    return replace(verification, checks=(*verification.checks, *checks))


def _record_in(value: "Json") -> "Json":
    """Return the canonical record of a document, None where it has none."""
    if not isinstance(value, dict):
        return None
    if {"source", "metadata", "schema_version"} == set(value):
        return value
    current = value.get("current")
    return value.get("canonical_record") or (current.get("canonical_record") if isinstance(current, dict) else None)


def _papers_in(name: str, source: Source, license_url: str | None) -> "list[Paper]":
    """Return the papers of a metadata file; a missing licence is left empty."""
    from pithid.core.errors import PithError
    from pithid.core.paper import Paper
    from pithid.formats.metadata.model import Options

    papers = []
    with opened(name) as stream:
        for entry in entries_of(stream, source, Options(license_url or "")):
            if isinstance(entry.content, PithError):
                raise entry.content
            if isinstance(entry.content, Paper):
                papers.append(entry.content)
    if not papers:
        raise typer.BadParameter(f"there is no paper's metadata in {name}", param_hint="FILE")
    return papers


def _paper_of(
    arxiv: str,
    version: int | None,
    title: str | None,
    abstract: str | None,
    categories: str | None,
    submitted_at: str | None,
    license_url: str | None,
) -> "Paper":
    from pithid.core.paper import Paper

    if version is None or not (title and abstract and categories and submitted_at):
        why = "needs --version, --title, --abstract, --categories and --submitted-at, the day at least"
        raise typer.BadParameter(why, param_hint="--complete")
    return Paper(arxiv, version, title, abstract, categories, submitted_at, license_url or "")


def _complete(text: str, papers: "list[Paper]", *, license_known: bool, as_json: bool) -> int:
    from pithid.core.identifiers import PithNumber
    from pithid.service.complete import complete

    number = PithNumber.parse(text)
    if not papers:
        raise typer.BadParameter("give the metadata as FILE or by --arxiv and the other flags", param_hint="--complete")
    for paper in papers:
        completed = complete(number, paper, license_known=license_known)
        if completed is not None:
            _print_completed(text, completed, as_json=as_json)
            return EXIT_OK
    if as_json:
        print_json({"verdict": "failed", "pith_number": text, "found": {}})
    else:
        sys.stdout.write(f"failed        no licence and no time of that day make this metadata hash to {text}\n")
    return EXIT_PARTLY


def _print_completed(text: str, completed: "Completed", *, as_json: bool) -> None:
    if as_json:
        found: dict[str, Json] = dict(completed.found)
        record = completed.minted.record.to_json()
        print_json({"verdict": "verified", "pith_number": text, "found": found, "canonical_record": record})
        return
    for name, value in completed.found.items():
        sys.stdout.write(f"found         {name}: {value or '(none)'}\n")
    sys.stdout.write(f"verified      {text}\n")
