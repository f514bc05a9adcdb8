"""The command about a study of several readers: its table, its result, its report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, cast

import typer

from rocstats.commands.cases import (
    STUDY_PANEL,
    Clusters,
    Labels,
    Missing,
    Positive,
    Subgroup,
    option_texts_by_name,
    role_option,
)
from rocstats.commands.options import (
    Level,
    Margin,
    Tested,
    given_command_options,
)
from rocstats.commands.reading import Reading, report_parsing
from rocstats.commands.report import Maker, PrintedReport, source_file_name_and_digest
from rocstats.errors import InputError
from rocstats.estimate.reader_covariance import Covariance
from rocstats.estimate.readers import Effect
from rocstats.inference.readers.plan import ReaderMethod
from rocstats.reports.readers import (
    ReaderAnswers,
    drawings_of_reader_figures,
    read_reader_options,
    reader_report,
)
from rocstats.studies.studies import ReaderStudy
from rocstats.study.cells import label_meant
from rocstats.study.readers import reads_of_reader_columns
from rocstats.tables.protocols import ReaderStudyLike
from rocstats.tables.readers import machine_sentences, reader_result_sentences
from rocstats.tables.tables import table_file
from rocstats.tables.text import StyleName

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
            help="Column with the score of a machine (repeatable).", rich_help_panel=STUDY_PANEL
        ),
    ] = None
    cluster: Clusters = None
    group: Subgroup = None
    positive: Positive = None
    lower: Annotated[
        list[str] | None,
        typer.Option(
            help="A modality of which low ratings are positive (repeatable).",
            rich_help_panel=STUDY_PANEL,
        ),
    ] = None
    missing: Missing = "raise"
    outcome_name: Annotated[str | None, role_option("outcome")] = None
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
                "`--reader-column` must be left out with --rating and --reader; got both. Pass"
                " --reader-column only if each row is a case with a column for each reader."
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
    printing: PrintedReport,
    readers: Annotated[
        Effect, typer.Option(help="Readers like these, or these very ones.")
    ] = "random",
    cases: Annotated[Effect, typer.Option(help="Cases like these, or these very ones.")] = "random",
    method: Annotated[
        ReaderMethod | None, typer.Option(help="Analysis; chosen by the design unless given.")
    ] = None,
    covariance: Annotated[Covariance, typer.Option(help="Covariance of the areas.")] = "jackknife",
    reference: Annotated[
        str | None, typer.Option(help="Compare each modality with this one only.")
    ] = None,
    hypothesis: Tested = "difference",
    margin: Margin = None,
    prespecified: Annotated[
        float | None, typer.Option(help="Rating from which a case is called positive.")
    ] = None,
    level: Level = 0.95,
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
    study = cast("ReaderStudyLike", reads.study())
    factors = {"readers": readers, "cases": cases, "covariance": covariance}
    tested = given_command_options(method=method, reference=reference, margin=margin)
    options = read_reader_options(
        study,
        title=printing.title,
        style=printing.style,
        confidence_level=level,
        prespecified=prespecified,
        comparison={**factors, **tested, "hypothesis": hypothesis},
        source=source_file_name_and_digest(reads.file),
    )
    made = reader_report(study, options)
    shown = made.answers.labelled(study.labels)
    typer.echo(printing.table_as_text(shown.in_table))
    typer.echo(_reader_result_in_words(shown, printing.style))
    printing.print_methods(shown.in_methods)
    printing.write(
        made,
        made.answers.tables(),
        drawings_of_reader_figures(shown, printing.style),
        read=[reads.file],
        tables=_table_makers_of_readers(shown, printing.style),
    )


def _reader_result_in_words(answers: ReaderAnswers, style: StyleName) -> str:
    """Return the result in sentences."""
    said = reader_result_sentences(answers.auc, answers.comparison, style)
    for frame in answers.machines:
        said += machine_sentences(frame, style)
    return " ".join(dict.fromkeys(said))


def _table_makers_of_readers(answers: ReaderAnswers, style: StyleName) -> dict[str, Maker]:
    """Return what makes each file of the table, by its name."""
    there = [ending for ending, package in _TABLES.items() if not package or find_spec(package)]
    return {
        f"table_of_readers{ending}": partial(table_file, answers.in_table, ending, style=style)
        for ending in there
    }
