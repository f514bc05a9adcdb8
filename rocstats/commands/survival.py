"""The command about times to an event: its table, its result, its report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

import typer

from rocstats.commands.cases import (
    STUDY_PANEL,
    Clusters,
    Labels,
    Missing,
    Subgroup,
    option_texts_by_name,
    thresholds_of,
)
from rocstats.commands.options import Level, command_option_of_parameter
from rocstats.commands.reading import Reading, report_parsing
from rocstats.commands.report import PrintedReport, source_file_name_and_digest
from rocstats.errors import InputError
from rocstats.inference.survival.follow_up import Controls
from rocstats.reports.survival import (
    area_sentences,
    ask_survival,
    read_survival_options,
    survival_figures_with_captions,
    survival_report,
)
from rocstats.studies.studies import SurvivalStudy
from rocstats.study.cells import label_meant
from rocstats.study.points import read_horizons
from rocstats.tables.protocols import SurvivalStudyLike
from rocstats.tables.tables import Layout


@dataclass(frozen=True, kw_only=True)
class Patients(Reading):
    """A file with a row for each patient, and the roles of its columns."""

    file: Annotated[Path, typer.Argument(metavar="FILE", help="Data: a row for each patient.")]
    follow_up: Annotated[
        str, typer.Argument(metavar="TIME", help="Column with the time of follow-up.")
    ]
    event: Annotated[
        str,
        typer.Argument(
            metavar="EVENT", help="Column with what ended it: 0 censored, 1, 2, ..., or --event."
        ),
    ]
    scores: Annotated[list[str], typer.Argument(metavar="SCORE", help="Columns with the scores.")]
    cause: Annotated[
        int,
        typer.Option(
            help="Code of the event of interest, where 0 is censored.", rich_help_panel=STUDY_PANEL
        ),
    ] = 1
    event_code: Annotated[
        list[str] | None,
        typer.Option(
            "--event",
            metavar="CODE",
            help="Code of the event, where none is 0 or codes are words (repeatable).",
            rich_help_panel=STUDY_PANEL,
        ),
    ] = None
    censored_code: Annotated[
        list[str] | None,
        typer.Option(
            "--censored",
            metavar="CODE",
            help='Code of the censored (repeatable); "" if nobody is.',
            rich_help_panel=STUDY_PANEL,
        ),
    ] = None
    lower: Annotated[
        list[str] | None,
        typer.Option(
            help="A score of which low values mean an earlier event (repeatable).",
            rich_help_panel=STUDY_PANEL,
        ),
    ] = None
    cluster: Clusters = None
    group: Subgroup = None
    missing: Missing = "raise"
    outcome_name: Annotated[
        str | None, typer.Option(help="Printed name of the event.", rich_help_panel=STUDY_PANEL)
    ] = None
    label: Labels = None

    def study(self) -> SurvivalStudy:
        """Return the study of the file."""
        data = self.read(
            self.file,
            labels=[name for name in (self.cluster, self.group) if name is not None],
            codes=[self.event],
        )
        event_code, censored_code = (
            None
            if codes is None
            else [label_meant(data, self.event, code) for code in codes if code]
            for codes in (self.event_code, self.censored_code)
        )
        study = SurvivalStudy(
            self.follow_up,
            self.event,
            self.scores,
            data=data,
            cause=self.cause,
            event_code=event_code,
            censored_code=censored_code,
            higher_is_positive=dict.fromkeys(self.lower or [], False) or True,
            cluster=self.cluster,
            group=self.group,
            nan_policy=self.missing,
            labels=option_texts_by_name("--label", self.label or []) or None,
            outcome=self.outcome_name,
        )
        report_parsing(data)
        return study


def survival(
    patients: Patients,
    printing: PrintedReport,
    time: Annotated[
        list[float] | None,
        typer.Option("--time", help="Time at which patients are told apart (repeatable)."),
    ] = None,
    controls: Annotated[Controls, command_option_of_parameter("controls")] = "not-case",
    prespecified: Annotated[
        list[str] | None,
        typer.Option(metavar="[SCORE=]VALUE", help="Threshold set before the study (repeatable)."),
    ] = None,
    level: Level = 0.95,
) -> None:
    r"""Print the areas under the ROC curve at given times, and the result in a sentence.

    rocstats survival patients.csv months event bilirubin --time 24 --time 60

    rocstats survival patients.csv months event bilirubin albumin --lower albumin \
      --time 60 --methods

    rocstats survival patients.csv months event bilirubin albumin --lower albumin \
      --time 24 --time 60 --prespecified bilirubin=2 --style jama --out report
    """
    if not time:
        raise InputError("`--time` must be given; got none. Pass a time in the unit of the file.")
    read_horizons(time, "--time")
    study = cast("SurvivalStudyLike", patients.study())
    options = read_survival_options(
        study,
        time=time,
        title=printing.title,
        style=printing.style,
        confidence_level=level,
        controls=controls,
        prespecified=thresholds_of(prespecified, "--prespecified"),
        source=source_file_name_and_digest(patients.file),
    )
    asked = ask_survival(study, options)
    shown = asked.labelled(study.labels)
    for frame in shown:
        if frame is not None:
            layout: Layout = "wide" if frame is shown.points else "long"
            typer.echo(printing.table_as_text(frame, layout))
    typer.echo(" ".join([study.events_in_words, *area_sentences(shown.auc, options)]))
    printing.print_methods(shown.auc)
    if printing.out is not None:
        made = survival_report(study, options, asked)
        drawn = survival_figures_with_captions(made.answers.labelled(study.labels), options)
        drawings = {name: draw for name, (draw, _) in drawn.items()}
        printing.write(made, made.answers.tables(), drawings, read=[patients.file])
