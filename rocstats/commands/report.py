"""The command that writes the report: page, Word document, PDF, tables and figure."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pandas as pd
import typer

from rocstats.commands.cases import CasesOrExample, option_texts_by_name, thresholds_of
from rocstats.commands.curves import Seed
from rocstats.commands.options import (
    Level,
    Prevalences,
    command_option_of_parameter,
    given_command_options,
    require_unread,
)
from rocstats.commands.output import Digits, Force, Methods, Style, pictures_of
from rocstats.commands.tables import read_tests, say_how_counts_were_taken
from rocstats.datasets.loaders import load_breast_cancer
from rocstats.errors import InputError, require_choice
from rocstats.reports.contents import Report, report_of
from rocstats.reports.document import Printable
from rocstats.reports.explored import is_table_of_counts
from rocstats.reports.figures import roc_figure_of_report, width_of_roc_figure
from rocstats.reports.options import Explorer, ReportCriterion, read_report_options
from rocstats.reports.report import WRITERS
from rocstats.studies.studies import Study
from rocstats.study.files import unusual_reading
from rocstats.tables.files import write_files_all_or_none
from rocstats.tables.latex import to_latex
from rocstats.tables.markup import printed_table, to_markdown
from rocstats.tables.methods import methods_lines
from rocstats.tables.protocols import FigureBand
from rocstats.tables.tables import Layout, format_table, table_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANEL = "The report"
_of_page = partial(typer.Option, rich_help_panel=_PANEL)

Kind = Annotated[list[str] | None, _of_page(help="Write only html, docx or pdf (repeatable).")]

_EXAMPLE: dict[str, Any] = {
    "title": "Measurements of cell nuclei as tests for breast cancer",
    "words": {"case": "woman", "condition": "cancer", "action": "biopsy"},
    "source": "Breast cancer data of Wisconsin, as shipped with rocstats.",
}
"""Title and words of the example."""
Maker = Callable[[], bytes]
"""Makes the content of a file."""
Kinds = Mapping[str, Callable[[Printable], bytes]]
"""What makes each kind of a report, by the ending of its file."""

# What writes each kind of report that the package alone cannot write.
_PACKAGES = {".docx": "docx", ".pdf": "typst"}
_INSTALL = 'pip install "rocstats[files]"'

# A digest of 12 hexadecimal digits tells any two files of a study apart.
_DIGEST = 12


def report(
    cases: CasesOrExample,
    out: Annotated[Path, typer.Option(help="Folder to write to; made if need be.")] = Path(
        "report"
    ),
    example: Annotated[bool, typer.Option("--example", help="Use shipped data: no file.")] = False,
    tables: Annotated[
        Path | None,
        typer.Option(help="Yes/no tests instead: a file of columns test, tp, fp, fn, tn."),
    ] = None,
    prespecified: Annotated[
        list[str] | None,
        _of_page(metavar="[SCORE=]VALUE", help="Cutoff set before the study (repeatable)."),
    ] = None,
    criterion: Annotated[
        Literal[ReportCriterion, "none"],
        _of_page(help="How a cutoff is chosen from these data."),
    ] = "youden",
    prevalence: Prevalences = None,
    risk_threshold: Annotated[
        list[float] | None,
        _of_page(help="Risk from which on one would act, if scores are risks (repeatable)."),
    ] = None,
    word: Annotated[
        list[str] | None,
        _of_page(
            metavar="NAME=TEXT",
            help="What the page calls case, cases, condition or action (repeatable).",
        ),
    ] = None,
    explorer: Annotated[
        Literal[Explorer, "none"],
        _of_page(help="What page and folder hold: counts, or the exact scores of patients too."),
    ] = "counts",
    band: Annotated[FigureBand, _of_page(help="Band of the figure.")] = "fixed-width",
    title: Annotated[str | None, _of_page(help="Heading of the page.")] = None,
    level: Level = 0.95,
    style: Style = "plain",
    seed: Seed = 1,
    kind: Kind = None,
    force: Force = False,
) -> None:
    r"""Write the report as page, Word document and PDF, its tables as csv, its figure as svg.

    With --explorer exact the page has the score of every patient, and the folder the file
    roc_curve.csv with the counts at every score. Otherwise no file has single scores.

    rocstats report patients.csv diagnosis area --positive malignant --out report

    rocstats report patients.csv diagnosis area texture --positive malignant \
      --prespecified area=600 --prespecified texture=20 --prevalence 0.05 \
      --word case=woman --word condition=cancer --out report

    rocstats report risks.csv died model older --risk-threshold 0.1 --out report

    rocstats report --tables two_by_two.csv --out report

    rocstats report --example --out example
    """
    study, origin = _study_of_report_command(cases, example, tables)
    asked: dict[str, Any] = {
        **origin,
        **given_command_options(title=title, prevalence=prevalence, risk_threshold=risk_threshold),
        **given_command_options(prespecified=thresholds_of(prespecified, "--prespecified")),
        **given_command_options(words=option_texts_by_name("--word", word or []) or None),
        "criterion": None if criterion == "none" else criterion,
        "explorer": None if explorer == "none" else explorer,
        "style": style, "confidence_level": level, "band": band, "rng": seed,
        "progress": sys.stderr.isatty(),
    }  # fmt: skip
    options = read_report_options(study, **asked)
    kinds = writers_of_report_kinds(kind)
    # Before any answer is computed: resampling may take minutes.
    require_folder_without_files(out, [f"report{ending}" for ending in kinds], force=force)
    made = report_of(study, options)
    read = [file for file in (cases.file, tables) if file is not None]
    hidden = options.explorer != "exact" and not is_table_of_counts(study, made.answers.curve)
    files = _file_makers_of_report(study, made, kinds, hidden=hidden)
    write_folder(out, files, read=read, force=force)
    typer.echo(_single_scores_in_words(options.explorer, hidden=hidden), err=True)


def _single_scores_in_words(explorer: Explorer | None, *, hidden: bool) -> str:
    """Return whether the folder has scores of single patients."""
    if explorer == "exact":
        return (
            "rocstats: --explorer exact: report.html and roc_curve.csv have the score of every"
            " patient. Send them only where single scores may be shown."
        )
    if hidden:
        return (
            "rocstats: no file has the scores of single patients; --explorer exact adds them to the"
            " page and writes roc_curve.csv."
        )
    return "rocstats: the data are a table of counts, and the folder has all of it."


def write_folder(
    out: Path, files: Mapping[str, Maker], *, read: Iterable[Path], force: bool
) -> None:
    """Write the files of a folder, all or none, and print their paths.

    Parameters
    ----------
    out : pathlib.Path
        The folder, made if need be.
    files : mapping of str to callable
        Makes the content of each file, by its name.
    read : iterable of pathlib.Path
        Files that the command read, which are never replaced.
    force : bool
        Whether other files that are there are replaced.
    """
    for name in files:
        require_unread(out / name, read)
    require_folder_without_files(out, files, force=force)
    # All are made before the first is written: an interrupt leaves no half report.
    contents = {out / name: make() for name, make in files.items()}
    out.mkdir(parents=True, exist_ok=True)
    write_files_all_or_none(contents)
    typer.echo("\n".join(str(file) for file in contents))


def _study_of_report_command(
    cases: CasesOrExample, example: bool, tables: Path | None
) -> tuple[Study, dict[str, Any]]:
    """Return the study, and options of the report that tell of its data and how they were read."""
    if example:
        study = Study(
            "diagnosis",
            ["concave_points", "area", "texture", "symmetry"],
            data=load_breast_cancer(),
            pos_label="malignant",
            labels={"concave_points": "concave points"},
        )
        return study, _EXAMPLE
    if tables is None:
        study, data = cases.study_and_data()
        origin = {
            "source": source_file_name_and_digest(cases.file),
            "reading": ", ".join(unusual_reading(data)),
            "hints": cases.hints(data),
        }
        return study, origin
    if cases.file is not None:
        raise InputError(
            f"`--tables` must be the only file; got {str(cases.file)!r} too. Leave one of them out."
        )
    tests = read_tests(cases, tables, "--tables")
    say_how_counts_were_taken(tests)
    study = Study.from_confusion(tests, labels=cases.labels())
    return study, {"source": source_file_name_and_digest(tables)}


# --- Tables that are printed, and their report ----------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PrintedReport:
    """How tables are printed, and the folder of the report that has them too."""

    style: Style = "plain"
    form: Annotated[
        Literal["text", "markdown", "latex"],
        typer.Option("--format", help="How tables are printed."),
    ] = "text"
    digits: Digits = None
    methods: Methods = False
    out: Annotated[Path | None, _of_page(help="Folder for tables, figures and report.")] = None
    kind: Kind = None
    title: Annotated[str | None, command_option_of_parameter("title")] = None
    force: Force = False

    def __post_init__(self) -> None:
        # Before any answer is computed: resampling may take minutes.
        if self.out is not None:
            names = [f"report{ending}" for ending in self.kinds]
            require_folder_without_files(self.out, names, force=self.force)

    @cached_property
    def kinds(self) -> Kinds:
        """What writes each kind of report."""
        return writers_of_report_kinds(self.kind)

    def table_as_text(
        self, frame: pd.DataFrame | list[pd.DataFrame], layout: Layout = "long"
    ) -> str:
        """Return the table of a frame, or of several, with its footnotes, and an empty line."""
        table = format_table(frame, self.style, layout=layout, digits=self.digits)
        notes = table.attrs["rocstats"]["footnotes"]
        if self.form == "text":
            return "\n".join([table.to_string(index=False), "", *notes, ""])
        printed = printed_table(table, caption=None, footnotes=notes)
        text = to_markdown(printed) if self.form == "markdown" else to_latex(printed)
        return f"{text.rstrip()}\n"

    def print_methods(self, frame: pd.DataFrame | list[pd.DataFrame]) -> None:
        """Print the paragraph of methods, if requested."""
        if self.methods:
            typer.echo("\n".join(["", *methods_lines(frame)]))

    def write(
        self,
        made: Printable,
        frames: Mapping[str, pd.DataFrame],
        drawings: Mapping[str, Callable[[], Figure]],
        *,
        read: Iterable[Path],
        tables: Mapping[str, Maker] | None = None,
    ) -> None:
        """Write the report, its frames, figures and other tables into the folder, if there is one.

        Parameters
        ----------
        made : Printable
            The report.
        frames : mapping of str to pandas.DataFrame
            Answers to write as csv, by the names of their files.
        drawings : mapping of str to callable
            What draws each figure, by the name of its file.
        read : iterable of pathlib.Path
            Files of the data, which are never replaced.
        tables : mapping of str to callable, optional
            Makes the content of other files, by name.
        """
        if self.out is not None:
            files = {
                **report_makers_by_file_name(made, self.kinds),
                **(tables or {}),
                **csv_makers_by_file_name(frames),
                **pictures_of(drawings, self.style),
            }
            write_folder(self.out, files, read=read, force=self.force)


# --- Sources, kinds and files ---------------------------------------------------------------------


def source_file_name_and_digest(file: Path | None) -> str | None:
    """Return the name of a file and the beginning of its digest; None for standard input."""
    if file is None or not file.is_file():
        return None
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:_DIGEST]
    # A name in another encoding than that of the system has bytes that are no characters.
    name = os.fsencode(file.name).decode(errors="replace")
    return f"The data are in the file {name} (SHA-256 {digest}...)."


def writers_of_report_kinds(asked: list[str] | None) -> Kinds:
    """Return what writes each kind of report; without a wish, all that this machine can write."""
    lacking = [ending for ending, package in _PACKAGES.items() if find_spec(package) is None]
    if not asked:
        for ending in lacking:
            typer.echo(f"rocstats: no report{ending}: it needs {_INSTALL}", err=True)
        return {ending: write for ending, write in WRITERS.items() if ending not in lacking}
    words = [ending[1:] for ending in WRITERS]
    wanted = [f".{require_choice('kind', word, words)}" for word in asked]
    for ending in wanted:
        if ending in lacking:
            raise InputError(
                f"`kind` must be a format that can be written on this computer; got {ending[1:]!r},"
                f" which needs {_INSTALL}."
            )
    return {ending: WRITERS[ending] for ending in wanted}


def _file_makers_of_report(
    study: Study, made: Report, kinds: Kinds, *, hidden: bool
) -> dict[str, Maker]:
    """Return what makes each file of the report by its name; ``hidden``: without single scores."""
    answers, style = made.answers, made.options.style
    tables = answers.tables()
    if hidden:
        del tables["roc_curve"]
    # The figure of the report, with its names of tests and its cutoffs.
    shown = answers.labelled(study.labels)
    draw = partial(roc_figure_of_report, shown, style, width_of_roc_figure(shown))
    return {
        **report_makers_by_file_name(made, kinds),
        **csv_makers_by_file_name(tables),
        # A yes/no test has no curve.
        **(pictures_of({"roc": draw}, style) if answers.auc is not None else {}),
    }


def csv_makers_by_file_name(frames: Mapping[str, pd.DataFrame]) -> dict[str, Maker]:
    """Return what makes the csv file of each frame, by the name of its file."""
    return {f"{name}.csv": partial(table_file, frame, ".csv") for name, frame in frames.items()}


def report_makers_by_file_name(made: Printable, kinds: Kinds) -> dict[str, Maker]:
    """Return what makes each kind of a report, by the name of its file."""
    return {f"report{ending}": partial(make, made) for ending, make in kinds.items()}


def require_folder_without_files(folder: Path, names: Iterable[str], *, force: bool) -> None:
    """Raise InputError if a folder has one of some files, unless they are to be replaced."""
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        raise InputError(
            f"`--out` must be a folder without a report; got {str(folder)!r}, which has"
            f" {', '.join(there)}. Name another, or pass --force to replace these files."
        )
