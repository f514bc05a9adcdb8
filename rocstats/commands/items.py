"""The commands about models: items that systems do right or wrong, and classes in an order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

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
from rocstats.studies.studies import ItemStudy, OrdinalStudy

_STUDY = "The study"

_Differences = Annotated[
    bool, typer.Option("--differences", help="Print the differences of every two instead.")
]
_Adjust = Annotated[Adjustment, typer.Option(help="Correction for several tests.")]


@dataclass(frozen=True, kw_only=True)
class _Roles(Reading):
    """The roles of the columns of a file."""

    frequency: Annotated[
        str | None,
        typer.Option(
            help="Column with the number of items or cases of a row.", rich_help_panel=_STUDY
        ),
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(help="Column that says which rows belong together.", rich_help_panel=_STUDY),
    ] = None
    group: Annotated[
        list[str] | None,
        command_option_of_parameter("group", repeatable=True, rich_help_panel=_STUDY),
    ] = None
    missing: Missing = "raise"
    label: Labels = None

    def of_labels(self, *others: str | None) -> list[str]:
        """Return the columns of labels, which are read as they are written."""
        columns = (self.cluster, *(self.group or []), *others)
        return [name for name in columns if name is not None]

    def roles(self) -> dict[str, Any]:
        """Return the arguments of a study that both kinds of studies have."""
        group = self.group or []
        return {
            "frequency": self.frequency,
            "cluster": self.cluster,
            "group": group[0] if len(group) == 1 else group or None,
            "nan_policy": self.missing,
            "labels": option_texts_by_name("--label", self.label or []) or None,
        }


# --- Items that are right or wrong ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Items(_Roles):
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

    def study(self) -> ItemStudy:
        """Return the study of the file."""
        by_row = self.item is not None or self.system is not None
        if by_row and len(self.scores) > 1:
            raise InputError(
                "`SCORE` must be one column with --item and --system, where each row has the score"
                f" of one system; got {self.scores}. Leave the other columns out."
            )
        data = self.read(self.file, labels=self.of_labels(self.item, self.system))
        study = ItemStudy(
            self.scores[0] if by_row else self.scores,
            data=data,
            item=self.item,
            system=self.system,
            **self.roles(),
        )
        report_parsing(data)
        return study


def correct(
    items: Items,
    output: Output,
    differences: _Differences = False,
    reference: Annotated[
        str | None, typer.Option(help="Print differences from this system only.")
    ] = None,
    test: Annotated[
        PairedTest | None,
        typer.Option(help="Form of McNemar's test; mid-p unless given."),
    ] = None,
    interval: Annotated[
        PairedInterval | None,
        typer.Option(help="Limits of a difference; tango unless given."),
    ] = None,
    hypothesis: Tested = "difference",
    margin: Margin = None,
    alternative: Side = "two-sided",
    adjust: _Adjust = "holm",
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


# --- Classes in an order --------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Grades(_Roles):
    """A file of cases whose outcome is a grade or stage."""

    file: Annotated[Path, typer.Argument(metavar="FILE", help="Data: a row for each case.")]
    outcome: Annotated[str, typer.Argument(metavar="OUTCOME", help="Column with the class.")]
    scores: Annotated[list[str], typer.Argument(metavar="SCORE", help="Columns with the scores.")]
    order: Annotated[
        list[str] | None,
        typer.Option(
            help="Class, from the lowest to the highest (repeatable); numbers need none.",
            rich_help_panel=_STUDY,
        ),
    ] = None
    lower: Annotated[
        list[str] | None,
        typer.Option(
            help="A score of which low values mean a high class (repeatable).",
            rich_help_panel=_STUDY,
        ),
    ] = None

    def study(self) -> OrdinalStudy:
        """Return the study of the file."""
        data = self.read(self.file, labels=self.of_labels(), codes=[self.outcome])
        study = OrdinalStudy(
            self.outcome,
            self.scores,
            data=data,
            order=self.order or None,
            higher_is_positive=dict.fromkeys(self.lower or [], False) or True,
            **self.roles(),
        )
        report_parsing(data)
        return study


def ordered(
    grades: Grades,
    output: Output,
    volume: Annotated[
        bool, typer.Option("--volume", help="Print volumes under the ROC surface instead.")
    ] = False,
    differences: _Differences = False,
    reference: Annotated[
        str | None, typer.Option(help="Print differences from this score only.")
    ] = None,
    adjust: _Adjust = "holm",
    level: Level = 0.95,
) -> None:
    r"""Print how well each score ranks classes in an order, such as stages: the concordance.

    It is the share of pairs of cases of different classes that are in order.

    rocstats ordered graded.csv grade p_severe

    rocstats ordered graded.csv grade p_severe p_none --lower p_none --differences

    rocstats ordered classes.csv kind high --order low --order middle --order high
    """
    compared = differences or reference is not None
    if volume and compared:
        raise InputError(
            "`--volume` must be left out with --differences or --reference, which compare"
            " concordances; got both. Leave one of them out."
        )
    study = grades.study()
    if volume:
        output.write(study.vus(confidence_level=level))
    elif compared:
        output.write(
            study.compare_concordance(reference=reference, adjust=adjust, confidence_level=level)
        )
    else:
        output.write(study.concordance(confidence_level=level))
