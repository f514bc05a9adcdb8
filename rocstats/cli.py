"""The ``rocstats`` command: its commands, and how it ends."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from rocstats._version import __version__
from rocstats.commands import (
    areas,
    curves,
    items,
    marks,
    models,
    planning,
    points,
    readers,
    report,
    reviews,
    survival,
    tables,
)
from rocstats.commands.options import (
    UsageError,
    command_with_option_groups,
    in_words_of_the_command,
    note_in_words,
    usage_in_words,
)
from rocstats.commands.output import spell_what_streams_lack
from rocstats.errors import InputError, StatisticalWarning

_COMPLETE = "_ROCSTATS_COMPLETE"
"""The variable in which a shell asks for completions."""
# 128 + the number of the signal SIGPIPE: what a shell reports of a command that it ended.
_CLOSED_PIPE = 141
_ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a command; Windows has no SIGHUP."""
_EXITS = "Exit status: 0 done, 1 a bug of rocstats (please report it), 2 wrong input."

app = typer.Typer(
    help="Statistical inference for ROC analysis.",
    epilog=_EXITS,
    invoke_without_command=True,
    # typer's own would write to the start files of the user's shell; `completion` prints.
    add_completion=False,
    # A bug has an ordinary traceback, which can be copied into an issue.
    pretty_exceptions_enable=False,
)


def completion(shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument()]) -> None:
    """Print the completion script of a shell; put its output into the start file to use it.

    rocstats completion bash
    """
    # Imported here: needed for this command only.
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name="rocstats", complete_var=_COMPLETE, shell=shell)
    typer.echo(script)


def window(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="File of data to begin with.")
    ] = None,
    port: Annotated[
        int, typer.Option(help="Port on this computer; 0 is a free one.", min=0, max=65535)
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
) -> None:
    """Open a window for questions, in the browser; nothing leaves this computer.

    rocstats app

    rocstats app patients.csv
    """
    try:
        # Imported here: needed for this command only.
        from rocstats.app.serve import serve
    except ModuleNotFoundError as missing:
        raise InputError(
            f"`app` must have the package {missing.name!r}; it is not installed. Run"
            " pip install 'rocstats[app]'."
        ) from None
    serve(COMMANDS, file, port=port, browser=browser)


COMMANDS: dict[str, Callable[..., None]] = {
    "auc": areas.auc,
    "compare": areas.compare,
    "compare-published": areas.compare_published,
    "random": areas.chance,
    "binormal": areas.binormal,
    "classes": areas.classes,
    "correct": items.correct,
    "ordered": items.ordered,
    "verified-auc": areas.verified_auc,
    "curve": curves.curve,
    "band": curves.band,
    "average": curves.average,
    "precision-recall": curves.precision_recall,
    "points": points.points,
    "cutpoint": points.cutpoint,
    "goals": points.goals,
    "likelihood-ratios": points.likelihood_ratios,
    "grey-zone": points.grey_zone,
    "calibration": models.calibration,
    "net-benefit": models.net_benefit,
    "subgroups": models.subgroups,
    "table": tables.table,
    "verified-table": tables.verified_table,
    "power": planning.power,
    "size": planning.size,
    "plot": curves.plot,
    "readers": readers.readers,
    "marks": marks.marks,
    "survival": survival.survival,
    "meta": reviews.meta,
    "pool": reviews.pool,
    "report": report.report,
    "app": window,
    "completion": completion,
}
"""Each command, by its name."""
for _name, _command in COMMANDS.items():
    app.command(_name)(command_with_option_groups(_command))


def main() -> None:
    """Run the command; wrong input is one line on standard error and exit status 2."""
    if _COMPLETE in os.environ:
        # typer answers its scripts by itself only with the options that install them.
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
    spell_what_streams_lack()
    # Notes go to standard error, so that a table on standard output can be piped.
    with _signals_end_in_order(), warnings.catch_warnings():
        warnings.simplefilter("once", StatisticalWarning)
        warnings.showwarning = _show_warning_on_stderr
        try:
            # Not standalone: typer would print its own errors, in boxes.
            sys.exit(app(prog_name="rocstats", complete_var=_COMPLETE, standalone_mode=False))
        except SystemExit as end:
            # Nobody reads on, as behind ``head``: typer ends with 1, the status of a bug.
            if isinstance(end.__context__, BrokenPipeError):
                sys.exit(_CLOSED_PIPE)
            raise
        except UsageError as problem:
            typer.echo(f"rocstats: error: {usage_in_words(problem)}", err=True)
            sys.exit(2)
        except (InputError, OSError) as problem:
            text = str(problem)
            # The path in a message of the system stays as the user wrote it.
            if isinstance(problem, InputError):
                text = in_words_of_the_command(text)
            typer.echo(f"rocstats: error: {text}", err=True)
            sys.exit(2)


@contextmanager
def _signals_end_in_order() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the command as Ctrl-C does: no half file stays."""
    # Under nohup SIGHUP is ignored, and stays so.
    numbers = [number for number in _ENDS if signal.getsignal(number) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, _end_command_by_signal)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _end_command_by_signal(number: int, frame: object) -> None:
    # The command ``timeout`` sends its signal twice: the second would stop the cleaning up.
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(__version__)
        raise typer.Exit


_BEGIN = """Statistical inference for ROC analysis. Three commands to begin with:

  rocstats report --example
      a report of data that come with the package, in the folder report

  rocstats auc FILE OUTCOME SCORE --positive LABEL
      areas with intervals; SCORE may be several columns of FILE

  rocstats report FILE OUTCOME SCORE --positive LABEL
      the report of a file: page, Word document, PDF, tables and figures

All commands: rocstats --help. The options of one: rocstats auc --help."""
"""What ``rocstats`` says where it is asked nothing."""


@app.callback()
def _common_command_options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Statistical inference for ROC analysis."""
    if context.invoked_subcommand is None:
        typer.echo(_BEGIN)
        raise typer.Exit(2)


def _show_warning_on_stderr(
    message: Warning | str, category: type[Warning], *_: object, **__: object
) -> None:
    typer.echo(f"rocstats: note: {note_in_words(str(message))}", err=True)
