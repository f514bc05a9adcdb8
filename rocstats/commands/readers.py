"""The command about a study of several readers: its table, its result, its report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from rocstats.commands.cases import Labels, Missing, Subgroup, option_texts_by_name
from rocstats.commands.curves import pictures_of
from rocstats.commands.options import (
    Level,
    Margin,
    Tested,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.output import Digits, Force, Methods, Style
from rocstats.commands.reading import Reading, report_parsing
from rocstats.commands.report import (
    Folder,
    Kind,
    Kinds,
    Maker,
    Title,
    csv_makers_by_file_name,
    report_makers_by_file_name,
    require_folder_without_files,
    source_file_name_and_digest,
    write_folder,
    writers_of_report_kinds,
)
from rocstats.errors import InputError
from rocstats.estimate.reader_covariance import Covariance
from rocstats.estimate.readers import Effect
from rocstats.inference.readers.plan import ReaderMethod
from rocstats.reports.readers import (
    ReaderAnswers,
    ReaderReport,
    drawings_of_reader_figures,
    read_reader_options,
    reader_report,
)
from rocstats.studies.studies import ReaderStudy
from rocstats.study.cells import label_meant
from rocstats.study.selection import reads_of_reader_columns
from rocstats.tables.latex import to_latex
from rocstats.tables.markup import printed_table, to_markdown
from rocstats.tables.methods import methods_lines
from rocstats.tables.protocols import ReaderStudyLike
from rocstats.tables.readers import machine_sentences, reader_result_sentences
from rocstats.tables.tables import format_table, table_file
from rocstats.tables.text import StyleName

_STUDY = "The study"
_RATING, _READER = "rating", "reader"
"""Columns of the reads that are made of a file with a column for each reader."""

_TABLES = {".md": "", ".docx": "docx", ".xlsx": "openpyxl"}
"""Endings of the files of the table, with the package that each needs."""


@dataclass(frozen=True, kw_only=True)
class Reads(Reading):
    """A file with a row for each read, and the roles of its columns."""

    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Data: a row for each reading of a case.")
    ]
    truth: Annotated[str, typer.Option(help="Column with the true class of the case.")]
    case: Annotated[str, typer.Option(help="Column with the case.")]
    rating: Annotated[str | None, typer.Option(help="Column with the rating.")] = None
    reader: Annotated[str | None, typer.Option(help="Column with the reader.")] = None
    reader_column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Column with the ratings of one reader, or several as R* (repeatable): a row is"
            " then a case (under a modality). Instead of --rating and --reader.",
        ),
    ] = None
    modality: Annotated[
        str | None, typer.Option(help="Column with the modality; one unless given.")
    ] = None
    machine: Annotated[
        list[str] | None,
        typer.Option(
            help="Column with the score of a machine (repeatable).", rich_help_panel=_STUDY
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(help="Column that says which cases belong together.", rich_help_panel=_STUDY),
    ] = None
    group: Subgroup = None
    positive: Annotated[
        str | None, command_option_of_parameter("pos_label", rich_help_panel=_STUDY)
    ] = None
    lower: Annotated[
        list[str] | None,
        typer.Option(
            help="A modality of which low ratings are positive (repeatable).",
            rich_help_panel=_STUDY,
        ),
    ] = None
    missing: Missing = "raise"
    outcome_name: Annotated[
        str | None, command_option_of_parameter("outcome", rich_help_panel=_STUDY)
    ] = None
    label: Labels = None

    def study(self) -> ReaderStudy:
        """Return the study of the file."""
        if not self.reader_column and (self.rating is None or self.reader is None):
            raise InputError(
                "`--rating` and `--reader` must be given, or --reader-column for a file with a"
                " column for each reader; got neither. Name the columns."
            )
        if self.reader_column and (self.rating or self.reader):
            raise InputError(
                "`--reader-column` must be without --rating and --reader; got both. A row is a"
                " read, or a case with a column for each reader."
            )
        roles = (self.reader, self.case, self.modality, self.cluster, self.group)
        data = self.read(
            self.file, labels=[name for name in roles if name is not None], codes=[self.truth]
        )
        rating, reader = self.rating, self.reader
        if self.reader_column:
            rating, reader = _RATING, _READER
            data = reads_of_reader_columns(data, self.reader_column, rating, reader)
        study = ReaderStudy(
            self.truth,
            rating,
            data=data,
            reader=reader,
            case=self.case,
            modality=self.modality,
            cluster=self.cluster,
            group=self.group,
            machine=self.machine,
            pos_label=label_meant(data, self.truth, self.positive),
            higher_is_positive=dict.fromkeys(self.lower or [], False) or True,
            nan_policy=self.missing,
            labels=option_texts_by_name("--label", self.label or []) or None,
            outcome=self.outcome_name,
        )
        report_parsing(data)
        return study


def readers(
    reads: Reads,
    readers: Annotated[
        Effect, typer.Option(case_sensitive=False, help="Readers like these, or these very ones.")
    ] = "random",
    cases: Annotated[
        Effect, typer.Option(case_sensitive=False, help="Cases like these, or these very ones.")
    ] = "random",
    method: Annotated[
        ReaderMethod | None,
        typer.Option(case_sensitive=False, help="Analysis; chosen by the design unless given."),
    ] = None,
    covariance: Annotated[
        Covariance, typer.Option(case_sensitive=False, help="Covariance of the areas.")
    ] = "jackknife",
    reference: Annotated[
        str | None, typer.Option(help="Compare each modality with this one only.")
    ] = None,
    hypothesis: Tested = "difference",
    margin: Margin = None,
    prespecified: Annotated[
        float | None, typer.Option(help="Rating from which a case is called positive.")
    ] = None,
    level: Level = 0.95,
    style: Style = "plain",
    form: Annotated[
        Literal["text", "markdown", "latex"],
        typer.Option("--format", case_sensitive=False, help="How the table is printed."),
    ] = "text",
    digits: Digits = None,
    methods: Methods = False,
    out: Folder = None,
    kind: Kind = None,
    title: Title = None,
    force: Force = False,
) -> None:
    r"""Print the areas of readers, their averages and differences, and the result in a sentence.

    rocstats readers reads.csv --truth truth --rating rating --reader reader \
      --case case --modality modality

    rocstats readers wide.csv --truth truth --case case --reader-column "R*"

    rocstats readers reads.csv --truth truth --rating rating --reader reader \
      --case case --modality modality --machine score --readers fixed --methods

    rocstats readers reads.csv --truth truth --rating rating --reader reader \
      --case case --modality modality --hypothesis non-inferiority --margin 0.05 \
      --style jama --out report
    """
    kinds = writers_of_report_kinds(kind) if out is not None else {}
    if out is not None:
        require_folder_without_files(out, [f"report{ending}" for ending in kinds], force=force)
    study = cast("ReaderStudyLike", reads.study())
    factors = {"readers": readers, "cases": cases, "covariance": covariance}
    tested = given_command_options(method=method, reference=reference, margin=margin)
    options = read_reader_options(
        study,
        title=title,
        style=style,
        confidence_level=level,
        prespecified=prespecified,
        comparison={**factors, **tested, "hypothesis": hypothesis},
        source=source_file_name_and_digest(reads.file),
    )
    made = reader_report(study, options)
    shown = made.answers.labelled(study.labels)
    typer.echo(_reader_answers_as_text(shown, style, form, digits))
    if methods:
        typer.echo("\n".join(["", *methods_lines(shown.in_methods)]))
    if out is not None:
        files = _file_makers_of_reader_report(made, shown, kinds, style)
        write_folder(out, files, read=[reads.file], force=force)


def _reader_answers_as_text(
    answers: ReaderAnswers, style: StyleName, form: str, digits: int | None
) -> str:
    """Return the table of readers, and the result in sentences."""
    table = format_table(answers.in_table, style, digits=digits)
    notes = table.attrs["rocstats"]["footnotes"]
    said = reader_result_sentences(answers.auc, answers.comparison, style)
    for frame in answers.machines:
        said += machine_sentences(frame, style)
    result = " ".join(dict.fromkeys(said))
    if form == "text":
        return "\n".join([table.to_string(index=False), "", *notes, "", result])
    printed = printed_table(table, caption=None, footnotes=notes)
    text = to_markdown(printed) if form == "markdown" else to_latex(printed)
    return f"{text.rstrip()}\n\n{result}"


def _file_makers_of_reader_report(
    made: ReaderReport, shown: ReaderAnswers, kinds: Kinds, style: StyleName
) -> dict[str, Maker]:
    """Return what makes each file of the folder, by its name."""
    there = [ending for ending, package in _TABLES.items() if not package or find_spec(package)]
    tables: dict[str, Maker] = {
        f"table_of_readers{ending}": partial(table_file, shown.in_table, ending, style=style)
        for ending in there
    }
    return {
        **report_makers_by_file_name(made, kinds),
        **tables,
        **csv_makers_by_file_name(made.answers.tables()),
        **pictures_of(drawings_of_reader_figures(shown, style), style),
    }
