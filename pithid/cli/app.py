"""The typer application: which command is where, and what an error means to the shell."""

import io
import os
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from pithid.cli.output import (
    EXIT_BUG,
    EXIT_ENVIRONMENT,
    EXIT_INTERRUPTED,
    EXIT_OK,
    exit_code_of,
    forgive_stderr,
    output_fault,
    say,
)

_COMMANDS = {
    "identify": ("identify", "Recognise identifiers in any text; no index is needed."),
    "mint": ("mint", "Compute Pith Numbers from metadata, offline; nothing is stored."),
    "import": ("import_", "Mint metadata, or check ready-made records and bundles, and add them to the index."),
    "resolve": ("resolve", "Resolve identifiers to Pith Numbers."),
    "lookup": (
        "lookup",
        "Show everything known of a record: aliases with their provenance, versions, events, verification.",
    ),
    "export": ("export", "Write the alias table, a row a record, in the order of arXiv identifier and version."),
    "index": ("index", "Show what an index holds, and check it."),
    "verify": ("verify", "Verify bundles, record documents, states, receipts and integrity documents, offline."),
    "keys": ("keys", "Make and show keys, and say which ones to trust."),
    "event": ("event", "Sign statements about records, and list those that are known."),
    "bundle": ("bundle", "Build, merge and show bundles: a record with everything signed about it."),
}
"""Commands in the order of the help: module and first line of its help. A module has a function `command`, or a typer
`app` of its own. The lines stand here as well so that the help needs no module; a test holds them equal."""


class _Late(dict[str, Any]):
    """The commands by name, each imported and built when it is asked for: building all costs a third of a start."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - the command class moved between typer releases
        built = super().__getitem__(name)
        if built is None:
            built = self[name] = _built(name)
        return built

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - as above
        try:
            return self[name]
        except KeyError:
            return default


def _built(name: str) -> Any:  # noqa: ANN401 - as above
    module = import_module(f"pithid.cli.{_COMMANDS[name][0]}")
    if hasattr(module, "app"):
        return get_command(module.app)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(module.command)
    return get_command(alone)


class _Group(TyperGroup):
    """Turns every deliberate error into one line on stderr and its exit code."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - passed on
        super().__init__(**settings)
        self.commands = _Late(dict.fromkeys(_COMMANDS))

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - as above
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])

    def make_context(self, *arguments: Any, **settings: Any) -> Any:  # noqa: ANN401 - as above
        try:
            return super().make_context(*arguments, **settings)  # prints help and version
        except OSError as error:
            raise typer.Exit(output_fault(error)) from None

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - the context class moved between typer releases
        from pithid.core.errors import PithError

        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("interrupted; what was finished before is kept")
            raise typer.Exit(EXIT_INTERRUPTED) from None
        except PithError as error:
            say(str(error), code=error.code)
            raise typer.Exit(exit_code_of(error)) from None
        except OSError as error:
            raise typer.Exit(output_fault(error)) from None


app = typer.Typer(
    cls=_Group,
    name="pithid",
    help=(
        "Mint, resolve, look up and check Pith Numbers, offline.\n\n"
        "Exit codes: 0 done; 1 some rows rejected or not authentic; 2 usage; 3 malformed; 4 not found; "
        "5 several match, or a key contradicts itself; 6 the machine is at fault; 130 interrupted."
    ),
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    pretty_exceptions_show_locals=False,
)


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
    forgive_stderr()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # results do not depend on the locale
    if sys.stdout is None:
        say("stdout is closed", code="unavailable")
        return EXIT_ENVIRONMENT
    code = EXIT_OK
    try:
        app(prog_name="pithid")
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except OSError as error:
        return output_fault(error)
    except Exception as error:
        if os.environ.get("PITHID_TRACEBACK"):
            raise
        what = f"{type(error).__name__}: {error}"
        say(f"a fault in pithid itself, please report it ({what}); PITHID_TRACEBACK=1 shows where", code="bug")
        return EXIT_BUG
    try:
        sys.stdout.flush()
    except OSError as error:
        return output_fault(error) or code
    return code
