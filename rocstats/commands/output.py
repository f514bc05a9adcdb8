"""The options that say where and how an answer is printed, and the printing."""

from __future__ import annotations

import codecs
import io
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pandas as pd
import typer

from rocstats.commands.options import command_option_of_parameter, given_command_options
from rocstats.errors import InputError
from rocstats.frame.cutoffs import CUTOFFS, NEXT_SCORES, cutoff_text
from rocstats.frame.screen import brief
from rocstats.plots.axes import Width
from rocstats.plots.files import DPI, PICTURES, picture_content
from rocstats.reports.figures import figure_of, new_axes_outside_pyplot
from rocstats.tables.files import path_with_known_ending, write_files_all_or_none
from rocstats.tables.latex import to_latex
from rocstats.tables.markup import printed_table, to_markdown
from rocstats.tables.methods import methods_lines
from rocstats.tables.sentences import format_sentences
from rocstats.tables.sizes import units_sentences
from rocstats.tables.tables import ENDINGS, Layout, format_table, save_table
from rocstats.tables.text import StyleName

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TableFormat = Literal["text", "markdown", "latex", "csv", "json"]
_PANEL = "Printing"
_of_print = partial(typer.Option, rich_help_panel=_PANEL)

Style = Annotated[StyleName, _of_print(help="Whose rules of print.")]
Force = Annotated[bool, _of_print("--force", help="Replace what is there.")]
# Of the commands that print tables and their result.
Digits = Annotated[int | None, command_option_of_parameter("digits")]
Methods = Annotated[bool, typer.Option("--methods", help="Print the paragraph of methods too.")]


@dataclass(frozen=True, kw_only=True)
class Output:
    """Destination and format of a printed table."""

    form: Annotated[
        TableFormat | None,
        _of_print("--format", help="How the table is printed: text unless given."),
    ] = None
    style: Style = "plain"
    layout: Annotated[
        Layout,
        _of_print(help="A row for each estimate, or a column for each measure."),
    ] = "long"
    digits: Annotated[int | None, command_option_of_parameter("digits", rich_help_panel=_PANEL)] = (
        None
    )
    percent: Annotated[
        bool | None, command_option_of_parameter("percent", rich_help_panel=_PANEL)
    ] = None
    out: Annotated[
        Path | None,
        _of_print(help=f"File to write instead: {', '.join(ENDINGS)}, .json."),
    ] = None
    force: Force = False
    methods: Annotated[
        bool,
        _of_print("--methods", help="Print the paragraph of methods and its references too."),
    ] = False

    def __post_init__(self) -> None:
        # Before any answer is computed: resampling may take minutes.
        if self.methods and self.form in ("csv", "json"):
            raise InputError(
                f"`--methods` must be left out with --format {self.form}, which other programs"
                " read; got both. Leave one of them out."
            )
        if self.out is not None:
            require_new_output_file(self.out, (*ENDINGS, ".json"), force=self.force)
            if self.form is not None:
                raise InputError(
                    "`--format` must be left out with --out: the extension of the file"
                    f" determines the format; got {self.form!r}. Leave one of them out."
                )

    def answer(
        self,
        question: Callable[..., pd.DataFrame],
        draws: ResamplingOptions | None = None,
        *,
        estimates: bool = True,
        **options: Any,
    ) -> pd.DataFrame:
        """Print the answer of a question, and return it.

        Parameters
        ----------
        question : callable
            A method of a study, or another public function.
        draws : ResamplingOptions, optional
            How it resamples, if it does.
        estimates : bool, default True
            See ``write``.
        **options
            Its arguments; those without a value keep the defaults of the question.
        """
        given = given_command_options(**options)
        frame = question(**given, **(draws.arguments() if draws is not None else {}))
        self.write(frame, estimates=estimates)
        return frame

    def write(self, frame: pd.DataFrame, *, estimates: bool = True) -> None:
        """Print a frame, or write it to the file; ``estimates`` says which table it makes."""
        self._write_table(frame, estimates)
        if self.methods:
            typer.echo("\n".join(["", *methods_lines(frame)]))

    def _write_table(self, frame: pd.DataFrame, estimates: bool) -> None:
        if self.out is None:
            typer.echo(self._text(frame, estimates).rstrip("\n"))
            return
        ending = self.out.suffix.lower()
        if ending == ".json":
            write_files_all_or_none({self.out: f"{_as_json(frame)}\n".encode()})
        else:
            # A frame of estimates has numbers in the cells of a workbook, a table of text none.
            whole = ending == ".csv" or (estimates and self.digits is None)
            table = frame if whole else self._table(frame, estimates)
            save_table(table, self.out, style=self.style, layout=self.layout, percent=self.percent)
        typer.echo(str(self.out))

    def _table(self, frame: pd.DataFrame, estimates: bool) -> pd.DataFrame:
        """Return a table of text; of a curve or a plan, which no journal has rules for, brief."""
        if estimates:
            return format_table(
                frame, self.style, layout=self.layout, digits=self.digits, percent=self.percent
            )
        shown = self._brief(frame)
        table = shown.map(str)
        table.attrs["rocstats"] = {"footnotes": _values_common_to_all_printed_rows(shown)}
        return table

    def _sentences(self, frame: pd.DataFrame) -> list[str]:
        """Return what an answer says in sentences, which a text can take over."""
        return format_sentences(frame, self.style, digits=self.digits, percent=self.percent)

    def _brief(self, frame: pd.DataFrame) -> pd.DataFrame:
        return brief(frame, **given_command_options(digits=self.digits))

    def _text(self, frame: pd.DataFrame, estimates: bool) -> str:
        if self.form == "csv":
            return frame.to_csv(index=False, lineterminator="\n").removesuffix("\n")
        if self.form == "json":
            # What reads JSON knows its escapes, so that no name needs another spelling.
            return _as_json(frame, escaped=not _is_unicode(sys.stdout))
        if self.form in (None, "text") and not estimates:
            shown = self._brief(frame)
            below = [*self._sentences(frame), *_values_common_to_all_printed_rows(shown)]
            with pd.option_context("display.max_rows", None):
                return "\n".join([repr(shown), "", *below])
        table = self._table(frame, estimates)
        footnotes = table.attrs["rocstats"].get("footnotes", [])
        if self.form in (None, "text"):
            said = self._sentences(frame)
            return "\n".join([table.to_string(index=False), "", *said, "", *footnotes])
        printed = printed_table(table, caption=None, footnotes=footnotes)
        return to_markdown(printed) if self.form == "markdown" else to_latex(printed)


@dataclass(frozen=True, kw_only=True)
class OutputAndFigure(Output):
    """Destination of a printed table, and of a figure of the same answer."""

    figure: Annotated[
        Path | None, typer.Option(help=f"File to draw a figure into too: {', '.join(PICTURES)}.")
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.figure is not None:
            require_new_output_file(self.figure, PICTURES, force=self.force, option="--figure")

    def draw(
        self, plot: Callable[[Axes], Axes], ratio: float = 1.0, width: Width = "column"
    ) -> None:
        """Draw on new axes, whose height is a share of the width, if there is a file for it."""
        if self.figure is not None:
            write_picture(
                lambda: figure_of(plot(new_axes_outside_pyplot(ratio, width))),
                self.figure,
                style=self.style,
            )


@dataclass(frozen=True, kw_only=True)
class ResamplingOptions:
    """How an answer resamples."""

    resamples: Annotated[int | None, command_option_of_parameter("n_resamples")] = None
    seed: Annotated[int | None, command_option_of_parameter("rng", min=0)] = None

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of a question that resamples."""
        return {
            **given_command_options(n_resamples=self.resamples),
            "rng": self.seed,
            # In a log file a bar would be a line for each step.
            "progress": sys.stderr.isatty(),
        }


def require_new_output_file(
    path: Path, endings: Sequence[str], *, force: bool, option: str = "--out"
) -> None:
    """Raise InputError unless a file can be written: a known ending, a folder, nothing there."""
    try:
        path_with_known_ending(path, endings)
    except InputError as problem:
        raise InputError(str(problem).replace("`path`", f"`{option}`")) from None
    if path.is_dir() or (path.exists() and not force):
        raise InputError(
            f"`{option}` must be a new file; got {str(path)!r}, which exists. Name another, or pass"
            " --force to replace a file."
        )


def _values_common_to_all_printed_rows(shown: pd.DataFrame) -> list[str]:
    """Say the values that a brief frame leaves out because all rows have them, and its sample."""
    values = shown.attrs["rocstats"]["left_out"]
    same = "; ".join(
        f"{name} {_text_of_common_value(name, values)}"
        for name, value in values.items()
        if value not in (None, "") and name not in NEXT_SCORES.values()
    )
    alike = [f"In all rows: {same}."] if same else []
    return alike + units_sentences(shown)


def _text_of_common_value(name: str, values: Mapping[str, Any]) -> str:
    """Return the value that all rows have; a cutoff so that it calls the same cases."""
    value = values[name]
    if name in CUTOFFS and math.isfinite(value):
        next_score = values.get(NEXT_SCORES.get(name, ""))
        return cutoff_text(value, math.nan if next_score is None else next_score)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _as_json(frame: pd.DataFrame, *, escaped: bool = False) -> str:
    """Return the rows as JSON with every digit; NaN and infinite numbers are null."""

    # Python would write NaN and Infinity, which are not JSON.
    def value(v: Any) -> Any:
        return None if isinstance(v, float) and not math.isfinite(v) else v

    rows = frame.to_dict(orient="records")
    known = [{name: value(v) for name, v in row.items()} for row in rows]
    return json.dumps(known, ensure_ascii=escaped)


# --- Figures --------------------------------------------------------------------------------------


def write_picture(
    draw: Callable[[], Figure], path: Path, *, style: str = "plain", dpi: int = DPI
) -> None:
    """Write a figure for print into a file, and say so.

    Parameters
    ----------
    draw : callable
        What draws the figure.
    path : pathlib.Path
        The file; its ending is one of ``PICTURES``.
    style : str, default "plain"
        Journal style of the letters.
    dpi : int, default 300
        Dots per inch of a picture of dots.
    """
    content = picture_content(draw, path.suffix.lower()[1:], style=style, dpi=dpi)
    write_files_all_or_none({path: content})
    typer.echo(str(path))


def pictures_of(
    drawings: Mapping[str, Callable[[], Figure]], style: str = "plain"
) -> dict[str, Callable[[], bytes]]:
    """Return what makes each figure for the web and for a manuscript, by the name of its file."""
    # Drawn when it is first asked for, and then kept for the other file.
    drawn_once = {name: cache(draw) for name, draw in drawings.items()}
    return {
        f"{name}.{ending}": partial(picture_content, draw, ending, style=style)
        for name, draw in drawn_once.items()
        for ending in ("svg", "png")
    }


# --- Streams that lack letters --------------------------------------------------------------------

# A pipe on Windows has the letters of the country, cp1252 for instance, which has no "≥".
_SPELLED = "rocstats-spelled"
_SPELLINGS = {
    "≥": ">=",
    "≤": "<=",
    "−": "-",
    "–": "-",
    "∞": "inf",
    "×": "x",
    "…": "...",
    **dict.fromkeys("“”", '"'),
    "’": "'",
}


def spell_what_streams_lack() -> None:
    """Print "≥" as ">=" where standard output or error lack the letter; others as in JSON."""
    codecs.register_error(_SPELLED, _spelling_of_letters_streams_lack)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_SPELLED)


def _spelling_of_letters_streams_lack(problem: UnicodeError) -> tuple[str, int]:
    """Return the spelling of the letters that an encoding lacks, and where to go on."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end]
    # A name of a file may hold half a letter, which no encoding has.
    parts = (_SPELLINGS.get(c) or json.dumps(c)[1:-1] for c in lacking)
    return "".join(parts), problem.end


def _is_unicode(stream: Any) -> bool:
    return str(getattr(stream, "encoding", "")).lower().startswith("utf")
