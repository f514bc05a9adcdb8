"""The ``rocstats`` command: reports, and tables on the terminal, from a file of cases."""

from __future__ import annotations

import json
import math
import re
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any, Literal

import pandas as pd
import typer

from rocstats._version import __version__
from rocstats.datasets.loaders import load_breast_cancer
from rocstats.errors import InputError, StatisticalWarning
from rocstats.present.markup import printed_table, to_latex, to_markdown
from rocstats.present.plots.roc import plot_roc
from rocstats.present.protocols import FigureBand
from rocstats.present.report.report import band_of_figure
from rocstats.present.report.report import report as write_report
from rocstats.present.styles import StyleName
from rocstats.present.tables import format_table, save_table
from rocstats.sample.inputs.files.reading import ENDINGS, read_table, said_of_reading
from rocstats.sample.roles import NanPolicy
from rocstats.stats.intervals.records import AREA_INTERVALS, DEFAULT_INTERVAL
from rocstats.studies.study import Study

app = typer.Typer(
    help="Statistical inference for ROC analysis.",
    no_args_is_help=True,
    # Completion would write to the start files of the user's shell.
    add_completion=False,
    # A bug has an ordinary traceback, which can be copied into an issue.
    pretty_exceptions_enable=False,
)


_INTERVALS = [record.word for record in AREA_INTERVALS]
_RESAMPLED = " and ".join(record.word for record in AREA_INTERVALS if record.resampled)
TableFormat = Literal["text", "markdown", "latex", "csv", "json"]

_DATA = typer.Argument(help=f"Data: {', '.join(ENDINGS)}, or - for text from standard input.")
File = Annotated[Path, _DATA]
Sep = Annotated[str | None, typer.Option(help="Separator of a text file: , ; | or tab.")]
Decimal = Annotated[str | None, typer.Option(help="Decimal mark of the numbers: . or ,")]
Encoding = Annotated[str | None, typer.Option(help="Encoding of a text file: utf-8, cp1252, ...")]
Sheet = Annotated[str | None, typer.Option(help="Sheet of a workbook: its name, or number from 1.")]
Outcome = Annotated[str, typer.Argument(help="Column with the outcome.")]
Scores = Annotated[list[str], typer.Argument(metavar="SCORE...", help="Columns with the scores.")]
Positive = Annotated[str | None, typer.Option(help="Label of the positive class.")]
Lower = Annotated[
    list[str] | None, typer.Option(help="A score of which low values are positive (repeatable).")
]
Frequency = Annotated[str | None, typer.Option(help="Column with the number of cases of a row.")]
Cluster = Annotated[str | None, typer.Option(help="Column that says which rows belong together.")]
Fold = Annotated[str | None, typer.Option(help="Column with the cross-validation fold.")]
Group = Annotated[str | None, typer.Option(help="Column with the subgroup.")]
# Named after the question of a user; the keyword is ``nan_policy``, as in SciPy.
Policy = Annotated[
    NanPolicy, typer.Option("--missing", case_sensitive=False, help="Rows with a missing value.")
]
Level = Annotated[float, typer.Option("--level", help="Confidence level, between 0 and 1.")]
Print = Annotated[
    TableFormat, typer.Option("--format", case_sensitive=False, help="How the table is printed.")
]
# Plain text, so that a wrong word gets the message of the library, which knows the reasons.
AreaLimits = Annotated[
    str, typer.Option(help=f"Interval: {', '.join(_INTERVALS)}. {_RESAMPLED} resample.")
]
PrintStyle = Annotated[
    StyleName, typer.Option("--style", case_sensitive=False, help="Whose rules of print.")
]


@app.command()
def auc(
    file: File,
    outcome: Outcome,
    scores: Scores,
    positive: Positive = None,
    lower: Lower = None,
    frequency: Frequency = None,
    cluster: Cluster = None,
    fold: Fold = None,
    group: Group = None,
    missing: Policy = "raise",
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    level: Level = 0.95,
    interval: AreaLimits = DEFAULT_INTERVAL,
    resamples: Annotated[int, typer.Option(help="Number of resamples.")] = 2000,
    seed: Annotated[int | None, typer.Option(help="Seed of the resamples.", min=0)] = None,
    form: Print = "text",
    style: PrintStyle = "plain",
) -> None:
    """Print the area under the curve of each score with its interval."""
    roles = {"frequency": frequency, "cluster": cluster, "fold": fold, "group": group}
    data = read_table(file, sep=sep, decimal=decimal, encoding=encoding, sheet=sheet)
    study = _study(data, outcome, scores, positive, lower, roles, missing)
    frame = study.auc(
        confidence_level=level,
        interval=interval,  # type: ignore[arg-type]
        n_resamples=resamples,
        rng=seed,
        progress=_watched(),
    )
    _print(frame, form, style)


@app.command()
def compare(
    file: File,
    outcome: Outcome,
    scores: Scores,
    positive: Positive = None,
    lower: Lower = None,
    frequency: Frequency = None,
    cluster: Cluster = None,
    fold: Fold = None,
    group: Group = None,
    missing: Policy = "raise",
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    level: Level = 0.95,
    form: Print = "text",
    style: PrintStyle = "plain",
) -> None:
    """Print the difference of areas of every two scores, with test."""
    if len(scores) < 2:
        raise InputError(
            f"`SCORE` must be two columns or more; got {len(scores)}. Name those to compare."
        )
    roles = {"frequency": frequency, "cluster": cluster, "fold": fold, "group": group}
    data = read_table(file, sep=sep, decimal=decimal, encoding=encoding, sheet=sheet)
    study = _study(data, outcome, scores, positive, lower, roles, missing)
    _print(study.compare_auc(confidence_level=level), form, style)


@app.command()
def report(
    file: Annotated[Path | None, _DATA] = None,
    outcome: Annotated[str | None, typer.Argument(help="Column with the outcome.")] = None,
    scores: Annotated[
        list[str] | None, typer.Argument(metavar="SCORE...", help="Columns with the scores.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder to write to; made if need be.")] = Path(
        "report"
    ),
    example: Annotated[bool, typer.Option("--example", help="Use shipped data: no file.")] = False,
    positive: Positive = None,
    lower: Lower = None,
    frequency: Frequency = None,
    cluster: Cluster = None,
    fold: Fold = None,
    group: Group = None,
    missing: Policy = "raise",
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    level: Level = 0.95,
    style: PrintStyle = "plain",
    title: Annotated[str | None, typer.Option(help="Heading of the page.")] = None,
    band: Annotated[
        FigureBand, typer.Option(case_sensitive=False, help="Band of the figure.")
    ] = "fixed-width",
    # A fixed seed: the report of a file is the same whenever it is written.
    seed: Annotated[int, typer.Option(help="Seed of the resamples behind bands.", min=0)] = 1,
) -> None:
    """Write report.html, its tables as csv and its figure as svg and png."""
    if example:
        study = _example()
        title = title or "Cell nuclei measurements and malignancy of breast masses"
    elif file is None or outcome is None or not scores:
        raise InputError(
            "`FILE OUTCOME SCORE...` must be given unless --example is; got too few of them."
            " See: rocstats report --help."
        )
    else:
        roles = {"frequency": frequency, "cluster": cluster, "fold": fold, "group": group}
        data = read_table(file, sep=sep, decimal=decimal, encoding=encoding, sheet=sheet)
        study = _study(data, outcome, scores, positive, lower, roles, missing)
    for path in _write(study, out, title, style, level, band, seed):
        typer.echo(path)


def main() -> None:
    """Run the command; wrong input is one line on standard error and exit status 2."""
    # Notes go to standard error, so that a table on standard output can be piped.
    with warnings.catch_warnings():
        warnings.simplefilter("once", StatisticalWarning)
        warnings.showwarning = _show
        try:
            app()
        except (InputError, OSError) as problem:
            text = str(problem)
            # The path in a message of the system stays as the user wrote it.
            if isinstance(problem, InputError):
                text = _in_words_of_the_command(text)
            typer.echo(f"rocstats: error: {text}", err=True)
            sys.exit(2)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Statistical inference for ROC analysis."""


def _study(
    data: pd.DataFrame,
    outcome: str,
    scores: list[str],
    positive: str | None,
    lower: list[str] | None,
    roles: dict[str, Any],
    missing: NanPolicy,
) -> Study:
    study = Study(
        outcome,
        scores,
        data=data,
        pos_label=_label(data, outcome, positive),
        higher_is_positive=dict.fromkeys(lower or [], False),
        nan_policy=missing,
        **roles,
    )
    if said := said_of_reading(data):  # not before: what is wrong with a file is one line
        typer.echo(f"rocstats: {said}", err=True)
    return study


def _label(data: pd.DataFrame, outcome: str, positive: str | None) -> Any:
    """Return the label with the text ``positive``; labels of a file may be numbers."""
    if positive is None or outcome not in data.columns:
        return positive
    # A file may hold the labels 0 and 1 as 0.0 and 1.0: "1" means 1.0 then.
    for label in data[outcome].dropna().unique().tolist():
        if positive in (str(label), f"{label:g}" if isinstance(label, float) else None):
            return label
    # A file of SPSS or Stata has a word for each code; both are known to its users.
    words = (data.attrs["rocstats"]["value_labels"] or {}).get(outcome, {})
    return words.get(positive, positive)


def _example() -> Study:
    return Study(
        "diagnosis",
        ["concave_points", "area", "texture", "symmetry"],
        data=load_breast_cancer(),
        pos_label="malignant",
    )


def _write(
    study: Study,
    out: Path,
    title: str | None,
    style: StyleName,
    level: float,
    band: FigureBand,
    seed: int,
) -> list[Path]:
    # Imported here: matplotlib takes longer to load than a table takes to print.
    from matplotlib.figure import Figure

    out.mkdir(parents=True, exist_ok=True)
    curve, areas = study.roc_curve(), study.auc(confidence_level=level)
    tables = {"auc": areas, "roc_curve": curve}
    if len(study.predictors) > 1:
        tables["compare_auc"] = study.compare_auc(confidence_level=level)
        tables["test_equal_auc"] = study.test_equal_auc()
    limits = band_of_figure(study, areas, level, band, seed, _watched())
    if limits is not None:
        tables["roc_band"] = limits
    page = write_report(
        study,
        out / "report.html",
        title=title,
        style=style,
        confidence_level=level,
        band=band,
        rng=seed,
        progress=_watched(),
    )
    written = [page]
    for name, frame in tables.items():
        written.append(save_table(frame, out / f"{name}.csv"))
    figure = Figure(figsize=(5, 5), layout="constrained")
    plot_roc(curve, auc=areas, band=limits, ax=figure.subplots())
    for ending in ("svg", "png"):
        written.append(out / f"roc.{ending}")
        figure.savefig(written[-1], dpi=300)
    return written


def _watched() -> bool:
    """Return whether to show bars: in a log file a bar would be a line for each step."""
    return sys.stderr.isatty()


def _print(frame: pd.DataFrame, form: TableFormat, style: StyleName) -> None:
    if form == "csv":
        typer.echo(frame.to_csv(index=False, lineterminator="\n"), nl=False)
    elif form == "json":
        typer.echo(_as_json(frame))
    else:
        typer.echo(_in_print(format_table(frame, style), form))


def _as_json(frame: pd.DataFrame) -> str:
    """Return the rows as JSON with every digit; NaN and infinite numbers are null."""

    # Python would write NaN and Infinity, which are not JSON.
    def value(v: Any) -> Any:
        return None if isinstance(v, float) and not math.isfinite(v) else v

    rows = frame.to_dict(orient="records")
    known = [{name: value(v) for name, v in row.items()} for row in rows]
    return json.dumps(known, ensure_ascii=False)


def _in_print(table: pd.DataFrame, form: TableFormat) -> str:
    footnotes = table.attrs["rocstats"]["footnotes"]
    if form == "text":
        return "\n".join([table.to_string(index=False), "", *footnotes])
    printed = printed_table(table, caption=None, footnotes=footnotes)
    return to_markdown(printed) if form == "markdown" else to_latex(printed)


def _show(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    typer.echo(f"rocstats: note: {_in_words_of_the_command(str(message))}", err=True)


_WORDS = {
    "path": "FILE",
    "data": "FILE",
    "sep": "--sep",
    "decimal": "--decimal",
    "encoding": "--encoding",
    "sheet": "--sheet",
    "y_true": "OUTCOME",
    "y_score": "SCORE",
    "pos_label": "--positive",
    "higher_is_positive": "--lower",
    "frequency": "--frequency",
    "cluster": "--cluster",
    "fold": "--fold",
    "group": "--group",
    "nan_policy": "--missing",
    "confidence_level": "--level",
    "interval": "--interval",
    "n_resamples": "--resamples",
    "rng": "--seed",
}
"""The argument or option of the command for an argument of the library."""

# Advice that only Python can follow, and the command's own.
_ADVICE = {
    "Use MulticlassStudy for more classes, or pass one class against the rest.": (
        "Add a column of one class against the rest."
    ),
    "Say their order with pandas.Categorical(..., ordered=True).": "Save them as numbers.",
    "Convert it to numbers, or to ordered categories.": "Correct it, or pass another column.",
    "more than once. Rename the columns.": "more than once. Name each column once.",
    "Resample the classes apart (stratified=True), or merge folds.": "Merge folds.",
    "higher_is_positive=False": "higher_is_positive=",
    "`method`": "`--band`",
}

# A quoted text is the user's own; `name`, name='value', name= and names that are no English word.
_NAMES = re.compile(r"(?<!\w)'[^']*'|`(\w+)`|\b(\w+)=(?:'([^']*)')?|\b([a-z]+_[a-z_]+)\b")


def _in_words_of_the_command(message: str) -> str:
    """Return the message of the library with options in place of its arguments."""
    message = re.sub(r" Leave it out: y_score\.drop.*", " Leave it out.", message)
    message = re.sub(r"\bauc\(([^()]*)\)", r"auc \1", message)
    for python, command in _ADVICE.items():
        message = message.replace(python, command)
    return _NAMES.sub(_option, message)


def _option(found: re.Match[str]) -> str:
    ticked, given, value, bare = found.groups()
    word = _WORDS.get(ticked or given or bare or "")
    if word is None:
        return found[0]
    return f"`{word}`" if ticked else f"{word} {value}" if value else word
