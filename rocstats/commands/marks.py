"""The command about marks of lesions: its table, its result, its report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from rocstats.commands.cases import Labels, Subgroup, option_texts_by_name
from rocstats.commands.curves import Seed
from rocstats.commands.options import (
    Level,
    Margin,
    Tested,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.reading import Reading, report_parsing
from rocstats.commands.report import PrintedReport, source_file_name_and_digest
from rocstats.errors import require_open_interval
from rocstats.estimate.readers import Effect
from rocstats.inference.localisation.endpoints import MarksCovariance
from rocstats.inference.localisation.figures import MarksCurve
from rocstats.reports.localisation import (
    MarksAnswers,
    MarksOptions,
    drawings_of_marks,
    marks_report,
)
from rocstats.reports.options import read_report_words
from rocstats.studies.studies import DetectionStudy
from rocstats.tables.readers import machine_sentences, reader_result_sentences
from rocstats.tables.tables import table_file
from rocstats.tables.text import StyleName

_STUDY = "The study"


@dataclass(frozen=True, kw_only=True)
class MarkFiles(Reading):
    """Files of marks, cases and lesions, and the roles of their columns."""

    file: Annotated[
        Path, typer.Argument(metavar="MARKS", help="Data: a row for each mark; no lesion: false.")
    ]
    case_table: Annotated[
        Path, typer.Option(help="File with a row for each case, also for those without marks.")
    ]
    lesion_table: Annotated[
        Path, typer.Option(help="File with a row for each lesion, also for those not found.")
    ]
    case: Annotated[str, typer.Option(help="Column with the case, in all files.")] = "case"
    rating: Annotated[str, typer.Option(help="Column with the rating of the mark.")] = "rating"
    lesion: Annotated[
        str, typer.Option(help="Column with the lesion, in the files of marks and of lesions.")
    ] = "lesion"
    reader: Annotated[
        str | None, typer.Option(help="Column with the reader; one unless given.")
    ] = None
    modality: Annotated[
        str | None, typer.Option(help="Column with the modality, or the algorithm.")
    ] = None
    machine: Annotated[
        str | None,
        typer.Option(help="The reader that is an algorithm.", rich_help_panel=_STUDY),
    ] = None
    weight: Annotated[
        str | None,
        typer.Option(help="Column of lesions with their weights.", rich_help_panel=_STUDY),
    ] = None
    truth: Annotated[
        str | None,
        typer.Option(help="Column of cases with the truth, to be checked.", rich_help_panel=_STUDY),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Column of cases that says which belong together.", rich_help_panel=_STUDY
        ),
    ] = None
    group: Subgroup = None
    outcome_name: Annotated[
        str | None, command_option_of_parameter("outcome", rich_help_panel=_STUDY)
    ] = None
    label: Labels = None

    def study(self) -> DetectionStudy:
        """Return the study of the files."""
        marks, cases, lesions = (
            self.read(file, labels=[name for name in names if name is not None])
            for file, names in (
                # Not the lesion: a number of a lesion is written 1.0 beside empty cells.
                (self.file, (self.case, self.reader, self.modality)),
                (self.case_table, (self.case, self.cluster, self.group)),
                (self.lesion_table, (self.case,)),
            )
        )
        study = DetectionStudy(
            marks,
            cases,
            lesions,
            case=self.case,
            rating=self.rating,
            lesion=self.lesion,
            reader=self.reader,
            modality=self.modality,
            weight=self.weight,
            truth=self.truth,
            cluster=self.cluster,
            group=self.group,
            machine=self.machine,
            labels=option_texts_by_name("--label", self.label or []) or None,
            outcome=self.outcome_name,
        )
        report_parsing(marks)
        return study


def marks(
    files: MarkFiles,
    printing: PrintedReport,
    curve: Annotated[MarksCurve, typer.Option(help="Curve of the areas.")] = "wafroc",
    readers: Annotated[
        Effect | None,
        typer.Option(help="Readers like these, or these very ones; random unless there is one."),
    ] = None,
    cases: Annotated[Effect, typer.Option(help="Cases like these, or these very ones.")] = "random",
    covariance: Annotated[
        MarksCovariance, typer.Option(help="Covariance of the areas.")
    ] = "jackknife",
    reference: Annotated[
        str | None, typer.Option(help="Compare each modality with this one only.")
    ] = None,
    hypothesis: Tested = "difference",
    margin: Margin = None,
    level: Level = 0.95,
    seed: Seed = 1,
) -> None:
    r"""Print how well lesions are found: areas, their differences, and the result in a sentence.

    rocstats marks marks.csv --case-table cases.csv --lesion-table lesions.csv \
      --reader reader --modality modality

    rocstats marks marks.csv --case-table cases.csv --lesion-table lesions.csv \
      --modality model --curve wafroc1 --methods

    rocstats marks marks.csv --case-table cases.csv --lesion-table lesions.csv \
      --reader reader --machine AI --out report
    """
    require_open_interval("confidence_level", level, 0, 1)
    study = files.study()
    asked = {
        "curve": curve,
        "cases": cases,
        "covariance": covariance,
        "confidence_level": level,
        **given_command_options(readers=readers),
    }
    tested = given_command_options(reference=reference, margin=margin)
    options = MarksOptions(
        title=printing.title,
        style=printing.style,
        words=read_report_words(None, study.outcome, clustered=True),
        source=source_file_name_and_digest(files.file),
        seed=seed,
        asked=asked,
        compared={**tested, "hypothesis": hypothesis},
    )
    made = marks_report(study, options)
    shown = made.answers.labelled(study.labels)
    typer.echo(printing.table_as_text(shown.in_table))
    typer.echo(_marks_result_in_words(shown, printing.style))
    printing.print_methods(shown.in_methods)
    printing.write(
        made,
        made.answers.tables(),
        drawings_of_marks(shown),
        read=[files.file, files.case_table, files.lesion_table],
        tables={
            "table_of_readers.md": partial(table_file, shown.in_table, ".md", style=printing.style)
        },
    )


def _marks_result_in_words(answers: MarksAnswers, style: StyleName) -> str:
    """Return the result in sentences."""
    said = reader_result_sentences(answers.auc, answers.comparison, style)
    if answers.machine is not None:
        said += machine_sentences(answers.machine, style)
    return " ".join(dict.fromkeys(said))
