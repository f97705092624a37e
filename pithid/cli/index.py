"""`pithid index`: what an index holds, and whether it still holds it rightly."""

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pithid.cli.output import EXIT_OK, EXIT_PARTLY, IndexOption, JsonOption, group, print_json, printable

if TYPE_CHECKING:
    from pithid.core.canonical import Json

app = group("index", "Show what an index holds, and check it.")


@app.command("info")
def info(as_json: JsonOption = False, index: IndexOption = None) -> None:
    """Show where the index is, its size, its counts, and how its records came to be known.

    Example: pithid index info
    """
    from pithid.service.index import open_to_read

    store = open_to_read(index)
    try:
        counts, schema_version = store.counts(), store.schema_version()
        size = os.path.getsize(store.path)
        facts: dict[str, Json] = {
            "path": store.path,
            "schema_version": schema_version,
            "bytes": size,
            "records": counts.records,
            "papers": counts.papers,
            "linked_dois": counts.links,
            "provenance": dict(counts.by_origin),
            "bytes_by_table": dict(store.table_bytes()),
        }
    finally:
        store.close()
    if as_json:
        print_json(facts)
        return
    origins = ", ".join(f"{word} {count}" for word, count in counts.by_origin.items() if count)
    for name, text in (
        ("index", printable(store.path)),
        ("schema version", str(schema_version)),
        ("size", f"{size} bytes" + (f", {size / counts.records:.0f} a record" if counts.records else "")),
        ("records", f"{counts.records} of {counts.papers} papers"),
        ("linked DOIs", str(counts.links)),
        ("provenance", origins or "none"),
    ):
        sys.stdout.write(f"{name:<15}{text}\n")


@app.command("check")
def check(
    as_json: JsonOption = False,
    index: IndexOption = None,
    most: Annotated[int, typer.Option(metavar="N", help="Print at most N faults; all are counted.")] = 100,
) -> None:
    """Rebuild and hash every record held; name each that does not come out at its number. Changes nothing.

    Exits with 1 when there is a fault.

    Example: pithid index check
    """
    from pithid.service.index import open_to_read

    store = open_to_read(index)
    try:
        records = store.counts().records
        faults = list(store.check())
    finally:
        store.close()
    if as_json:
        shown: list[Json] = list(faults[:most])
        print_json({"records": records, "faults": len(faults), "first": shown})
    else:
        for fault in faults[:most]:
            sys.stdout.write(printable(fault) + "\n")
        sys.stdout.write(f"{records} records checked, {len(faults)} faults\n")
    raise typer.Exit(EXIT_PARTLY if faults else EXIT_OK)
