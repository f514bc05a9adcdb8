"""The ``rocstats`` command: its commands, and how it ends."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

import typer

from rocstats._version import __version__
from rocstats.commands import (
    areas,
    curves,
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
    no_args_is_help=True,
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


COMMANDS: dict[str, Callable[..., None]] = {
    "auc": areas.auc,
    "compare": areas.compare,
    "random": areas.chance,
    "binormal": areas.binormal,
    "classes": areas.classes,
    "curve": curves.curve,
    "band": curves.band,
    "average": curves.average,
    "points": points.points,
    "cutpoint": points.cutpoint,
    "calibration": models.calibration,
    "net-benefit": models.net_benefit,
    "subgroups": models.subgroups,
    "table": tables.table,
    "power": planning.power,
    "size": planning.size,
    "plot": curves.plot,
    "readers": readers.readers,
    "survival": survival.survival,
    "meta": reviews.meta,
    "pool": reviews.pool,
    "report": report.report,
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
            # Without arguments the help is printed instead.
            if text := usage_in_words(problem):
                typer.echo(f"rocstats: error: {text}", err=True)
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


@app.callback()
def _common_command_options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Statistical inference for ROC analysis."""


def _show_warning_on_stderr(
    message: Warning | str, category: type[Warning], *_: object, **__: object
) -> None:
    typer.echo(f"rocstats: note: {note_in_words(str(message))}", err=True)
