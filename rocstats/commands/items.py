"""The command about items that systems do right or wrong: models, judges, programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from rocstats.commands.cases import Labels, Missing, option_texts_by_name
from rocstats.commands.options import (
    Level,
    Margin,
    Side,
    Tested,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.output import Output
from rocstats.commands.reading import Reading, report_parsing
from rocstats.errors import InputError
from rocstats.estimate.claim import Adjustment
from rocstats.estimate.paired_tables import PairedInterval, PairedTest
from rocstats.studies.studies import ItemStudy

_STUDY = "The study"


@dataclass(frozen=True, kw_only=True)
class Items(Reading):
    """A file with a row for each item, or for each item and system."""

    file: Annotated[Path, typer.Argument(metavar="FILE", help="Data: a row for each item.")]
    scores: Annotated[
        list[str],
        typer.Argument(
            metavar="SCORE",
            help="Column of each system: 1 right, 0 wrong, or a grade between.",
        ),
    ]
    item: Annotated[
        str | None,
        typer.Option(
            help="Column with the item, of rows of one item and one system.", rich_help_panel=_STUDY
        ),
    ] = None
    system: Annotated[
        str | None,
        typer.Option(help="Column with the system, of the same rows.", rich_help_panel=_STUDY),
    ] = None
    frequency: Annotated[
        str | None,
        typer.Option(help="Column with the number of items of a row.", rich_help_panel=_STUDY),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(help="Column that says which items belong together.", rich_help_panel=_STUDY),
    ] = None
    group: Annotated[
        list[str] | None,
        command_option_of_parameter("group", repeatable=True, rich_help_panel=_STUDY),
    ] = None
    missing: Missing = "raise"
    label: Labels = None

    def study(self) -> ItemStudy:
        """Return the study of the file."""
        group = self.group or []
        roles = (self.item, self.system, self.cluster, *group)
        by_row = self.item is not None or self.system is not None
        if by_row and len(self.scores) > 1:
            raise InputError(
                "`SCORE` must be one column with --item and --system, where each row has the score"
                f" of one system; got {self.scores}. Leave the other columns out."
            )
        data = self.read(self.file, labels=[name for name in roles if name is not None])
        study = ItemStudy(
            self.scores[0] if by_row else self.scores,
            data=data,
            item=self.item,
            system=self.system,
            frequency=self.frequency,
            cluster=self.cluster,
            group=group[0] if len(group) == 1 else group or None,
            nan_policy=self.missing,
            labels=option_texts_by_name("--label", self.label or []) or None,
        )
        report_parsing(data)
        return study


def correct(
    items: Items,
    output: Output,
    differences: Annotated[
        bool,
        typer.Option("--differences", help="Print the differences of every two systems instead."),
    ] = False,
    reference: Annotated[
        str | None, typer.Option(help="Print differences from this system only.")
    ] = None,
    test: Annotated[
        PairedTest | None,
        typer.Option(case_sensitive=False, help="Form of McNemar's test; mid-p unless given."),
    ] = None,
    interval: Annotated[
        PairedInterval | None,
        typer.Option(case_sensitive=False, help="Limits of a difference; tango unless given."),
    ] = None,
    hypothesis: Tested = "difference",
    margin: Margin = None,
    alternative: Side = "two-sided",
    adjust: Annotated[
        Adjustment, typer.Option(case_sensitive=False, help="Correction for several tests.")
    ] = "holm",
    level: Level = 0.95,
) -> None:
    r"""Print the share of items that each system does right, or differences on the same items.

    An option of a test prints differences too.

    rocstats correct answers.csv large small

    rocstats correct answers.csv large small tiny --differences --cluster document

    rocstats correct answers.csv large small \
      --hypothesis non-inferiority --margin 0.05

    rocstats correct runs.csv right --item question --system model \
      --reference base
    """
    asked = given_command_options(reference=reference, test=test, interval=interval, margin=margin)
    study = items.study()
    if not (differences or asked or hypothesis != "difference" or alternative != "two-sided"):
        output.write(study.accuracy(confidence_level=level))
        return
    output.write(
        study.compare_accuracy(
            hypothesis=hypothesis,
            alternative=alternative,
            adjust=adjust,
            confidence_level=level,
            **asked,
        )
    )
