"""The typer application: which command is where, and what an error means to the shell."""

import io
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from pithid.cli import export, identify, import_, index, lookup, mint, resolve
from pithid.cli.output import EXIT_INTERRUPTED, exit_code_of, output_fault, say


class _Group(TyperGroup):
    """Turns every deliberate error into one line on stderr and its exit code."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - the context class moved between typer releases
        from pithid.core.errors import PithError

        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            say("interrupted; what was finished before is kept")
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except PithError as error:
            say(str(error), code=error.code)
            raise typer.Exit(exit_code_of(error)) from None
        except OSError as error:
            raise typer.Exit(output_fault(error)) from None
        return result


app = typer.Typer(
    cls=_Group,
    name="pithid",
    help=(
        "Mint, resolve, look up and check Pith Numbers, offline.\n\n"
        "Exit codes: 0 done; 1 some rows rejected or not authentic; 2 usage; 3 malformed; 4 not found; "
        "5 several match; 6 the machine is at fault; 130 interrupted."
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
)
app.command("identify")(identify.command)
app.command("mint")(mint.command)
app.command("import")(import_.command)
app.command("resolve")(resolve.command)
app.command("lookup")(lookup.command)
app.command("export")(export.command)
app.add_typer(index.app, name="index")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        sys.stdout.write(f"pithid {version('pithid')}\n")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    del version


def run() -> int:
    """Run the command line; return the exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # results do not depend on the locale
    try:
        app(prog_name="pithid")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    return 0
